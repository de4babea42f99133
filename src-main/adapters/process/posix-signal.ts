import type { Member, Strength, Tree } from './process-table.ts';

/**
 * Signals the group of the shell and, one by one, the members that left it. `startOf` guards against a pid that has
 * been given to another process since the members were listed.
 */
export function signalTree(
  tree: Tree,
  members: readonly Member[],
  strength: Strength,
  startOf: (pid: number) => number | undefined,
): void {
  const signals: readonly NodeJS.Signals[] =
    // A stopped process acts on SIGTERM only after it is continued.
    strength === 'ask' ? ['SIGTERM', 'SIGCONT'] : ['SIGKILL'];
  const inGroup = (member: Member) => tree.rootPid !== undefined && member.pgid === tree.rootPid;
  const strays = members.filter((member) => !inGroup(member) && isSame(member, startOf(member.pid)));
  for (const signal of signals) {
    if (tree.rootPid !== undefined && members.some(inGroup)) send(-tree.rootPid, signal);
    for (const stray of strays) send(stray.pid, signal);
  }
}

const isSame = (member: Member, start: number | undefined): boolean =>
  member.start === 0 || start === undefined || start === member.start;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or another user's (sudo): the next look at the table tells which, and the latter is a survivor.
  }
}
