import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Disposable } from '../../src-shared/disposable.ts';
import { millis } from '../../src-shared/units.ts';
import { endTree, ORDINARY, type Patience, type TreeEnd } from '../adapters/process/end-tree.ts';
import type { Awaitable, Member, ProcessTable, Tree, TreeUsage } from '../adapters/process/process-table.ts';
import type { Clock } from '../ports/clock.ts';
import { type FromHost, HOST_VARIABLE, MARKER_VARIABLE } from '../ports/process-protocol.ts';
import type {
  ProcessEnd,
  ProcessInfo,
  ProcessProgress,
  ProcessResult,
  ProcessSpec,
  TreeProcess,
} from '../ports/process-runner.ts';
import { OutputWatch } from './output-watch.ts';
import { opensOutputByName, Relay } from './relay.ts';
import { BASH_OPTIONS, readReport, type ShellReport, type Slot, type SlotPool } from './shell.ts';

/** What all calls of a host share. */
export type Workshop = {
  readonly table: ProcessTable;
  readonly clock: Clock;
  readonly slots: SlotPool;
  readonly bash: string;
  /** Environment of every command, before the call's own additions. */
  readonly env: Readonly<Record<string, string>>;
  /** Names this host in the environment of commands, see HOST_VARIABLE. */
  readonly hostName: string;
  /** What it gives settles when the message has left. */
  readonly post: (message: FromHost) => void | Promise<void>;
};

/** Timers of Node overflow above this and fire at once; a limit beyond 25 days is none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * A process is announced this long after its start. The shortest commands have ended by then, and a
 * message on the way would compete with them for the processor.
 */
const ANNOUNCE_AFTER = millis(5);

/** A command that runs. */
export class Call {
  /** Resolves when the result has been posted. */
  readonly done: Promise<void>;
  readonly marker: string;
  readonly #id: number;
  readonly #spec: ProcessSpec;
  readonly #shop: Workshop;
  readonly #pid: number;
  readonly #writer: number;
  readonly #slot: Slot | undefined;
  readonly #relay: Relay | undefined;
  readonly #watch: OutputWatch;
  readonly #startedAt: number;
  readonly #timers: readonly Disposable[];
  #tree: Tree;
  #patience: Patience = ORDINARY;
  #isEnding = false;
  #isLooking = false;
  #isAnnounced = false;
  #usage: TreeUsage | undefined;
  #finished: () => void = () => {};

  constructor(id: number, spec: ProcessSpec, shop: Workshop, started: Started) {
    this.#id = id;
    this.#spec = spec;
    this.#shop = shop;
    this.#pid = started.child.pid;
    this.#writer = started.writer;
    this.#slot = started.slot;
    this.#relay = started.relay;
    this.#relay?.start();
    this.#watch = new OutputWatch(spec.outputFile, started.writer);
    this.#startedAt = shop.clock.monotonic();
    this.#tree = { marker: spec.marker, rootPid: this.#pid, outputFile: this.#relay?.path ?? spec.outputFile };
    this.marker = spec.marker;
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
    const timeUp = () => this.#stop({ kind: 'timed-out', limitMs: spec.timeoutMs });
    this.#timers = [
      shop.clock.schedule(ANNOUNCE_AFTER, () => this.#announce()),
      ...(spec.timeoutMs > LONGEST_TIMER_MS ? [] : [shop.clock.schedule(millis(spec.timeoutMs), timeUp)]),
    ];
    started.child.once('exit', (code, signal) =>
      this.#exited(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }),
    );
  }

  /** With less patience than before it also hurries a tree that is ending already. */
  cancel(patience: Patience = ORDINARY): void {
    this.#patience = patience;
    this.#stop({ kind: 'cancelled' });
  }

  async listTree(): Promise<TreeProcess[]> {
    const members = await this.#shop.table.members(this.#tree);
    return members.map(({ pid, ppid, command }) => ({ pid, ppid, command }));
  }

  /** Called 10 times a second. */
  async tick(): Promise<void> {
    if (this.#isLooking || this.#isEnding) return;
    this.#isLooking = true;
    this.#sample();
    const limitBytes = this.#spec.maxOutputBytes;
    if (this.#watch.size() > limitBytes) this.#stop({ kind: 'output-limit', limitBytes });
    const progress = await this.#watch.look();
    if (progress !== undefined) this.#shop.post({ type: 'progressed', id: this.#id, progress });
    this.#isLooking = false;
  }

  #announce(): void {
    this.#isAnnounced = true;
    this.#shop.post({ type: 'spawned', id: this.#id, pid: this.#pid });
    this.#tree = { ...this.#tree, rootStart: this.#shop.table.startOf(this.#pid) };
    this.#sample();
  }

  #sample(): void {
    const seen = this.#shop.table.usageOf(this.#pid);
    if (seen === undefined) return;
    this.#usage = { ...seen, maxRssBytes: Math.max(seen.maxRssBytes, this.#usage?.maxRssBytes ?? 0) };
  }

  /** The shell has ended by itself. What it left in the background ends too (spec 3.6). */
  #exited(end: ProcessEnd): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#relay?.drain();
    const report = this.#slot === undefined ? undefined : readReport(this.#slot);
    const result = { end, survivors: [], ...this.#usageAtEnd(report), ...(report && { cwdAfter: report.cwd }) };
    const left = this.#shop.table.remains(this.#tree, this.#shop.clock.monotonic() - this.#startedAt);
    // The ordinary case is reported within this very event.
    if (!(left instanceof Promise) && left.length === 0 && !this.#watch.isLooking) {
      this.#report(result, this.#watch.finishNow());
    } else {
      void this.#sweep(result, left);
    }
  }

