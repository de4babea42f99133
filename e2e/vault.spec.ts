import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import { LibraryPage } from './pages/library.ts';
import { VaultDialogs } from './pages/vault.ts';

const RECORDED = join(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

/** A recording, as Claude Code has it in its folder. Gives that folder. */
async function layRecording(launcher: AppLauncher, name: string): Promise<string> {
  const folder = join(launcher.home, 'claude', 'projects', `-work-${name}`);
  // What a recording has beside the session's own files is no part of it.
  const filter = (path: string): boolean => !/(?:stream\.jsonl|approved\.json)$/.test(path);
  await cp(join(RECORDED, name), folder, { recursive: true, filter });
  return folder;
}

test('sessions are copied into the vault, opened from it when their own files are gone, and put back', async ({
  launcher,
}) => {
  const lost = await layRecording(launcher, 'agents-stream');
  await layRecording(launcher, 'cascade-stream');
  const folder = join(launcher.home, 'archive');
  await mkdir(folder);
  const { app, page, gantry } = await launcher.start();
  const library = new LibraryPage(page);
  const dialogs = new VaultDialogs(app, page);
  await library.openByName();
  await library.isCurrent();
  await expect(library.rows).toHaveCount(2);

  await dialogs.answerWith(folder);
  const vault = await dialogs.open('Vault');
  await vault.getByRole('button', { name: 'Choose a folder…' }).click();
  await vault.getByRole('button', { name: 'Run now' }).click();
  await expect(vault.getByText(/^\d+ files copied, /)).toBeVisible();
  await expect(vault.getByRole('row', { name: /^Claude Code 2 / })).toBeVisible();
  await vault.getByRole('button', { name: 'Verify' }).click();
  await expect(vault.getByText(/: each is what was copied\.$/)).toBeVisible();
  // A tooltip in a dialog takes the first Escape, and what is behind the dialog gets neither.
  await vault.getByRole('button', { name: 'Close' }).focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await expect(vault).toBeVisible();
  await dialogs.close();
  await expect(library.region).toBeVisible();

  const before = (await readdir(lost, { recursive: true })).filter((path) => path.endsWith('.jsonl')).sort();
  expect(before).toHaveLength(3);
  await rm(lost, { recursive: true });
  await library.status.getByRole('button', { name: 'Look again' }).click();
  await expect(library.region.getByRole('button', { name: /^Only in the vault 1$/ })).toBeVisible();
  await library.region.getByRole('button', { name: /^Only in the vault/ }).click();
  await expect(library.rows).toHaveCount(1);
  await library.rows.first().dblclick();
  await expect(page.getByText('Replay, read-only')).toBeVisible();
  await gantry.idle();

  await library.openByName();
  await library.isCurrent();
  await expect(library.rows).toHaveCount(1);
  await library.preview.getByRole('button', { name: 'Put it back' }).click();
  await expect(library.rows).toHaveCount(0);
  for (const name of before) {
    expect(await readFile(join(lost, name))).toEqual(await readFile(join(RECORDED, 'agents-stream', name)));
  }
});

test('a folder is added to the library, a program is left out, and both are remembered', async ({ launcher }) => {
  await layRecording(launcher, 'agents-stream');
  const exported = join(launcher.home, 'export');
  await rename(await layRecording(launcher, 'cascade-stream'), exported);
  const { app, page } = await launcher.start();
  const library = new LibraryPage(page);
  const dialogs = new VaultDialogs(app, page);
  await library.openByName();
  await library.isCurrent();
  await expect(library.rows).toHaveCount(1);
  await dialogs.answerWith(exported);
  const places = await dialogs.open('Where to look');
  await places.getByRole('button', { name: 'Add a folder…' }).click();
  await expect(places.getByText(exported)).toBeVisible();
  const program = places.getByRole('checkbox', { name: /^Claude Code 1 file/ });
  await program.click();
  await expect(places.getByRole('checkbox', { name: /^Claude Code/ })).not.toBeChecked();
  await dialogs.close();
  await library.isCurrent();
  await expect(library.region.getByRole('button', { name: /^On this machine 1$/ })).toBeVisible();
  await expect(library.preview).toContainText(exported);
  expect(JSON.parse(await readFile(join(launcher.home, 'settings.json'), 'utf8'))).toEqual({
    library: { folders: [exported], leaveOut: ['claude-code'] },
  });
});
