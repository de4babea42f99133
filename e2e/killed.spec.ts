import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { says, startAnthropicServer, type WireBlock } from '../src-main/adapters/providers/testing/anthropic-server.ts';
import type { WireServer } from '../src-main/adapters/providers/testing/wire-server.ts';
import { apiMessages } from '../src-main/core/conversation/api-messages.ts';
import { faultsOfRequest } from '../src-main/core/conversation/request-validator.ts';
import { MAIN_AGENT } from '../src-shared/ids.ts';
import { foldSession } from '../src-shared/session/state.ts';
import { type AppLauncher, test as base, expect } from './app.fixture.ts';
import { livingUnder } from './living.ts';
import { ModelDialogPage } from './pages/model-dialog.ts';

const KEY = 'sk-ant-e2e-0123456789abcdefghijklmnop';

const test = base.extend<{ readonly server: WireServer; readonly folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern.
  server: async ({}, use) => {
    const server = await startAnthropicServer({ key: KEY });
    await use(server);
    expect(server.faults).toEqual([]);
    await server.close();
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
  folder: async ({}, use) => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'gantry-work-')));
    writeFileSync(join(folder, 'a.txt'), 'alpha\n');
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

const write = (folder: string, name: string): WireBlock => ({
  tool: 'Write',
  id: `toolu_${name}`,
  input: { file_path: join(folder, `${name}.txt`), content: `${name}\n` },
});
const bash = (id: string, command: string): WireBlock => ({ tool: 'Bash', id, input: { command } });
const agent: WireBlock = {
  tool: 'Agent',
  id: 'toolu_agent',
  input: { description: 'Waits below', prompt: 'Wait below.' },
};

/** The app with a rule that lets everything of this test run, and no key but the test's. */
async function start(launcher: AppLauncher) {
  mkdirSync(join(launcher.home, 'claude'), { recursive: true });
  const settings = { permissions: { allow: ['Bash', 'Write', 'Edit'] } };
  writeFileSync(join(launcher.home, 'claude', 'settings.json'), JSON.stringify(settings));
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_AUTH_TOKEN: '', ANTHROPIC_BASE_URL: '', HOME: launcher.home };
  return launcher.start({ env });
}

test('a session with writes and an agent below it goes on after kill -9 of main in mid-turn', async ({
  launcher,
  server,
  folder,
}) => {
  test.setTimeout(120_000);
  server.answer(
    says([
      { thinking: 'I write first.', signature: 'signed-first' },
      { text: 'I write.' },
      write(folder, 'one'),
      bash('toolu_log', 'echo done >> log'),
    ]),
    // The second call of this message waits for the first, so that it has not begun when all dies.
    says([agent, bash('toolu_later', 'touch later')]),
    says([bash('toolu_below', 'echo begun > below; while :; do echo on >> below; sleep 0.02; done')]),
  );
  const first = await start(launcher);
  const dialog = new ModelDialogPage(first.page);
  await dialog.open();
  await dialog.fill({ folder, address: server.url, model: 'claude-test' });
  await dialog.start('Write it all');
  await expect.poll(() => existsSync(join(folder, 'below')), { timeout: 30_000 }).toBe(true);
  const before = await launcher.journal();
  const exited = new Promise((resolve) => first.app.process().once('exit', resolve));
  first.app.process().kill('SIGKILL');
  await exited;
  await expect.poll(() => livingUnder(launcher.home), { timeout: 10_000 }).toEqual([]);
  const written = readFileSync(join(folder, 'below'), 'utf8');

  const second = await start(launcher);
  await second.page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: /^Write it all/ })
    .click();
  await second.gantry.timeline.waitForOutcome('toolu_below', 'unknown');
  await second.gantry.timeline.waitForOutcome('toolu_agent', 'unknown');
  await second.gantry.timeline.waitForOutcome('toolu_log', 'ok');
  const after = await launcher.journal();
  expect(after.slice(0, before.length)).toEqual(before);
  const state = foldSession(after);
  for (const agentId of [MAIN_AGENT, ...state.agents.map((one) => one.agentId)]) {
    expect(faultsOfRequest(apiMessages(state, agentId))).toEqual([]);
  }
  expect(readFileSync(join(folder, 'one.txt'), 'utf8')).toBe('one\n');
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('done\n');
  expect(existsSync(join(folder, 'later'))).toBe(false);
  expect(readFileSync(join(folder, 'below'), 'utf8')).toBe(written);

  const asked = server.requests.length;
  server.answer(says([write(folder, 'two')]), says([{ text: 'All is written.' }]));
  await second.page.getByRole('textbox', { name: 'Message' }).fill('Go on.');
  await second.page.keyboard.press('Enter');
  await expect(second.gantry.conversation).toContainText('All is written.');
  await second.gantry.idle();
  expect(readFileSync(join(folder, 'two.txt'), 'utf8')).toBe('two\n');
  // The server has looked at each request as the real one does; the fixture wants no faults of it.
  expect(server.requests.length).toBe(asked + 2);
  expect(server.requests[asked]?.text).toContain('Gantry ended');
});
