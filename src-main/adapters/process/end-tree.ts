import { type Millis, millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Member, ProcessTable, Tree } from './process-table.ts';
import { pause } from './system-clock.ts';

export type Patience = {
  /** From asking (TERM) to force (KILL). */
  readonly grace: Millis;
  /** From force to giving up and naming the survivors: a process in an uninterruptible sleep does not even hear KILL. */
  readonly force: Millis;
};

/** Spec 3.6: TERM, 2 s, KILL. */
export const ORDINARY: Patience = { grace: millis(2000), force: millis(5000) };
/** When the main process has died nobody waits for a clean end, and all has to be gone within 2 s (spec 7.5). */
export const HASTY: Patience = { grace: millis(500), force: millis(1000) };

export type TreeEnd = { readonly ended: readonly Member[]; readonly survivors: readonly Member[] };

/**
 * Ends the whole tree and resolves when it is gone or cannot be ended. `patience` is asked again and again: it can run
 * out while the tree is ending. Looks at the table again and again, since a
 * process that dies may have forked a moment before: what is new gets its own signal.
 */
export async function endTree(
  tree: Tree,
  table: ProcessTable,
  clock: Clock,
  patience: () => Patience = () => ORDINARY,
): Promise<TreeEnd> {
  const met = new Map<number, Member>();
  const look = async (): Promise<readonly Member[]> => {
    let members = await table.members(tree);
    // One empty look proves nothing: a parent can end, and its child begin, behind the reader's back.
    if (members.length === 0) members = await table.members(tree);
    for (const member of members) met.set(member.pid, member);
    return members;
  };

  // By command: bash's child forgets a signal that comes between its fork and its exec, so that what runs another
  // command than when it was asked is asked again. Nobody else is: to many programs a second SIGTERM means "at once".
  const asked = new Map<number, string>();
  let members = await look();
  members = await repeat(
    members,
    look,
    clock,
    () => patience().grace,
    async (now) => {
      const fresh = now.filter((member) => asked.get(member.pid) !== member.command);
      for (const member of fresh) asked.set(member.pid, member.command);
      if (fresh.length > 0) await table.signal(tree, fresh, 'ask');
    },
  );
  members = await repeat(
    members,
    look,
    clock,
    () => patience().force,
    (now) => table.signal(tree, now, 'force'),
  );

  const alive = new Set(members.map((member) => member.pid));
  return { ended: [...met.values()].filter((member) => !alive.has(member.pid)), survivors: members };
}

const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 50;

/** Acts on the members and looks again, in growing steps, until none is left or the time is up. */
async function repeat(
  first: readonly Member[],
  look: () => Promise<readonly Member[]>,
  clock: Clock,
  limit: () => Millis,
  act: (members: readonly Member[]) => Promise<void>,
): Promise<readonly Member[]> {
  const start = clock.monotonic();
  let members = first;
  let step = FIRST_PAUSE_MS;
  while (members.length > 0) {
    await act(members);
    const left = start + limit() - clock.monotonic();
    if (left <= 0) break;
    await pause(clock, millis(Math.min(step, left)));
    step = Math.min(step * 2, LONGEST_PAUSE_MS);
    members = await look();
  }
  return members;
}
