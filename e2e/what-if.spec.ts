import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';
import type { GantryWindow } from './pages/gantry-window.ts';
import { WhatIfPage } from './pages/what-if.ts';

const recordings = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

async function openRecording(gantry: GantryWindow, name: string): Promise<void> {
  await gantry.openTranscript(join(recordings, name));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
}

test('a recorded cascade under other rules: without it both victims go on, how long nobody knows', async ({
  started: { gantry, page },
}) => {
  await openRecording(gantry, 'cascade-stream');
  const whatIf = new WhatIfPage(page);
  await whatIf.open();
  await expect(whatIf.sentence).toContainText('0 cancelled');
  await expect(whatIf.sentence).toContainText('How long Bash(sleep 4) and Bash(touch stamp) take is not known.');
  await expect(whatIf.picture).toHaveAccessibleName('The turn differs: touch stamp runs, sleep 4 ends by itself.');
  await whatIf.choose('Cascade', 'bash');
  await expect(whatIf.sentence).toContainText('as long as recorded, 2 cancelled');
  await expect(whatIf.picture).toHaveAccessibleName('Nothing differs from the recording.');
  await expect(whatIf.strip.getByRole('button', { name: 'Cascade: bash' })).toBeFocused();
  await page.keyboard.press('i');
  await expect(whatIf.strip).toHaveCount(0);
});

test('the table names the races of all at once, and its rows become the ghost row', async ({
  started: { gantry, page },
}) => {
  await openRecording(gantry, 'mixed-stream');
  const whatIf = new WhatIfPage(page);
  await whatIf.open();
  await whatIf.showTable();
  await whatIf.rules('all at once').click();
  await expect(whatIf.rules('all at once')).toHaveAttribute('aria-pressed', 'true');
  await expect(whatIf.sentence).toContainText('4 races');
  await whatIf.table.getByRole('button', { name: 'Show the 4 pairs' }).click();
  await whatIf.table.getByRole('button', { name: 'Write(tax.js)' }).first().click();
  await expect(gantry.inspector).toContainText('tax.js');
});

test('a call that counts as something else is played as that, and back', async ({ started: { gantry, page } }) => {
  await openRecording(gantry, 'mixed-stream');
  const sleep = (await gantry.timeline.calls()).find(({ name }) => name.startsWith('Bash sleep 1'));
  await gantry.timeline.select(sleep?.callId ?? '');
  await page.getByRole('application').dispatchEvent('contextmenu', { button: 2 });
  await page.getByRole('menuitem', { name: 'What if this were exclusive' }).click();
  const whatIf = new WhatIfPage(page);
  const changed = whatIf.strip.getByRole('button', { name: /^Bash\(sleep 1.*\) is exclusive$/ });
  await expect(changed).toBeVisible();
  await expect(whatIf.picture).toHaveAccessibleName(/^The turn differs/);
  await changed.click();
  await expect(changed).toHaveCount(0);
});
