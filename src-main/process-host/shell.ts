import {
  accessSync,
  appendFileSync,
  constants,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** What the shell said at its end. */
export type ShellReport = { readonly cwd: string; readonly userMs: number; readonly systemMs: number };

/** A pair of files lent to one running shell: the start-up file and the file its report goes to. */
export type Slot = { readonly startFile: string; readonly reportFile: string };

/**
 * Where bash is. On Windows the one on the PATH may be WSL's, which sees other paths; Git's is meant.
 */
export function findBash(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  const candidates =
    platform === 'win32'
      ? [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'Programs')].flatMap(
          (folder) => (folder ? [join(folder, 'Git', 'bin', 'bash.exe')] : []),
        )
      : [...(env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'bash')), '/bin/bash'];
  return candidates.find(isExecutable) ?? 'bash';
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `--`, since a command may begin with a dash. */
export const BASH_OPTIONS = ['--norc', '--noprofile', '-c', '--'] as const;

/** Variables of the app's own process, or of an interactive shell it came from, which a command must not inherit. */
const OWN = /^(ELECTRON_RUN_AS_NODE|NODE_CHANNEL_.*|BASH_ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*)$/;

/** The app's environment as commands see it: no prompts, no pagers, nothing that changes what bash commands mean. */
export function commandEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OWN.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', PAGER: 'cat' };
}

const PREFIX = 'gantry-host-';

/**
 * Hands out slots. The files are kept and reused, because making one costs a tenth of a short command on common file
 * systems. The folder is private and goes with the process; what a killed host left is swept by the next.
 */
export class SlotPool {
  readonly #folder: string | undefined;
  readonly #free: Slot[] = [];
  #made = 0;

  constructor(parent: string = tmpdir()) {
    this.#folder = makeFolder(parent);
  }

  /** Undefined when no file can be made; then the shell runs all the same and leaves no report. */
  take(): Slot | undefined {
    return this.#free.pop() ?? this.#make();
  }

  /** Call only when no process of the shell is left. */
  giveBack(slot: Slot): void {
    try {
      truncateSync(slot.reportFile);
      this.#free.push(slot);
    } catch {
      // Swept away by someone else; the next taker gets a new one.
    }
  }

  dispose(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #make(): Slot | undefined {
    if (this.#folder === undefined) return undefined;
    const name = join(this.#folder, String(this.#made++));
    const slot = { startFile: `${name}.sh`, reportFile: `${name}.end` };
    try {
      writeFileSync(slot.startFile, startScript(slot.reportFile));
      appendFileSync(slot.reportFile, '');
      return slot;
    } catch {
      return undefined;
    }
  }
}

/**
 * Read by bash before the command (BASH_ENV), and so neither part of the command, its line numbers, its arguments nor
 * its children's environment. The trap runs at `exit`, at the end, after `set -e` and syntax errors, and leaves the
 * exit code as it is; it is silent under `set -x` (`set -v` prints it)
 * and indifferent to `set -u`, `set -C` and functions named `pwd`.
 */
function startScript(reportFile: string): string {
  // Git's bash has its own view of paths; -W asks for the one that the rest of the system understands.
  const pwd = process.platform === 'win32' ? 'builtin pwd -W' : 'builtin pwd -P';
  const target = `'${reportFile.replaceAll('\\', '/').replaceAll("'", `'\\''`)}'`;
  const trap = `{ builtin times; ${pwd}; } 2>/dev/null >>${target} || :`;
  return `unset BASH_ENV\ntrap '${trap.replaceAll("'", `'\\''`)}' EXIT\n`;
}

const REPORT = /^\S+ \S+\n\S+ \S+\n/;

/** Reads what the trap wrote: two lines of `times` (the shell, its children), then the folder. */
export function readReport(slot: Slot): ShellReport | undefined {
  let text: string;
  try {
    text = readFileSync(slot.reportFile, 'utf8');
  } catch {
    return undefined;
  }
  return parseReport(text);
}

export function parseReport(text: string): ShellReport | undefined {
  const head = REPORT.exec(text)?.[0];
  const cwd = head === undefined ? '' : text.slice(head.length).replace(/\n$/, '');
  if (head === undefined || cwd === '') return undefined;
  const [ownUser, ownSystem, user, system] = head.trim().split(/\s/).map(parseTime);
  return { cwd, userMs: ownUser! + user!, systemMs: ownSystem! + system! };
}

/** `1m2.345s`, with a comma in some locales, in milliseconds. */
function parseTime(text: string): number {
  const match = /^(\d+)m(\d+)[.,](\d+)s$/.exec(text);
  return match === null ? 0 : Math.round(Number(match[1]) * 60_000 + Number(`${match[2]}.${match[3]}`) * 1000);
}

function makeFolder(parent: string): string | undefined {
  try {
    sweep(parent);
    return mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  } catch {
    return undefined;
  }
}

/** Removes the folders of hosts that were killed. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
