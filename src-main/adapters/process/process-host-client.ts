import { type ChildProcess, fork } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Disposable } from '../../../src-shared/disposable.ts';
import { type Millis, millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Pipe, type PipeHooks, type PipeResult, type PipeRunner, PipeSpec } from '../../ports/pipe-runner.ts';
import { FromHost, type ToHost } from '../../ports/process-protocol.ts';
import {
  type Leftover,
  type LeftoverFinder,
  type ProcessInfo,
  type ProcessResult,
  type ProcessRunner,
  ProcessSpec,
  type RunHooks,
  type TreeProcess,
} from '../../ports/process-runner.ts';
import { endTree, ORDINARY } from './end-tree.ts';
import { type ProcessTable, processTable } from './process-table.ts';
import { systemClock } from './system-clock.ts';

export type ProcessHostOptions = {
  /** Program that runs the host: `process.execPath`, in Electron as well as in Node. */
  readonly execPath: string;
  /** The bundled `src-main/process-host/index.ts`. Absolute. */
  readonly entryPath: string;
  /** Environment of the host and, less what is the app's own, of every command. */
  readonly env: NodeJS.ProcessEnv;
  /** Told when the host died or spoke nonsense: what it said last, for the log. */
  readonly onTrouble?: (message: string) => void;
};

/** Runs commands and looks for leftovers, through one process host. */
export type ProcessHost = ProcessRunner & PipeRunner & LeftoverFinder & { readonly hostPid: number | undefined };

/**
 * Starts the process host of spec 7.2 and returns the runner that speaks to it. A host that dies takes its running calls
 * with it (`host-lost`, their trees are ended from here) and is started again by the next call.
 */
export function startProcessHost(options: ProcessHostOptions): ProcessHost {
  return new ProcessHostClient(options, processTable(), systemClock);
}

type Run = {
  readonly spec: ProcessSpec;
  readonly hooks: RunHooks;
  readonly settle: (result: ProcessResult) => void;
  pid: number | undefined;
};

type OpenPipe = {
  readonly spec: PipeSpec;
  readonly hooks: PipeHooks;
  readonly settle: (result: PipeResult) => void;
  pid: number | undefined;
};

type Answer = Extract<FromHost, { request: number }>;

