import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import type { ElectronApplication, Page } from '@playwright/test';
import {
  type AnthropicStream,
  says,
  startAnthropicServer,
  streams,
  type WireBlock,
} from '../src-main/adapters/providers/testing/anthropic-server.ts';
import type { Answer, WireServer } from '../src-main/adapters/providers/testing/wire-server.ts';
import { type AppLauncher, test as base, expect } from './app.fixture.ts';
import { ModelDialogPage } from './pages/model-dialog.ts';

const KEY = 'sk-ant-e2e-0123456789abcdefghijklmnop';
const MODEL = 'claude-sonnet-4-5';

/** A server that speaks as Anthropic's does and takes this key alone, and a folder to work in. */
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
    await mkdir(join(folder, '.git'));
    await writeFile(join(folder, 'AGENTS.md'), 'Prices are in cents.\n');
    for (const name of ['a.ts', 'b.ts', 'price.ts']) {
      await writeFile(join(folder, name), `export const ${name[0]} = Math.floor(9.5);\n`);
    }
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

/** No key of the machine's own reaches the app, and no home but the test's. */
const environment = (launcher: AppLauncher, more: Readonly<Record<string, string>> = {}) => ({
  ANTHROPIC_API_KEY: '',
  ANTHROPIC_AUTH_TOKEN: '',
  ANTHROPIC_BASE_URL: '',
  HOME: launcher.home,
  ...more,
});

/** What the app says on its outputs. */
function outputOf(app: ElectronApplication): () => string {
  let text = '';
  for (const stream of [app.process().stdout, app.process().stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
  }
  return () => text;
}

/** Files below a folder in which a text stands. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text) || bytes.includes(Buffer.from(text).toString('base64'))) found.push(path);
  }
  return found;
}

const reads = (folder: string): readonly WireBlock[] =>
  ['a.ts', 'b.ts', 'price.ts'].map((name, at) => ({
    tool: 'Read',
    id: `toolu_read${at}`,
    input: { file_path: join(folder, name) },
  }));

const edit = (folder: string): WireBlock => ({
  tool: 'Edit',
  id: 'toolu_edit',
  input: { file_path: join(folder, 'price.ts'), old_string: 'Math.floor', new_string: 'Math.round' },
});

/** An answer under the model's real name, whose window and price are known. */
const answers = (blocks: readonly WireBlock[], usage: Readonly<Record<string, number>>): Answer =>
  streams(async (stream) => {
    await stream.start(undefined, MODEL);
    for (const block of blocks) await stream.block(block);
    await stream.end(blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn', usage);
  });

/** Writes words until somebody has read them. */
async function writesUntil(stream: AnthropicStream, seen: () => boolean): Promise<void> {
  await stream.send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  const delta = (text: string) => stream.send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } });
  await delta('I read the **three files**');
  while (!seen()) {
    await delta(' .');
    await after(20);
  }
  await delta(' first.');
  await stream.send('content_block_stop', { index: 0 });
}

// A start that Playwright misses is tried again, and some of these start the app twice.
test.describe.configure({ timeout: 120_000 });

const statusBar = (page: Page) => page.getByTestId('status-bar');

