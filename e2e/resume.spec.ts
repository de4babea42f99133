import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import {
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
const recording = resolve(
  import.meta.dirname,
  '../src-main/adapters/transcripts/fixtures/claude-code-2.1.92/cascade-stream',
);

/** A server that refuses every conversation that Anthropic's would, and a folder to work in. */
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
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'price.ts'), 'export const price = Math.floor(9.5);\n');
    await writeFile(join(folder, 'tax.ts'), 'export const tax = 19;\n');
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
});

const environment = (launcher: AppLauncher) => ({
  ANTHROPIC_API_KEY: KEY,
  ANTHROPIC_AUTH_TOKEN: '',
  ANTHROPIC_BASE_URL: '',
  HOME: launcher.home,
});

const answers = (blocks: readonly WireBlock[], inputTokens = 500): Answer =>
  streams(async (stream) => {
    await stream.start(undefined, MODEL);
    for (const block of blocks) await stream.block(block);
    const usage = {
      input_tokens: inputTokens,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      output_tokens: 20,
    };
    await stream.end(blocks.some((block) => 'tool' in block) ? 'tool_use' : 'end_turn', usage);
  });

const call = (tool: string, id: string, input: unknown): WireBlock => ({ tool, id, input });

async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

type Sent = { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
const sent = (server: WireServer): readonly Sent[] => server.requests.map(({ body }) => body as Sent);

test('a session that was closed goes on where it was: the folder it went to, and the files it has read', async ({
  launcher,
  server,
  folder,
}) => {
  const price = join(folder, 'price.ts');
  server.answer(
    answers([
      call('Read', 'toolu_price', { file_path: price }),
      call('Read', 'toolu_tax', { file_path: join(folder, 'tax.ts') }),
    ]),
    answers([call('Bash', 'toolu_cd', { command: 'cd src' })]),
    answers([{ text: 'I have read both.' }]),
  );
  const first = await launcher.start({ env: environment(launcher) });
  const dialog = new ModelDialogPage(first.page);
  await dialog.open();
  await dialog.fill({ folder, address: server.url, model: MODEL });
  await dialog.start('Read them');
  await expect(first.gantry.conversation).toContainText('I have read both.');
  await first.gantry.idle();
  await first.app.close();
  // Somebody else changes one of the two.
  await writeFile(join(folder, 'tax.ts'), 'export const tax = 7;\n');

  server.answer(
    answers([
      call('Edit', 'toolu_edit', { file_path: price, old_string: 'Math.floor', new_string: 'Math.round' }),
      call('Edit', 'toolu_stale', { file_path: join(folder, 'tax.ts'), old_string: '7', new_string: '16' }),
      call('Bash', 'toolu_pwd', { command: 'pwd' }),
    ]),
    answers([{ text: 'Rounded.' }]),
  );
  const second = await launcher.start({ env: environment(launcher) });
  await second.page
    .getByRole('navigation', { name: 'Sessions' })
    .getByRole('button', { name: /^Read them/ })
    .click();
  await second.gantry.idle();
  await write(second.page, 'Round the price');
  await second.gantry.board.allowOnce();
  await expect(second.gantry.conversation).toContainText('Rounded.');
  await second.gantry.idle();
  expect(await readFile(price, 'utf8')).toContain('Math.round');
  expect(await readFile(join(folder, 'tax.ts'), 'utf8')).toContain('7');
  const { messages } = sent(server).at(-1) as Sent;
  const results = JSON.stringify(messages.at(-1));
  expect(results).toContain('modified since read');
  expect(results).toContain(join(folder, 'src'));
});

test('a recording of another program is continued in a new session, from its end and from a message', async ({
  launcher,
  server,
  folder,
}) => {
  server.answer(says([{ text: 'I know what failed.' }]), says([{ text: 'From the first message on.' }]));
  const { page, gantry } = await launcher.start({ env: environment(launcher) });
  await gantry.openTranscript(recording);
  await gantry.idle();
  const dialog = new ModelDialogPage(page);
  await page.getByRole('button', { name: 'Continue this session' }).click();
  await expect(dialog.region).toBeVisible();
  await expect(dialog.field('Folder')).toHaveValue('');
  await dialog.fill({ folder, address: server.url, model: MODEL });
  await dialog.start('What failed?');
  await expect(gantry.conversation).toContainText('I know what failed.');
  await gantry.idle();
  await expect(gantry.conversation).toContainText('This session goes on from here.');
  const [whole] = sent(server);
  expect(JSON.stringify(whole)).toContain('toolu_h6qvy101dwp_1');
  expect(JSON.stringify(whole?.messages.at(-1))).toContain('What failed?');

  // The history of the fork can be forked in turn.
  await gantry.conversation.getByRole('button', { name: 'Message menu' }).first().click();
  await page.getByRole('menuitem', { name: 'Fork from here…' }).click();
  await expect(dialog.field('Folder')).toHaveValue(folder);
  await expect(dialog.model).toHaveValue(MODEL);
  await dialog.start('Begin again');
  await expect(gantry.conversation).toContainText('From the first message on.');
  await gantry.idle();
  expect(sent(server).at(-1)?.messages).toHaveLength(1);
  const journals = [...(await launcher.journals()).values()];
  expect(journals).toHaveLength(2);
  expect(journals.map((events) => events.some(({ type }) => type === 'permission-settled'))).toEqual([false, false]);
});

test('a conversation that fills its window is compacted, and by /compact whenever its person wants', async ({
  launcher,
  server,
  folder,
}) => {
  server.answer(
    answers([call('Read', 'toolu_price', { file_path: join(folder, 'price.ts') })], 600),
    answers([{ text: 'It is rounded down.' }], 9_000),
    answers([{ text: 'The price was read; it is rounded down.' }], 9_050),
    answers([{ text: 'Yes, down.' }], 1_000),
    answers([{ text: 'All about prices.' }], 1_100),
    answers([{ text: 'Thanks.' }], 700),
  );
  const { page, gantry } = await launcher.start({ env: environment(launcher) });
  const dialog = new ModelDialogPage(page);
  await dialog.open();
  await dialog.fill({ folder, address: server.url, model: MODEL });
  await dialog.region.getByRole('button', { name: 'Limits and thinking' }).click();
  await dialog.region.getByLabel('Window', { exact: true }).fill('10000');
  await dialog.start('How is it rounded?');
  await expect(gantry.conversation).toContainText('It is rounded down.');
  await gantry.idle();

  await write(page, 'Are you sure?');
  await expect(gantry.conversation).toContainText('Yes, down.');
  await expect(gantry.conversation).toContainText(/Conversation compacted, 9\.\dk → \d/);
  await gantry.conversation.getByRole('button', { name: 'Summary' }).click();
  await expect(gantry.conversation).toContainText('The price was read; it is rounded down.');
  const after = sent(server)[3];
  expect(JSON.stringify(after?.messages[0])).toContain('The price was read; it is rounded down.');
  expect(JSON.stringify(after?.messages)).not.toContain('How is it rounded?');

  await write(page, '/compact keep the prices');
  await expect(gantry.conversation.getByText(/Conversation compacted/)).toHaveCount(2);
  await gantry.idle();
  expect(JSON.stringify(sent(server)[4]?.messages.at(-1))).toContain('keep the prices');
  await write(page, 'Thank you');
  await expect(gantry.conversation).toContainText('Thanks.');
  expect(JSON.stringify(sent(server)[5]?.messages[0])).toContain('All about prices.');
  const compacted = (await launcher.journal()).filter(({ type }) => type === 'context-compacted');
  expect(compacted).toMatchObject([{ trigger: 'auto' }, { trigger: 'manual', instructions: 'keep the prices' }]);
});
