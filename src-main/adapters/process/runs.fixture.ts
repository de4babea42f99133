import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcessProgress, ProcessResult, ProcessSpec } from '../../ports/process-runner.ts';
import { bundleProcessHost, type HostBundle } from './host-bundle.fixture.ts';
import { type ProcessHost, startProcessHost } from './process-host-client.ts';

export type StartedRun = {
  readonly marker: string;
  readonly result: Promise<ProcessResult>;
  readonly cancel: () => void;
  readonly progress: readonly ProcessProgress[];
  /** What the command has written so far. */
  readonly output: () => string;
  /** The shell's pid, once it is known. */
  readonly pid: () => number | undefined;
};

/** A real process host with a folder of its own for outputs, for tests that start real processes. */
export class Runs {
  readonly folder = mkdtempSync(join(tmpdir(), 'gantry-runs-'));
  readonly bundle: HostBundle;
  readonly troubles: string[] = [];
  readonly host: ProcessHost;
  #counter = 0;

  static async open(env: NodeJS.ProcessEnv = process.env): Promise<Runs> {
    return new Runs(await bundleProcessHost(), env);
  }

  private constructor(bundle: HostBundle, env: NodeJS.ProcessEnv) {
    this.bundle = bundle;
    this.host = startProcessHost({
      execPath: process.execPath,
      entryPath: bundle.hostPath,
      env,
      onTrouble: (message) => this.troubles.push(message),
    });
  }

  start(command: string, over: Partial<ProcessSpec> = {}): StartedRun {
    const number = this.#counter++;
    const marker = over.marker ?? `test.${process.pid}.${Date.now()}.${number}`;
    const outputFile = over.outputFile ?? join(this.folder, `${number}.txt`);
    const controller = new AbortController();
    const progress: ProcessProgress[] = [];
    let pid: number | undefined;
    const spec = {
      command,
      cwd: this.folder,
      env: {},
      timeoutMs: 60_000,
      maxOutputBytes: 5e9,
      ...over,
      marker,
      outputFile,
    };
    const result = this.host.run(spec, {
      signal: controller.signal,
      onSpawn: (spawned) => {
        pid = spawned;
      },
      onProgress: (news) => progress.push(news),
    });
    return {
      marker,
      result,
      progress,
      cancel: () => controller.abort(),
      output: () => readText(outputFile),
      pid: () => pid,
    };
  }

  async run(command: string, over: Partial<ProcessSpec> = {}): Promise<ProcessResult & { readonly text: string }> {
    const run = this.start(command, over);
    const result = await run.result;
    return { ...result, text: run.output() };
  }

  /** A file of the run's folder as it is now; empty when it is not there yet. */
  readFile(name: string): string {
    return readText(join(this.folder, name));
  }

  async close(): Promise<void> {
    await this.host.close();
    this.bundle.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The pid in a tool's line `ready PID`, once it is there. */
export function readyPid(run: Pick<StartedRun, 'output'>, word = 'ready'): number | undefined {
  const pid = new RegExp(`^${word} (\\d+)$`, 'm').exec(run.output())?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** Whether `ps` knows the process as living. */
export function isAlive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    return false;
  }
}

/** A command line for one of the programs in e2e/tools. */
export const tool = (name: string, ...args: readonly string[]): string =>
  [process.execPath, fileURLToPath(new URL(`../../../e2e/tools/${name}.mjs`, import.meta.url)), ...args].join(' ');