test('a session from the window to the answer: parallel reads, an edit that is allowed, words as they are written', async ({
  launcher,
  server,
  folder,
}) => {
  let seen = false;
  server.answer(
    streams(async (stream) => {
      await stream.start(undefined, MODEL);
      await writesUntil(stream, () => seen);
      for (const [at, block] of reads(folder).entries()) {
        await stream.begin(block, at + 1);
        await stream.send('content_block_stop', { index: at + 1 });
      }
      await stream.end('tool_use', { output_tokens: 150 });
    }),
    answers([edit(folder)], { input_tokens: 19_000, output_tokens: 60 }),
    answers([{ text: 'Prices are rounded now.' }], { input_tokens: 30_000, output_tokens: 20 }),
  );
  const { app, page, gantry } = await launcher.start({ env: environment(launcher, { ANTHROPIC_API_KEY: KEY }) });
  const output = outputOf(app);
  const dialog = new ModelDialogPage(page);
  await dialog.open();
  await dialog.fill({ folder, address: server.url, model: '' });
  await expect(dialog.keyState).toHaveText('From the environment, ANTHROPIC_API_KEY.');
  await dialog.model.press('ArrowDown');
  await expect(dialog.region.getByRole('option', { name: /claude-test/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.model.fill(MODEL);
  await dialog.start('Round the prices');

  await expect(gantry.conversation.locator('strong')).toHaveText('three files');
  await expect(statusBar(page)).toContainText(MODEL);
  seen = true;
  await gantry.timeline.waitForOutcome('toolu_read2', 'ok');
  await gantry.board.allowOnce();
  await expect(gantry.conversation).toContainText('Prices are rounded now.');
  await gantry.idle();
  expect(await readFile(join(folder, 'price.ts'), 'utf8')).toContain('Math.round');

  await expect(statusBar(page).getByTestId('context')).toHaveText('15 % of 200k');
  await expect(statusBar(page).getByTestId('spent')).toContainText('$');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Round the prices');
  await gantry.timeline.select('toolu_read0');
  await expect(gantry.inspector).toContainText('An estimate');

  const events = await launcher.journal();
  const batches = events.flatMap((event) =>
    event.type === 'call-started' && event.callId.startsWith('toolu_read') ? [event.batchId] : [],
  );
  expect(batches).toHaveLength(3);
  expect(new Set(batches).size).toBe(1);
  const prompt = events.find((event) => event.type === 'prompt-prepared');
  expect(prompt).toMatchObject({ sources: [{ path: join(folder, 'AGENTS.md'), kind: 'project' }] });
  expect(prompt?.type === 'prompt-prepared' && prompt.text).toContain('Prices are in cents.');
  const [first, , third] = server.requests;
  expect(first?.headers['x-api-key']).toBe(KEY);
  // What was sent once is sent in the same form ever after.
  const systemOf = (text = '{}') => JSON.stringify((JSON.parse(text) as { system: unknown }).system);
  expect(systemOf(third?.text)).toBe(systemOf(first?.text));

  await app.close();
  expect(output()).not.toContain(KEY);
  expect(await filesWith(launcher.home, KEY)).toEqual([]);
});

test('a session that is opened again goes on with its model and its prompt, and its key is asked of no journal', async ({
  launcher,
  server,
  folder,
}) => {
  server.answer(says([{ text: 'Hello.' }]), says([{ text: 'Hello again.' }]));
  const env = environment(launcher);
  const first = await launcher.start({ env });
  const dialog = new ModelDialogPage(first.page);
  await dialog.open();
  await dialog.fill({ folder, address: server.url, model: MODEL });
  await dialog.keepKey(KEY, 'stored');
  await dialog.start('Say hello');
  await expect(first.gantry.conversation).toContainText('Hello.');
  await first.gantry.idle();
  await first.app.close();
  expect(await filesWith(launcher.home, KEY)).toEqual([]);

  const second = await launcher.start({ env });
  await second.page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: /^Say hello/ })
    .click();
  await second.gantry.idle();
  await second.page.getByRole('textbox', { name: 'Message' }).fill('And again');
  await second.page.keyboard.press('Enter');
  await expect(second.gantry.conversation).toContainText('Hello again.');
  const [before, now] = server.requests.map(({ body }) => body as { model: string; system: unknown });
  expect(now).toMatchObject({ model: MODEL, system: before?.system });

  // The next session is proposed what was chosen last.
  await second.page.keyboard.press('Control+n');
  await expect(dialogOf(second.page).field('Folder')).toHaveValue(folder);
  await expect(dialogOf(second.page).field('Address')).toHaveValue(server.url);
  await expect(dialogOf(second.page).model).toHaveValue(MODEL);
});

const dialogOf = (page: Page): ModelDialogPage => new ModelDialogPage(page);

test('a wrong key is told in the conversation with what to do, and the session goes on with the right one', async ({
  launcher,
  server,
  folder,
}) => {
  const { app, page, gantry } = await launcher.start({ env: environment(launcher) });
  const output = outputOf(app);
  const dialog = new ModelDialogPage(page);
  await dialog.open();
  await dialog.fill({ folder, address: server.url, model: MODEL });
  await dialog.keepKey('sk-ant-wrong-key-000000000000');
  await dialog.start('Say hello');
  await expect(gantry.conversation).toContainText(/key/i);
  await gantry.idle();
  await expect(gantry.conversation).toContainText('The turn ended with an error.');
  await gantry.conversation.getByRole('button', { name: 'Change the model or its key' }).click();
  await dialog.region.getByRole('button', { name: 'Replace' }).click();
  await dialog.keepKey(KEY);
  await dialog.region.getByRole('button', { name: /Use this model/ }).click();
  server.answer(says([{ text: 'Hello.' }]));
  await page.getByRole('textbox', { name: 'Message' }).fill('Once more');
  await page.keyboard.press('Enter');
  await expect(gantry.conversation).toContainText('Hello.');
  await app.close();
  for (const key of [KEY, 'sk-ant-wrong-key']) {
    expect(output()).not.toContain(key);
    expect(await filesWith(launcher.home, key)).toEqual([]);
  }
});

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

for (const theme of ['dark', 'light']) {
  test(`the dialog has no accessibility faults that axe knows (${theme})`, async ({ launcher }) => {
    const { page } = await launcher.start({ env: environment(launcher, { GANTRY_THEME: theme }) });
    await dialogOf(page).open();
    await expect(dialogOf(page).field('Key')).toBeVisible();
    await page.evaluate(await readFile(axe, 'utf8'));
    const faults = await page.evaluate(async () => {
      type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
      const { axe: checker } = window as unknown as {
        axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> };
      };
      // Key caps inside a button are for the eye and no part of its name, which the rule about names does not know.
      const options = { rules: { 'label-content-name-mismatch': { enabled: false } } };
      const { violations } = await checker.run({ include: [['[role="dialog"]']] }, options);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    });
    expect(faults).toEqual([]);
  });
}
