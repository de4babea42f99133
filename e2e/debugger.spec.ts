import { expect, test } from './app.fixture.ts';

test('a call stops at a breakpoint, and goes on with another input', async ({
  launcher,
  started: { gantry, page },
}) => {
  await gantry.startScenario('Breakpoints and faults');
  const paused = page.getByRole('region', { name: 'At a breakpoint' });
  await expect(paused).toContainText('echo tag v2.3.9');
  await expect(page.getByRole('button', { name: 'Hold queue' })).toHaveAttribute('aria-pressed', 'true');
  // What comes behind it stays in the queue, though nothing else runs.
  await gantry.timeline.waitForPhase('check', 'queued');
  await gantry.timeline.waitForOutcome('version', 'ok');

  await paused.getByRole('button', { name: 'Edit the input' }).click();
  await paused.getByRole('textbox', { name: 'Command to run' }).fill('echo tag v2.4.0');
  await paused.getByRole('button', { name: 'Go on with this input' }).click();
  await gantry.timeline.waitForOutcome('tag', 'ok');
  await gantry.idle();
  await expect(paused).toBeHidden();

  const events = await launcher.journal();
  const result = events.find((event) => event.type === 'call-completed' && event.callId === 'tag');
  expect(JSON.stringify(result)).toContain('tag v2.4.0');
  expect(events.filter((event) => event.type === 'fault-injected')).toMatchObject([
    { callId: 'version', kind: 'delay' },
  ]);
  expect(events.filter((event) => event.type === 'call-resumed')).toMatchObject([{ callId: 'tag', how: 'edited' }]);
});

test('stepping lets one call go and keeps the queue held', async ({ started: { gantry, page } }) => {
  await gantry.startScenario('Breakpoints and faults');
  const paused = page.getByRole('region', { name: 'At a breakpoint' });
  await expect(paused).toBeVisible();
  await paused.getByRole('button', { name: 'Step' }).click();
  await gantry.timeline.waitForOutcome('tag', 'ok');
  const held = page.getByRole('region', { name: 'Held queue' });
  await expect(held).toContainText('1 call waits in it');
  await held.getByRole('button', { name: 'Start one' }).click();
  await gantry.timeline.waitForOutcome('check', 'ok');
  await gantry.idle();
  await expect(gantry.conversation).toContainText('The release is tagged.');
});

test('breakpoints and faults are set from the toolbar and by key', async ({ started: { gantry, page } }) => {
  await gantry.startScenario('Breakpoints and faults');
  await expect(page.getByRole('region', { name: 'At a breakpoint' })).toBeVisible();
  await gantry.timeline.select('readme');
  await page.keyboard.press('b');
  await expect(page.getByRole('button', { name: 'Breakpoints, 2 set' })).toBeVisible();

  await page.getByRole('button', { name: 'Breakpoints, 2 set' }).click();
  await page.getByRole('button', { name: 'Stop when a call fails' }).click();
  const list = page.getByRole('list', { name: 'Breakpoints that are set' });
  await expect(list.getByRole('listitem')).toHaveText([
    /before Bash\(echo tag:\*\)/,
    /before Read/,
    /when any call fails/,
  ]);
  await list.getByRole('button', { name: /Remove: before Read/ }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Faults, 1 set' }).click();
  await page.getByRole('textbox', { name: 'Calls that match' }).fill('Grep');
  await page.getByRole('combobox', { name: 'What happens to them' }).selectOption('fail');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Faults that are set' })).toContainText('make Grep fail');
  await page.keyboard.press('Escape');

  await page.getByRole('region', { name: 'At a breakpoint' }).getByRole('button', { name: 'Go on' }).click();
  // The fault makes the next call fail, and the breakpoint for that stops there.
  const paused = page.getByRole('region', { name: 'At a breakpoint' });
  await expect(paused).toContainText('has failed');
  await paused.getByRole('button', { name: 'Go on' }).click();
  await gantry.timeline.waitForOutcome('check', 'error');
  await gantry.idle();
});

test('Esc ends a call that waits at a breakpoint', async ({ started: { gantry, page } }) => {
  await gantry.startScenario('Breakpoints and faults');
  await expect(page.getByRole('region', { name: 'At a breakpoint' })).toBeVisible();
  await page.getByRole('button', { name: /^Stop/ }).click();
  await gantry.timeline.waitForOutcome('tag', 'interrupted');
  await gantry.idle();
});
