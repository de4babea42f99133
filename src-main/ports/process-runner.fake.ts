import type {
  Leftover,
  LeftoverFinder,
  ProcessProgress,
  ProcessResult,
  ProcessRunner,
  ProcessSpec,
  RunHooks,
  TreeProcess,
} from './process-runner.ts';

/** A run that a test holds in its hand: it ends when the test says so, or as cancelled when its signal is aborted. */
export class FakeRun {
  readonly spec: ProcessSpec;
  readonly pid: number;
  readonly result: Promise<ProcessResult>;
  readonly #hooks: RunHooks;
  #settle: (result: ProcessResult) => void = () => {};
  #settled = false;

  constructor(spec: ProcessSpec, hooks: RunHooks, pid: number) {
    this.spec = spec;
    this.pid = pid;
    this.#hooks = hooks;
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Says that output has come. Throws after the end: a real runner is silent then. */
  progress(progress: ProcessProgress): void {
    if (this.#settled) throw new Error(`run ${this.spec.marker} has ended`);
    this.#hooks.onProgress(progress);
  }

  /** Ends the run. What is not given is filled in with an empty, clean ending. */
  end(result: Partial<ProcessResult> = {}): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#settle({ end: { kind: 'exited', code: 0 }, bytes: 0, survivors: [], ...result });
  }

  exit(code: number, result: Partial<ProcessResult> = {}): void {
    this.end({ ...result, end: { kind: 'exited', code } });
  }
}

/**
 * A process runner without processes. `script` decides what each run does when it has started, e.g.
 * `(run) => run.exit(0)`; without it a run stays open until the test ends it through `runs`.
 */
export class FakeProcessRunner implements ProcessRunner, LeftoverFinder {
  readonly runs: FakeRun[] = [];
  leftovers: readonly Leftover[] = [];
  closed = false;
  readonly #script: (run: FakeRun) => void;

  constructor(script: (run: FakeRun) => void = () => {}) {
    this.#script = script;
  }

  async run(spec: ProcessSpec, hooks: RunHooks): Promise<ProcessResult> {
    if (hooks.signal.aborted || this.closed) return { end: { kind: 'cancelled' }, bytes: 0, survivors: [] };
    const run = new FakeRun(spec, hooks, 1000 + this.runs.length);
    this.runs.push(run);
    const cancel = () => run.end({ end: { kind: 'cancelled' } });
    hooks.signal.addEventListener('abort', cancel, { once: true });
    hooks.onSpawn(run.pid);
    this.#script(run);
    try {
      return await run.result;
    } finally {
      hooks.signal.removeEventListener('abort', cancel);
    }
  }

  async listTree(marker: string): Promise<readonly TreeProcess[]> {
    return this.runs
      .filter((run) => run.spec.marker === marker && !run.settled)
      .map((run) => ({ pid: run.pid, ppid: 1, command: run.spec.command }));
  }

  async findLeftovers(markerPrefix: string): Promise<readonly Leftover[]> {
    return this.leftovers.filter((leftover) => leftover.marker.startsWith(markerPrefix));
  }

  async endLeftovers(markers: readonly string[]): Promise<readonly []> {
    this.leftovers = this.leftovers.filter((leftover) => !markers.includes(leftover.marker));
    return [];
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const run of this.runs) run.end({ end: { kind: 'cancelled' } });
  }
}
