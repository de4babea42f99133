import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiMessages } from '../src-main/core/conversation/api-messages.ts';
import { MAIN_AGENT } from '../src-shared/ids.ts';
import { foldSession } from '../src-shared/session/state.ts';
import { expect, test } from './app.fixture.ts';
import { living } from './living.ts';
import { addScenario } from './scenarios.ts';

/** A command that runs until there is a file `go`, beside a call that ends by itself. */
const waits = {
  name: 'waits',
  title: 'Waits',
  prompt: 'Wait.',
  files: { 'README.md': '# Shop\n' },
  settings: { treatAsSafe: ['Bash'] },
  turns: [
    [
      { tool: 'Bash', input: { command: 'until [ -e go ]; do sleep 0.05; done' }, id: 'slow' },
      { tool: 'Read', input: { file_path: 'README.md' }, id: 'quick' },
    ],
    [{ text: 'It went.' }],
  ],
};

test('a renderer that is reloaded in mid-run shows everything again and disturbs nothing', async ({ launcher }) => {
  await addScenario(launcher.home, waits);
  await mkdir(join(launcher.home, 'claude'), { recursive: true });
  await writeFile(join(launcher.home, 'claude', 'settings.json'), '{ "permissions": { "allow": ["Bash"] } }');
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Waits');
  await gantry.timeline.waitForPhase('slow', 'executing');
  await gantry.timeline.waitForOutcome('quick', 'ok');
  await page.reload();
  await gantry.timeline.waitForPhase('slow', 'executing');
  await gantry.timeline.waitForOutcome('quick', 'ok');
  const [begun] = await launcher.journal();
  await writeFile(join(begun?.type === 'session-started' ? begun.cwd : '', 'go'), '');
  await gantry.timeline.waitForOutcome('slow', 'ok');
  await gantry.idle();
  await expect(gantry.conversation).toContainText('It went.');
  const completed = (await launcher.journal()).filter((event) => event.type === 'call-completed').length;
  expect((await gantry.timeline.calls()).length).toBe(completed);
});

test('a question survives a reload of the renderer and can still be answered', async ({
  started: { gantry, page },
}) => {
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await page.reload();
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  await gantry.idle();
});

test('after kill -9 in mid-run all events are there, open calls are closed and the session goes on', async ({
  launcher,
}) => {
  const first = await launcher.start();
  await first.gantry.startScenario('Interrupt');
  await first.gantry.timeline.waitForPhase('waiting', 'queued');
  await first.gantry.timeline.waitForOutcome('quick', 'ok');
  await expect(async () => {
    expect((await launcher.journal()).filter((event) => event.type === 'process-spawned').length).toBeGreaterThan(1);
  }).toPass();
  const before = await launcher.journal();
  const pids = before.flatMap((event) => (event.type === 'process-spawned' ? [event.pid] : []));
  const exited = new Promise((resolve) => first.app.process().once('exit', resolve));
  first.app.process().kill('SIGKILL');
  await exited;

  await expect(() => {
    expect(living(pids)).toEqual([]);
  }).toPass({ timeout: 5_000 });

  const second = await launcher.start();
  await second.page
    .getByRole('navigation', { name: 'Sessions' })
    .getByText('Interrupt', { exact: true })
    .first()
    .click();
  await second.gantry.timeline.waitForOutcome('slow-1', 'unknown');
  await second.gantry.timeline.waitForOutcome('waiting', 'unknown');
  const after = await launcher.journal();
  expect(after.slice(0, before.length)).toEqual(before);
  const messages = apiMessages(foldSession(after), MAIN_AGENT);
  const uses = messages.flatMap((message) => message.content).filter((block) => block.type === 'tool_use').length;
  const results = messages.flatMap((message) => message.content).filter((block) => block.type === 'tool_result').length;
  expect(results).toBe(uses);

  await second.page.getByRole('textbox', { name: 'Message' }).fill('Go on.');
  await second.page.keyboard.press('Enter');
  await second.gantry.idle();
  await expect(second.gantry.conversation).toContainText('All three ended by themselves.');
});
