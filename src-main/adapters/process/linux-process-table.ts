import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { HOST_VARIABLE, MARKER_VARIABLE } from '../../ports/process-protocol.ts';
import type { Leftover } from '../../ports/process-runner.ts';
import { signalTree } from './posix-signal.ts';
import type { Member, ProcessTable, Tree, TreeUsage } from './process-table.ts';
import { withDescendants } from './tree.ts';

/** Fields of /proc/PID/stat, see proc(5). Times are in ticks: `start` since boot. */
export type Stat = {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly ppid: number;
  readonly pgid: number;
  readonly session: number;
  readonly userTicks: number;
  readonly systemTicks: number;
  readonly start: number;
};

/** USER_HZ: part of Linux's interface to programs, 100 on every architecture that Node runs on. */
const TICKS_PER_MS = 100 / 1000;
/** Above this the pids since the shell may have gone once round, and only the whole list is sure. */
const SURE_WITHOUT_WRAP_MS = 2000;
const FEW_PIDS = 256;
/** The kernel's own processes are all below this one, and show neither environment nor arguments. */
const KERNEL_THREADS = 2;
/** Becoming another program takes microseconds, and longer only when the machine gives the process no time. */
const MOST_LOOKS = 100;
const BETWEEN_LOOKS_MS = 1;

/**
 * Reads /proc. A process is a call's when it is the shell, in the shell's session or group, carries the marker in its
 * environment, or writes to the output file; and everything below such a process.
 */
export function linuxProcessTable(): ProcessTable {
  return {
    startOf: (pid) => readStat(pid)?.start,
    members: async (tree) => allMembers(tree),
    remains,
    signal: async (tree, members, strength) => signalTree(tree, members, strength, (pid) => readStat(pid)?.start),
    orphans: async (prefix) => orphans(prefix),
    usageOf,
  };
}

/** Parses a line of /proc/PID/stat. The name may hold blanks and brackets; what follows its last bracket is plain. */
export function parseStat(text: string): Stat | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const fields = text.slice(close + 2).split(' ');
  const at = (fieldOfManPage: number) => Number(fields[fieldOfManPage - 3]);
  return {
    pid: Number(text.slice(0, open)),
    name: text.slice(open + 1, close),
    state: fields[0] ?? '?',
    ppid: at(4),
    pgid: at(5),
    session: at(6),
    // With those of children that were waited for.
    userTicks: at(14) + at(16),
    systemTicks: at(15) + at(17),
    start: at(22),
  };
}

const buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * A small file of /proc, or undefined when the process is gone or not ours to see. Several times faster than
 * readFileSync; what it returns is good until the next call.
 */
function readProc(path: string): Buffer | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const length = readSync(fd, buffer, 0, buffer.length, 0);
    if (length < buffer.length) return buffer.subarray(0, length);
    const rest = [Buffer.from(buffer)];
    for (let position = length; ; ) {
      const more = readSync(fd, buffer, 0, buffer.length, position);
      if (more === 0) return Buffer.concat(rest);
      rest.push(Buffer.from(buffer.subarray(0, more)));
      position += more;
    }
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function readStat(pid: number): Stat | undefined {
  const text = readProc(`/proc/${pid}/stat`)?.toString('latin1');
  return text === undefined ? undefined : parseStat(text);
}

const isAlive = (stat: Stat): boolean => stat.state !== 'Z' && stat.state !== 'X';

const allPids = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);

function readRows(pids: readonly number[]): Stat[] {
  const rows: Stat[] = [];
  for (const pid of pids) {
    const stat = pid === process.pid ? undefined : readStat(pid);
    if (stat !== undefined && isAlive(stat)) rows.push(stat);
  }
  return rows;
}

function membersAmong(rows: readonly Stat[], tree: Tree): readonly Member[] {
  return withDescendants(rows, ownership(tree)).map((row) => ({
    pid: row.pid,
    ppid: row.ppid,
    pgid: row.pgid,
    start: row.start,
    command: commandOf(row),
  }));
}

const allMembers = (tree: Tree): readonly Member[] => membersAmong(readRows(allPids()), tree);

function ownership(tree: Tree): (row: Stat) => boolean {
  const entry = Buffer.from(`\0${MARKER_VARIABLE}=${tree.marker}\0`);
  const output = tree.outputFile === undefined ? undefined : fileIdentity(tree.outputFile);
  return (row) => {
    if (tree.rootStart !== undefined && row.start < tree.rootStart) return false;
    if (tree.rootPid !== undefined && (row.session === tree.rootPid || row.pgid === tree.rootPid)) return true;
    return carries(row.pid, entry) || (output !== undefined && writesTo(row.pid, output));
  };
}

/**
 * What a process was started with. Between two programs (execve) it shows nothing of it for a moment, in which it must not
 * be taken for a stranger.
 */
function readStarted(pid: number, what: 'environ' | 'cmdline'): Buffer | undefined {
  const look = () => readProc(`/proc/${pid}/${what}`);
  for (let looks = 1; looks < MOST_LOOKS; looks++) {
    const content = look();
    if (content === undefined || content.length > 0) return content;
    // It may have become the other program since the look.
    if (!isBetweenPrograms(pid)) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_LOOKS_MS);
  }
  return look();
}

function isBetweenPrograms(pid: number): boolean {
  if (readProc(`/proc/${pid}/cmdline`)?.length !== 0) return false;
  const stat = readStat(pid);
  return stat !== undefined && isAlive(stat) && pid !== KERNEL_THREADS && stat.ppid !== KERNEL_THREADS;
}

