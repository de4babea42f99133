import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Frames, Lived, Opened } from './page.ts';

const load = <T>(path: string): Promise<T> =>
  import(/* @vite-ignore */ pathToFileURL(join(process.cwd(), path)).href) as Promise<T>;

/** No waiting for a screen: as many frames as can be made. */
const UNCAPPED = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** One measurement, the calls made included. */
const MOST_MS = 300_000;

export type Measured = Opened & Frames & { readonly cpuPerFrame: number };

/** What is needed to measure: the runtime, a display and the built page. */
export type Bench = {
  readonly run: (contender: string, calls: number, script?: string) => Promise<Measured>;
  readonly live: (contender: string, seconds: number, eventsPerSecond: number) => Promise<Lived>;
  readonly close: () => Promise<void>;
};

/** Builds the page and brings a display up. */
export async function openBench(): Promise<Bench> {
  const { ensureElectron, runtimeEnvironment } =
    await load<typeof import('../../scripts/electron-runtime.mjs')>('scripts/electron-runtime.mjs');
  const { electronSwitches, hasDisplay, startVirtualDisplay } =
    await load<typeof import('../../scripts/system.mjs')>('scripts/system.mjs');
  const runtime = await ensureElectron();
  const page = await buildPage();
  const display = hasDisplay() ? undefined : await startVirtualDisplay();
  const env = {
    ...process.env,
    ...runtimeEnvironment(runtime),
    ...(display === undefined ? {} : { DISPLAY: display.display }),
  };
  const ask = async <T>(job: object): Promise<T> => {
    const home = await mkdtemp(join(tmpdir(), 'gantry-bench-page-'));
    const words = [...electronSwitches({ virtualDisplay: true }), ...UNCAPPED, `--user-data-dir=${home}`];
    try {
      const said = await outputOf(runtime.path, [...words, '--js-flags=--expose-gc', page], {
        ...env,
        GANTRY_BENCH_JOB: JSON.stringify({ page: join(page, 'index.html'), query: {}, ...job }),
      });
      return JSON.parse(said.split('\n').findLast((line) => line.startsWith('{')) ?? '') as T;
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  return {
    run: (contender, calls, script) => ask<Measured>({ query: { contender, calls: String(calls) }, script }),
    live: (contender, seconds, eventsPerSecond) =>
      ask<Lived>({ query: { contender }, live: { seconds, eventsPerSecond } }),
    close: async () => {
      display?.stop();
      await rm(page, { recursive: true, force: true });
    },
  };
}

/** Builds the page as the app's is built, so that what is measured is what ships, into the folder of an app. Returns it. */
async function buildPage(): Promise<string> {
  const { build } = await load<typeof import('vite')>('node_modules/vite/dist/node/index.js');
  const parent = join(process.cwd(), 'out', 'bench');
  await mkdir(parent, { recursive: true });
  const outDir = await mkdtemp(join(parent, 'page-'));
  await build({
    root: join(process.cwd(), 'bench', 'timeline'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, target: 'chrome130', minify: true, assetsInlineLimit: 0 },
  });
  await copyFile(join(process.cwd(), 'bench', 'timeline', 'electron-main.cjs'), join(outDir, 'main.cjs'));
  await writeFile(join(outDir, 'package.json'), JSON.stringify({ name: 'gantry-bench', main: 'main.cjs' }));
  return outDir;
}

function outputOf(command: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: MOST_MS });
    let said = '';
    let complaints = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complaints = `${complaints}${chunk}`.slice(-2_000);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(said) : reject(new Error(`Electron ended with ${code}: ${complaints}`)),
    );
  });
}
