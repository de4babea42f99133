import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLauncher, expect, test } from './app.fixture.ts';

const userFile = (launcher: AppLauncher) => join(launcher.home, 'claude', 'settings.json');

async function writeUserSettings(launcher: AppLauncher, text: string): Promise<void> {
  await mkdir(join(launcher.home, 'claude'), { recursive: true });
  await writeFile(userFile(launcher), text);
}

test('a rule saved in one’s own settings is in the file, and holds in the next session, where the trace names its line', async ({
  launcher,
}) => {
  await writeUserSettings(launcher, '{\n  // mine\n  "permissions": { "deny": ["WebFetch"] }\n}\n');
  const first = await launcher.start();
  await first.gantry.startScenario('Permission storm');
  await first.gantry.board.armed();
  await first.page.getByRole('textbox', { name: /rule/i }).fill('Read');
  await first.page.getByText('User', { exact: true }).click();
  await first.gantry.board.button('Allow always').click();
  await first.gantry.timeline.waitForOutcome('north', 'ok');
  expect(await readFile(userFile(launcher), 'utf8')).toBe(
    '{\n  // mine\n  "permissions": { "deny": ["WebFetch"], "allow": ["Read"] }\n}\n',
  );
  await first.app.close();

  const second = await launcher.start();
  await second.gantry.startScenario('Permission storm');
  for (const callId of ['north', 'east', 'south', 'grep']) await second.gantry.timeline.waitForOutcome(callId, 'ok');
  const events = [...(await launcher.journals()).values()].at(-1) ?? [];
  const asked = events.flatMap((event) => (event.type === 'permission-asked' ? [event.callId] : []));
  expect(asked.filter((callId) => callId !== 'notes')).toEqual([]);
  const north = events.find((event) => event.type === 'permission-settled' && event.callId === 'north');
  expect(JSON.stringify(north)).toContain(`Read · user · ${userFile(launcher)}:3`);
});

const LIVED_IN = `{
  // Mine, since 2024.
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "permissions": {
    "deny": ["WebFetch", "Read(./.env)"],
    "allow": [
      "Bash(git status)", // often
      "Glob"
    ],
    "defaultMode": "default"
  },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Read", "hooks": [{ "type": "command", "command": "cat > \\"$HOOK_SAW\\"; exit 0" }] }
    ]
  },
  "statusLine": { "type": "command", "command": "date" },
}
`;

test('settings that a person has had for years work as they are, and a saved rule changes one line of them', async ({
  launcher,
}) => {
  await writeUserSettings(launcher, LIVED_IN);
  const saw = join(launcher.home, 'saw.json');
  const { gantry, page } = await launcher.start({ env: { HOOK_SAW: saw } });
  await gantry.startScenario('Permission storm');
  await gantry.board.armed();
  await expect(async () =>
    expect(JSON.parse(await readFile(saw, 'utf8'))).toMatchObject({ tool_name: 'Read' }),
  ).toPass();
  await page.getByRole('textbox', { name: /rule/i }).fill('Read');
  await page.getByText('User', { exact: true }).click();
  await gantry.board.button('Allow always').click();
  await gantry.timeline.waitForOutcome('north', 'ok');
  const before = LIVED_IN.split('\n');
  const after = (await readFile(userFile(launcher), 'utf8')).split('\n');
  const added = after.filter((line) => !before.includes(line));
  const removed = before.filter((line) => !after.includes(line));
  expect(added.map((line) => line.trim().replaceAll(',', ''))).toEqual(['"Glob"', '"Read"'].slice(2 - added.length));
  expect(removed.map((line) => line.trim())).toEqual(['"Glob"'].slice(2 - added.length));
});

test('a rule for a broken file is refused with its line, and the question waits on', async ({ launcher }) => {
  await writeUserSettings(launcher, '{\n  "permissions": {\n');
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Permission storm');
  await gantry.board.armed();
  await page.getByText('User', { exact: true }).click();
  await gantry.board.button('Allow always').click();
  await expect(gantry.board.region.getByText(/cannot be added to .*settings\.json:3/)).toBeVisible();
  await expect(gantry.board.region).toContainText('4 calls wait for your answer');
  expect(await readFile(userFile(launcher), 'utf8')).toBe('{\n  "permissions": {\n');
});
