import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ModelItem, ModelRequest } from '../../ports/model-provider.ts';
import {
  type ChatBlock,
  type ChatSays,
  chatRefuses,
  chatStreams,
  chats,
  startChatServer,
} from './testing/chat-server.ts';
import { hear, KEY, providerFor, request, whole } from './testing/hear.ts';
import { bySizes, every, inside, type Split } from './testing/split.ts';
import type { WireServer } from './testing/wire-server.ts';

let server: WireServer;
beforeEach(async () => {
  server = await startChatServer();
});
afterEach(async () => {
  const { faults } = server;
  await server.close();
  expect(faults).toEqual([]);
});

const provider = (choice = {}, deps = {}) =>
  providerFor({ provider: 'openai-compatible', model: 'asked-for', baseUrl: `${server.url}/v1`, ...choice }, deps);

const BLOCKS: readonly ChatBlock[] = [
  { reasoning: 'Größe? 🤔' },
  { text: 'Ich lese: 日本語 "q" \\' },
  { tool: 'Read', id: 'call_a', input: { file_path: 'naïve.txt' } },
  { tool: 'Bash', id: 'call_b', input: { command: 'echo "\\n" 🎉' } },
  { tool: 'Bash', id: 'call_c', input: {} },
];
const calls = (ids: readonly unknown[]): readonly ModelItem[] => [
  { type: 'tool-use', id: ids[0] as string, name: 'Read', input: { file_path: 'naïve.txt' } },
  { type: 'tool-use', id: ids[1] as string, name: 'Bash', input: { command: 'echo "\\n" 🎉' } },
  { type: 'tool-use', id: ids[2] as string, name: 'Bash', input: {} },
];
const OWN_IDS = ['call_a', 'call_b', 'call_c'];
const USAGE = { inputTokens: 120, outputTokens: 33, cacheReadTokens: 40 };
const items = (ids: readonly unknown[] = OWN_IDS, usage: object = USAGE): readonly ModelItem[] => [
  { type: 'message-started', messageId: expect.stringMatching(/^chatcmpl-/), model: 'chat-test' },
  { type: 'thinking', text: 'Größe? 🤔' },
  { type: 'text', text: 'Ich lese: 日本語 "q" \\' },
  ...calls(ids),
  { type: 'message-ended', stopReason: 'tool-use', usage },
];

