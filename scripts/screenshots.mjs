import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import setUp from './playwright-setup.mjs';
import { projectRoot, runMain, say } from './process.mjs';

/** `npm run screenshots`: every gallery scenario and some recordings in both themes, into `docs/screenshots`. */

const folder = join(projectRoot, 'docs/screenshots');
const recordings = join(projectRoot, 'src-main/adapters/transcripts/fixtures/claude-code-2.1.92');
const SIZE = { width: 1440, height: 900 };

/** Rules of a person's own, for the pictures that show some. */
const RULES = {
  permissions: {
    allow: ['Edit(README.md)', 'Bash(npm run test:*)', 'Bash(npm run:*)', 'WebFetch(domain:docs.npmjs.com)'],
    ask: ['Bash(git push:*)'],
    deny: ['Read(.env)', 'Bash(npm run:*)'],
  },
};

/** What is done between the start and the picture. Names are those of the picture files. */
const pictures = [
  { name: 'start' },
  { name: 'parallel-reads', scenario: 'Parallel reads', answers: 1 },
  { name: 'tests-pass', scenario: 'Test, then edit', answers: 2 },
  { name: 'tests-fail', scenario: 'Test fails, edit cancelled', answers: 1, select: 'call_1_5' },
  { name: 'cascade', scenario: 'Cascade', select: 'culprit' },
  { name: 'exclusive-write', scenario: 'A write between reads', answers: 1 },
  { name: 'big-output', scenario: 'Big outputs', select: 'megabytes', tab: 'Output' },
  { name: 'permission-storm', scenario: 'Permission storm', until: '4 calls wait for your answer' },
  { name: 'interrupt', scenario: 'Interrupt', escapeAt: 'waiting' },
  { name: 'hooks', scenario: 'Hooks', select: 'changed', tab: 'Hooks' },
  { name: 'agents', scenario: 'Sub-agents', until: '2 calls wait for your answer' },
  { name: 'stream-break', scenario: 'Stream break' },
  { name: 'breakpoint', scenario: 'Breakpoints and faults', region: 'At a breakpoint', ended: 'version' },
  { name: 'new-session', click: 'New session' },
  { name: 'ledger', scenario: 'Parallel reads', rules: true, palette: 'Show the permission ledger' },
  { name: 'replay-cascade', open: 'cascade-stream' },
  { name: 'replay-agents', open: 'agents-stream' },
  { name: 'playhead', open: 'cascade-stream', chart: ['Shift+Digit3', '[', 'i'], tab: 'State and other rules' },
  { name: 'critical-path', open: 'agents-stream', chart: ['c'] },
  { name: 'library', library: 'touch' },
];

await runMain(async () => {
  const tearDown = await setUp({ workers: 1 });
  try {
    await mkdir(folder, { recursive: true });
    for (const theme of ['dark', 'light']) {
      for (const picture of pictures) await take(picture, theme);
    }
    return 0;
  } finally {
    tearDown();
  }
});

/**
 * @param {(typeof pictures)[number]} picture
 * @param {string} theme
 */
async function take(picture, theme) {
  const home = await mkdtemp(join(tmpdir(), 'gantry-screenshots-'));
  // Shown paths are those of a copy: where the project lies is nobody's business in a picture.
  const transcript = picture.open === undefined ? undefined : join(home, 'transcripts', picture.open);
  if (transcript !== undefined) await cp(join(recordings, picture.open ?? ''), transcript, { recursive: true });
  if (picture.rules === true) {
    await mkdir(join(home, 'claude'), { recursive: true });
    await writeFile(join(home, 'claude', 'settings.json'), JSON.stringify(RULES, undefined, 2));
  }
  if (picture.library !== undefined) {
    for (const name of ['cascade-stream', 'errors-batch', 'agents-stream', 'persisted-batch', 'mixed-stream']) {
      await cp(join(recordings, name), join(home, 'claude', 'projects', `-home-dev-${name}`), { recursive: true });
    }
  }
  const switches = JSON.parse(process.env.GANTRY_ELECTRON_SWITCHES ?? '[]');
  const [display] = JSON.parse(process.env.GANTRY_DISPLAYS ?? '[]');
  const app = await _electron.launch({
    args: [...switches, projectRoot, ...(transcript === undefined ? [] : [transcript])],
    env: {
      .../** @type {Record<string, string>} */ (process.env),
      ...(display === undefined ? {} : { DISPLAY: display }),
      GANTRY_HOME: home,
      GANTRY_SCAN_HOME: home,
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      GANTRY_THEME: theme,
    },
  });
  try {
    const page = await app.firstWindow();
    await app.evaluate(({ BrowserWindow }, size) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height);
    }, SIZE);
    await act(page, picture);
    await page.screenshot({ path: join(folder, `${picture.name}-${theme}.png`) });
    say(`${picture.name}-${theme}.png`);
  } finally {
    await app.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {(typeof pictures)[number]} picture
 */
async function act(page, picture) {
  const board = page.getByRole('region', { name: 'Permission board' });
  const call = (/** @type {string} */ id) => page.locator(`[data-call-id="${id}"]`).first();
  if (picture.scenario !== undefined) {
    await page.getByRole('main').getByRole('button', { name: picture.scenario }).first().click();
  }
  if (picture.click !== undefined) await page.getByRole('main').getByRole('button', { name: picture.click }).click();
  if (picture.region !== undefined) {
    await page.getByRole('region', { name: picture.region }).waitFor();
    await page.locator(`[data-call-id="${picture.ended}"][data-outcome]`).first().waitFor({ state: 'attached' });
    return;
  }
  for (let answered = 0; answered < (picture.answers ?? 0); answered++) {
    await page.locator('[data-guard="ready"]').first().waitFor();
    await board.getByRole('button', { name: 'Allow once', exact: true }).click();
  }
  if (picture.until !== undefined) {
    await board.getByText(picture.until).waitFor();
    return;
  }
  if (picture.escapeAt !== undefined) {
    await page
      .locator(`[data-call-id="${picture.escapeAt}"][data-phase="queued"]`)
      .first()
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
  }
  await page.locator('html[data-idle="true"]').waitFor({ timeout: 60_000 });
  if (picture.palette !== undefined) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(picture.palette);
    await page.keyboard.press('Enter');
    await page.getByRole('main', { name: 'Permission ledger' }).waitFor();
  }
  if (picture.library !== undefined) {
    await page.getByRole('button', { name: 'Show them' }).click();
    await page.getByText('index is current').waitFor();
    await page.keyboard.type(picture.library);
    await page.locator('mark').first().waitFor();
  }
  for (const key of picture.chart ?? []) {
    await page.locator('[role="application"]').focus();
    await page.keyboard.press(key);
    await page.locator('html[data-idle="true"]').waitFor();
  }
  if (picture.select !== undefined) await call(picture.select).focus();
  if (picture.tab !== undefined) await page.getByRole('tab', { name: picture.tab }).click();
  await page.locator('html[data-idle="true"]').waitFor();
}
