import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import { execa } from 'execa';
import type { Disposable } from '../../../src-shared/disposable.ts';
import type { Millis } from '../../../src-shared/units.ts';
import type { EndedHook, HookEnd } from '../../core/hooks/interpret.ts';
import type { Clock } from '../../ports/clock.ts';
import { endTree, HASTY } from '../process/end-tree.ts';
import type { Member, ProcessTable, Tree } from '../process/process-table.ts';
import { systemClock } from '../process/system-clock.ts';
import { Capture } from './capture.ts';

export type HookProgram = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** For standard input, which is closed after it. */
  readonly payload: string;
  readonly timeout: Millis;
  /** Lies in the environment of everything the program starts. */
  readonly marker: string;
};

export type HookProcessEnd = EndedHook & {
  /** What could not be ended. */
  readonly survivors: readonly Member[];
  /** The hook ended by itself and left processes running that stayed in its group. */
  readonly leftGroup: Tree | undefined;
};

/**
 * The program of one hook. Not run through the process host, whose commands read nothing and write to files: a hook talks
 * on its three streams, and what it says is wanted in memory the moment it ends.
 *
 * It has a session of its own, so there is no terminal for it, and a group that can be ended as one. It has ended when
 * its own process has, not when its streams close: what it left in the background may keep those open for hours.
 */
export class HookProcess {
  readonly ended: Promise<HookProcessEnd>;
  readonly #table: ProcessTable;
  readonly #stdout = new Capture();
  readonly #stderr = new Capture();
  readonly #startedAt = systemClock.monotonic();
  #child: ChildProcess | undefined;
  #tree: Tree;
  #timer: Disposable | undefined;
  #isOver = false;
  #resolve: (end: HookProcessEnd) => void = () => {};

  constructor(program: HookProgram, deps: { readonly clock: Clock; readonly table: ProcessTable }) {
    this.#table = deps.table;
    this.#tree = { marker: program.marker };
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    try {
      this.#start(program, deps.clock);
    } catch (error) {
      // A NUL somewhere: what cannot be handed to any process is thrown.
      this.#neverStarted(error);
    }
  }

  /** Ends the program and all it started. */
  cancel(): void {
    void this.#stop({ kind: 'cancelled' });
  }

  /** Closes what is left of the streams. Whoever still writes to them is told so by the system. */
  dispose(): void {
    for (const stream of [this.#child?.stdin, this.#child?.stdout, this.#child?.stderr]) stream?.destroy();
  }

  #start(program: HookProgram, clock: Clock): void {
    const child = execa(program.file, [...program.args], {
      cwd: program.cwd,
      env: program.env,
      extendEnv: false,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      // On Windows a detached process opens a console window.
      detached: process.platform !== 'win32',
      // Trees are ended here, and streams read here.
      cleanup: false,
      buffer: false,
      forceKillAfterDelay: false,
      reject: false,
    });
    if (child.pid === undefined) {
      void child.then((result) => this.#neverStarted(explain(result.cause, program.file)));
      return;
    }
    this.#child = child;
    this.#tree = { ...this.#tree, rootPid: child.pid, rootStart: this.#table.startOf(child.pid) };
    child.once('exit', (code, signal) => {
      void this.#exited(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal });
    });
    child.stdout.on('data', (chunk: Buffer) => this.#stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.add(chunk));
    // Before the payload is written: a program that does not read it must not get more time for that.
    this.#timer = clock.schedule(program.timeout, () => {
      void this.#stop({ kind: 'timed-out', limitMs: program.timeout });
    });
    // Broken pipes are no news: nobody has to read what a hook is told.
    child.stdin.on('error', () => {});
    child.stdin.end(program.payload);
  }

  async #exited(end: HookEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.dispose();
    await this.#drain();
    this.#release();
    const left = await this.#table.remains(this.#tree, systemClock.monotonic() - this.#startedAt);
    const inGroup = left.some(({ pgid }) => pgid === this.#tree.rootPid);
    this.#report({ end, survivors: [], leftGroup: inGroup ? this.#tree : undefined });
  }

  async #stop(end: HookEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.dispose();
    const { survivors } = await endTree(this.#tree, this.#table, systemClock, () => HASTY);
    this.dispose();
    this.#report({ end, survivors, leftGroup: undefined });
  }

  #neverStarted(error: unknown): void {
    this.#isOver = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#report({ end: { kind: 'never-started', reason }, survivors: [], leftGroup: undefined });
  }

  #report(result: Omit<HookProcessEnd, 'stdout' | 'stderr'>): void {
    this.#resolve({ ...result, stdout: this.#stdout.finish(), stderr: this.#stderr.finish() });
  }

  /** Whatever the program wrote lies in the system by now; a whole round of the event loop without news has read it all. */
  async #drain(): Promise<void> {
    const isDone = (stream: Readable | null | undefined) =>
      stream === null || stream === undefined || stream.readableEnded;
    for (let quietRounds = 0; quietRounds < 2; ) {
      if (isDone(this.#child?.stdout) && isDone(this.#child?.stderr)) return;
      const before = this.#stdout.bytes + this.#stderr.bytes;
      await nextRound();
      quietRounds = this.#stdout.bytes + this.#stderr.bytes === before ? quietRounds + 1 : 0;
    }
  }

  /** Processes in the background may go on writing, into the void; they do not keep this process alive. */
  #release(): void {
    this.#child?.stdin?.destroy();
    for (const stream of [this.#child?.stdout, this.#child?.stderr]) {
      (stream as { unref?: () => void } | null | undefined)?.unref?.();
    }
  }
}

/** The system's own code alone does not say which of the names is meant. */
function explain(cause: unknown, file: string): unknown {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOENT') return `there is no program ${file}.`;
  return code === 'EACCES' ? `${file} is not executable.` : cause;
}

/**
 * Ends what hooks left in their groups. What has made a session of its own is let be: that is how the protocol says that
 * work outlives the session (HR#configure-an-async-hook).
 */
export async function endLeftGroup(group: Tree, table: ProcessTable): Promise<readonly Member[]> {
  // By marker, not by pid: once the group is empty its number may be another's.
  const tree = { marker: group.marker };
  const inGroup: ProcessTable = {
    ...table,
    members: async () => (await table.members(tree)).filter(({ pgid }) => pgid === group.rootPid),
  };
  return (await endTree(tree, inGroup, systemClock, () => HASTY)).survivors;
}
