import { existsSync } from 'node:fs';
import { execa } from 'execa';
import type { Disposable } from '../../src-shared/disposable.ts';
import { millis } from '../../src-shared/units.ts';
import { endTree, ORDINARY, type Patience } from '../adapters/process/end-tree.ts';
import type { Member, Tree } from '../adapters/process/process-table.ts';
import type { PipeEnd, PipeSpec } from '../ports/pipe-runner.ts';
import { HOST_VARIABLE, MARKER_VARIABLE } from '../ports/process-protocol.ts';
import type { Workshop } from './call.ts';

/** How long a program may take to end by itself once its standard input is closed. */
const CLOSING = millis(1_000);
const STDERR_KEPT = 4_096;
/** With more than this on its way to the main process, no more is read: the program waits, not our memory grows. */
const MOST_UNSENT = 4 * 1024 * 1024;

type Child = ReturnType<typeof start>;

/** A program that runs and is talked to. */
export class PipeProcess {
  /** Resolves when its end has been posted. */
  readonly done: Promise<void>;
  readonly #id: number;
  readonly #shop: Workshop;
  readonly #child: Child;
  readonly #startedAt: number;
  readonly #tree: Tree;
  #stderr = '';
  #unsent = 0;
  #patience: Patience = ORDINARY;
  #isClosing = false;
  #isOver = false;
  #timer: Disposable | undefined;
  #finished: () => void = () => {};

  constructor(id: number, spec: PipeSpec, shop: Workshop) {
    this.#id = id;
    this.#shop = shop;
    this.#startedAt = shop.clock.monotonic();
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
    const child = start(spec, shop);
    this.#child = child;
    const { pid } = child;
    this.#tree = {
      marker: spec.marker,
      rootPid: pid,
      rootStart: pid === undefined ? undefined : shop.table.startOf(pid),
    };
    if (pid === undefined) {
      void child.then((result) => this.#report(failed(result.cause, spec), []));
      return;
    }
    shop.post({ type: 'pipe-opened', id, pid });
    child.once('exit', (code, signal) => {
      void this.#exited(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal });
    });
    // Broken pipes are told by the program's end.
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#pass(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
  }

  write(text: string): void {
    if (!this.#isOver && !this.#isClosing) this.#child.stdin?.write(text);
  }

  /** Gives the program its second; with less patience than the ordinary none. */
  close(patience: Patience = ORDINARY): void {
    this.#patience = patience;
    if (this.#isOver) return;
    const isFirst = !this.#isClosing;
    this.#isClosing = true;
    this.#child.stdin?.end();
    if (patience !== ORDINARY) void this.#end();
    else if (isFirst) this.#timer = this.#shop.clock.schedule(CLOSING, () => void this.#end());
  }

  #pass(text: string): void {
    this.#unsent += text.length;
    if (this.#unsent > MOST_UNSENT) this.#child.stdout?.pause();
    void Promise.resolve(this.#shop.post({ type: 'pipe-said', id: this.#id, text })).then(() => {
      this.#unsent -= text.length;
      if (this.#unsent <= MOST_UNSENT) this.#child.stdout?.resume();
    });
  }

  async #exited(end: PipeEnd): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    // What it wrote last is still in the pipes; a child that holds them open must not keep its end a secret.
    await Promise.race([this.#drained(), this.#pause()]);
    const left = await this.#shop.table.remains(this.#tree, this.#shop.clock.monotonic() - this.#startedAt);
    const survivors = left.length > 0 ? (await this.#endTree()).survivors : [];
    this.#report(this.#isClosing ? { kind: 'closed' } : end, survivors);
  }

  async #end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { survivors } = await this.#endTree();
    this.#report({ kind: 'closed' }, survivors);
  }

  #endTree() {
    return endTree(this.#tree, this.#shop.table, this.#shop.clock, () => this.#patience);
  }

  #drained(): Promise<unknown> {
    const ends = [this.#child.stdout, this.#child.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => (stream?.readableEnded === false ? stream.once('end', resolve) : resolve())),
    );
    return Promise.all(ends);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#timer?.dispose();
      this.#timer = this.#shop.clock.schedule(millis(200), resolve);
    });
  }

  #report(end: PipeEnd, survivors: readonly Member[]): void {
    this.#isOver = true;
    this.#timer?.dispose();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream?.destroy();
    this.#shop.post({
      type: 'pipe-closed',
      id: this.#id,
      result: { end, stderr: this.#stderr, survivors: survivors.map(({ pid, command }) => ({ pid, command })) },
    });
    this.#finished();
  }
}

/** Starts the program in a group and session of its own. */
function start(spec: PipeSpec, shop: Workshop) {
  return execa(spec.file, [...spec.args], {
    cwd: spec.cwd,
    env: { ...spec.env, [MARKER_VARIABLE]: spec.marker, [HOST_VARIABLE]: shop.hostName },
    extendEnv: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    // On Windows a detached process opens a console window.
    detached: process.platform !== 'win32',
    // This host ends trees itself, and reads the streams itself.
    cleanup: false,
    buffer: false,
    forceKillAfterDelay: false,
    reject: false,
  });
}

/** The reason in words of the user's world: the system's own code does not say which of the names is meant. */
function failed(cause: unknown, { file, cwd }: PipeSpec): PipeEnd {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const message = !existsSync(cwd)
    ? `The folder ${cwd} does not exist.`
    : code === 'ENOENT'
      ? `There is no program ${file}.`
      : code === 'EACCES'
        ? `${file} is not executable.`
        : `${file} could not be started: ${cause instanceof Error ? cause.message : String(cause)}`;
  return { kind: 'spawn-failed', message };
}