/** A host that has not ended a tree this long after it should have is taken for hung, e.g. suspended with SIGSTOP. */
const HUNG_AFTER = millis(ORDINARY.grace + ORDINARY.force + 3000);
/** A small young generation: every megabyte of the host makes each fork 14 µs slower, and idle memory counts (spec 7). */
const HOST_FLAGS = ['--max-semi-space-size=1'];
/** Timers of Node overflow above this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const STDERR_KEPT = 2000;

class ProcessHostClient implements ProcessHost {
  readonly #options: ProcessHostOptions;
  readonly #table: ProcessTable;
  readonly #clock: Clock;
  readonly #runs = new Map<number, Run>();
  readonly #pipes = new Map<number, OpenPipe>();
  readonly #answers = new Map<number, (answer: Answer | undefined) => void>();
  #host: ChildProcess | undefined;
  #counter = 0;
  #closing: Promise<void> | undefined;
  /** Settles when the trees of all hosts lost so far are ended. */
  #losing: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessHostOptions, table: ProcessTable, clock: Clock) {
    this.#options = options;
    this.#table = table;
    this.#clock = clock;
    this.#ensureHost();
  }

  get hostPid(): number | undefined {
    return this.#host?.pid;
  }

  async run(spec: ProcessSpec, hooks: RunHooks): Promise<ProcessResult> {
    if (hooks.signal.aborted || this.#closing !== undefined)
      return { end: { kind: 'cancelled' }, bytes: 0, survivors: [] };
    // What the host would not understand is the caller's bug; it has to be thrown here, where the caller is.
    ProcessSpec.parse(spec);
    const id = this.#counter++;
    const result = new Promise<ProcessResult>((resolve) => {
      this.#runs.set(id, { spec, hooks, settle: resolve, pid: undefined });
    });
    this.#ensureHost();
    this.#keepAwake();
    const watchdog = this.#watchdog(millis(spec.timeoutMs + HUNG_AFTER));
    let hurry: Disposable | undefined;
    const cancel = () => {
      hurry = this.#watchdog(HUNG_AFTER);
      this.#send({ type: 'cancel', id });
    };
    hooks.signal.addEventListener('abort', cancel, { once: true });
    this.#send({ type: 'start', id, spec });
    try {
      return await result;
    } finally {
      hooks.signal.removeEventListener('abort', cancel);
      watchdog?.dispose();
      hurry?.dispose();
      this.#runs.delete(id);
      this.#keepAwake();
    }
  }

  open(spec: PipeSpec, hooks: PipeHooks): Pipe {
    PipeSpec.parse(spec);
    const id = this.#counter++;
    const closed = { end: { kind: 'closed' }, stderr: '', survivors: [] } as const;
    if (this.#closing !== undefined) return { write: () => {}, close: () => {}, ended: Promise.resolve(closed) };
    const ended = new Promise<PipeResult>((resolve) => {
      this.#pipes.set(id, { spec, hooks, settle: resolve, pid: undefined });
    });
    this.#ensureHost();
    this.#keepAwake();
    this.#send({ type: 'open-pipe', id, spec });
    const send = (message: ToHost): void => {
      if (this.#pipes.has(id)) this.#send(message);
    };
    return {
      ended,
      write: (text) => send({ type: 'write-pipe', id, text }),
      close: () => send({ type: 'close-pipe', id }),
    };
  }

  async listTree(marker: string): Promise<readonly TreeProcess[]> {
    const answer = await this.#ask((request) => ({ type: 'list-tree', request, marker }));
    return answer?.type === 'tree-listed' ? answer.processes : [];
  }

  async findLeftovers(markerPrefix: string): Promise<readonly Leftover[]> {
    const answer = await this.#ask((request) => ({ type: 'find-leftovers', request, markerPrefix }));
    return answer?.type === 'leftovers-found' ? answer.leftovers : [];
  }

  async endLeftovers(markers: readonly string[]): Promise<readonly ProcessInfo[]> {
    const answer = await this.#ask((request) => ({ type: 'end-leftovers', request, markers: [...markers] }));
    return answer?.type === 'leftovers-ended' ? answer.survivors : [];
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const host = this.#host;
    if (host === undefined) return;
    host.ref();
    const left = new Promise<void>((resolve) => host.once('exit', () => resolve()));
    const watchdog = this.#watchdog(HUNG_AFTER);
    this.#send({ type: 'shut-down' });
    await left;
    watchdog?.dispose();
    await this.#losing;
  }

  #ensureHost(): void {
    if (this.#host !== undefined) return;
    const { execPath, entryPath, env } = this.#options;
    const host = fork(entryPath, [], {
      execPath,
      // Not those of this process: an inspector's port can be had only once.
      execArgv: HOST_FLAGS,
      // Without it Electron's binary would open an app; to Node it means nothing.
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      // Out of the terminal's group: Ctrl-C is for the main process to answer. On Windows it would open a console.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#host = host;
    let said = '';
    host.stderr?.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-STDERR_KEPT);
    });
    host.on('message', (raw) => this.#hear(raw));
    // Both come for a host that dies; one that cannot be started at all has only the first.
    host.once('error', (error) => this.#lose(host, error.message));
    host.once('exit', (code, signal) => this.#lose(host, `ended with ${signal ?? code}. ${said}`.trim()));
    (host.stderr as unknown as { unref?: () => void } | null)?.unref?.();
    this.#keepAwake();
  }

  /** An idle host must not hold up the end of a command-line program; a running call must. */
  #keepAwake(): void {
    const host = this.#host;
    if (host === undefined) return;
    if (this.#runs.size + this.#pipes.size + this.#answers.size > 0) {
      host.ref();
      host.channel?.ref();
    } else {
      host.unref();
      host.channel?.unref();
    }
  }

  #send(message: ToHost): void {
    // A broken channel is reported by the host's end, which settles all that waits.
    this.#host?.send(message, undefined, undefined, () => {});
  }

  async #ask(question: (request: number) => ToHost): Promise<Answer | undefined> {
    if (this.#closing !== undefined) return undefined;
    const request = this.#counter++;
    const answer = new Promise<Answer | undefined>((resolve) => this.#answers.set(request, resolve));
    this.#ensureHost();
    this.#keepAwake();
    this.#send(question(request));
    try {
      return await answer;
    } finally {
      this.#answers.delete(request);
      this.#keepAwake();
    }
  }

  #hear(raw: unknown): void {
    const parsed = FromHost.safeParse(raw);
    if (!parsed.success) {
      this.#options.onTrouble?.(`process host: unexpected message ${JSON.stringify(raw)?.slice(0, 200)}`);
      return;
    }
    const message = parsed.data;
    if ('request' in message) {
      this.#answers.get(message.request)?.(message);
      return;
    }
    if (message.type === 'pipe-opened' || message.type === 'pipe-said' || message.type === 'pipe-closed') {
      this.#hearPipe(message);
      return;
    }
    const run = this.#runs.get(message.id);
    if (run === undefined) return;
    switch (message.type) {
      case 'spawned':
        run.pid = message.pid;
        run.hooks.onSpawn(message.pid);
        break;
      case 'progressed':
        run.hooks.onProgress(message.progress);
        break;
      case 'ended':
        this.#runs.delete(message.id);
        if (message.pid !== undefined) run.hooks.onSpawn(message.pid);
        if (message.last !== undefined) run.hooks.onProgress(message.last);
        run.settle(message.result);
    }
  }

  #hearPipe(message: Extract<FromHost, { type: 'pipe-opened' | 'pipe-said' | 'pipe-closed' }>): void {
    const pipe = this.#pipes.get(message.id);
    if (pipe === undefined) return;
    switch (message.type) {
      case 'pipe-opened':
        pipe.pid = message.pid;
        pipe.hooks.onSpawn?.(message.pid);
        break;
      case 'pipe-said':
        pipe.hooks.onText(message.text);
        break;
      case 'pipe-closed':
        this.#pipes.delete(message.id);
        this.#keepAwake();
        pipe.settle(message.result);
    }
  }

  /** The host is gone, wanted or not. What it was running is ended from here. */
  #lose(host: ChildProcess, reason: string): void {
    if (this.#host !== host) return;
    this.#host = undefined;
    const orphaned = [...this.#runs.values()];
    this.#runs.clear();
    const pipes = [...this.#pipes.values()];
    this.#pipes.clear();
    if (this.#closing === undefined || orphaned.length > 0) this.#options.onTrouble?.(`process host: ${reason}`);
    for (const settle of this.#answers.values()) settle(undefined);
    const ending = [...orphaned.map((run) => this.#endOrphan(run)), ...pipes.map((pipe) => this.#endLostPipe(pipe))];
    this.#losing = Promise.all([this.#losing, ...ending]);
  }

  async #endLostPipe({ spec, pid, settle }: OpenPipe): Promise<void> {
    const { survivors } = await endTree({ marker: spec.marker, rootPid: pid }, this.#table, this.#clock);
    const left = survivors.map((member) => ({ pid: member.pid, command: member.command }));
    settle({ end: { kind: 'host-lost' }, stderr: '', survivors: left });
  }

  async #endOrphan({ spec, pid, settle }: Run): Promise<void> {
    const tree = { marker: spec.marker, rootPid: pid, outputFile: spec.outputFile };
    const { survivors } = await endTree(tree, this.#table, this.#clock);
    settle({
      end: { kind: 'host-lost' },
      bytes: statSync(spec.outputFile, { throwIfNoEntry: false })?.size ?? 0,
      survivors: survivors.map((member) => ({ pid: member.pid, command: member.command })),
    });
  }

  /** Kills the host that exists now unless disposed in time; its end does the rest. */
  #watchdog(wait: Millis): Disposable | undefined {
    const host = this.#host;
    if (wait > LONGEST_TIMER_MS) return undefined;
    return this.#clock.schedule(wait, () => void host?.kill('SIGKILL'));
  }
}
