import { FailureError } from '../../../src-shared/failure.ts';
import { answer } from './answer.ts';
import { StopMessage, type VaultMessage, VaultRequest } from './protocol.ts';

/** The program that works on a vault: one request, progress, one answer, and it ends. */

const stop = new AbortController();
/** Progress is told at most so often, in ms. */
const TELL_MS = 200;
let toldAt = 0;

const failed = (error: unknown): VaultMessage => ({
  kind: 'failed',
  failure:
    error instanceof FailureError
      ? error.failure
      : { kind: 'internal', message: error instanceof Error ? error.message : String(error) },
});

process.on('message', (raw) => {
  if (StopMessage.safeParse(raw).success) {
    stop.abort(new Error('stopped'));
    return;
  }
  Promise.resolve()
    .then(() => {
      const request = VaultRequest.parse(raw);
      return answer(
        request,
        (progress) => {
          const now = performance.now();
          if (now - toldAt < TELL_MS && progress.files < progress.ofFiles) return;
          toldAt = now;
          process.send?.({ kind: 'progress', ...progress } satisfies VaultMessage);
        },
        stop.signal,
      );
    })
    .catch(failed)
    .then((message) => process.send?.(message, undefined, undefined, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);