describe('a message', () => {
  test.each<readonly [string, Split]>([
    ['after each byte', every(1)],
    ['after every 7 bytes', every(7)],
    ['in characters, escapes and words of the format', inside('ö', '🤔', '日', '\\\\n', 'data: ', '\n\n', '[DONE]')],
    ['at odd places', bySizes([1, 3, 2, 61, 5, 17])],
  ])('is the same when its bytes are cut %s', async (_name, split) => {
    server.answer(chats(BLOCKS, { delta: 4, split }));
    const heard = await hear(provider());
    expect(heard.failure).toBeUndefined();
    expect(whole(heard.items)).toEqual(items());
  });

  test('is the same when it is asked for whole, but for its thoughts', async () => {
    server.answer(chats(BLOCKS));
    const heard = await hear(provider(), request({ stream: false }));
    expect(whole(heard.items)).toEqual(items().filter(({ type }) => type !== 'thinking'));
  });

  test('is the same from a server that does not stream although it is asked to', async () => {
    server.answer((wire, asked) => chats(BLOCKS)(wire, { ...asked, body: {} }));
    expect(whole((await hear(provider())).items).slice(2, 5)).toEqual(calls(OWN_IDS));
  });

  const made = expect.stringMatching(/^call_\d+$/);
  test.each<readonly [string, NonNullable<ChatSays['quirks']>, readonly unknown[]]>([
    ['no ids', { noIds: true }, [made, made, made]],
    ['no index', { noIndex: true }, OWN_IDS],
    [
      'neither ids nor index, whole arguments',
      { noIds: true, noIndex: true, argumentsAsObject: true },
      [made, made, made],
    ],
    ['the same index for all calls', { sameIndex: 0 }, OWN_IDS],
    ['the same index and no ids', { sameIndex: 0, noIds: true }, [made, made, made]],
    ['names and ids in every fragment', { repeatsNames: true }, OWN_IDS],
    ['arguments as an object', { argumentsAsObject: true }, OWN_IDS],
  ])('is understood from a server with %s', async (_name, quirks, ids) => {
    server.answer(chats(BLOCKS, { delta: 6, quirks }));
    const heard = whole((await hear(provider())).items);
    expect(heard).toEqual(items(ids));
    expect(new Set(heard.flatMap((item) => (item.type === 'tool-use' ? [item.id] : []))).size).toBe(3);
  });

  test('that tells no numbers ends with its stream', async () => {
    server.answer(chats(BLOCKS, { quirks: { noUsage: true } }));
    expect(whole((await hear(provider())).items)).toEqual(items(OWN_IDS, {}));
  });

  test('gives a call away when the next one begins, and the last one when it ends', async () => {
    const seen: string[] = [];
    let wake = (): void => undefined;
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => seen.length >= count && resolve();
      });
    server.answer(
      chatStreams(async (stream) => {
        await stream.start();
        await stream.block({ tool: 'Read', id: 'a', input: { file_path: 'x' } });
        const first = until(1);
        await stream.delta({ tool_calls: [{ index: 1, id: 'b', function: { name: 'Read', arguments: '' } }] });
        await first;
        await stream.delta({ tool_calls: [{ index: 1, function: { arguments: '{}' } }] });
        const second = until(2);
        await stream.delta({}, 'tool_calls');
        await second;
        await stream.chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } });
        await stream.wire.end();
      }),
    );
    const last: ModelItem[] = [];
    for await (const item of provider().stream(request(), new AbortController().signal)) {
      if (item.type === 'tool-use') seen.push(item.id);
      last.splice(0, 1, item);
      wake();
    }
    expect(seen).toEqual(['a', 'b']);
    expect(last[0]).toMatchObject({ type: 'message-ended', usage: { inputTokens: 1, outputTokens: 2 } });
  });

  test('that announces all its calls before it fills them is put together right', async () => {
    server.answer(
      chatStreams(async (stream) => {
        await stream.start();
        const fragment = (index: number, fields: object) => stream.delta({ tool_calls: [{ index, ...fields }] });
        await fragment(0, { id: 'a', function: { name: 'Read', arguments: '' } });
        await fragment(1, { id: 'b', function: { name: 'Bash', arguments: '' } });
        await fragment(1, { function: { arguments: '{"command":' } });
        await fragment(0, { function: { arguments: '{"file_path":"x"}' } });
        await fragment(1, { function: { arguments: '"ls"}' } });
        await stream.end('tool_calls');
      }),
    );
    expect(whole((await hear(provider())).items).slice(1, 3)).toEqual([
      { type: 'tool-use', id: 'a', name: 'Read', input: { file_path: 'x' } },
      { type: 'tool-use', id: 'b', name: 'Bash', input: { command: 'ls' } },
    ]);
  });

  test.each([
    ['stop', 'end-turn'],
    ['length', 'max-tokens'],
    ['content_filter', 'refusal'],
    ['tired', 'unknown'],
  ])('that finished with %s has ended by %s', async (finishReason, stopReason) => {
    server.answer(chats([{ text: 'x' }], { finishReason }));
    expect((await hear(provider())).items.at(-1)).toMatchObject({ stopReason });
  });

  test('with calls has ended by them, whatever the server says', async () => {
    server.answer(chats(BLOCKS, { finishReason: 'stop' }));
    expect((await hear(provider())).items.at(-1)).toMatchObject({ stopReason: 'tool-use' });
  });

  test.each(['{"command": "l', ''])(
    'cut off in the arguments %j of its last call breaks only that one',
    async (json) => {
      const blocks = [BLOCKS[2] as ChatBlock, { tool: 'Bash', id: 'cut', json }];
      server.answer(chats(blocks, { finishReason: 'length' }));
      expect(whole((await hear(provider())).items).slice(1)).toMatchObject([
        { type: 'tool-use', id: 'call_a' },
        { type: 'broken-tool-use', id: 'cut', name: 'Bash', problem: expect.stringContaining('is not whole') },
        { type: 'message-ended', stopReason: 'max-tokens' },
      ]);
    },
  );

  test('that the model refuses to give has ended by refusal, with its words', async () => {
    server.answer(
      chatStreams(async (stream) => {
        await stream.start();
        await stream.delta({ refusal: 'I will ' });
        await stream.delta({ refusal: 'not.' });
        await stream.end('stop');
      }),
    );
    expect(whole((await hear(provider())).items).slice(1)).toMatchObject([
      { type: 'text', text: 'I will not.' },
      { stopReason: 'refusal' },
    ]);
  });
});