  async #sweep(result: Omit<ProcessResult, 'bytes'>, found: Awaitable<readonly Member[]>): Promise<void> {
    let swept = result;
    if ((await found).length > 0) {
      const rest = await this.#endTree();
      const leftovers = infos([...rest.ended, ...rest.survivors]);
      swept = { ...result, survivors: infos(rest.survivors), leftovers };
    }
    this.#relay?.drain();
    this.#report(swept, await this.#watch.finish());
  }

  /** Ends the tree for a reason of ours; the first reason is the one that is told. */
  #stop(end: ProcessEnd): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#sample();
    void this.#endTree().then(async ({ survivors }) => {
      this.#relay?.drain();
      const last = await this.#watch.finish();
      this.#report({ end, survivors: infos(survivors), ...this.#usageAtEnd(undefined) }, last);
    });
  }

  #endTree(): Promise<TreeEnd> {
    return endTree(this.#tree, this.#shop.table, this.#shop.clock, () => this.#patience);
  }

  #report(result: Omit<ProcessResult, 'bytes'>, last: ProcessProgress | undefined): void {
    this.#shop.post({
      type: 'ended',
      id: this.#id,
      result: { ...result, bytes: this.#watch.size() },
      ...(this.#isAnnounced ? {} : { pid: this.#pid }),
      ...(last && { last }),
    });
    // Tidying up comes after the message, out of the way of the result.
    for (const timer of this.#timers) timer.dispose();
    this.#relay?.close();
    closeSync(this.#writer);
    if (this.#slot !== undefined && result.survivors.length === 0) this.#shop.slots.giveBack(this.#slot);
    this.#finished();
  }

  #usageAtEnd(report: ShellReport | undefined): Pick<ProcessResult, 'usage'> {
    if (this.#usage === undefined) return {};
    const { userMs, systemMs } = report ?? this.#usage;
    return { usage: { userMs, systemMs, maxRssBytes: this.#usage.maxRssBytes } };
  }
}

const infos = (members: readonly ProcessInfo[]): ProcessInfo[] => members.map(({ pid, command }) => ({ pid, command }));

type Started = {
  readonly child: Pick<ChildProcess, 'once'> & { readonly pid: number };
  /** Descriptor of the output file. */
  readonly writer: number;
  readonly slot: Slot | undefined;
  /** Between the command and the file, where the command opens its output by name. */
  readonly relay: Relay | undefined;
};

/** Starts the command. Undefined when it could not be started; that has been posted then. */
export async function startCall(id: number, spec: ProcessSpec, shop: Workshop): Promise<Call | undefined> {
  const started = await start(spec, shop);
  if (typeof started === 'string') {
    const end = { kind: 'spawn-failed', message: started } as const;
    shop.post({ type: 'ended', id, result: { end, bytes: 0, survivors: [] } });
    return undefined;
  }
  return new Call(id, spec, shop, started);
}

/** Starts bash in a group and session of its own, writing to the file itself. A string says why it could not. */
async function start(spec: ProcessSpec, shop: Workshop): Promise<Started | string> {
  let writer: number;
  try {
    writer = openOutput(spec.outputFile);
  } catch (error) {
    return `The output file ${spec.outputFile} cannot be written: ${reasonOf(error)}`;
  }
  const slot = shop.slots.take();
  const relay = opensOutputByName(spec.command) ? Relay.open(writer) : undefined;
  const failed = (cause: unknown): string => {
    relay?.discard();
    closeSync(writer);
    if (slot !== undefined) shop.slots.giveBack(slot);
    return explain(cause, spec, shop.bash);
  };
  try {
    const child = startBash(spec, shop, relay?.writer ?? writer, slot);
    // What comes after the start, a signal that could not be sent, says nothing of the command.
    const troubled = new Promise((resolve) => child.on('error', resolve));
    const { pid } = child;
    return pid === undefined ? failed(await troubled) : { child: Object.assign(child, { pid }), writer, slot, relay };
  } catch (error) {
    // A NUL somewhere: what cannot be handed to any process is thrown.
    return failed(error);
  }
}

/**
 * By Node itself and not by execa, which the other programs are started with: of all that execa does, a shell at a known
 * place whose streams are a file needs nothing, and it takes a quarter of a short command's time.
 */
function startBash(spec: ProcessSpec, shop: Workshop, output: number, slot: Slot | undefined): ChildProcess {
  return spawn(shop.bash, [...BASH_OPTIONS, spec.command], {
    // What `$0` says and error messages begin with.
    argv0: 'bash',
    cwd: spec.cwd,
    env: {
      ...shop.env,
      ...spec.env,
      ...(slot && { BASH_ENV: slot.startFile }),
      [MARKER_VARIABLE]: spec.marker,
      [HOST_VARIABLE]: shop.hostName,
    },
    stdio: ['ignore', output, output],
    // On Windows a detached process opens a console window.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** Appending, so that what the command writes through another opening of the file is not overwritten. */
function openOutput(path: string): number {
  let fd: number;
  try {
    fd = openSync(path, 'a', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
    fd = openSync(path, 'a', 0o600);
  }
  ftruncateSync(fd);
  return fd;
}

/** The reason in words of the user's world; the system's own code alone misleads (ENOENT names bash, not the folder). */
function explain(cause: unknown, spec: ProcessSpec, bash: string): string {
  if (!existsSync(spec.cwd)) return `The working directory ${spec.cwd} does not exist.`;
  if (!statSync(spec.cwd).isDirectory()) return `The working directory ${spec.cwd} is not a folder.`;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'E2BIG') {
    const bytes = Buffer.byteLength(spec.command);
    return `The command is too long to start (${bytes} bytes). Put the long part into a file.`;
  }
  if (code === 'ENOENT') return `The shell ${bash} was not found. Install bash.`;
  return `bash could not be started in ${spec.cwd}: ${reasonOf(cause)}`;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
