import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quiet } from '../../app/testing/bench.ts';
import { HandTools } from '../../app/testing/hand-tools.ts';
import { SessionBench, type SessionBenchOptions, told } from '../../app/testing/session-bench.ts';
import { refuses, says } from './testing/anthropic-server.ts';
import { type DialectBlock as Block, DIALECTS, type Dialect } from './testing/dialects.ts';
import { KEY, providerFor } from './testing/hear.ts';
import { bySizes, every, type Split } from './testing/split.ts';
import type { WireServer } from './testing/wire-server.ts';

/** A live session behind a real provider, over a real socket. What is common to both wire formats runs over both. */

let server: WireServer;
let bench: SessionBench;

/** Goes on when the state is there. Sockets need turns of the event loop, never time. */
async function until(isSo: () => unknown): Promise<void> {
  while (!isSo()) await quiet();
}

async function open(dialect: Dialect, options: SessionBenchOptions = {}): Promise<void> {
  server = await dialect.startServer();
  bench = new SessionBench({
    settings: { mode: 'bypassPermissions' },
    provider: providerFor({ provider: dialect.provider, baseUrl: server.url }),
    ...options,
  });
}

afterEach(async () => {
  await bench.session.close('closed');
  const { faults } = server;
  await server.close();
  expect(faults).toEqual([]);
  expect(JSON.stringify(bench.log.events)).not.toContain(KEY);
});

const look = (id: string, command = id): Block => ({ tool: 'Look', id, input: { command } });
const change = (id: string): Block => ({ tool: 'Change', id, input: { command: id } });
const isRunning = (id: string) => bench.tools.calls.has(id);
const turnEnds = () => bench.all('turn-ended').map(({ reason }) => reason);
const failures = () => bench.all('request-failed').map(({ retryInMs }) => retryInMs);
const lastMessages = () =>
  (server.requests.at(-1)?.body as { messages: { content: unknown[] }[] } | undefined)?.messages ?? [];
/** The turn has ended. */
const over = () => until(() => turnEnds().length > 0);
/** A request has failed, and its wait is over. */
async function waitForRetry(): Promise<void> {
  const before = failures().length;
  await until(() => failures().length > before);
  await bench.advance(failures().at(-1) ?? 0);
}

