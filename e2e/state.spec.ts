import { expect, test } from './app.fixture.ts';

test('while commands run, the state says who waits for whom, and the inspector why; Esc ends it', async ({
  started: { gantry, page },
}) => {
  await gantry.startScenario('Interrupt');
  await gantry.timeline.waitForPhase('waiting', 'queued');
  await page.getByRole('tab', { name: 'State and other rules' }).click();
  const state = page.getByRole('region', { name: 'State at the playhead' });
  const row = (call: string) => state.getByRole('row').filter({ has: page.getByRole('button', { name: call }) });
  await expect(row('touch done')).toContainText(/queued\s*sleep 20; ls and sleep 25; cat README\.md/);
  await expect(row('Read README.md')).toContainText('its turn, after 1 and 2');
  await expect(state.getByRole('list', { name: 'What it holds' })).toContainText('Lanes 2 of 10');

  await row('touch done').getByRole('button').click();
  const why = gantry.inspector.getByRole('region', { name: 'Why does it wait?' });
  await expect(why).toContainText('hold the shared lock, and this command needs it alone.');
  const tree = gantry.inspector.getByRole('list', { name: 'Abort tree' });
  await expect(tree).toContainText('Bash sleep 20; ls · Esc stops it');
  await expect(tree).toContainText('Bash sleep 15 && touch done · would not start');
  await why.getByRole('button', { name: 'sleep 20; ls' }).click();
  await expect(gantry.inspector).toContainText('sleep 20; ls');

  await page.getByRole('button', { name: /^Stop/ }).click();
  await gantry.timeline.waitForOutcome('slow-1', 'interrupted');
  await expect(row('sleep 20; ls')).toContainText('interrupted');
  await expect(tree).toContainText('Bash sleep 20; ls · cancelled: you stopped the turn');
});

test('a question brings the conversation to the front and gives the place back', async ({
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  const state = page.getByRole('region', { name: 'State at the playhead' });
  const tab = page.getByRole('tab', { name: 'State and other rules' });
  await tab.click();
  await expect(gantry.board.region).toHaveCount(0);
  await expect(state).toContainText('your answer');
  // By its key the board is there again.
  await page.getByRole('application').focus();
  await page.keyboard.press('p');
  await gantry.board.armed();
  await gantry.board.allowOnce();
  await gantry.idle();
  await expect(tab).toHaveAttribute('aria-selected', 'true');

  // The choice outlasts the session, and its question still comes to the front by itself.
  await page.getByRole('button', { name: /^Scenario gallery/ }).click();
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await expect(tab).toHaveAttribute('aria-selected', 'false');
  await gantry.board.allowOnce();
  await expect(state).toBeVisible();
});
