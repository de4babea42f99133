import { type AppLauncher, expect, test } from './app.fixture.ts';
import { addScenario } from './scenarios.ts';

test('a question is answered with the mouse', async ({ launcher, started: { gantry } }) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await expect(gantry.board.region).toContainText('Create this file?');
  await gantry.board.button('Allow once').click();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  await gantry.idle();
  const settled = (await launcher.journal()).filter(
    (event) => event.type === 'permission-settled' && event.by === 'user',
  );
  expect(settled).toMatchObject([{ callId: 'call_1_4', verdict: 'allow' }]);
});

test('a question is answered with the keyboard alone', async ({ launcher, started: { gantry, page } }) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await page.keyboard.press('Enter');
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  await gantry.idle();
  const settled = (await launcher.journal()).filter(
    (event) => event.type === 'permission-settled' && event.by === 'user',
  );
  expect(settled).toMatchObject([{ callId: 'call_1_4', verdict: 'allow' }]);
});

test('a denied call ends the turn, nothing was written and the session takes a new message', async ({
  launcher,
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.deny();
  await gantry.timeline.waitForOutcome('call_1_4', 'rejected');
  await gantry.idle();
  const events = await launcher.journal();
  expect(events.findLast((event) => event.type === 'turn-ended')).toMatchObject({ reason: 'rejected' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Go on.');
  await page.keyboard.press('Enter');
  await gantry.idle();
  expect((await launcher.journal()).filter((event) => event.type === 'turn-ended')).toHaveLength(2);
});

test('a denial with a reason reaches the model and the turn goes on', async ({
  launcher,
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await page.getByPlaceholder(/Tell the model why/).fill('Put it into src/tax.js');
  await gantry.board.button('Deny with reason').click();
  await gantry.timeline.waitForOutcome('call_1_4', 'rejected');
  await gantry.idle();
  const events = await launcher.journal();
  expect(events.findLast((event) => event.type === 'turn-ended')).toMatchObject({ reason: 'completed' });
  const end = events.find((event) => event.type === 'call-completed' && event.callId === 'call_1_4');
  expect(JSON.stringify(end)).toContain('the user said:\\nPut it into src/tax.js');
});

test('keys in the first moment of a question answer nothing', async ({ launcher, started: { gantry, page } }) => {
  await gantry.idle();
  // From here on the window's clock is moved by hand, so that the moment lasts until the key has been pressed.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await gantry.startScenario('A write between reads');
  await expect(gantry.board.region).toHaveAttribute('data-guard', 'arming');
  await page.keyboard.press('Enter');
  await page.clock.runFor(340);
  await page.keyboard.press('Enter');
  expect(await answeredByPerson(launcher)).toEqual([]);
  await page.clock.resume();
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  expect(await answeredByPerson(launcher)).toHaveLength(1);
});

test('whoever types a message when questions come up goes on typing and answers nothing', async ({
  launcher,
  started: { gantry, page },
}) => {
  await gantry.startScenario('Permission storm');
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.click();
  await expect(gantry.board.region).toContainText('4 calls wait for your answer');
  await gantry.board.armed();
  await page.keyboard.type('deny d');
  await expect(message).toHaveValue('deny d');
  expect(await answeredByPerson(launcher)).toEqual([]);
  await expect(gantry.board.region).toContainText('4 calls wait for your answer');
});

test('denying one question leaves the others open', async ({ launcher, started: { gantry, page } }) => {
  await gantry.startScenario('Permission storm');
  await expect(gantry.board.region).toContainText('4 calls wait for your answer');
  await gantry.board.armed();
  await page.getByPlaceholder(/Tell the model why/).fill('Not that one.');
  await gantry.board.button('Deny with reason').click();
  await expect(gantry.board.region).toContainText('3 calls wait for your answer');
  expect(await answeredByPerson(launcher)).toHaveLength(1);
});

test('a rule added from one question answers the others it covers', async ({ launcher, started: { gantry, page } }) => {
  await gantry.startScenario('Permission storm');
  await expect(gantry.board.region).toContainText('4 calls wait for your answer');
  await gantry.board.armed();
  await page.getByRole('textbox', { name: /rule/i }).fill('Read');
  await gantry.board.button('Allow always').click();
  for (const callId of ['north', 'east', 'south', 'grep']) await gantry.timeline.waitForOutcome(callId, 'ok');
  const settled = (await launcher.journal()).flatMap((event) =>
    event.type === 'permission-settled' && event.askId !== undefined ? [[event.callId, event.by]] : [],
  );
  // A rule for Read binds Grep too.
  expect(Object.fromEntries(settled)).toEqual({ north: 'user', east: 'new-rule', south: 'new-rule', grep: 'new-rule' });
});

const answeredByPerson = async (launcher: AppLauncher) =>
  (await launcher.journal()).flatMap((event) =>
    event.type === 'permission-settled' && event.by === 'user' ? [event] : [],
  );

/** Five reads of the same file outside of the working folder. */
const fiveReads = {
  name: 'five-reads',
  title: 'Five reads',
  prompt: 'Read it.',
  files: { 'README.md': '# Shop\n', '../neighbours/north.md': '# North\n' },
  turns: [
    Array.from({ length: 5 }, (_, at) => ({
      tool: 'Read',
      input: { file_path: '../neighbours/north.md' },
      id: `read-${at + 1}`,
    })),
    [{ text: 'Done.' }],
  ],
};

test.describe('five identical safe calls that ask at once', () => {
  test.beforeEach(({ launcher }) => addScenario(launcher.home, fiveReads));
  const open = async (launcher: AppLauncher) => {
    const started = await launcher.start();
    await started.gantry.startScenario('Five reads');
    await expect(started.gantry.board.region).toContainText('5 calls wait for your answer');
    await started.gantry.board.armed();
    return started;
  };

  test('are five questions, each with its number, and one answer answers one', async ({ launcher }) => {
    const { gantry, page } = await open(launcher);
    await expect(page.getByRole('option', { name: /^Question [1-5]:/ })).toHaveCount(5);
    await gantry.board.button('Allow once').click();
    await expect(gantry.board.region).toContainText('4 calls wait for your answer');
    const [answered, ...more] = await answeredByPerson(launcher);
    expect([answered?.verdict, more]).toEqual(['allow', []]);
    // The calls began together, so any of them may have been the first to ask.
    await gantry.timeline.waitForOutcome(answered?.callId ?? '', 'ok');
  });

  test('can be allowed together, since all of them only read', async ({ launcher }) => {
    const { gantry } = await open(launcher);
    await gantry.board.button('Allow all reads 5').click();
    for (let at = 1; at <= 5; at++) await gantry.timeline.waitForOutcome(`read-${at}`, 'ok');
    expect((await answeredByPerson(launcher)).map((event) => event.verdict)).toEqual(Array(5).fill('allow'));
  });

  test('can be denied together; none of them has run, and the turn ends', async ({ launcher }) => {
    const { gantry } = await open(launcher);
    await gantry.board.button('Deny all 5').click();
    for (let at = 1; at <= 5; at++) await gantry.timeline.waitForOutcome(`read-${at}`, 'rejected');
    await gantry.idle();
    const events = await launcher.journal();
    expect(events.filter((event) => event.type === 'stage-started' && event.stage === 'run')).toEqual([]);
    expect(events.filter((event) => event.type === 'notice-given')).toEqual([]);
    expect(await answeredByPerson(launcher)).toHaveLength(5);
    expect(events.findLast((event) => event.type === 'turn-ended')).toMatchObject({ reason: 'rejected' });
  });

  test('are all denied when the window closes, and none has run', async ({ launcher }) => {
    const { app } = await open(launcher);
    await app.close();
    const events = await launcher.journal();
    const settled = events.flatMap((event) => (event.type === 'permission-settled' ? [event.by] : []));
    expect(settled).toEqual(Array(5).fill('closed'));
    expect(events.filter((event) => event.type === 'stage-started' && event.stage === 'run')).toEqual([]);
  });

  test('come back on the board when the page is loaded again, in the same order', async ({ launcher }) => {
    const { gantry, page } = await open(launcher);
    await page.reload();
    await gantry.board.armed();
    await expect(page.getByRole('option', { name: /^Question [1-5]:/ })).toHaveCount(5);
    await gantry.board.button('Allow once').click();
    await expect(gantry.board.region).toContainText('4 calls wait for your answer');
  });
});

test('closing the window denies what waits and runs nothing', async ({ launcher, started: { app, gantry } }) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await app.close();
  const events = await launcher.journal();
  expect(events.find((event) => event.type === 'permission-settled' && event.callId === 'call_1_4')).toMatchObject({
    verdict: 'deny',
    by: 'closed',
  });
  expect(events.at(-1)).toMatchObject({ type: 'session-ended', reason: 'quit' });
  expect(
    events.some((event) => event.type === 'stage-started' && event.callId === 'call_1_4' && event.stage === 'run'),
  ).toBe(false);
});
