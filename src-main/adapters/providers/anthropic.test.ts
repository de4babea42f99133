import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { millis } from '../../../src-shared/units.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import type { ModelItem, ModelRequest } from '../../ports/model-provider.ts';
import { SILENCE_LIMIT_MS } from './connection.ts';
import { refuses, says, startAnthropicServer, streams, type WireBlock } from './testing/anthropic-server.ts';
import { hear, KEY, providerFor, request, whole } from './testing/hear.ts';
import { bySizes, every, inside, type Split } from './testing/split.ts';
import type { WireServer } from './testing/wire-server.ts';

let server: WireServer;
beforeEach(async () => {
  server = await startAnthropicServer();
});
afterEach(async () => {
  const { faults } = server;
  await server.close();
  expect(faults).toEqual([]);
});

const provider = (choice = {}, deps = {}) => providerFor({ baseUrl: server.url, ...choice }, deps);

const INPUT = { command: 'printf "\\u00e9\\n" | cat -A; echo 🎉', timeout: 5 };
const BLOCKS: readonly WireBlock[] = [
  { thinking: 'Ein Gedanke über „Größe“ 🤔\n', signature: 'c2lnbmF0dXJl' },
  { raw: { type: 'redacted_thinking', data: 'AAAA' } },
  { text: 'Ich lese: naïve – 日本語 🏴‍☠️ \\ "q"' },
  { tool: 'Bash', id: 'toolu_1', input: INPUT },
  { tool: 'Read', id: 'toolu_2', input: {} },
];
const ITEMS: readonly ModelItem[] = [
  { type: 'message-started', messageId: expect.stringMatching(/^msg_wire/), model: 'claude-test' },
  { type: 'thinking', text: 'Ein Gedanke über „Größe“ 🤔\n', signature: 'c2lnbmF0dXJl' },
  { type: 'other', raw: { type: 'redacted_thinking', data: 'AAAA' } },
  { type: 'text', text: 'Ich lese: naïve – 日本語 🏴‍☠️ \\ "q"' },
  { type: 'tool-use', id: 'toolu_1', name: 'Bash', input: INPUT },
  { type: 'tool-use', id: 'toolu_2', name: 'Read', input: {} },
  {
    type: 'message-ended',
    stopReason: 'tool-use',
    usage: { inputTokens: 120, outputTokens: 33, cacheReadTokens: 40, cacheCreationTokens: 8 },
  },
];

