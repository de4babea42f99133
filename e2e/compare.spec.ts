import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';

const recordings = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

test('two recordings side by side: the first difference is marked and leads to its call', async ({
  started: { gantry, page },
}) => {
  for (const name of ['cascade-batch', 'cascade-stream']) {
    await gantry.openTranscript(join(recordings, name));
    await expect(gantry.timeline.list).toBeAttached();
    await gantry.idle();
  }
  await gantry.runCommand('compare');
  const dialog = page.getByRole('dialog', { name: 'Compare' });
  await expect(dialog.getByText('The first call is the same.')).toBeVisible();
  await expect(dialog.getByRole('img', { name: /^Lanes of A: differs from/ })).toBeVisible();
  const first = dialog.getByRole('row', { name: /first difference/ });
  await expect(first).toContainText('Bash(sleep 4)');
  await first.getByRole('button').click();
  await dialog.getByRole('button', { name: 'Show in B' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(gantry.inspector).toContainText('sleep 4');
});
