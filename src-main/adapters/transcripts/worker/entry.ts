import { parentPort } from 'node:worker_threads';
import { FailureError } from '../../../../src-shared/failure.ts';
import { KeptTexts } from '../lazy/kept-texts.ts';
import { readTranscript } from '../read-transcript.ts';
import { EVENTS_AT_ONCE, type FromWorker, MOST_ON_THE_WAY, type ToWorker } from './protocol.ts';

/** The program of the thread that reads a transcript: one request, the session's events, and it is ended by main. */

const say = (message: FromWorker): void => parentPort?.postMessage(message);

let onTheWay = 0;
let goOn: (() => void) | undefined;

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'taken') {
    onTheWay--;
    goOn?.();
    return;
  }
  read(message.path).catch((error: unknown) => {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    say({ kind: 'failed', failure: error instanceof FailureError ? error.failure : undefined, stack });
  });
});

async function read(path: string): Promise<void> {
  const opened = await readTranscript(path, new AbortController().signal);
  for (let from = 0; from < opened.events.length; from += EVENTS_AT_ONCE) {
    while (onTheWay >= MOST_ON_THE_WAY) await new Promise<void>((resolve) => (goOn = resolve));
    onTheWay++;
    say({ kind: 'events', events: opened.events.slice(from, from + EVENTS_AT_ONCE) });
  }
  const texts = opened.texts instanceof KeptTexts ? opened.texts : new KeptTexts();
  say({ kind: 'done', path: opened.path, findings: opened.findings, texts: texts.places() });
}
