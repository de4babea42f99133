import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './app.fixture.ts';
import { ExportDialogPage } from './pages/export-dialog.ts';
import { settledBox } from './pages/settled-box.ts';
import { TimelinePage } from './pages/timeline.ts';

const recordings = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

test('a page stands for itself: bars, zoom, selection, and nobody is asked for anything', async ({ launcher }) => {
  const { gantry, page, app } = await launcher.start();
  await gantry.openTranscript(join(recordings, 'cascade-stream'));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
  const dialog = new ExportDialogPage(app, page);
  await dialog.open();
  await expect(dialog.root.getByText(/places will be replaced/)).toBeVisible();
  await expect(dialog.root.getByText('home folder', { exact: true })).toBeVisible();
  const path = join(launcher.home, 'page.html');
  await dialog.saveTo(path);
  expect(readFileSync(path, 'utf8')).not.toContain('/home/dev');

  const opening = app.waitForEvent('window');
  await app.evaluate(({ BrowserWindow }) => {
    void new BrowserWindow({ width: 1200, height: 800 }).loadURL('about:blank');
  });
  const viewer = await opening;
  const troubles: string[] = [];
  // The empty page that was there before has no policy, which Electron warns of.
  viewer.on('console', (message) => {
    if (message.type() !== 'log' && viewer.url().startsWith('file:')) troubles.push(message.text());
  });
  viewer.on('pageerror', (error) => troubles.push(error.message));
  viewer.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && request.url() !== pathToFileURL(path).href) {
      troubles.push(request.url());
    }
  });
  await viewer.goto(pathToFileURL(path).href);
  const timeline = new TimelinePage(viewer);
  await expect(timeline.list.locator('[data-call-id]')).toHaveCount(7);
  const [first] = await timeline.calls();

  await expect.poll(() => shownOf(viewer)).toBeGreaterThan(200);
  const whole = await shownOf(viewer);
  await viewer.getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(() => shownOf(viewer)).toBeLessThan(0.8 * whole);
  await viewer.getByRole('button', { name: 'Show the whole session' }).click();
  await expect.poll(() => shownOf(viewer)).toBe(whole);

  await timeline.select(first?.callId ?? '');
  await expect(viewer.getByRole('complementary', { name: 'Inspector' })).toContainText('ls missing-folder');
  await viewer.getByRole('tab', { name: 'Output' }).click();
  await expect(viewer.getByRole('tabpanel')).toContainText('No such file or directory');
  await viewer.keyboard.press('Escape');
  await expect(viewer.getByRole('complementary', { name: 'Inspector' })).toContainText('Select a call');
  expect(troubles).toEqual([]);
});

/** How much of the session the chart shows: the width of the window in the mini-map, in px. */
const shownOf = async (page: Page): Promise<number> =>
  Math.round((await settledBox(page.locator('[data-zone=window]'))).width);

test('pictures show what the chart shows, in the chosen colours', async ({ launcher }) => {
  const { gantry, page, app } = await launcher.start();
  await gantry.openTranscript(join(recordings, 'cascade-stream'));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
  const dialog = new ExportDialogPage(app, page);
  await dialog.open();
  await dialog.format('PNG picture').check();
  await dialog.root.getByRole('radio', { name: 'Light' }).check();
  const png = join(launcher.home, 'chart.png');
  await dialog.saveTo(png);
  const bytes = readFileSync(png);
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.readUInt32BE(16)).toBe(3_200);

  await dialog.format('SVG picture').check();
  const svg = join(launcher.home, 'chart.svg');
  await dialog.saveTo(svg);
  expect(readFileSync(svg, 'utf8')).toContain('ls missing-folder');
  await page.keyboard.press('Escape');
  await expect(dialog.root).toHaveCount(0);
});
