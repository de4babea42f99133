import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import { LibraryPage } from './pages/library.ts';

const RECORDED = join(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

/** Recordings, as Claude Code has them in its folder. */
async function layRecordings(launcher: AppLauncher, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await cp(join(RECORDED, name), join(launcher.home, 'claude', 'projects', `-work-${name}`), { recursive: true });
  }
}

test('sessions of another program are found, searched, and opened at a hit with its call selected', async ({
  launcher,
}) => {
  await layRecordings(launcher, ['cascade-stream', 'persisted-batch', 'agents-stream']);
  const { page, gantry } = await launcher.start();
  await expect(page.getByText(/Found on this machine: \d sessions of Claude Code/)).toBeVisible();
  const library = new LibraryPage(page);
  await page.getByRole('button', { name: 'Show them' }).click();
  await library.isCurrent();
  await expect(library.rows).toHaveCount(6);
  await expect(library.region.getByRole('button', { name: /^a cascade/ })).toContainText('2');

  await library.search.fill('seq');
  await expect(library.region.getByRole('status')).toHaveText(/^\d+ hits? in \d sessions?, \d+ ms$/);
  await library.region.getByRole('radio', { name: 'Inputs' }).click();
  await expect(library.region.locator('li li').filter({ hasText: 'output' })).toHaveCount(0);
  const hit = library.region
    .getByRole('button')
    .filter({ has: page.locator('mark') })
    .first();
  await expect(hit.locator('mark').first()).toHaveText(/seq/i);
  await hit.click();
  await expect(library.preview.locator('mark').first()).toBeVisible();
  await library.preview.getByRole('button', { name: 'Open at this hit' }).click();
  await gantry.idle();
  await expect(gantry.inspector).toContainText(/seq/);
  await expect(library.region).toHaveCount(0);
});

test('own sessions stand beside others, are narrowed down, and everything is reached by keys', async ({ launcher }) => {
  await layRecordings(launcher, ['cascade-stream']);
  const { page, gantry } = await launcher.start();
  await gantry.startScenario('Cascade');
  await gantry.idle();
  const library = new LibraryPage(page);
  await library.open();
  await library.isCurrent();
  await expect(library.rows).toHaveCount(3);
  await library.region.getByRole('button', { name: /^Run in Gantry/ }).click();
  await expect(library.rows).toHaveCount(1);
  await library.region.getByRole('button', { name: /^On this machine/ }).click();
  await expect(library.rows).toHaveCount(2);

  await page.keyboard.press('/');
  await expect(library.search).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(library.region).toHaveCount(0);
  await expect(page.getByText('Replay, read-only')).toBeVisible();
});

test('folders of other programs are left alone where the settings say so', async ({ launcher }) => {
  await layRecordings(launcher, ['cascade-stream']);
  await mkdir(launcher.home, { recursive: true });
  await writeFile(join(launcher.home, 'settings.json'), '{ "library": { "otherPrograms": false } }');
  const { page } = await launcher.start();
  const library = new LibraryPage(page);
  await library.openByName();
  await library.isCurrent();
  await expect(page.getByText('No sessions were found on this machine.')).toBeVisible();
  await expect(library.region).toContainText('your settings say so');
});
