import type { AgentId, CallId } from '../../src-shared/ids.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import type { ProcessResult, RunHooks } from './process-runner.ts';

/** A command that is to go on behind its call. */
export type ShellOrder = {
  readonly callId: CallId;
  readonly agentId: AgentId;
  readonly command: string;
  /** Where its output goes, absolute. */
  readonly path: string;
  readonly run: (hooks: RunHooks) => Promise<ProcessResult>;
};

export type ShellStart =
  | { readonly kind: 'started'; readonly shell: Shell }
  /** `result` says why. */
  | { readonly kind: 'not-started'; readonly result: ProcessResult };

/** The background shells of a session, as its calls see them. They outlive calls and turns, never the session. */
export interface CallShells {
  /** Oldest first, those that have ended too. */
  readonly all: readonly Shell[];
  find(shellId: string): Shell | undefined;
  /** Resolves when the command has begun or could not. The signal counts until then. @throws CallAborted */
  start(order: ShellOrder, signal: AbortSignal): Promise<ShellStart>;
  /**
   * Looks at the output from where the last look ended. One look of a shell at a time; where `look` throws, the next one
   * begins at the same place.
   */
  read<T>(shellId: string, look: (shell: Shell) => Promise<{ readonly until: number; readonly value: T }>): Promise<T>;
  /** Ends its whole tree, and resolves with how it ended. One that has ended already stays as it is. */
  kill(shellId: string, by: 'model' | 'person'): Promise<Shell>;
}
