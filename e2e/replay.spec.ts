import { join, resolve } from 'node:path';
import { expect, test } from './app.fixture.ts';
import { ReplayPage } from './pages/replay.ts';

const recordings = resolve(import.meta.dirname, '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92');

test('before its failure a call runs, and the state says who waits for whom', async ({ started: { gantry, page } }) => {
  await gantry.openTranscript(join(recordings, 'cascade-stream'));
  await gantry.idle();
  const bar = page.getByRole('toolbar', { name: 'Replay' });
  await expect(bar).toContainText(/event \d+ of \d+/);
  const end = await gantry.timeline.calls();
  const culprit = end.find((call) => call.outcome === 'error')?.callId ?? '';

  const playhead = page.getByTestId('playhead');
  const atEnd = (await playhead.textContent()) ?? '';
  await bar.getByRole('button', { name: 'Next cascade' }).click();
  await expect(playhead).not.toHaveText(atEnd);
  await expect(gantry.timeline.call(culprit)).toHaveAttribute('data-outcome', 'error');
  const cascadeAt = (await playhead.textContent()) ?? '';
  // The failure is told before the cascade it causes.
  for (let n = 0; n < 20; n++) {
    if ((await gantry.timeline.call(culprit).getAttribute('data-phase')) === 'executing') break;
    await bar.getByRole('button', { name: 'Previous event' }).click();
  }
  await expect(gantry.timeline.call(culprit)).toHaveAttribute('data-phase', 'executing');
  await page.getByRole('tab', { name: 'State and other rules' }).click();
  const state = page.getByRole('region', { name: 'State at the playhead' });
  await expect(state.getByRole('row').filter({ hasText: 'running' }).first()).toBeVisible();

  // The same position gives the same picture.
  await bar.getByRole('button', { name: 'Next cascade' }).click();
  await expect(playhead).toHaveText(cascadeAt);
});

test('a live session scrubbed back shows the question of then, which cannot be answered, and comes back', async ({
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await new ReplayPage(page).clickRuler(0.02);
  await expect(page.getByRole('toolbar', { name: 'Replay' })).toBeVisible();
  await page.getByRole('button', { name: 'Next permission' }).click();
  const past = page.getByRole('region', { name: 'Questions at the playhead' });
  await expect(past).toContainText('past, not answerable');
  await expect(past.getByRole('button', { name: /Allow|Deny/ })).toHaveCount(0);
  await expect(gantry.board.region).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(past).toHaveCount(0);
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
});

test('the same position gives the same picture, from whichever side it is reached', async ({
  started: { gantry, page },
}) => {
  await gantry.openTranscript(join(recordings, 'mixed-stream'));
  await expect(gantry.timeline.list).toBeAttached();
  await gantry.idle();
  const replay = new ReplayPage(page);
  const look = async () => ({
    where: await replay.where.textContent(),
    chart: await replay.pixels(),
    said: await gantry.conversation.textContent(),
  });
  await replay.clickRuler(0.4);
  const first = await look();
  for (const elsewhere of [0.7, 0.1]) {
    await replay.clickRuler(elsewhere);
    expect((await look()).chart).not.toBe(first.chart);
    await replay.clickRuler(0.4);
    expect(await look()).toEqual(first);
  }
});

test('keys that act change nothing while the past of a live session is shown', async ({
  launcher,
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  const replay = new ReplayPage(page);
  await replay.press('Shift+4');
  await expect(page.getByText('Create this file?')).toBeVisible();
  for (const key of ['Enter', 'h', 'n', 'Escape', 'Escape']) await replay.press(key);
  await replay.press('f');
  await expect(replay.bar).toHaveCount(0);
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  const acts = new Set(['permission-settled', 'interrupt-requested', 'queue-held', 'queue-stepped']);
  const done = (await launcher.journal()).filter(
    (event) => acts.has(event.type) && (event.type !== 'permission-settled' || event.by === 'user'),
  );
  expect(done).toMatchObject([{ type: 'permission-settled', verdict: 'allow' }]);
});
