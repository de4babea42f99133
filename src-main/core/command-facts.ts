import type { SessionState } from '../../src-shared/session/state.ts';
import { commandOf } from '../../src-shared/what-if/accesses.ts';
import type { CommandFacts } from '../../src-shared/what-if/recorded.ts';
import { Ground, worldWithoutLinks } from './permission/ground.ts';
import { touchedFiles } from './permission/touched-files.ts';

/** Whose machine the commands are taken to run on. */
export type Machine = { readonly home: string; readonly platform: string };

/** A ground for commands of a session: no link is followed, since the session may be one of another machine. */
export const groundOf = (cwd: string, { home, platform }: Machine): Ground =>
  new Ground(worldWithoutLinks(cwd === '' ? '/' : cwd, { home, platform }));

/** What every Bash command of a session says of the files it works on. */
export function commandFacts(state: SessionState, machine: Machine): CommandFacts {
  const ground = groundOf(state.cwd, machine);
  return new Map(
    state.calls.flatMap((call) => {
      const command = commandOf(call);
      return command === undefined ? [] : [[call.callId, touchedFiles(command, ground)] as const];
    }),
  );
}