describe.each(DIALECTS)('over $provider', (dialect) => {
  beforeEach(() => open(dialect));

  test.each<readonly [string, Split]>([
    ['after each byte', every(1)],
    ['at odd places', bySizes([1, 5, 2, 33, 3])],
  ])('calls whose inputs are cut %s run beside each other, and all results go back in order', async (_how, split) => {
    const commands = ['Größe', '日本語 "🎉"', 'a\\nb\\u00e9'];
    const calls = commands.map((command, at) => look(`call${at}`, command));
    server.answer(
      dialect.says([{ text: 'I look.' }, ...calls], { delta: 5, split }),
      dialect.says([{ text: 'Seen.' }]),
    );
    await bench.send('Go');
    await until(() => bench.tools.calls.size === 3);
    expect(commands.map((_, at) => bench.tools.call(`call${at}`).input.command)).toEqual(commands);
    for (const id of ['call2', 'call0', 'call1']) bench.tools.call(id).end(`${id} ✓`);
    await over();
    expect(told(bench.conversation)).toEqual([
      'user: Go',
      'model: I look.',
      ...calls.map((_, at) => `model: [Look call${at}]`),
      ...calls.map((_, at) => `result call${at}: call${at} ✓`),
      'model: Seen.',
    ]);
    expect(server.requests).toHaveLength(2);
    expect(bench.all('message-completed')[0]?.usage).toMatchObject({ inputTokens: 120, outputTokens: 33 });
  });

  test('a call starts, and ends, before its message has ended', async () => {
    server.answer(
      dialect.streams(async (stream) => {
        await stream.start();
        await stream.block(look('early'));
        // A server of OpenAI's kind tells that a call is whole by beginning the next one.
        await stream.block(look('next'));
        await until(() => isRunning('early'));
        bench.tools.call('early').end();
        await until(() => bench.all('call-completed').length === 1);
        await stream.end();
      }),
      dialect.says([{ text: 'Done.' }]),
    );
    await bench.send('Go');
    await until(() => isRunning('next'));
    bench.tools.call('next').end();
    await over();
    const order = bench.log.events.map(({ type }) => type);
    expect(order.indexOf('call-completed')).toBeLessThan(order.indexOf('message-completed'));
    expect(turnEnds()).toEqual(['completed']);
  });

  test('a server that is overloaded at first is asked again, each time a bit later', async () => {
    server.answer(
      dialect.refuses(529, 'Busy'),
      dialect.refuses(503, 'Busy'),
      dialect.refuses(500, 'Busy'),
      dialect.says([{ text: 'Here.' }]),
    );
    await bench.send('Go');
    for (let n = 0; n < 3; n++) await waitForRetry();
    await over();
    expect(failures()).toEqual([500, 1_000, 2_000]);
    expect(told(bench.conversation)).toEqual(['user: Go', 'model: Here.']);
    expect(new Set(server.requests.map(({ text }) => text)).size).toBe(1);
  });

  test('a server that limits its questions is asked again when it said', async () => {
    server.answer(dialect.refuses(429, 'Busy', { 'retry-after': '7' }), dialect.says([{ text: 'Here.' }]));
    await bench.send('Go');
    await waitForRetry();
    await over();
    expect(failures()).toEqual([7_000]);
    expect(turnEnds()).toEqual(['completed']);
  });

  test('a connection that is cut after two calls have started throws them away, and asks once more without streaming', async () => {
    server.answer(
      dialect.streams(async (stream) => {
        await stream.start();
        for (const id of ['a', 'b', 'c']) await stream.block(look(id));
        await until(() => isRunning('a') && isRunning('b'));
        stream.wire.cut();
      }),
      dialect.says([look('a'), look('b')]),
      dialect.says([{ text: 'Done.' }]),
    );
    await bench.send('Go');
    await until(() => bench.all('call-cancelled').length >= 2);
    // They heed their end; what they say is heard by nobody.
    const first = new Map(bench.tools.calls);
    for (const call of first.values()) call.end('too late');
    await waitForRetry();
    await until(() => bench.tools.calls.get('a_2') && bench.tools.calls.get('b_2'));
    for (const id of ['a_2', 'b_2']) bench.tools.call(id).end(`${id} seen`);
    await over();
    expect(told(bench.conversation)).toEqual([
      'user: Go',
      'model: [Look a_2]',
      'model: [Look b_2]',
      'result a_2: a_2 seen',
      'result b_2: b_2 seen',
      'model: Done.',
    ]);
    expect(server.requests.map(({ body }) => (body as { stream: boolean }).stream)).toEqual([true, false, true]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('too late');
    expect(bench.all('attempt-discarded')).toHaveLength(1);
  });

  test('a server that is overloaded in the middle of a message is asked again, with streaming', async () => {
    server.answer(
      dialect.streams(async (stream) => {
        await stream.start();
        await stream.block({ text: 'I begin' });
        await stream.block(look('a'));
        await stream.block(look('b'));
        await until(() => isRunning('a'));
        await stream.overload();
      }),
      dialect.says([{ text: 'All of it.' }]),
    );
    await bench.send('Go');
    await until(() => bench.all('attempt-discarded').length === 1);
    for (const call of bench.tools.calls.values()) call.end();
    await waitForRetry();
    await over();
    expect(told(bench.conversation)).toEqual(['user: Go', 'model: All of it.']);
    expect(server.requests.map(({ body }) => (body as { stream: boolean }).stream)).toEqual([true, true]);
    expect(bench.all('call-yielded')).toEqual([]);
  });

  test('a person who stops the turn closes the connection, and can go on', async () => {
    let closed = false;
    server.answer(
      dialect.streams(async (stream) => {
        void stream.wire.closed.then(() => {
          closed = true;
        });
        await stream.start();
        await stream.block(look('a'));
        await stream.block(look('b'));
        await until(() => isRunning('a'));
      }),
    );
    await bench.send('Go');
    await until(() => isRunning('a'));
    await bench.interrupt('escape');
    for (const call of bench.tools.calls.values()) call.end();
    await over();
    await until(() => closed);
    server.answer(dialect.says([{ text: 'As you wish.' }]));
    await bench.send('Something else');
    await until(() => turnEnds().length === 2);
    expect(turnEnds()).toEqual(['interrupted', 'completed']);
  });

  test('a server on this machine that is not there is tried three times more, and then the turn says so', async () => {
    await server.close();
    await bench.send('Go');
    for (let n = 1; n <= 3; n++) {
      await until(() => failures().length === n);
      await bench.advance(failures().at(-1) ?? 0);
    }
    await over();
    expect(failures()).toEqual([500, 1_000, 2_000, undefined]);
    expect(bench.all('turn-ended')[0]?.message).toMatch(/it refused the connection\. Check the address/);
  });

  test('a proxy that wants a password ends the turn at once', async () => {
    server.answer(dialect.refuses(407, 'Who are you?'));
    await bench.send('Go');
    await over();
    expect(failures()).toEqual([undefined]);
    expect(bench.all('turn-ended')[0]?.message).toMatch(/A proxy that wants a name and a password \(407\)/);
  });

  test('a key that is refused ends the turn with words that say what to do', async () => {
    server.answer(dialect.refuses(401, 'Wrong key'));
    await bench.send('Go');
    await over();
    expect(failures()).toEqual([undefined]);
    expect(bench.all('turn-ended')[0]).toMatchObject({
      reason: 'error',
      message: expect.stringMatching(/does not take the key \(401\)\. The key comes from the settings of Gantry\./),
    });
  });

  test('an answer without a word says so, and what is sent next holds no empty message', async () => {
    server.answer(dialect.says([]), dialect.says([{ text: 'Here I am.' }]));
    await bench.send('Go');
    await over();
    expect(turnEnds()).toEqual(['completed']);
    expect(bench.all('notice-given')).toMatchObject([{ level: 'warning', text: 'The model answered nothing.' }]);
    await bench.send('Hello?');
    await until(() => turnEnds().length === 2);
    expect(lastMessages()).not.toContainEqual(expect.objectContaining({ role: 'assistant' }));
    expect(JSON.stringify(lastMessages())).toMatch(/Go.*Hello\?/);
    expect(bench.all('notice-given')).toHaveLength(1);
  });

  test.each<readonly [string, number, string]>([
    ['Anthropic', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    ['Anthropic, by its size', 413, 'Request exceeds the maximum size'],
    ['OpenAI', 400, 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
    ['vLLM', 400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens."],
    ['llama.cpp', 400, 'the request exceeds the available context size, try increasing it'],
    ['LM Studio', 400, 'The number of tokens to keep from the initial prompt is greater than the context length'],
    ['Gemini', 400, 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048575).'],
  ])(
    'a conversation that is too long in the words of %s is compacted once, and asked again',
    async (_, status, words) => {
      server.answer(dialect.says([{ text: 'First answer.' }]));
      await bench.send('First');
      await over();
      server.answer(
        dialect.refuses(status, words),
        dialect.says([{ text: 'All that was said.' }]),
        dialect.says([{ text: 'Second answer.' }]),
      );
      await bench.send('Second');
      await until(() => turnEnds().length === 2);
      expect(turnEnds()).toEqual(['completed', 'completed']);
      expect(told(bench.conversation).slice(1)).toEqual(['user: Second', 'model: Second answer.']);
      expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('All that was said.');
      server.answer(
        dialect.refuses(status, words),
        dialect.says([{ text: 'Still more.' }]),
        dialect.refuses(status, words),
      );
      await bench.send('Third');
      await until(() => turnEnds().length === 3);
      expect(bench.all('turn-ended').at(-1)).toMatchObject({
        reason: 'error',
        message: expect.stringMatching(/too long for the model .*even after it was compacted/),
      });
      expect(bench.all('context-compacted')).toHaveLength(2);
    },
  );

  test('over 30 turns each request begins with the bytes of the one before', { timeout: 60_000 }, async () => {
    const tools = new HandTools([NOW]);
    await server.close();
    await open(dialect, { tools });
    for (let n = 1; n <= 30; n++) {
      const calls = Array.from({ length: n % 4 }, (_, at) => ({
        tool: 'Now',
        id: `c${n}_${at}`,
        input: { command: `${n} é` },
      }));
      server.answer(...(calls.length === 0 ? [] : [dialect.says([{ text: `Turn ${n}` }, ...calls])]));
      server.answer(dialect.says([{ text: `Done ${n} 🎉` }]));
      await bench.send(`Question ${n}`);
      await until(() => turnEnds().length === n);
    }
    expect(server.requests.length).toBeGreaterThan(45);
    const plain = server.requests.map(({ body }) => {
      const { messages, ...rest } = body as { messages: unknown };
      const bare = (value: unknown) => JSON.stringify(value).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
      return { messages: bare(messages), rest: JSON.stringify(rest) };
    });
    for (const [at, { messages, rest }] of plain.entries()) {
      const before = plain[at - 1];
      if (before === undefined) continue;
      expect(messages.startsWith(before.messages.slice(0, -1)), `request ${at}`).toBe(true);
      expect(rest).toBe(before.rest);
    }
  });
});

const NOW = new HandTools().tool('Now', {
  isConcurrencySafe: () => true,
  checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
  call: async ({ command }) => ({ output: `now ${command}`, isError: false }),
});

describe('over anthropic', () => {
  beforeEach(() => open(DIALECTS[0] as Dialect));

  test.each(['end_turn', 'stop_sequence', 'max_tokens', 'refusal', 'pause_turn'])(
    'a message that stops with %s ends the turn',
    async (stopReason) => {
      server.answer(says([{ text: 'So far.' }], { stopReason }));
      await bench.send('Go');
      await over();
      expect(turnEnds()).toEqual(['completed']);
      const warned = bench.all('notice-given').length;
      expect(warned).toBe(['max_tokens', 'refusal'].includes(stopReason) ? 1 : 0);
    },
  );

  test('a message that is refused lets run what runs, never starts what changes, and answers all', async () => {
    server.answer(says([look('a'), change('b'), look('c')], { stopReason: 'refusal' }), says([{ text: 'Sorry.' }]));
    await bench.send('Go');
    await until(() => isRunning('a') && bench.all('message-completed').length === 1);
    bench.tools.call('a').end('seen');
    await until(() => isRunning('c'));
    bench.tools.call('c').end('seen');
    await over();
    expect(isRunning('b')).toBe(false);
    expect(told(bench.conversation)).toEqual([
      'user: Go',
      ...['[Look a]', '[Change b]', '[Look c]'].map((call) => `model: ${call}`),
      'result a: seen',
      'result b (error): <tool_use_error>Not run: the model refused to go on with this message</tool_use_error>',
      'result c: seen',
      'model: Sorry.',
    ]);
  });

  test('a call that was cut off by the limit never starts and is answered with what went wrong', async () => {
    const cut = { tool: 'Look', id: 'cut', json: '{"command": "a long' };
    server.answer(says([look('a'), cut], { stopReason: 'max_tokens' }), says([{ text: 'Again, then.' }]));
    await bench.send('Go');
    await until(() => isRunning('a'));
    bench.tools.call('a').end('seen');
    await over();
    expect(isRunning('cut')).toBe(false);
    expect(told(bench.conversation).slice(3, 5)).toEqual([
      'result a: seen',
      expect.stringMatching(/^result cut \(error\): .*is not whole: its 19 characters are no complete JSON/),
    ]);
    const messages = lastMessages();
    expect(messages[1]?.content[1]).toMatchObject({ type: 'tool_use', id: 'cut', input: {} });
  });

  test('thoughts go back with their signatures, and blocks of a kind of their own as they came', async () => {
    server.answer(
      says([
        { thinking: 'Größe? 🤔', signature: 'sig-1' },
        { raw: { type: 'redacted_thinking', data: 'AAAA' } },
        { tool: 'Look', id: 'a', input: { command: 'a' } },
      ]),
      says([{ text: 'Done.' }]),
    );
    await bench.send('Go');
    await until(() => isRunning('a'));
    bench.tools.call('a').end();
    await over();
    const messages = lastMessages();
    expect(messages[1]?.content.slice(0, 2)).toEqual([
      { type: 'thinking', thinking: 'Größe? 🤔', signature: 'sig-1' },
      { type: 'redacted_thinking', data: 'AAAA' },
    ]);
  });

  test('a message that fills the window goes on in a conversation that was compacted', async () => {
    server.answer(says([{ text: 'First answer.' }]));
    await bench.send('First');
    await over();
    server.answer(
      says([{ text: 'Half of' }], { stopReason: 'model_context_window_exceeded' }),
      says([{ text: 'What was said.' }]),
      says([{ text: 'the answer.' }]),
    );
    await bench.send('Second');
    await until(() => turnEnds().length === 2);
    expect(turnEnds()).toEqual(['completed', 'completed']);
    expect(told(bench.conversation).slice(-3)).toEqual([
      'model: Half of',
      expect.stringContaining('Your last message was cut off'),
      'model: the answer.',
    ]);
  });

  test('a conversation that is too long ends the turn and says so', async () => {
    server.answer(refuses(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'));
    await bench.send('Go');
    await over();
    expect(bench.all('turn-ended')[0]).toMatchObject({
      reason: 'error',
      message: expect.stringContaining('The conversation is too long for the model'),
    });
  });
});
