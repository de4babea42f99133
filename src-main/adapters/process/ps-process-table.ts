import { execa } from 'execa';
import { HOST_VARIABLE, MARKER_VARIABLE } from '../../ports/process-protocol.ts';
import type { Leftover } from '../../ports/process-runner.ts';
import { signalTree } from './posix-signal.ts';
import type { Member, ProcessTable, Tree } from './process-table.ts';
import { withDescendants } from './tree.ts';

/** One line of `ps`. `text` is the command line with the environment after it. */
export type PsRow = Member & { readonly state: string; readonly text: string };

/** With -E the BSD `ps` of macOS adds the environment of the user's own processes, which is where the marker lies. */
const PS_ARGUMENTS = ['-A', '-ww', '-E', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='];

/** macOS: asks `ps`, about 10 ms a look. What has left its parents, group and environment at once is not found. */
export function psProcessTable(): ProcessTable {
  const members = async (tree: Tree) => membersOf(await readRows(), tree);
  return {
    startOf: () => undefined,
    members,
    remains: members,
    signal: async (tree, found, strength) => signalTree(tree, found, strength, () => undefined),
    orphans: async (prefix) => orphansOf(await readRows(), prefix),
    usageOf: () => undefined,
  };
}

async function readRows(): Promise<readonly PsRow[]> {
  // LC_ALL keeps the month names of `lstart` English.
  const { stdout } = await execa('ps', PS_ARGUMENTS, { env: { LC_ALL: 'C' }, maxBuffer: 64 * 1024 * 1024 });
  return parsePs(stdout);
}

const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+\w{3}\s+(\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;

export function parsePs(stdout: string): readonly PsRow[] {
  const rows: PsRow[] = [];
  for (const line of stdout.split('\n')) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, pid, ppid, pgid, state, started, text] = match as unknown as [string, ...string[]];
    rows.push({
      pid: Number(pid),
      ppid: Number(ppid),
      pgid: Number(pgid),
      state: state!,
      start: Date.parse(started!),
      text: text!,
      command: withoutEnvironment(text!),
    });
  }
  return rows;
}

/** `ps` does not say where the environment begins; the first ` NAME=` is right but for commands with such an argument. */
const withoutEnvironment = (text: string): string => text.replace(/ [A-Za-z_][A-Za-z0-9_]*=.*$/, '').slice(0, 200);

const isAlive = (row: PsRow): boolean => !row.state.startsWith('Z') && row.pid !== process.pid;

export function membersOf(rows: readonly PsRow[], tree: Tree): readonly Member[] {
  const mark = ` ${MARKER_VARIABLE}=${tree.marker} `;
  return withDescendants(
    rows.filter(isAlive),
    (row) =>
      row.pid === tree.rootPid ||
      (tree.rootPid !== undefined && row.pgid === tree.rootPid) ||
      `${row.text} `.includes(mark),
  ).map(({ pid, ppid, pgid, start, command }) => ({ pid, ppid, pgid, start, command }));
}

export function orphansOf(rows: readonly PsRow[], markerPrefix: string): readonly Leftover[] {
  const alive = rows.filter(isAlive);
  const pids = new Set(alive.map((row) => row.pid));
  return alive.flatMap((row) => {
    const marker = new RegExp(` ${MARKER_VARIABLE}=(\\S+)`).exec(row.text)?.[1];
    if (marker?.startsWith(markerPrefix) !== true || marker === process.env[MARKER_VARIABLE]) return [];
    const host = new RegExp(` ${HOST_VARIABLE}=(\\d+)`).exec(row.text)?.[1];
    return pids.has(Number(host))
      ? []
      : [{ pid: row.pid, marker, command: row.command, ...(row.start > 0 ? { since: row.start } : {}) }];
  });
}
