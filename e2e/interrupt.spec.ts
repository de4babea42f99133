import { expect, test } from './app.fixture.ts';
import { living } from './living.ts';

test('Esc stops every command with all its processes and keeps the session usable', async ({
  launcher,
  started: { gantry, page },
}) => {
  await gantry.startScenario('Interrupt');
  await gantry.timeline.waitForPhase('waiting', 'queued');
  await expect(async () => {
    expect((await launcher.journal()).filter((event) => event.type === 'process-spawned').length).toBeGreaterThan(2);
  }).toPass();
  const pids = (await launcher.journal()).flatMap((event) => (event.type === 'process-spawned' ? [event.pid] : []));
  expect(living(pids).length).toBeGreaterThan(0);

  await page.keyboard.press('Escape');
  await gantry.timeline.waitForOutcome('slow-1', 'interrupted');
  await gantry.idle();
  expect(living(pids)).toEqual([]);
  await expect(gantry.conversation).toContainText('Request interrupted by user for tool use');

  await page.getByRole('textbox', { name: 'Message' }).fill('And now?');
  await page.keyboard.press('Enter');
  await gantry.idle();
  await expect(gantry.conversation).toContainText('All three ended by themselves.');
});

test('the Stop button does what Esc does', async ({ launcher, started: { gantry, page } }) => {
  await gantry.startScenario('Interrupt');
  await gantry.timeline.waitForPhase('slow-2', 'executing');
  await page.getByRole('button', { name: /^Stop/ }).click();
  await gantry.timeline.waitForOutcome('slow-2', 'interrupted');
  await gantry.idle();
  expect((await launcher.journal()).findLast((event) => event.type === 'turn-ended')).toMatchObject({
    reason: 'interrupted',
  });
});
