import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../ports/clock.fake.ts';
import type { ModelFailure } from '../../ports/model-provider.ts';
import { listModels } from './create-provider.ts';
import { retryAfter } from './model-errors.ts';
import { refuses, says, startAnthropicServer, streams } from './testing/anthropic-server.ts';
import { chatRefuses, chatStreams, startChatServer } from './testing/chat-server.ts';
import { hear, KEY, providerFor, request } from './testing/hear.ts';
import type { WireServer } from './testing/wire-server.ts';

let anthropic: WireServer;
let chat: WireServer;
beforeEach(async () => {
  anthropic = await startAnthropicServer();
  chat = await startChatServer();
});
afterEach(async () => {
  await anthropic.close();
  await chat.close();
});

const ofAnthropic = (deps = {}) => providerFor({ baseUrl: anthropic.url }, deps);
const ofChat = (deps = {}) =>
  providerFor({ provider: 'openai-compatible', model: 'chat-test', baseUrl: chat.url }, deps);
const DATE = new Date(Date.UTC(2026, 0, 1, 0, 0, 45)).toUTCString();

type Expected = Partial<Pick<ModelFailure, 'kind' | 'retry' | 'afterMs'>>;

describe('an answer with an error’s status', () => {
  test.each<readonly [number, string, string, Record<string, string>, Expected]>([
    [529, 'overloaded_error', 'Overloaded', {}, { kind: 'overloaded', retry: true, afterMs: undefined }],
    [
      529,
      'overloaded_error',
      'Overloaded',
      { 'retry-after': '2' },
      { kind: 'overloaded', retry: true, afterMs: 2_000 },
    ],
    [529, 'overloaded_error', 'Overloaded', { 'x-should-retry': 'false' }, { kind: 'overloaded', retry: false }],
    [500, 'api_error', 'Internal', {}, { kind: 'overloaded', retry: true }],
    [502, 'api_error', '<html>bad gateway</html>', {}, { kind: 'overloaded', retry: true }],
    [503, 'api_error', 'Down', {}, { kind: 'overloaded', retry: true }],
    [
      429,
      'rate_limit_error',
      'Slow down',
      { 'retry-after': '7' },
      { kind: 'rate-limited', retry: true, afterMs: 7_000 },
    ],
    [
      429,
      'rate_limit_error',
      'Slow down',
      { 'retry-after': DATE },
      { kind: 'rate-limited', retry: true, afterMs: 45_000 },
    ],
    [
      429,
      'rate_limit_error',
      'Slow down',
      { 'retry-after-ms': '250' },
      { kind: 'rate-limited', retry: true, afterMs: 250 },
    ],
    [
      429,
      'rate_limit_error',
      'Slow down',
      { 'retry-after': 'soon' },
      { kind: 'rate-limited', retry: true, afterMs: undefined },
    ],
    [401, 'authentication_error', 'invalid x-api-key', {}, { kind: 'auth', retry: false }],
    [403, 'permission_error', 'Not for you', {}, { kind: 'auth', retry: false }],
    [400, 'invalid_request_error', 'tools.0: odd', {}, { kind: 'bad-request', retry: false }],
    [404, 'not_found_error', 'model: nobody', {}, { kind: 'bad-request', retry: false }],
    [402, 'billing_error', 'No money', {}, { kind: 'bad-request', retry: false }],
    [413, 'request_too_large', 'Too large', {}, { kind: 'too-long', retry: false }],
    [
      400,
      'invalid_request_error',
      'prompt is too long: 210000 tokens > 200000 maximum',
      {},
      { kind: 'too-long', retry: false },
    ],
    [408, 'timeout_error', 'Late', {}, { kind: 'network', retry: true }],
  ])('%i %s of Anthropic: %s', async (status, type, message, headers, expected) => {
    anthropic.answer(refuses(status, type, message, headers));
    const { items, failure } = await hear(ofAnthropic());
    expect(items).toEqual([]);
    expect(failure).toMatchObject(expected);
    if (!message.startsWith('<')) expect(failure?.message).toContain(`The server says: ${message}.`);
    expect(failure?.message).not.toContain('<html>');
    expect(failure?.message).toContain(String(status));
  });

  test.each<readonly [number, { message: string; type?: string; code?: string }, Expected]>([
    [429, { message: 'Rate limit reached', type: 'requests' }, { kind: 'rate-limited', retry: true }],
    [429, { message: 'No quota', code: 'insufficient_quota' }, { kind: 'rate-limited', retry: false }],
    [401, { message: 'Incorrect API key provided' }, { kind: 'auth', retry: false }],
    [500, { message: 'oops', type: 'server_error' }, { kind: 'overloaded', retry: true }],
    [
      400,
      { message: 'Too many tokens', type: 'invalid_request_error', code: 'context_length_exceeded' },
      { kind: 'too-long' },
    ],
    [400, { message: "This model's maximum context length is 8192 tokens." }, { kind: 'too-long' }],
    [
      400,
      { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' },
      { kind: 'too-long' },
    ],
    [404, { message: "model 'x' not found" }, { kind: 'bad-request', retry: false }],
  ])('%i of a chat server: %j', async (status, error, expected) => {
    chat.otherwise(chatRefuses(status, error));
    const { failure } = await hear(ofChat());
    expect(failure).toMatchObject(expected);
    expect(failure?.message).toContain(error.message);
  });

  test.each<readonly [string, unknown, string]>([
    ['FastAPI', { detail: 'Model is loading' }, 'Model is loading.'],
    ['a bare error', { error: 'model is loading' }, 'model is loading.'],
    ['a message', { message: 'Model is loading!' }, 'Model is loading!'],
    ['nothing', {}, '(503).'],
  ])('in the form of %s says what the server says', async (_name, body, words) => {
    chat.otherwise((wire) => wire.json(503, body));
    const { failure } = await hear(ofChat());
    expect(failure).toMatchObject({ kind: 'overloaded', retry: true });
    expect(failure?.message.endsWith(words)).toBe(true);
  });
});

describe('an error in the middle of a message', () => {
  test.each<readonly [string, Expected]>([
    ['overloaded_error', { kind: 'overloaded', retry: true }],
    ['api_error', { kind: 'overloaded', retry: true }],
    ['rate_limit_error', { kind: 'rate-limited', retry: true }],
    ['timeout_error', { kind: 'overloaded', retry: true }],
    ['invalid_request_error', { kind: 'bad-request', retry: false }],
    ['error_of_tomorrow', { kind: 'overloaded', retry: true }],
  ])('%s of Anthropic ends it', async (type, expected) => {
    anthropic.answer(
      streams(async (stream) => {
        await stream.start();
        await stream.block({ text: 'I will' });
        await stream.fail(type, 'Now then');
      }),
    );
    const { items, failure } = await hear(ofAnthropic());
    expect(items.map((item) => item.type)).toEqual(['message-started', 'growing', 'text']);
    expect(failure).toMatchObject(expected);
    expect(failure?.message).toContain('Now then');
  });

  test('of a chat server ends it', async () => {
    chat.answer(
      chatStreams(async (stream) => {
        await stream.start();
        await stream.wire.send(`data: ${JSON.stringify({ error: { message: 'upstream died', code: 502 } })}\n\n`);
        await stream.wire.end();
      }),
    );
    expect((await hear(ofChat())).failure).toMatchObject({ kind: 'overloaded', retry: true });
  });
});

describe('a connection', () => {
  test.each(['in a block', 'between blocks', 'in a character'])(
    'that is cut %s has broken the stream',
    async (where) => {
      anthropic.answer(
        streams(async (stream) => {
          await stream.start();
          if (where === 'between blocks') await stream.block({ text: 'x' });
          else await stream.begin({ text: 'x' });
          if (where === 'in a character') await stream.wire.send(Buffer.from('data: {"ö').subarray(0, 9));
          await stream.wire.end().then(() => stream.wire.cut());
        }),
      );
      expect((await hear(ofAnthropic())).failure).toMatchObject({ kind: 'broken-stream', retry: true });
    },
  );

  test('that is reset in the middle has broken the stream', async () => {
    chat.answer(
      chatStreams(async (stream) => {
        await stream.start();
        await stream.block({ text: 'x' });
        stream.wire.cut();
      }),
    );
    expect((await hear(ofChat())).failure).toMatchObject({
      kind: 'broken-stream',
      message: expect.stringMatching(/broke off in the middle of a message: it closed the connection\.$/),
    });
  });

  test('that ends well without a message has none', async () => {
    anthropic.answer(async (wire) => {
      wire.head(200, { 'content-type': 'text/event-stream' });
      await wire.end();
    });
    expect((await hear(ofAnthropic())).failure).toMatchObject({ kind: 'network', retry: true });
  });

  test.each<readonly [string, string, RegExp]>([
    [
      'text/html; charset=utf-8',
      '<html>Sign in</html>',
      /answered with a web page, not with a message\. Check the address/,
    ],
    ['application/json', '{"hello":"world"}', /answered with something that is no message\. Check the address/],
    ['application/json', '<html>', /answered with something that is no message\. Check the address/],
  ])('to somebody else (%s) is told at once, in both formats', async (type, body, words) => {
    for (const [server, provider] of [[anthropic, ofAnthropic()] as const, [chat, ofChat()] as const]) {
      server.otherwise(async (wire) => {
        wire.head(200, { 'content-type': type });
        await wire.send(body);
        await wire.end();
      });
      for (const stream of [true, false]) {
        const { failure } = await hear(provider, request({ stream }));
        expect(failure).toMatchObject({ kind: 'bad-request', retry: false, message: expect.stringMatching(words) });
      }
    }
  });

  test.each<readonly [string, RegExp]>([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /nobody whom this machine trusts has signed its certificate/],
    ['CERT_HAS_EXPIRED', /its certificate has expired\.$/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /its certificate is made out to another name/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /begins with http:\/\/\.$/],
    ['HPE_INVALID_CONSTANT', /it does not speak HTTP/],
  ])('that can never be made (%s) is told in words and not tried again', async (code, words) => {
    const fetch = () =>
      Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code }) }));
    for (const { failure } of [await hear(ofAnthropic({ fetch })), await hear(ofChat({ fetch }))]) {
      expect(failure).toMatchObject({ kind: 'network', retry: false, message: expect.stringMatching(words) });
      expect(failure?.message).not.toContain(code);
    }
  });

  test('with letters that are no JSON has broken the stream, and nothing is printed', async () => {
    anthropic.answer(
      streams(async (stream) => {
        await stream.start();
        await stream.wire.send('event: content_block_start\ndata: {"type": \n\n');
        await stream.wire.end();
      }),
    );
    expect((await hear(ofAnthropic())).failure).toMatchObject({ kind: 'broken-stream', retry: true });
  });

  test('that meets a proxy which wants a password (407) says so in words', async () => {
    anthropic.answer(refuses(407, 'api_error', 'no'));
    const { failure } = await hear(ofAnthropic());
    expect(failure).toMatchObject({
      kind: 'network',
      retry: false,
      message: expect.stringMatching(/A proxy .*\(407\).*Sign in to it/),
    });
    expect(failure?.message).not.toContain('fetch failed');
  });

  test('to nobody says so', async () => {
    const { url } = chat;
    await chat.close();
    const { failure } = await hear(providerFor({ provider: 'openai-compatible', baseUrl: url }));
    expect(failure).toMatchObject({ kind: 'network', retry: true, mostRetries: 3 });
    expect(failure?.message).toBe(
      `The server at ${new URL(url).host} could not be reached: it refused the connection. Check the address, and that the server runs.`,
    );
    chat = await startChatServer();
  });

  test('to a port that no web server may have is not tried again', async () => {
    const { failure } = await hear(providerFor({ baseUrl: 'http://127.0.0.1:6000' }));
    expect(failure).toMatchObject({ retry: false, message: expect.stringMatching(/port is one that no web server/) });
  });

  const failing = (code: string) => () =>
    Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code }) }));

  test.each<readonly [string, string, number | undefined]>([
    ['ECONNREFUSED', 'http://localhost:11434', 3],
    ['ECONNREFUSED', 'http://[::1]:8080', 3],
    ['ECONNREFUSED', 'http://127.0.0.1', 3],
    ['ECONNREFUSED', 'http://models.example.com:1234', 0],
    ['ECONNREFUSED', 'http://localhost.example.com', 0],
    ['ENOTFOUND', 'http://no-such-name.example.com', 0],
    ['ETIMEDOUT', 'http://models.example.com', 1],
    ['EHOSTUNREACH', 'http://10.0.0.9', 1],
    ['EAI_AGAIN', 'http://models.example.com', undefined],
    ['ECONNRESET', 'http://models.example.com', undefined],
  ])('that fails with %s at %s, which has never answered, is tried again %s times', async (code, baseUrl, times) => {
    const { failure } = await hear(providerFor({ baseUrl }, { fetch: failing(code) }));
    expect(failure).toMatchObject({ kind: 'network', retry: times !== 0 });
    expect(failure?.mostRetries).toBe(times === 0 ? undefined : times);
    expect(failure?.message).toMatch(/Check the address/);
  });

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'])(
    'to a server that has answered in this session is tried again like any other (%s)',
    async (code) => {
      anthropic.answer(says([{ text: 'Here.' }]));
      let fetch: typeof globalThis.fetch = globalThis.fetch;
      const one = ofAnthropic({ fetch: ((input, init) => fetch(input, init)) satisfies typeof globalThis.fetch });
      expect((await hear(one)).failure).toBeUndefined();
      fetch = failing(code);
      expect((await hear(one)).failure).toMatchObject({ kind: 'network', retry: true, mostRetries: undefined });
    },
  );

  test.each(['ftp://x', 'not an address', 'http://me:secret@x/', ''])('to %j is not tried', async (baseUrl) => {
    const failure = (await hear(providerFor({ baseUrl: baseUrl || 'x' }))).failure;
    expect(failure).toMatchObject({ kind: 'bad-request', retry: false });
    expect(failure?.message).not.toContain('secret');
  });
});

