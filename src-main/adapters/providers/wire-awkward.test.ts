import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quiet } from '../../app/testing/bench.ts';
import { HandTools } from '../../app/testing/hand-tools.ts';
import { SessionBench, told } from '../../app/testing/session-bench.ts';
import { type DialectBlock as Block, DIALECTS } from './testing/dialects.ts';
import { providerFor } from './testing/hear.ts';
import type { WireServer } from './testing/wire-server.ts';

/** What models do that no schema foresees: every call is answered, and the server takes what is sent next. */

const NOW = new HandTools().tool('Now', {
  isConcurrencySafe: () => true,
  checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
  call: async ({ command }) => ({ output: `now ${command}`, isError: false }),
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const PICTURES = [
  { type: 'image', mediaType: 'image/png', data: PNG },
  { type: 'image', mediaType: 'image/svg+xml', data: base64('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  { type: 'image', mediaType: 'image/png', data: base64('<!doctype html><title>Sign in</title>') },
  { type: 'image', mediaType: 'image/gif', data: '' },
  // A screenshot by another name.
  { type: 'image', mediaType: 'application/octet-stream', data: PNG },
] as const;
const SHOW = new HandTools().tool('Show', {
  isConcurrencySafe: () => true,
  checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
  call: async () => ({ output: 'shown', isError: false }),
  mapResult: (text) => ({ content: [{ type: 'text', text }, ...PICTURES], isError: false }),
});

const ODD_SCHEMA = {
  type: 'object',
  properties: { $filter: { type: 'string' }, command: { type: 'string' } },
  required: ['$filter', 'command'],
  anyOf: [{ required: ['command'] }, { required: ['$filter'] }],
};
const ODD = new HandTools().tool('Odd', { jsonSchema: ODD_SCHEMA });
const FAILS = new HandTools().tool('Fails', {
  isConcurrencySafe: () => true,
  checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
  call: async () => ({ output: 'The page did not load.', isError: true }),
  mapResult: (text) => ({ content: [{ type: 'text', text }, PICTURES[0]], isError: true }),
});

let server: WireServer;
let bench: SessionBench;

async function until(isSo: () => unknown): Promise<void> {
  while (!isSo()) await quiet();
}
const turnEnds = () => bench.all('turn-ended').map(({ reason }) => reason);
const over = (turns = 1) => until(() => turnEnds().length === turns);
const now = (id: string, command: string = id): Block => ({ tool: 'Now', id, input: { command } });
const results = () => told(bench.conversation).filter((line) => line.startsWith('result'));

describe.each(DIALECTS)('over $provider', (dialect) => {
  beforeEach(async () => {
    server = await dialect.startServer();
    bench = new SessionBench({
      settings: { mode: 'bypassPermissions' },
      provider: providerFor({ provider: dialect.provider, baseUrl: server.url }),
      tools: new HandTools([NOW, SHOW, FAILS]),
    });
  });
  afterEach(async () => {
    await bench.session.close('closed');
    const { faults } = server;
    await server.close();
    expect(faults).toEqual([]);
  });

  /** A message with these blocks, and words behind the results. */
  async function runs(blocks: readonly Block[], stop?: 'limit'): Promise<void> {
    server.answer(dialect.says(blocks, stop === undefined ? {} : { stop }), dialect.says([{ text: 'Done.' }]));
    await bench.send('Go');
    await over();
    expect(turnEnds()).toEqual(['completed']);
    expect(server.requests).toHaveLength(2);
  }

  test.each([
    'Gone',
    'mcp__weather__forecast',
    'now',
    'functions.Now',
    'Now<|channel|>json',
    'Größe 🎉',
    'x'.repeat(200),
  ])('a call of the tool %s, which there is not, is answered so', async (name) => {
    await runs([now('a'), { tool: name, id: 'b', input: { command: 'x' } }, now('c')]);
    expect(results()).toEqual([
      'result a: now a',
      `result b (error): <tool_use_error>Error: No such tool available: ${name}</tool_use_error>`,
      'result c: now c',
    ]);
  });

  test.each<readonly [string, RegExp]>([
    ['{"command": "a",}', /no complete JSON/],
    ["{'command': 'a'}", /no complete JSON/],
    ['{"command": "a"}}', /no complete JSON/],
    ['{"command": NaN}', /no complete JSON/],
    ['{"command": "a"} and then', /no complete JSON/],
    ['["a"]', /no JSON object/],
    ['"ls -l"', /no JSON object/],
    ['42', /no JSON object/],
    ['null', /no JSON object/],
  ])('a call with the input %s never starts and is told why', async (json, words) => {
    await runs([now('a'), { tool: 'Now', id: 'b', json }, now('c')]);
    expect(results()).toEqual(['result a: now a', expect.stringMatching(words), 'result c: now c']);
    expect(bench.all('call-started').map(({ callId }) => callId)).toEqual(['a', 'c']);
  });

  test.each([
    '{}',
    '{"command": 5}',
    '{"command": null}',
    '{"command": {"a": 1}}',
    '{"command": "a", "other": 1}',
    '{"__proto__": {"command": "a"}}',
  ])('a call with the input %s, which fits no schema, is told what is wrong', async (json) => {
    await runs([{ tool: 'Now', id: 'a', json }]);
    expect(results()).toEqual([expect.stringMatching(/^result a \(error\): /)]);
    const { text } = server.requests[1] ?? { text: '' };
    expect(text).toContain(dialect.provider === 'anthropic' ? compact(json) : JSON.stringify(compact(json)));
  });

  test('a call whose input is cut off by the limit never starts, and those before it are answered', async () => {
    await runs([now('a'), { tool: 'Now', id: 'b', json: '{"command": "all of a lo' }], 'limit');
    expect(results()).toEqual(['result a: now a', expect.stringMatching(/^result b \(error\): .*is not whole/)]);
  });

  test('calls with the same id, and with none, each have an answer of their own', async () => {
    await runs([now('same', '1'), now('same', '2'), now('', '3'), now('', '4'), now('same', '5')]);
    expect(results().map((line) => line.replace(/^.*: /, ''))).toEqual([1, 2, 3, 4, 5].map((n) => `now ${n}`));
    const ids = bench.all('call-queued').map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(5);
    expect(ids.every((id) => id !== '')).toBe(true);
  });

  test('ids that the server takes from nobody go back as ones that it takes', async () => {
    await runs([now('call:1/ä b'), now('y'.repeat(900))]);
    expect(results()).toHaveLength(2);
  });

  test('200 calls in one message run and are answered in their order', { timeout: 60_000 }, async () => {
    await runs(Array.from({ length: 200 }, (_, at) => now(`c${at}`)));
    expect(results()).toEqual(Array.from({ length: 200 }, (_, at) => `result c${at}: now c${at}`));
    expect(Math.max(...bench.all('call-started').map(({ lane }) => lane))).toBeLessThan(10);
  });

  test('pictures that no model takes are left out with a word, others go with the type that they have', async () => {
    await runs([{ tool: 'Show', id: 'a', input: { command: 'x' } }]);
    const { text } = server.requests[1] ?? { text: '' };
    const types = [...text.matchAll(/"media_type":"([^"]*)"|"url":"data:([^;]*);/g)].map(
      (found) => found[1] ?? found[2],
    );
    expect(types).toEqual(['image/png', 'image/png']);
    const words = [...text.matchAll(/\[a picture that cannot be shown: ([^\]]*)\]/g)].map((found) => found[1]);
    expect(words).toEqual(['image/svg+xml', 'image/png', 'image/gif']);
  });

  test('a tool whose schema no server takes is told in another way', async () => {
    await bench.session.close('closed');
    bench = new SessionBench({
      provider: providerFor({ provider: dialect.provider, baseUrl: server.url }),
      tools: new HandTools([ODD]),
    });
    server.answer(dialect.says([{ text: 'Done.' }]));
    await bench.send('Go');
    await over();
    expect(turnEnds()).toEqual(['completed']);
    const { text } = server.requests[0] ?? { text: '' };
    expect(text).toContain('Its input also has to fit this JSON Schema: {\\"anyOf\\":[');
    expect(text).toContain('$filter');
  });

  test('a picture of a call that failed stands behind the results', async () => {
    await runs([{ tool: 'Fails', id: 'a', input: { command: 'x' } }, now('b')]);
    const body = server.requests[1]?.body as { messages: { content: { type: string }[] }[] } | undefined;
    if (dialect.provider === 'anthropic') {
      expect(body?.messages.at(-1)?.content.map(({ type }) => type)).toEqual([
        'tool_result',
        'tool_result',
        'text',
        'image',
      ]);
    }
    const { text } = server.requests[1] ?? { text: '' };
    expect(text).toContain('From the result of a:');
    expect(text.split(PNG)).toHaveLength(2);
  });

  test('words alone, an empty message and thoughts alone end the turn, and the next one goes well', async () => {
    for (const [at, blocks] of ([[{ text: ' \n' }], [], [{ text: 'Yes.' }]] as const).entries()) {
      server.answer(dialect.says(blocks));
      await bench.send(`Question ${at}`);
      await over(at + 1);
    }
    expect(turnEnds()).toEqual(['completed', 'completed', 'completed']);
  });
});

const compact = (json: string): string => JSON.stringify(JSON.parse(json));
