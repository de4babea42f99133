import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  refuses,
  says,
  startAnthropicServer,
  streams,
} from '../src-main/adapters/providers/testing/anthropic-server.ts';
import { chats, startChatServer } from '../src-main/adapters/providers/testing/chat-server.ts';
import { bySizes } from '../src-main/adapters/providers/testing/split.ts';
import type { WireServer } from '../src-main/adapters/providers/testing/wire-server.ts';
import { expect, ownEnvironment, test } from './app.fixture.ts';

/** The bundled command line with real tools, and a model behind a real socket on this machine. */

const run = promisify(execFile);
const projectRoot = resolve(import.meta.dirname, '..');
const KEY = 'sk-ant-e2e-0123456789abcdef';

let folder: string;
let server: WireServer;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-model-cli-'));
  await mkdir(join(folder, 'work'));
  await writeFile(join(folder, 'work', 'größe.txt'), 'zwölf Boxkämpfer\n');
});
test.afterEach(async () => {
  const { faults } = server;
  await server.close();
  await rm(folder, { recursive: true, force: true });
  expect(faults).toEqual([]);
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

async function gantry(args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const env = { ...ownEnvironment(join(folder, 'home')), ANTHROPIC_API_KEY: KEY, ...environment };
  const all = [join(projectRoot, 'scripts/gantry.mjs'), 'run', ...args, '--cwd', join(folder, 'work')];
  try {
    return { code: 0, ...(await run(process.execPath, all, { env })) };
  } catch (error) {
    return error as Ran;
  }
}

const asked = (model: string, baseUrl: string, provider = 'anthropic') =>
  ['--provider', provider, '--base-url', baseUrl, '--model', model, '--prompt', 'Look at it'] as const;

test('a model of Anthropic’s kind runs real tools beside each other and has the last word', async () => {
  server = await startAnthropicServer({ key: KEY });
  const file_path = join(folder, 'work', 'größe.txt');
  const calls = [
    { tool: 'Read', id: 'toolu_read', input: { file_path } },
    { tool: 'Bash', id: 'toolu_bash', input: { command: 'echo "größer 🎉"' } },
  ];
  server.answer(
    says([{ text: 'Ich sehe nach.' }, ...calls], { delta: 3, split: bySizes([1, 5, 2, 64, 3]), noise: true }),
  );
  server.answer(says([{ text: 'Zwölf Boxkämpfer.' }]));
  const journal = join(folder, 'journal.jsonl');
  const { stdout, stderr, code } = await gantry([
    ...asked('claude-haiku-4-5', server.url),
    '--json',
    '--journal',
    journal,
  ]);

  expect(stderr).toBe('');
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    turn: 'completed',
    answer: 'Zwölf Boxkämpfer.',
    calls: [
      { id: 'toolu_read', outcome: 'ok' },
      { id: 'toolu_bash', outcome: 'ok' },
    ],
    usage: { tokensIn: 336, tokensOut: 66 },
  });
  const results = JSON.stringify((server.requests[1]?.body as { messages: unknown[] } | undefined)?.messages[2]);
  expect(results).toContain('zwölf Boxkämpfer');
  expect(results).toContain('größer 🎉');
  expect(await readFile(journal, 'utf8')).not.toContain(KEY);
  // It is told where it works, and what it may call.
  expect(server.requests[0]?.body).toMatchObject({
    system: [{ text: expect.stringContaining(join(folder, 'work')) }],
    tools: expect.arrayContaining(['Bash', 'Read', 'Edit'].map((name) => expect.objectContaining({ name }))),
  });
});

test('a model of OpenAI’s kind without a key does the same', async () => {
  server = await startChatServer();
  server.answer(
    chats([
      { tool: 'Bash', id: 'call_1', input: { command: 'cat größe.txt' } },
      { tool: 'Glob', id: 'call_2', input: { pattern: '*.txt' } },
    ]),
    chats([{ text: 'Done 🎉' }]),
  );
  const { stdout, stderr, code } = await gantry(asked('llama3.2', `${server.url}/v1`, 'openai-compatible'));
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok +Bash cat größe\.txt\nok +Glob .*\n\nDone 🎉\n\n2 calls in/);
  expect(JSON.stringify(server.requests[1]?.body)).toContain('zwölf Boxkämpfer');
});

test('a connection that is cut is told of, and the message asked for again as a whole', async () => {
  server = await startAnthropicServer();
  const touch = (name: string) => ({ tool: 'Bash', id: `t_${name}`, input: { command: `echo ${name} >> log.txt` } });
  server.answer(
    streams(async (stream) => {
      await stream.start();
      await stream.block({ text: 'I begin.' });
      stream.wire.cut();
    }),
    says([touch('one')]),
    says([{ text: 'Written.' }]),
  );
  const { stdout, stderr, code } = await gantry([...asked('claude-test', server.url), '--mode', 'bypassPermissions']);
  expect(code).toBe(0);
  expect(stdout).toContain('Written.');
  expect(stderr).toMatch(/^gantry: The connection to 127\.0\.0\.1:\d+ broke off .* Trying again in 0\.5 s\.\n$/);
  expect(server.requests.map(({ body }) => (body as { stream: boolean }).stream)).toEqual([true, false, true]);
  expect(await readFile(join(folder, 'work', 'log.txt'), 'utf8')).toBe('one\n');
});

test('what a server refuses ends the run with code 1, words and no key', async () => {
  server = await startAnthropicServer();
  server.answer(refuses(401, 'authentication_error', `invalid key ${KEY}`));
  const { stdout, stderr, code } = await gantry([...asked('claude-test', server.url), '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ turn: 'error', message: expect.stringContaining('ANTHROPIC_API_KEY') });
  expect(`${stdout}${stderr}`).not.toContain(KEY);
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
});

test('words that do not go together end with code 2', async () => {
  server = await startChatServer();
  for (const args of [
    ['--provider', 'anthropic', '--model', 'x'],
    ['--provider', 'nobody', '--model', 'x', '--prompt', 'y'],
    ['cascade', '--provider', 'anthropic', '--model', 'x', '--prompt', 'y'],
    ['--model', 'x'],
  ]) {
    expect((await gantry(args)).code, args.join(' ')).toBe(2);
  }
});
