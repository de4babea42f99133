import { type ChildProcess, fork } from 'node:child_process';
import { millis } from '../../../src-shared/units.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type DocumentJob,
  type DocumentReader,
  DocumentUnreadable,
  type JobOf,
  RESULTS,
  type ResultOf,
} from '../../ports/document-reader.ts';
import { JobAnswer, runJob } from './jobs.ts';

export type DocumentHostOptions = {
  /** Program that runs the host: `process.execPath`, in Electron as well as in Node. */
  readonly execPath: string;
  /** The bundled `host.ts`. Absolute. */
  readonly entryPath: string;
  readonly clock: Clock;
  /** How long one job may take, in ms. */
  readonly jobMs?: number;
};

const JOB_MS = 60_000;
/** A host that has nothing to do is let go after this long, in ms. */
const IDLE_MS = 30_000;
/** A page that takes all memory takes that of its host. */
const MOST_MEMORY_MB = 512;
const MOST_HOSTS = 2;

type Host = { readonly child: ChildProcess; idle: NodeJS.Timeout | undefined };

/** Reads documents in programs of their own, one job each at a time. */
export class DocumentHostClient implements DocumentReader {
  readonly #options: DocumentHostOptions;
  readonly #free: Host[] = [];
  readonly #waiting: (() => void)[] = [];
  #hosts = 0;

  constructor(options: DocumentHostOptions) {
    this.#options = options;
  }

  async do<K extends DocumentJob['kind']>(job: JobOf<K>, signal: AbortSignal): Promise<ResultOf<K>> {
    const value = isSmall(job) ? await runJob(job) : await this.#inHost(job, signal);
    return RESULTS[job.kind].parse(value) as ResultOf<K>;
  }

  async #inHost(job: DocumentJob, signal: AbortSignal): Promise<unknown> {
    while (this.#free.length === 0 && this.#hosts >= MOST_HOSTS) await this.#turn(signal);
    signal.throwIfAborted();
    const host = this.#take();
    const answer = await this.#ask(host, job, signal);
    if (answer === undefined) throw signal.reason;
    if (!answer.ok) throw new DocumentUnreadable(answer.message);
    return answer.value;
  }

  /** Waits for a host that becomes free. @throws the signal's reason. */
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let wake: () => void = () => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.push(wake);
    signal.addEventListener('abort', wake, { once: true });
    await woken;
    signal.removeEventListener('abort', wake);
    if (!signal.aborted) return;
    const at = this.#waiting.indexOf(wake);
    // Whoever is told that it is their turn and no longer wants it tells the next one.
    if (at === -1) this.#waiting.shift()?.();
    else this.#waiting.splice(at, 1);
  }

  #take(): Host {
    const free = this.#free.pop();
    if (free !== undefined) {
      clearTimeout(free.idle);
      keepAwake(free.child, true);
      return free;
    }
    const { execPath, entryPath } = this.#options;
    this.#hosts++;
    const child = fork(entryPath, [], {
      execPath,
      execArgv: [`--max-old-space-size=${MOST_MEMORY_MB}`],
      // Without it Electron's binary would open an app. Nothing else of the environment is its business.
      env: { ELECTRON_RUN_AS_NODE: '1' },
      serialization: 'advanced',
      stdio: 'ignore',
    });
    // One in the middle of a job would hear only at its end that nobody is there any more.
    const endWithUs = (): void => void child.kill('SIGKILL');
    process.once('exit', endWithUs);
    child.once('exit', () => {
      process.off('exit', endWithUs);
      this.#lose(child);
    });
    child.once('error', () => this.#lose(child));
    return { child, idle: undefined };
  }

  /** One answer; undefined when the signal came first. Whatever goes wrong ends the host, not the app. */
  #ask(host: Host, job: DocumentJob, signal: AbortSignal): Promise<JobAnswer | undefined> {
    const { clock, jobMs = JOB_MS } = this.#options;
    const { child } = host;
    return new Promise((resolve) => {
      const settle = (answer: JobAnswer | undefined, isWell: boolean): void => {
        timer.dispose();
        signal.removeEventListener('abort', onAbort);
        child.off('message', onMessage);
        child.off('exit', onExit);
        if (isWell) this.#giveBack(host);
        else this.#end(child);
        resolve(answer);
      };
      const onAbort = (): void => settle(undefined, false);
      const onExit = (): void => settle({ ok: false, message: 'it needs too much memory, or is broken' }, false);
      const onMessage = (raw: unknown): void => {
        const answer = JobAnswer.safeParse(raw);
        settle(answer.data ?? { ok: false, message: 'what came of it makes no sense' }, answer.success);
      };
      const timer = clock.schedule(millis(jobMs), () =>
        settle({ ok: false, message: `it took longer than ${Math.round(jobMs / 1_000)} s` }, false),
      );
      signal.addEventListener('abort', onAbort, { once: true });
      child.once('message', onMessage);
      child.once('exit', onExit);
      child.send(job, undefined, undefined, (error) => {
        if (error !== null) this.#end(child);
      });
    });
  }

  #giveBack(host: Host): void {
    if (!host.child.connected) return;
    keepAwake(host.child, false);
    host.idle = setTimeout(() => this.#end(host.child), IDLE_MS);
    // Waiting for nothing must not hold up the end of a command-line program.
    host.idle.unref();
    this.#free.push(host);
    this.#waiting.shift()?.();
  }

  #end(child: ChildProcess): void {
    child.kill('SIGKILL');
    this.#lose(child);
  }

  readonly #lost = new WeakSet<ChildProcess>();

  #lose(child: ChildProcess): void {
    if (this.#lost.has(child)) return;
    this.#lost.add(child);
    this.#hosts--;
    const at = this.#free.findIndex((host) => host.child === child);
    if (at !== -1) clearTimeout(this.#free.splice(at, 1)[0]?.idle);
    this.#waiting.shift()?.();
  }
}

/** Notebooks below this many characters take a few milliseconds, less than a program takes to start. */
const SMALL = 300_000;
const isSmall = (job: DocumentJob): boolean =>
  (job.kind === 'notebook' || job.kind === 'notebook-edit') && job.text.length < SMALL;

/** An idle host must not hold up the end of a command-line program; one with a job must. */
function keepAwake(child: ChildProcess, awake: boolean): void {
  if (awake) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
