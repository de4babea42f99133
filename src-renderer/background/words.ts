import { isOver } from '../../src-shared/session/is-over.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import { type Shell, shellEndWords } from '../../src-shared/shell/state.ts';
import type { PillTone } from '../widgets/Pill.tsx';

/** Those that run. Nothing of an ended or imported session does. */
export const runningShells = (state: SessionState): readonly Shell[] =>
  isOver(state) ? [] : state.shells.filter(({ end }) => end === undefined);

/** `runs` · `ended with exit code 1`; of a file that broke off nobody knows. */
export function shellWords(shell: Shell, state: Pick<SessionState, 'ended' | 'origin'>): string {
  if (shell.end !== undefined) return shellEndWords(shell.end.how);
  return isOver(state) ? 'its end is not recorded' : 'runs';
}

export function shellTone({ end }: Shell): PillTone {
  switch (end?.how.kind) {
    case undefined:
      return 'work';
    case 'exited':
      return end?.how.kind === 'exited' && end.how.code !== 0 ? 'error' : 'ok';
    case 'signalled':
    case 'output-limit':
    case 'host-lost':
      return 'error';
    case 'killed':
    case 'session-closed':
      return 'cancelled';
    case 'unknown':
      return 'neutral';
  }
}
