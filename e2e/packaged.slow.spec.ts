import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium } from '@playwright/test';
import { z } from 'zod';
import { packForTests } from '../scripts/package.mjs';
import { expect, ownEnvironment, test } from './app.fixture.ts';

/*
 * The app as people install it, from its archive. Its fuses refuse the inspector that Playwright starts apps with, so the
 * window is reached through Chromium's own port.
 */

/** How a fuse that is on is written in the executable. */
const ENABLED = '1'.charCodeAt(0);

let folder: string;
let packed: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-packed-'));
  packed = await packForTests(join(folder, 'dist'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

/** The address at which Chromium listens, as it tells on stderr. */
const addressOf = (app: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    app.once('exit', (code) => reject(new Error(`The packaged app ended with ${code}: ${said}`)));
    app.stderr?.on('data', (chunk) => {
      said += chunk;
      const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
  });

const Targets = z.array(z.object({ url: z.string() }));

/** The addresses of the pages that Chromium shows, without what comes after their `?`. */
const pagesAt = async (port: string): Promise<readonly string[]> => {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  return Targets.parse(await answer.json()).map(({ url }) => url.split('?')[0] ?? '');
};

test('a packaged app has its fuses set and brings no app that starts others', async () => {
  const wire = await getCurrentFuseWire(join(packed, 'gantry'));
  const states = Object.fromEntries(
    Object.entries(FuseV1Options)
      .filter((entry): entry is [string, FuseV1Options] => typeof entry[1] === 'number')
      .map(([name, option]) => [name, Number(wire[option]) === ENABLED]),
  );
  expect(states).toMatchObject({
    RunAsNode: true,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    GrantFileProtocolExtraPrivileges: false,
  });
  expect(await readdir(join(packed, 'resources'))).not.toContain('default_app.asar');
});

test('a packaged app runs a session with commands and searches', async () => {
  const home = join(folder, 'home');
  const switches = JSON.parse(process.env.GANTRY_ELECTRON_SWITCHES ?? '[]') as string[];
  const app = spawn(join(packed, 'gantry'), [...switches, '--remote-debugging-port=0'], {
    env: ownEnvironment(home),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const address = await addressOf(app);
    // Playwright misses a page that is made while it connects.
    await expect.poll(() => pagesAt(new URL(address).port), { timeout: 30_000 }).toContain('gantry://app/index.html');
    const browser = await chromium.connectOverCDP(address);
    const page = browser.contexts()[0]?.pages()[0];
    if (page === undefined) throw new Error('The packaged app shows no window.');
    await page.getByRole('main').getByRole('button', { name: 'Parallel reads' }).first().click();
    await page.locator('[data-guard="ready"]').first().waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Allow once' }).click();
    await expect(page.locator('html[data-idle="true"]')).toBeAttached({ timeout: 60_000 });
    const outcomes = await page
      .locator('[data-call-id][data-outcome]')
      .evaluateAll((calls) => calls.map((call) => call.getAttribute('data-outcome')));
    expect(outcomes.length).toBeGreaterThan(2);
    expect(new Set(outcomes)).toEqual(new Set(['ok']));
    await browser.close();
  } finally {
    app.kill('SIGTERM');
    if (app.exitCode === null && app.signalCode === null) await new Promise((resolve) => app.once('exit', resolve));
  }
});