describe('a message', () => {
  test.each<readonly [string, Split]>([
    ['after each byte', every(1)],
    ['after every 7 bytes', every(7)],
    [
      'in characters, escapes and words of the format',
      inside('ö', '🤔', '日', '\\"', '\\\\u00e9', 'event: ', '\n\n', 'data'),
    ],
    ['at odd places', bySizes([1, 3, 2, 61, 5, 17])],
  ])('is the same when its bytes are cut %s', async (_name, split) => {
    server.answer(says(BLOCKS, { delta: 5, split, noise: true }));
    const { items, failure } = await hear(provider());
    expect(failure).toBeUndefined();
    expect(whole(items)).toEqual(ITEMS);
    const grown = (kind: string) =>
      items.flatMap((item) => (item.type === 'growing' && item.kind === kind ? [item.added] : []));
    expect(grown('text').join('')).toBe('Ich lese: naïve – 日本語 🏴‍☠️ \\ "q"');
    expect(grown('thinking').join('')).toBe('Ein Gedanke über „Größe“ 🤔\n');
    expect(grown('tool-use').join('')).toBe(`${JSON.stringify(INPUT)}{}`);
  });

  test('is the same when it is asked for whole', async () => {
    server.answer(says(BLOCKS));
    const { items } = await hear(provider(), request({ stream: false }));
    expect(items).toEqual(ITEMS);
    expect(server.requests[0]?.body).toMatchObject({ stream: false });
  });

  test('is the same from a server that does not stream although it is asked to', async () => {
    server.answer((wire, asked) => says(BLOCKS)(wire, { ...asked, body: {} }));
    expect((await hear(provider())).items).toEqual(ITEMS);
  });

  test('gives a call away while the rest of the message is on its way', async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    server.answer(
      streams(async (stream) => {
        await stream.start();
        await stream.block({ tool: 'Read', id: 'a', input: { file_path: 'x' } });
        await stream.begin({ text: 'and then' });
        await gate;
        await stream.send('content_block_stop', { index: 1 });
        await stream.end();
      }),
    );
    for await (const item of provider().stream(request(), new AbortController().signal)) {
      if (item.type === 'tool-use') goOn();
      if (item.type === 'message-ended') return expect(item.stopReason).toBe('end-turn');
    }
    expect.unreachable('the stream ended without its message');
  });

  test.each([
    ['end_turn', 'end-turn'],
    ['tool_use', 'tool-use'],
    ['max_tokens', 'max-tokens'],
    ['stop_sequence', 'stop-sequence'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'model-context-window-exceeded'],
    ['pause_turn', 'unknown'],
    ['tired', 'unknown'],
  ])('that stopped with %s has ended by %s', async (stopReason, expected) => {
    server.answer(says([{ text: 'x' }], { stopReason }));
    expect((await hear(provider())).items.at(-1)).toMatchObject({ type: 'message-ended', stopReason: expected });
  });

  test.each([
    ['{"command": "ls', 'is not whole'],
    ['["ls"]', 'is no JSON object'],
    ['{"command": ls}', 'is not whole'],
  ])('with the input %s has a call that never starts and says why', async (json, problem) => {
    server.answer(says([{ tool: 'Bash', id: 'cut', json }, { text: 'x' }], { stopReason: 'max_tokens' }));
    expect(whole((await hear(provider())).items)[1]).toEqual({
      type: 'broken-tool-use',
      id: 'cut',
      name: 'Bash',
      problem: expect.stringContaining(problem),
    });
  });

  test('whose last block has no end is whole when it says why it stopped', async () => {
    server.answer(
      streams(async (stream) => {
        await stream.start();
        await stream.begin({ tool: 'Bash', id: 'a', json: '' });
        await stream.send('message_delta', { delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 5 } });
        await stream.wire.end();
      }),
    );
    expect(whole((await hear(provider())).items).slice(1)).toMatchObject([
      { type: 'broken-tool-use', id: 'a' },
      { type: 'message-ended', stopReason: 'max-tokens', usage: { outputTokens: 5 } },
    ]);
  });

  test('leaves its connection for the next one', async () => {
    server.otherwise(says([{ text: 'x' }]));
    const one = provider();
    for (let n = 0; n < 5; n++) await hear(one);
    expect(server.requests).toHaveLength(5);
    // The second request may come before the first connection has been read to its end.
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});

