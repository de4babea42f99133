import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';
import type { GantryWindow } from './pages/gantry-window.ts';

const recordings = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

async function openRecording(gantry: GantryWindow, name: string): Promise<void> {
  await gantry.openTranscript(join(recordings, name));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
}

test('Ctrl F finds calls and goes from one to the next', async ({ started: { gantry, page } }) => {
  await openRecording(gantry, 'cascade-stream');
  await page.keyboard.press('Control+f');
  const field = page.getByRole('textbox', { name: 'Search the calls' });
  await expect(field).toBeFocused();
  await field.fill('bash');
  await expect(page.getByText('5 found')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 of 5', { exact: true })).toBeVisible();
  await expect(gantry.inspector).toContainText('ls missing-folder');
  await page.keyboard.press('Enter');
  await expect(gantry.inspector).toContainText('sleep 4');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(page.getByRole('application')).toBeFocused();
  await page.keyboard.press('Control+Shift+f');
  await expect(field).toHaveCount(0);
});

test('one filter holds for list and conversation, and is cleared from the chart', async ({
  started: { gantry, page },
}) => {
  await openRecording(gantry, 'cascade-stream');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Grep/ }).check();
  await expect(page.getByRole('button', { name: 'Filter, 1 of 7 calls match' })).toBeVisible();
  expect(await gantry.timeline.calls()).toHaveLength(1);
  await expect(gantry.conversation.getByRole('button', { name: /^Bash/ })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'with the text' }).fill('not there');
  await page.keyboard.press('Escape');
  await expect(page.getByText('0 of 7 calls match.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('0 of 7 calls match.')).toHaveCount(0);
  expect(await gantry.timeline.calls()).toHaveLength(7);
});
