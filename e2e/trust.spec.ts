import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import type { GantryWindow } from './pages/gantry-window.ts';
import { addScenario } from './scenarios.ts';

const SETTINGS = '{\n  "permissions": {\n    "allow": ["Bash(touch:*)"]\n  },\n  "env": { "GREETING": "hello" }\n}\n';

/** A session in a folder that brings a rule and a variable; each message of the person is answered by one command. */
const scenario = {
  name: 'brings-settings',
  title: 'Brings settings',
  prompt: 'Begin.',
  files: { '.claude/settings.json': SETTINGS },
  turns: [
    [{ text: 'Ready.' }],
    [{ tool: 'Bash', input: { command: 'touch first; echo "$GREETING"' }, id: 'first' }],
    [{ text: 'Done.' }],
    [{ tool: 'Bash', input: { command: 'touch second' }, id: 'second' }],
    [{ text: 'Done.' }],
    [{ text: 'Third.' }],
    [{ text: 'Fourth.' }],
  ],
};

async function start(launcher: AppLauncher) {
  await addScenario(launcher.home, scenario);
  const started = await launcher.start();
  await started.gantry.startScenario('Brings settings');
  await started.gantry.idle();
  const events = await launcher.journal();
  const first = events[0];
  const cwd = first?.type === 'session-started' ? first.cwd : '';
  return { ...started, cwd };
}

const panel = ({ page }: GantryWindow) => page.getByRole('region', { name: 'Settings of this folder' });
const list = (gantry: GantryWindow, name: string) => panel(gantry).getByRole('list', { name });

async function say(gantry: GantryWindow, text: string): Promise<void> {
  await gantry.page.getByRole('textbox', { name: 'Message' }).fill(text);
  await gantry.page.keyboard.press('Enter');
}

test('what comes with a folder is listed, has no effect before it is trusted, and has it from the next decision on', async ({
  launcher,
}) => {
  const { gantry, cwd } = await start(launcher);
  await expect(list(gantry, 'Without effect').getByRole('listitem')).toHaveText([
    /allow rule\s*Bash\(touch:\*\)\s*\.claude\/settings\.json:3/,
    /variable\s*GREETING=hello\s*\.claude\/settings\.json:5/,
  ]);
  await say(gantry, 'One.');
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('first', 'ok');
  await gantry.idle();
  expect(JSON.stringify(await launcher.journal())).not.toContain('hello');

  await panel(gantry).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(panel(gantry)).toBeHidden();
  await say(gantry, 'Two.');
  await gantry.timeline.waitForOutcome('second', 'ok');
  await gantry.idle();
  const events = await launcher.journal();
  expect(events.filter((event) => event.type === 'permission-asked').map((event) => event.callId)).toEqual(['first']);
  const settled = events.find((event) => event.type === 'permission-settled' && event.callId === 'second');
  expect(JSON.stringify(settled)).toContain(`Bash(touch:*) · project · ${join(cwd, '.claude', 'settings.json')}:3`);
  const notice = events.find((event) => event.type === 'notice-given' && event.text.startsWith('You have trusted'));
  expect(JSON.stringify(notice)).toContain('allow rule Bash(touch:*)');
});

test('a hook that comes later does not run until it is confirmed too, and its whole command is shown', async ({
  launcher,
}) => {
  const { gantry, page, cwd } = await start(launcher);
  await panel(gantry).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(panel(gantry)).toBeHidden();
  const command = `touch ${'./'.repeat(200)}hook-ran`;
  const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
  await writeFile(join(cwd, '.claude', 'settings.local.json'), JSON.stringify({ hooks }));
  await page.reload();
  await expect(panel(gantry)).toContainText('since you trusted it: 1 hook');
  await expect(list(gantry, 'Without effect')).toContainText(`Stop: ${command}`);
  await say(gantry, 'One.');
  await gantry.timeline.waitForOutcome('first', 'ok');
  await gantry.idle();
  expect(existsSync(join(cwd, 'hook-ran'))).toBe(false);
  expect((await launcher.journal()).filter((event) => event.type === 'hook-started')).toEqual([]);
  await panel(gantry).getByRole('button', { name: 'Trust this folder' }).click();
  await expect(panel(gantry)).toBeHidden();
  await say(gantry, 'Two.');
  await expect(() => expect(existsSync(join(cwd, 'hook-ran'))).toBe(true)).toPass();
});

test('a folder can be put off, or left alone for good; then nobody is asked again', async ({ launcher }) => {
  const { gantry, page } = await start(launcher);
  await panel(gantry).getByRole('button', { name: 'Not now' }).click();
  await expect(panel(gantry)).toBeHidden();
  await page.reload();
  await panel(gantry).getByRole('button', { name: 'Never for this folder' }).click();
  await expect(panel(gantry)).toBeHidden();
  await page.reload();
  await gantry.idle();
  await expect(panel(gantry)).toBeHidden();
  await say(gantry, 'One.');
  await gantry.board.armed();
  await gantry.board.deny();
});

test('the panel has no accessibility faults and leaves room for chart and conversation', async ({ launcher }) => {
  const { gantry, page } = await start(launcher);
  await expect(panel(gantry)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeInViewport();
  await expect(page.locator('[data-chart]')).toBeInViewport();
});