function carries(pid: number, entry: Buffer): boolean {
  const environment = readStarted(pid, 'environ');
  if (environment === undefined) return false;
  return environment.includes(entry) || environment.indexOf(entry.subarray(1)) === 0;
}

function fileIdentity(path: string): string | undefined {
  // As big integers: inode numbers of some file systems do not fit a double, and a near miss would be a wrong match.
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  // Only of files and pipes with a name: half of the machine writes to /dev/null.
  return stat?.isFile() === true || stat?.isFIFO() === true ? `${stat.dev}:${stat.ino}` : undefined;
}

function writesTo(pid: number, output: string): boolean {
  try {
    return fileIdentity(`/proc/${pid}/fd/1`) === output || fileIdentity(`/proc/${pid}/fd/2`) === output;
  } catch {
    return false;
  }
}

/** The command line in one line, at most 200 characters; the name in brackets when the process has none. */
function commandOf(row: Stat): string {
  const line = readStarted(row.pid, 'cmdline')?.toString('utf8').replaceAll('\0', ' ').trim();
  return line === undefined || line === '' ? `[${row.name}]` : line.slice(0, 200);
}

/** Number of the youngest process of this pid namespace: the last field of /proc/loadavg. */
function lastPid(): number {
  return Number(readProc('/proc/loadavg')?.toString('latin1').trim().split(' ').at(-1) ?? 0);
}

/**
 * Pids are given out in order, so all that a short command left behind lies between its shell and the youngest
 * process: mostly a handful of numbers, against the hundreds of a whole /proc.
 */
function remains(tree: Tree, ranMs: number): readonly Member[] {
  const rows = tree.rootPid === undefined || ranMs > SURE_WITHOUT_WRAP_MS ? undefined : readYounger(tree.rootPid);
  if (rows !== undefined) return rows.length === 0 ? [] : membersAmong(rows, tree);
  // A process that forks and ends while we look can hide its child from the first look, not from the second.
  const first = allMembers(tree);
  return first.length > 0 ? first : allMembers(tree);
}

/** Living processes with a higher pid, or undefined when pids have wrapped or there are too many to try. */
function readYounger(than: number): Stat[] | undefined {
  const rows: Stat[] = [];
  let from = than + 1;
  // A process that forks and ends while we look puts its child behind the end we saw; so look until the end stays.
  for (let end = lastPid(); end >= from; from = end + 1, end = lastPid()) {
    if (end - than > FEW_PIDS) return undefined;
    // Most of these numbers belong to nobody any more, and failing to open a file is ten times as slow as asking.
    rows.push(...readRows(range(from, end).filter((pid) => existsSync(`/proc/${pid}`))));
  }
  return lastPid() < from - 1 ? undefined : rows;
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

function orphans(markerPrefix: string): readonly Leftover[] {
  const found: Leftover[] = [];
  for (const pid of allPids()) {
    if (pid === process.pid) continue;
    const environment = readStarted(pid, 'environ')?.toString('utf8').split('\0');
    const marker = entryOf(environment, MARKER_VARIABLE);
    // This program may itself run inside of a command of Gantry's, and has inherited the command's marker then.
    if (marker?.startsWith(markerPrefix) !== true || marker === process.env[MARKER_VARIABLE]) continue;
    if (hostLives(entryOf(environment, HOST_VARIABLE))) continue;
    const stat = readStat(pid);
    if (stat === undefined || !isAlive(stat)) continue;
    found.push({ pid, marker, command: commandOf(stat), since: bootedAt() + stat.start / TICKS_PER_MS });
  }
  return found;
}

/** When the system was started, in ms since 1970. */
function bootedAt(): number {
  const seconds = /^btime (\d+)$/m.exec(readProc('/proc/stat')?.toString('latin1') ?? '')?.[1];
  return Number(seconds ?? 0) * 1000;
}

const entryOf = (environment: readonly string[] | undefined, name: string): string | undefined =>
  environment?.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);

/** `host` is `PID:START`, as the process host wrote it. */
function hostLives(host: string | undefined): boolean {
  const [pid, start] = (host ?? '').split(':').map(Number);
  const stat = pid === undefined || !(pid > 0) ? undefined : readStat(pid);
  return stat !== undefined && isAlive(stat) && stat.start === start;
}

function usageOf(rootPid: number): TreeUsage | undefined {
  let userTicks = 0;
  let systemTicks = 0;
  let maxRssBytes = 0;
  const pids = [rootPid];
  for (let next = 0; next < pids.length && next < FEW_PIDS; next++) {
    const pid = pids[next]!;
    const stat = readStat(pid);
    if (stat === undefined || !isAlive(stat)) continue;
    userTicks += stat.userTicks;
    systemTicks += stat.systemTicks;
    maxRssBytes = Math.max(maxRssBytes, peakOf(pid));
    const children = readProc(`/proc/${pid}/task/${pid}/children`)?.toString('latin1').trim();
    if (children) pids.push(...children.split(' ').map(Number));
  }
  if (maxRssBytes === 0) return undefined;
  return { userMs: userTicks / TICKS_PER_MS, systemMs: systemTicks / TICKS_PER_MS, maxRssBytes };
}

/** The kernel's own high-water mark of the resident size, so looking seldom misses little. */
function peakOf(pid: number): number {
  const match = /^VmHWM:\s+(\d+) kB/m.exec(readProc(`/proc/${pid}/status`)?.toString('latin1') ?? '');
  return match === null ? 0 : Number(match[1]) * 1024;
}
