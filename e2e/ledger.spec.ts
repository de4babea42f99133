import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppLauncher, expect, test } from './app.fixture.ts';
import { LedgerPage } from './pages/ledger.ts';

const userFile = (launcher: AppLauncher) => join(launcher.home, 'claude', 'settings.json');

const SETTINGS = `{
  // mine
  "permissions": {
    "allow": [
      "Read", // wherever it lies
      "Read(//usr/**)",
      "Bash(pnpm i"
    ],
    "deny": ["WebFetch"]
  }
}
`;

async function writeUserSettings(launcher: AppLauncher, text: string): Promise<void> {
  await mkdir(join(launcher.home, 'claude'), { recursive: true });
  await writeFile(userFile(launcher), text);
}

test('rules are shown with their hits and what is wrong with them, and edits are tried on past calls before they are saved', async ({
  launcher,
}) => {
  await writeUserSettings(launcher, SETTINGS);
  const { gantry, page } = await launcher.start();
  const ledger = new LedgerPage(page);
  await gantry.startScenario('Permission storm');
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('notes', 'ok');
  await gantry.idle();

  await ledger.open();
  await expect(page.getByRole('heading', { name: 'Permission ledger' })).toBeVisible();
  await expect(ledger.region.getByRole('row', { name: /allow Read user settings\.json:5 4 today/ })).toBeVisible();
  await expect(ledger.row('Read(//usr/**)')).toContainText('shadowed by line 5');
  await expect(ledger.row('Bash(pnpm i')).toContainText('broken, skipped');
  await ledger.region.getByRole('radio', { name: /^Never used/ }).click();
  await expect(ledger.row('WebFetch')).toBeVisible();
  await expect(ledger.row('Bash(pnpm i')).toHaveCount(0);
  await ledger.region.getByRole('radio', { name: /^All/ }).click();

  await ledger.region.getByRole('row', { name: /allow Read user/ }).click();
  await ledger.change('Read(//usr/share/**)\nGrep');
  await expect(ledger.side.getByText('not saved')).toBeVisible();
  await expect(ledger.side).toContainText('3 of 6 past calls would be decided differently');
  await expect(ledger.side).toContainText('3 would ask you');
  await expect(ledger.row('Read')).toContainText('edited, not saved');
  expect(await readFile(userFile(launcher), 'utf8')).toBe(SETTINGS);

  await ledger.side.getByRole('button', { name: 'Save 2 lines' }).click();
  await expect(ledger.side.getByText('not saved')).toHaveCount(0);
  expect(await readFile(userFile(launcher), 'utf8')).toBe(
    SETTINGS.replace('"Read", //', '"Read(//usr/share/**)",\n      "Grep", //'),
  );
  await expect(ledger.row('Read(//usr/share/**)')).toBeVisible();
});

test('a decision leads to its call, by keyboard alone, and Escape leads back without stopping anything', async ({
  launcher,
}) => {
  await writeUserSettings(launcher, SETTINGS);
  const { gantry, page } = await launcher.start();
  const ledger = new LedgerPage(page);
  await gantry.startScenario('Permission storm');
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('notes', 'ok');
  await gantry.idle();

  await gantry.runCommand('permission ledger');
  await expect(ledger.region).toBeVisible();
  await ledger.show('Decisions');
  await expect(ledger.row('Grep')).toBeVisible();
  await ledger.row('Read').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(ledger.region).toHaveCount(0);
  // The newest decision is the write that was allowed by hand.
  await expect(gantry.inspector.getByText('allowed by you')).toBeVisible();

  await ledger.open();
  await page.keyboard.press('Escape');
  await expect(ledger.region).toHaveCount(0);
  const events = await launcher.journal();
  expect(events.some((event) => event.type === 'interrupt-requested')).toBe(false);
});