describe('a key', () => {
  const echoing = (status: number) =>
    refuses(status, 'authentication_error', `bad key ${KEY}, also Bearer abcdefghijkl and sk-proj-abcdefgh12345678`);

  test.each([400, 401, 403, 429, 500, 529])('never stands in what is told of a failure (%i)', async (status) => {
    anthropic.answer(echoing(status));
    const { failure } = await hear(ofAnthropic());
    const all = `${inspect(failure, { depth: 20, showHidden: true })}${JSON.stringify(failure)}${failure?.stack}`;
    expect(all).not.toContain(KEY);
    expect(all).not.toMatch(/sk-proj|abcdefghijkl/);
    expect(failure?.message).toContain('[key]');
  });

  test('that no header can hold is not told either', async () => {
    const { failure } = await hear(ofAnthropic({ apiKey: () => 'sk-ant-\u{1F511}\nsecret' }));
    expect(failure?.kind).toBe('auth');
    expect(inspect(failure, { depth: 20 })).not.toContain('secret');
  });

  test('in the middle of a stream is not told', async () => {
    anthropic.answer(
      streams(async (stream) => {
        await stream.start();
        await stream.fail('api_error', `upstream sent ${KEY}`);
      }),
    );
    expect(inspect((await hear(ofAnthropic())).failure, { depth: 20 })).not.toContain(KEY);
  });

  test('that is refused is said where it comes from', async () => {
    const from = async (deps: object) => {
      anthropic.answer(refuses(401, 'authentication_error', 'no'));
      return (await hear(ofAnthropic(deps))).failure?.message;
    };
    expect(await from({})).toContain('The key comes from the settings of Gantry.');
    const environment = { ANTHROPIC_API_KEY: 'sk-ant-of-the-environment' };
    expect(await from({ apiKey: () => undefined, environment })).toContain(
      'from ANTHROPIC_API_KEY of the environment.',
    );
    expect(await from({ apiKey: () => environment.ANTHROPIC_API_KEY, environment })).toContain('ANTHROPIC_API_KEY');
    expect(await from({ apiKey: () => undefined, environment: { ANTHROPIC_AUTH_TOKEN: 'token-1234' } })).toContain(
      'ANTHROPIC_AUTH_TOKEN',
    );
    expect(await from({ apiKey: () => undefined })).toMatch(/There is no key for it\. Keep one .* ANTHROPIC_API_KEY/);
  });

  test('of the settings goes before that of the environment, a token as a bearer token', async () => {
    anthropic.otherwise(says([{ text: 'x' }]));
    await hear(ofAnthropic({ environment: { ANTHROPIC_API_KEY: 'other' } }));
    await hear(ofAnthropic({ apiKey: async () => undefined, environment: { ANTHROPIC_AUTH_TOKEN: ' token-1 ' } }));
    expect(anthropic.requests.map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
      [`Bearer ${KEY}`, KEY],
      ['Bearer token-1', undefined],
    ]);
  });

  test('that cannot be read is said', async () => {
    const apiKey = () => Promise.reject(new Error('The keychain is locked.'));
    expect((await hear(ofAnthropic({ apiKey }))).failure).toMatchObject({
      kind: 'auth',
      message: 'The key that is kept in Gantry cannot be read: The keychain is locked.',
    });
  });

  test('that is missing for the provider’s own server asks nobody', async () => {
    const fetch = () => expect.unreachable('something was sent');
    for (const provider of ['anthropic', 'openai-compatible'] as const) {
      const deps = { apiKey: () => undefined, fetch };
      const { failure } = await hear(providerFor({ provider, baseUrl: '' }, deps), request());
      expect(failure).toMatchObject({ kind: 'auth', retry: false });
    }
  });
});