describe('a request', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  const CONVERSATION: ModelRequest['messages'] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'text', text: 'here' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'Hm', signature: 's1' },
        { type: 'other', raw: { type: 'redacted_thinking', data: 'AA' } },
        { type: 'tool_use', id: 'a', name: 'Read', input: { file_path: 'a' } },
        { type: 'tool_use', id: 'b', name: 'Read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'seen' }, image], is_error: false },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'other', raw: { type: 'audio' } }], is_error: true },
        { type: 'text', text: 'And now?' },
        image,
      ],
    },
  ];

  test('holds the conversation in the form of chat completions', async () => {
    server.answer(chats([{ text: 'x' }]));
    const tools = [{ name: 'Read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }];
    await hear(
      provider({ maxTokens: 500 }),
      request({ system: 'Be good.', messages: CONVERSATION, tools, model: 'own' }),
    );
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.requests[0]?.body).toEqual({
      model: 'own',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 500,
      tools: [
        {
          type: 'function',
          function: { name: 'Read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
        },
      ],
      messages: [
        { role: 'system', content: 'Be good.' },
        { role: 'user', content: 'Look\n\nhere' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'Read', arguments: '{"file_path":"a"}' } },
            { id: 'b', type: 'function', function: { name: 'Read', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'seen\n[a picture, in the next message]' },
        { role: 'tool', tool_call_id: 'b', content: '[a part that cannot be shown: audio]' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'From the result of a:' },
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: 'And now?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
  });

  const refuseIf = (word: string, message: string) =>
    chatStreams(async (stream, asked) => {
      if (asked.text.includes(word)) return stream.wire.json(400, { error: { message } });
      return chats([{ text: 'x' }])(stream.wire, asked);
    });

  test('asks no more for numbers that the server does not want to be asked for', async () => {
    server.otherwise(refuseIf('stream_options', 'unknown field'));
    const one = provider();
    expect((await hear(one)).failure).toBeUndefined();
    expect((await hear(one)).failure).toBeUndefined();
    expect(server.requests.map(({ text }) => text.includes('stream_options'))).toEqual([true, false, false]);
  });

  test('names its limit as the server wants it, and still asks for the numbers', async () => {
    server.otherwise(
      refuseIf('"max_tokens"', "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    );
    const one = provider({ maxTokens: 90 });
    expect((await hear(one)).failure).toBeUndefined();
    await hear(one);
    expect(server.requests).toHaveLength(3);
    expect(server.requests.at(-1)?.body).toMatchObject({
      max_completion_tokens: 90,
      stream_options: { include_usage: true },
    });
  });

  test('that is refused for another reason fails with it, and the next one asks for everything again', async () => {
    server.answer(chatRefuses(400, { message: 'No such tool.' }), chatRefuses(400, { message: 'No such tool.' }));
    server.otherwise(chats([{ text: 'x' }]));
    const one = provider();
    expect((await hear(one)).failure).toMatchObject({ kind: 'bad-request', retry: false });
    await hear(one);
    expect(server.requests.at(-1)?.text).toContain('stream_options');
  });
});
