import type { AgentId, CallId, ShellId } from '../../src-shared/ids.ts';
import { emptySession, type SessionState } from '../../src-shared/session/state.ts';
import type { Shell } from '../../src-shared/shell/state.ts';
import { sessionTime } from '../../src-shared/units.ts';

/** A background shell; it runs, unless `over` says how it ended. */
export const sampleShell = (over: Partial<Shell> = {}): Shell => ({
  shellId: 'bash_1' as ShellId,
  callId: 'launch' as CallId,
  agentId: 'main' as AgentId,
  command: 'npm run dev',
  path: '/sessions/s/tool-results/launch.shell.txt',
  from: sessionTime(1_000),
  progress: { bytes: 2_048, lines: 31, tail: 'compiled in 812 ms\nlistening on http://localhost:5173\n\n' },
  readUntil: 0,
  end: undefined,
  ...over,
});

export function stateWith(...shells: readonly Shell[]): SessionState {
  const state = emptySession();
  state.shells.push(...shells);
  return state;
}
