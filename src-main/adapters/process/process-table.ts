import type { Leftover } from '../../ports/process-runner.ts';
import { linuxProcessTable } from './linux-process-table.ts';
import { psProcessTable } from './ps-process-table.ts';
import { windowsProcessTable } from './windows-process-table.ts';

/** By what the processes of one call are known, whatever they did to hide. */
export type Tree = {
  readonly marker: string;
  /** The shell: leader of its own session and group. Absent when only the marker is known. */
  readonly rootPid?: number | undefined;
  /** Start of the shell, see `Member.start`. Nothing older belongs to the tree. */
  readonly rootStart?: number | undefined;
  /** What still writes to this file belongs to the tree. */
  readonly outputFile?: string | undefined;
};

export type Member = {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** When it started, in units of the system; tells a process from a later one with the same pid. 0: not known. */
  readonly start: number;
  readonly command: string;
};

/** `ask` can be refused by the process, `force` cannot. */
export type Strength = 'ask' | 'force';

export type Awaitable<T> = T | Promise<T>;

/** The system's list of processes, one implementation per system. Zombies are not alive and are never listed. */
export interface ProcessTable {
  /** When the process started, or undefined when it is gone or the system tells only with an effort. */
  startOf(pid: number): number | undefined;
  /** All living processes of the tree. */
  members(tree: Tree): Promise<readonly Member[]>;
  /**
   * The same after the shell has ended by itself, where nearly always there is nothing; may use that every process
   * left is younger than the shell. `ranMs`: how long the shell ran. Answers at once where the system can, since this
   * is part of every command's time.
   */
  remains(tree: Tree, ranMs: number): Awaitable<readonly Member[]>;
  signal(tree: Tree, members: readonly Member[], strength: Strength): Promise<void>;
  /** Living processes with a marker that starts with the prefix and whose process host is gone. */
  orphans(markerPrefix: string): Promise<readonly Leftover[]>;
  /** Largest resident size and processor time of the process and what it waits for; undefined where that is costly. */
  usageOf(rootPid: number): TreeUsage | undefined;
}

export type TreeUsage = { readonly userMs: number; readonly systemMs: number; readonly maxRssBytes: number };

export function processTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') return linuxProcessTable();
  if (platform === 'win32') return windowsProcessTable();
  return psProcessTable();
}
