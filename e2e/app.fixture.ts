import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';
import type { SessionEvent } from '../src-shared/session/event.ts';
import { parseLine } from '../src-shared/session/stored-line.ts';
import { GantryWindow } from './pages/gantry-window.ts';

const projectRoot = resolve(import.meta.dirname, '..');

/** The display of this worker, where each has one of its own. */
function ownDisplay(): Record<string, string> {
  const displays = JSON.parse(process.env.GANTRY_DISPLAYS ?? '[]') as string[];
  const display = displays[Number(process.env.TEST_PARALLEL_INDEX ?? 0)];
  return display === undefined ? {} : { DISPLAY: display };
}

/** The environment of a run whose sessions and settings lie in this folder, whatever the person at this machine has set. */
export function ownEnvironment(home: string): Record<string, string> {
  const { CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY: _, ...env } = process.env as Record<string, string>;
  return {
    ...env,
    ...ownDisplay(),
    GANTRY_HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    GANTRY_SCAN_HOME: home,
  };
}

export type Started = { readonly app: ElectronApplication; readonly page: Page; readonly gantry: GantryWindow };

/** The real app with a home of its own. It may be started several times in one test, on the same home. */
export class AppLauncher {
  readonly home: string;
  readonly #running = new Set<ElectronApplication>();

  constructor(home: string) {
    this.home = home;
  }

  async start(
    options: { readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
  ): Promise<Started> {
    const switches = JSON.parse(process.env.GANTRY_ELECTRON_SWITCHES ?? '[]') as string[];
    // Without `executablePath`, Playwright finds the runtime through the electron package and holds the app back until it
    // has attached; with one it misses a window that is made in that moment, and waits for ever.
    const app = await _electron.launch({
      args: [...switches, projectRoot, ...(options.args ?? [])],
      env: { ...ownEnvironment(this.home), GANTRY_THEME: 'dark', ...options.env },
    });
    this.#running.add(app);
    app.once('close', () => this.#running.delete(app));
    const page = await app.firstWindow();
    return { app, page, gantry: new GantryWindow(app, page) };
  }

  /** Every event in the journals of this home, by session, newest session last. */
  async journals(): Promise<ReadonlyMap<string, readonly SessionEvent[]>> {
    const root = join(this.home, 'sessions');
    const found = new Map<string, readonly SessionEvent[]>();
    for (const id of await readdir(root).catch(() => [])) {
      const text = await readFile(join(root, id, 'journal.jsonl'), 'utf8').catch(() => '');
      const events = text
        .split('\n')
        .map((line) => parseLine(line))
        .flatMap((line) => (line.ok ? [line.value] : []));
      if (events.length > 0) found.set(id, events);
    }
    return new Map([...found].sort((a, b) => (a[1][0]?.at ?? 0) - (b[1][0]?.at ?? 0)));
  }

  /** The events of the one session of this home. */
  async journal(): Promise<readonly SessionEvent[]> {
    const [only, ...more] = (await this.journals()).values();
    if (only === undefined || more.length > 0)
      throw new Error(`expected one session, found ${more.length + (only ? 1 : 0)}`);
    return only;
  }

  async stop(): Promise<void> {
    for (const app of this.#running) await app.close();
    await rm(this.home, { recursive: true, force: true, maxRetries: 3 });
  }
}

type Fixtures = { readonly launcher: AppLauncher; readonly started: Started };

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  launcher: async ({}, use) => {
    const launcher = new AppLauncher(await mkdtemp(join(tmpdir(), 'gantry-e2e-')));
    await use(launcher);
    await launcher.stop();
  },
  started: async ({ launcher }, use) => {
    await use(await launcher.start());
  },
});
export { expect } from '@playwright/test';
