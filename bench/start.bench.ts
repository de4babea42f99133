import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, rounded, spread } from './measure.ts';
import { cpuOfTree, memoryOfTree } from './timeline/processes.ts';

const ROUNDS = 5;
/** An app is at rest this long after its first content, and is watched for as long again. */
const SETTLE_MS = 6_000;
const WATCH_MS = 6_000;
const MB = 1024 * 1024;

const load = <T>(path: string): Promise<T> =>
  import(/* @vite-ignore */ pathToFileURL(join(process.cwd(), path)).href) as Promise<T>;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** ms from the start of the process to the first content on screen; memory and processor time at rest. */
type Start = { readonly content: number; readonly memory: number; readonly cpu: number };

/**
 * The start of the app, and what it costs while nothing happens, beside a window with one word in it: the same Electron,
 * the same switches, in turn (spec 7.4). From the birth of the process to the browser's own mark; both are held back alike until
 * the test's driver has attached.
 */
export default async function start() {
  const { ensureElectron, runtimeEnvironment } =
    await load<typeof import('../scripts/electron-runtime.mjs')>('scripts/electron-runtime.mjs');
  const { electronSwitches, hasDisplay, startVirtualDisplay } =
    await load<typeof import('../scripts/system.mjs')>('scripts/system.mjs');
  const { ensureBuilt } = await load<typeof import('../scripts/build.mjs')>('scripts/build.mjs');
  const runtime = await ensureElectron();
  await ensureBuilt();
  const display = hasDisplay() ? undefined : await startVirtualDisplay();
  const env = { ...process.env, ...runtimeEnvironment(runtime), ...(display && { DISPLAY: display.display }) };
  const empty = await mkdtemp(join(tmpdir(), 'gantry-bench-empty-'));
  await copyFile(join(process.cwd(), 'bench', 'timeline', 'window-main.cjs'), join(empty, 'main.cjs'));
  await writeFile(join(empty, 'package.json'), JSON.stringify({ name: 'empty', main: 'main.cjs' }));
  const words = electronSwitches({ virtualDisplay: true });
  const found = { empty: [] as Start[], app: [] as Start[] };
  try {
    // The first of each fills the system's caches.
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, folder] of [
        ['empty', empty],
        ['app', process.cwd()],
      ] as const) {
        const one = await startOnce(runtime.path, [...words, folder], env, round < 0);
        if (round >= 0) found[name].push(one);
      }
    }
  } finally {
    display?.stop();
    await rm(empty, { recursive: true, force: true });
  }
  return { name: `Start and rest, ${ROUNDS} times in turn`, rows: [rowOf('empty window'), rowOf('Gantry')] };

  function rowOf(what: 'empty window' | 'Gantry') {
    const all = what === 'Gantry' ? found.app : found.empty;
    const over = (part: keyof Start): number =>
      rounded(median(all.map((one) => one[part])) / median(found.empty.map((one) => one[part])));
    return {
      what,
      'first content ms': rounded(median(all.map(({ content }) => content))),
      'spread ms': rounded(spread(all.map(({ content }) => content))),
      'memory at rest MB': rounded(median(all.map(({ memory }) => memory))),
      'CPU at rest %': rounded(median(all.map(({ cpu }) => cpu))),
      'content ÷ empty': over('content'),
      'memory ÷ empty': over('memory'),
    };
  }
}

async function startOnce(path: string, words: readonly string[], env: NodeJS.ProcessEnv, isWarmUp: boolean) {
  const { _electron } = await load<typeof import('@playwright/test')>('node_modules/@playwright/test/index.mjs');
  const home = await mkdtemp(join(tmpdir(), 'gantry-bench-start-'));
  const app = await _electron.launch({
    args: [...words],
    executablePath: path,
    timeout: 120_000,
    env: {
      ...(env as Record<string, string>),
      GANTRY_HOME: home,
      GANTRY_SCAN_HOME: home,
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
    },
  });
  try {
    const page = await app.firstWindow();
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    if (isWarmUp) return { content: 0, memory: 0, cpu: 0 };
    const paintedAt = await page.evaluate(
      () => performance.timeOrigin + (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
    );
    const bornAt = await app.evaluate(() => process.getCreationTime() ?? 0);
    const pid = app.process().pid as number;
    await wait(SETTLE_MS);
    const before = cpuOfTree(pid);
    await wait(WATCH_MS);
    const cpu = ((cpuOfTree(pid) - before) / WATCH_MS) * 100;
    return { content: paintedAt - bornAt, memory: memoryOfTree(pid) / MB, cpu };
  } finally {
    await app.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
