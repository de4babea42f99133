import type { CallId } from '../../../../src-shared/ids.ts';
import type { ProcessResult, ProcessRunner, ProcessSpec, RunHooks } from '../../../ports/process-runner.ts';

/**
 * Real commands whose ends are held back until `mayEnd` says so. Two commands of a few milliseconds end in any order; the
 * recording has one, and what a failing call cancels hangs on it. So the order is kept and not the time.
 */
export class HeldRunner implements ProcessRunner {
  readonly #runner: ProcessRunner;
  readonly #mayEnd: (callId: CallId) => boolean;
  #held: (() => boolean)[] = [];

  constructor(runner: ProcessRunner, mayEnd: (callId: CallId) => boolean) {
    this.#runner = runner;
    this.#mayEnd = mayEnd;
  }

  async run(spec: ProcessSpec, hooks: RunHooks): Promise<ProcessResult> {
    const result = await this.#runner.run(spec, hooks);
    const callId = spec.marker.slice(spec.marker.lastIndexOf(':') + 1) as CallId;
    await new Promise<void>((resolve) => {
      const tryToEnd = (): boolean => {
        if (!hooks.signal.aborted && !this.#mayEnd(callId)) return false;
        hooks.signal.removeEventListener('abort', tryToEnd);
        resolve();
        return true;
      };
      if (tryToEnd()) return;
      hooks.signal.addEventListener('abort', tryToEnd);
      this.#held.push(tryToEnd);
    });
    // A command that had ended before it was told to stop has ended by itself; held back, it has not ended yet.
    return hooks.signal.aborted ? { ...result, end: { kind: 'cancelled' } } : result;
  }

  /** Something has changed that `mayEnd` looks at. */
  lookAgain(): void {
    this.#held = this.#held.filter((tryToEnd) => !tryToEnd());
  }

  listTree(marker: string) {
    return this.#runner.listTree(marker);
  }

  close(): Promise<void> {
    return this.#runner.close();
  }
}