test('decisions of a running session arrive while the ledger is on screen', async ({ launcher, started }) => {
  const { gantry, page } = started;
  const ledger = new LedgerPage(page);
  await gantry.startScenario('A write between reads');
  await gantry.board.armed();
  await ledger.open();
  const count = ledger.region.getByText(/^\d+ ?decisions? in 1 session/);
  await expect(count).toBeVisible();
  const before = Number((await count.textContent())?.match(/\d+/)?.[0]);
  await page.keyboard.press('Escape');
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('call_1_4', 'ok');
  await ledger.open();
  await expect.poll(async () => Number((await count.textContent())?.match(/\d+/)?.[0])).toBeGreaterThan(before);
  await expect(ledger.region.getByText(/by you/)).toBeVisible();
  expect((await launcher.journal()).length).toBeGreaterThan(0);
});

test('without sessions and rules it says so', async ({ started: { gantry, page } }) => {
  const ledger = new LedgerPage(page);
  await gantry.idle();
  await gantry.runCommand('permission ledger');
  await expect(ledger.region).toContainText('No permission rules yet.');
  await ledger.show('Decisions');
  await expect(ledger.region).toContainText('No decisions yet.');
});

const AUTO = `
name: auto
title: Two commands
description: One is proved harmless, the other is not.
prompt: Go.
turns:
  - - { tool: Bash, input: { command: "mkdir -p out && touch out/a" }, id: harmless }
    - { tool: Bash, input: { command: "node -e 1" }, id: unknown }
  - - text: Done.
`;

test('mode auto runs what is proved harmless, asks about the rest, and the trace names the classifier', async ({
  launcher,
}) => {
  await writeUserSettings(launcher, '{ "permissions": { "defaultMode": "auto" } }');
  await mkdir(join(launcher.home, 'scenarios'), { recursive: true });
  await writeFile(join(launcher.home, 'scenarios', 'auto.yaml'), AUTO);
  const { gantry, page } = await launcher.start();
  await gantry.startScenario('Two commands');
  await gantry.timeline.waitForOutcome('harmless', 'ok');
  await expect(page.getByRole('button', { name: 'Permission mode: auto mode' })).toBeVisible();
  await gantry.board.allowOnce();
  await gantry.timeline.waitForOutcome('unknown', 'ok');
  await gantry.idle();
  await gantry.timeline.select('harmless');
  await gantry.inspector.getByRole('tab', { name: 'Permission' }).click();
  await expect(gantry.inspector.getByText(/^rules allows it, .*: every part of it reads or edits/)).toBeVisible();
  const events = await launcher.journal();
  const settled = events.flatMap((event) =>
    event.type === 'permission-settled' ? [`${event.callId} ${event.verdict} by ${event.by}`] : [],
  );
  expect(settled).toEqual(['harmless allow by classifier', 'unknown allow by user']);
});

test('mode bypassPermissions asks once a session and frames the window', async ({ started: { gantry, page } }) => {
  await gantry.startScenario('A write between reads');
  const mode = page.getByRole('button', { name: /^Permission mode/ });
  const choose = async (name: RegExp) => {
    await mode.click();
    await page.getByRole('menuitemradio', { name }).click();
  };
  await choose(/^no permissions/);
  const question = page.getByRole('region', { name: 'Mode without permissions' });
  await question.getByRole('button', { name: 'Keep asking' }).click();
  await expect(mode).toHaveAccessibleName('Permission mode: default mode');
  await choose(/^no permissions/);
  await question.getByRole('button', { name: 'Ask nothing in this session' }).click();
  await expect(page.getByTestId('bypass-frame')).toBeVisible();
  await expect(mode).toHaveAccessibleName('Permission mode: no permissions');
  await choose(/^default mode/);
  await expect(page.getByTestId('bypass-frame')).toHaveCount(0);
  await choose(/^no permissions/);
  await expect(page.getByTestId('bypass-frame')).toBeVisible();
  await expect(question).toHaveCount(0);
});