describe('the models of a server', () => {
  const signal = new AbortController().signal;

  test('are listed with their names', async () => {
    expect(
      await listModels({ provider: 'anthropic', baseUrl: anthropic.url }, KEY, signal, { environment: {} }),
    ).toEqual([
      { id: 'claude-test', name: 'Claude Test' },
      { id: 'claude-other', name: 'Claude Other' },
    ]);
    const environment = { OPENAI_BASE_URL: chat.url };
    expect(await listModels({ provider: 'openai-compatible' }, undefined, signal, { environment })).toEqual([
      { id: 'chat-test', name: 'chat-test' },
    ]);
  });

  test('are not, and it is said why', async () => {
    const closed = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } as const;
    await expect(listModels(closed, undefined, signal, { environment: {} })).rejects.toMatchObject({ kind: 'network' });
    const keyless = { provider: 'anthropic', baseUrl: anthropic.url } as const;
    const locked = await startAnthropicServer({ key: 'right' });
    const wrong = { ...keyless, baseUrl: locked.url };
    await expect(listModels(wrong, KEY, signal, { environment: {} })).rejects.toMatchObject({ kind: 'auth' });
    await locked.close();
  });
});

test.each([
  [{}, undefined],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'Thu, 01 Jan 2015 00:00:10 GMT' }, 0],
  [{ 'retry-after-ms': '-5' }, 0],
])('a server that says %j asks to wait %s ms', (headers, ms) => {
  expect(retryAfter(new Headers(headers as Record<string, string>), new ManualClock())).toBe(ms);
});
