import { answer } from './answer.ts';
import { type LibraryMessage, LibraryRequest } from './protocol.ts';

/** The program that holds the index of sessions: one request, progress, one answer, and it ends. */

const stop = new AbortController();
const say = (message: LibraryMessage): void => void process.send?.(message);

process.once('message', (raw) => {
  const onProgress = (done: number, total: number): void => say({ kind: 'progress', done, total });
  Promise.resolve()
    .then(() => answer(LibraryRequest.parse(raw), onProgress, stop.signal))
    .catch((error: unknown): LibraryMessage => {
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    })
    .then((message) => process.send?.(message, undefined, undefined, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);
