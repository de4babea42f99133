import { Worker } from 'node:worker_threads';
import { FailureError } from '../../../../src-shared/failure.ts';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import type { OpenedTranscript, ReadNews, TranscriptReader } from '../../../ports/transcript-reader.ts';
import { KeptTexts } from '../lazy/kept-texts.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** Much of what is made while a file is read lives for a moment only. A larger nursery spares copying what does not. */
const NURSERY_MB = 32;

/**
 * Reads transcripts in a thread of its own, one a file, which ends with the reading.
 *
 * @param entryPath the bundled program of the thread.
 */
export const readingInWorker =
  (entryPath: string): TranscriptReader =>
  (path, signal, onNews) => {
    signal.throwIfAborted();
    const worker = new Worker(entryPath, { resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB } });
    return readBy(worker, { path, signal, onNews: onNews ?? (() => {}) }).finally(() => void worker.terminate());
  };

type Wanted = {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onNews: (news: ReadNews) => void;
};

function readBy(worker: Worker, { path, signal, onNews }: Wanted): Promise<OpenedTranscript> {
  const tell = (message: ToWorker): void => worker.postMessage(message);
  let events: SessionEvent[] = [];
  let main = path;
  let texts = new KeptTexts();
  let progress = { bytes: 0, totalBytes: 0 };
  const news = (more: Partial<ReadNews>): void =>
    onNews({
      ...{ path: main, keep: events.length, amended: [], events: [], texts: undefined, isShowable: false },
      ...progress,
      ...more,
    });
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'news':
          events = events.slice(0, message.keep);
          for (const event of message.amended) events[event.seq] = event;
          main = message.path;
          texts = new KeptTexts(message.texts);
          news({ amended: message.amended, texts });
          return;
        case 'events':
          news({ events: message.events });
          for (const event of message.events) events.push(event);
          tell({ kind: 'taken' });
          return;
        case 'progress':
          progress = { bytes: message.bytes, totalBytes: message.totalBytes };
          news({});
          return;
        case 'so-far':
          news({ isShowable: true });
          return;
        case 'done': {
          signal.removeEventListener('abort', onAbort);
          resolve({ path: main, findings: message.findings, events, texts });
          return;
        }
        case 'failed':
          reject(message.failure === undefined ? new Error(message.stack) : new FailureError(message.failure));
      }
    });
    worker.once('error', (cause: Error) => {
      const hint = 'Open a smaller part of the file, or close other programs.';
      const outOfMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const message = `${path} is too large for the memory of this machine.`;
      reject(outOfMemory ? new FailureError({ kind: 'not-readable', message, hint }, { cause }) : cause);
    });
    worker.once('exit', () => reject(new Error('The reader of transcripts has ended.')));
    tell({ kind: 'open', path });
  });
}
