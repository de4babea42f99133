import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ElectronApplication, Page } from '@playwright/test';

const load = <T>(path: string): Promise<T> =>
  import(/* @vite-ignore */ pathToFileURL(join(process.cwd(), path)).href) as Promise<T>;

export type RunningApp = { readonly app: ElectronApplication; readonly page: Page };

/** Starts the built app on a home and a display of its own, gives it to `use`, and ends it. */
export async function withApp<T>(use: (running: RunningApp) => Promise<T>): Promise<T> {
  const { ensureElectron, runtimeEnvironment } =
    await load<typeof import('../scripts/electron-runtime.mjs')>('scripts/electron-runtime.mjs');
  const { electronSwitches, hasDisplay, startVirtualDisplay } =
    await load<typeof import('../scripts/system.mjs')>('scripts/system.mjs');
  const { ensureBuilt } = await load<typeof import('../scripts/build.mjs')>('scripts/build.mjs');
  const { _electron } = await load<typeof import('@playwright/test')>('node_modules/@playwright/test/index.mjs');
  const runtime = await ensureElectron();
  await ensureBuilt();
  Object.assign(process.env, runtimeEnvironment(runtime));
  const display = hasDisplay() ? undefined : await startVirtualDisplay();
  const home = await mkdtemp(join(tmpdir(), 'gantry-bench-home-'));
  const app = await _electron.launch({
    args: [...electronSwitches({ virtualDisplay: true }), process.cwd()],
    env: {
      ...(process.env as Record<string, string>),
      ...(display === undefined ? {} : { DISPLAY: display.display }),
      GANTRY_HOME: home,
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      GANTRY_SCAN_HOME: home,
    },
  });
  try {
    const page = await app.firstWindow();
    await page.waitForSelector('html[data-idle="true"]');
    return await use({ app, page });
  } finally {
    await app.close();
    display?.stop();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Resident memory of a process and all below it, in bytes. Linux. */
export function residentOf(pid: number): number {
  try {
    const own = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * 4096;
    const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return below.reduce((sum, child) => sum + residentOf(Number(child)), own);
  } catch {
    // It has ended since it was named.
    return 0;
  }
}
