import { parentPort } from 'node:worker_threads';
import { FailureError } from '../../../../src-shared/failure.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { newsBetween } from '../follow/news.ts';
import type { ReadProgress } from '../importer.ts';
import { KeptTexts } from '../lazy/kept-texts.ts';
import type { SoFar } from '../open-transcript.ts';
import { readTranscriptWith } from '../read-transcript.ts';
import { EVENTS_AT_ONCE, type FromWorker, MOST_ON_THE_WAY, type ToWorker } from './protocol.ts';

/** The program of the thread that reads a transcript: one request, the session as it is read, and it is ended by main. */

const say = (message: FromWorker): void => parentPort?.postMessage(message);

const PROGRESS_MS = 100;

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
  const keptTexts = new KeptTexts();
  const telling = new Telling(keptTexts);
  const onPreview = async ({ events, path: main }: SoFar): Promise<void> => {
    await telling.tell(events, main);
    say({ kind: 'so-far' });
  };
  let saidAt = performance.now();
  const onProgress = (progress: ReadProgress): void => {
    if (performance.now() - saidAt < PROGRESS_MS) return;
    saidAt = performance.now();
    say({ kind: 'progress', ...progress });
  };
  const opened = await readTranscriptWith(path, { keptTexts, onPreview, onProgress });
  await telling.tell(opened.events, opened.path);
  say({ kind: 'done', findings: opened.findings });
}

/** Tells what has changed since it was told before. */
class Telling {
  readonly #texts: KeptTexts;
  #told: readonly SessionEvent[] = [];

  constructor(texts: KeptTexts) {
    this.#texts = texts;
  }

  async tell(now: readonly SessionEvent[], path: string): Promise<void> {
    const { keep, events, amended } = newsBetween(this.#told, now);
    this.#told = now;
    say({ kind: 'news', path, keep, amended, texts: this.#texts.places() });
    for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
      while (onTheWay >= MOST_ON_THE_WAY) await new Promise<void>((resolve) => (goOn = resolve));
      onTheWay++;
      say({ kind: 'events', events: events.slice(from, from + EVENTS_AT_ONCE) });
    }
  }
}