describe('a request', () => {
  const tools: ModelRequest['tools'] = ['Read', 'Bash'].map((name) => ({
    name,
    description: `${name} it.`,
    inputSchema: { type: 'object', properties: {} },
  }));
  const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
  const CONVERSATION: ModelRequest['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'Hm', signature: 's1' },
        { type: 'other', raw: { type: 'redacted_thinking', data: 'AA' } },
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'functions.Read:0', name: 'Read', input: { file_path: 'a' } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'functions.Read:0',
          content: [
            { type: 'text', text: 'seen' },
            { type: 'text', text: '' },
            image,
            { type: 'other', raw: { type: 'audio' } },
          ],
          is_error: false,
        },
      ],
    },
  ];

  async function sent(asked: Partial<ModelRequest>, choice = {}) {
    server.answer(says([{ text: 'x' }]));
    await hear(provider(choice), request(asked));
    const { body, headers } = server.requests.at(-1) ?? {};
    return { body: body as Record<string, never>, headers };
  }

  test('holds the conversation in the form of the Messages API', async () => {
    const { body, headers } = await sent({ system: 'Be good.', messages: CONVERSATION, tools });
    const cache_control = { type: 'ephemeral' };
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    expect(body).toEqual({
      model: 'claude-test',
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Be good.', cache_control }],
      tools: [
        { name: 'Read', description: 'Read it.', input_schema: { type: 'object', properties: {} } },
        { name: 'Bash', description: 'Bash it.', input_schema: { type: 'object', properties: {} }, cache_control },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, picture] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm', signature: 's1' },
            { type: 'redacted_thinking', data: 'AA' },
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'functions_2e_Read_3a_0', name: 'Read', input: { file_path: 'a' } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'functions_2e_Read_3a_0',
              content: [
                { type: 'text', text: 'seen' },
                picture,
                { type: 'text', text: '[a part that cannot be shown: audio]' },
              ],
              is_error: false,
              cache_control,
            },
          ],
        },
      ],
    });
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-api-key': KEY,
      'anthropic-version': expect.any(String),
    });
  });

  test('differs from the one before only in its cache marks and in what was added', async () => {
    const plain = (body: unknown) => JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
    const before = await sent({ system: 'S', tools, messages: CONVERSATION.slice(0, 1) });
    const after = await sent({ system: 'S', tools, messages: CONVERSATION });
    const opened = plain(before.body.messages).replace(/\]\}\]$/, '');
    expect(plain(after.body.messages).startsWith(opened)).toBe(true);
    expect(JSON.stringify([after.body.system, after.body.tools])).toBe(
      JSON.stringify([before.body.system, before.body.tools]),
    );
  });

  test.each([
    [
      'an old model, within the limit',
      { model: 'claude-sonnet-4-5', thinkingTokens: 2_000, maxTokens: 8_000 },
      { max_tokens: 8_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    [
      'an old model, with room for an answer',
      { model: 'claude-sonnet-4-5', thinkingTokens: 9_000, maxTokens: 4_000 },
      { max_tokens: 13_000, thinking: { type: 'enabled', budget_tokens: 9_000 } },
    ],
    ['an old model that is not asked', { model: 'claude-sonnet-4-5' }, { max_tokens: 64_000, thinking: undefined }],
    [
      'fewer than the least',
      { model: 'claude-opus-4-1', thinkingTokens: 5 },
      { max_tokens: 32_000, thinking: { type: 'enabled', budget_tokens: 1_024 } },
    ],
    [
      'a newer model',
      { model: 'claude-opus-4-8', thinkingTokens: 9_000 },
      { max_tokens: 128_000, thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    [
      'one that always thinks',
      { model: 'claude-sonnet-5-5' },
      { max_tokens: 128_000, thinking: { type: 'adaptive', display: 'summarized' } },
    ],
  ])('asks to think: %s', async (_name, choice, expected) => {
    const { body } = await sent({}, choice);
    expect({ max_tokens: body.max_tokens, thinking: body.thinking }).toEqual(expected);
  });

  test('of an agent with a model of its own asks for that one', async () => {
    expect((await sent({ model: 'claude-haiku-4-5' })).body).toMatchObject({
      model: 'claude-haiku-4-5',
      max_tokens: 64_000,
    });
  });

  test('whose thoughts the server refuses goes once more without them, and the answer says so', async () => {
    const words =
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.';
    server.answer(refuses(400, 'invalid_request_error', words), says([{ text: 'x' }]));
    const { items, failure } = await hear(provider(), request({ messages: CONVERSATION }));
    expect(failure).toBeUndefined();
    expect(items[0]).toMatchObject({ type: 'message-started', thoughtsRefused: true });
    const typesOf = (n: number) =>
      (
        server.requests[n]?.body as { messages: { content: { type: string }[] }[] } | undefined
      )?.messages[1]?.content.map(({ type }) => type);
    expect([typesOf(0), typesOf(1)]).toEqual([
      ['thinking', 'redacted_thinking', 'text', 'tool_use'],
      ['text', 'tool_use'],
    ]);
  });

  test('whose calls would have to begin with a thought is asked without the wish for new ones', async () => {
    const bound = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    const missing =
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
    const type = 'invalid_request_error';
    server.answer(refuses(400, type, bound), refuses(400, type, missing), says([{ text: 'x' }]));
    const one = provider({ model: 'claude-haiku-4-5', thinkingTokens: 2_000 });
    const { items, failure } = await hear(one, request({ messages: CONVERSATION }));
    expect(failure).toBeUndefined();
    expect(items[0]).toMatchObject({ thoughtsRefused: true });
    expect(server.requests.map(({ body }) => (body as { thinking?: unknown }).thinking)).toEqual([
      { type: 'enabled', budget_tokens: 2_000 },
      { type: 'enabled', budget_tokens: 2_000 },
      undefined,
    ]);
  });
});

describe('a stream that is stopped', () => {
  test('closes its connection at once and gives no failure', async () => {
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    server.answer(
      streams(async (stream) => {
        closed = stream.wire.closed;
        await stream.start();
        await stream.begin({ text: 'and so' });
        controller.abort('escape');
      }),
    );
    const clock = new ManualClock();
    const { items, failure } = await hear(provider({}, { clock }), request(), controller.signal);
    await closed;
    expect(failure).toBeUndefined();
    expect(items.some(({ type }) => type === 'message-ended')).toBe(false);
    expect(clock.pending).toBe(0);
  });

  test('before it began asks nobody', async () => {
    expect(await hear(provider(), request(), AbortSignal.abort('escape'))).toEqual({ items: [], failure: undefined });
    expect(server.requests).toEqual([]);
  });

  test('by one who no longer listens closes its connection too', async () => {
    let closed: Promise<void> | undefined;
    server.answer(
      streams(async (stream) => {
        closed = stream.wire.closed;
        await stream.start();
      }),
    );
    for await (const _first of provider().stream(request(), new AbortController().signal)) break;
    await closed;
  });
});

describe('a server that falls silent', () => {
  const silent = streams(async (stream) => {
    await stream.start();
    await stream.wire.closed;
  });

  test('in the middle of a message has broken it off', async () => {
    const clock = new ManualClock();
    server.answer(silent);
    const heard: ModelItem[] = [];
    const all = (async () => {
      for await (const item of provider({}, { clock }).stream(request(), new AbortController().signal)) {
        heard.push(item);
        clock.advance(millis(SILENCE_LIMIT_MS));
      }
    })();
    await expect(all).rejects.toMatchObject({
      kind: 'broken-stream',
      retry: true,
      message: expect.stringMatching(/sent nothing for 5 minutes/),
    });
    expect(heard).toHaveLength(1);
  });

  test('before it has answered could not be reached', async () => {
    const clock = new ManualClock();
    server.answer(async (wire) => {
      clock.advance(millis(SILENCE_LIMIT_MS));
      await wire.closed;
    });
    expect((await hear(provider({}, { clock }))).failure).toMatchObject({ kind: 'network', retry: true });
  });

  test('is not one that sends pings', async () => {
    const clock = new ManualClock();
    let wake = (): void => undefined;
    const slowly = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    server.answer(
      streams(async (stream) => {
        await stream.start();
        for (let n = 0; n < 5; n++) {
          const gate = slowly();
          await stream.block({ text: `${n}` });
          await gate;
          await stream.ping();
        }
        await stream.end();
      }),
    );
    const texts: string[] = [];
    for await (const item of provider({}, { clock }).stream(request(), new AbortController().signal)) {
      if (item.type !== 'text') continue;
      texts.push(item.text);
      clock.advance(millis(SILENCE_LIMIT_MS - 1));
      wake();
    }
    expect(texts.join('')).toBe('01234');
  });
});
