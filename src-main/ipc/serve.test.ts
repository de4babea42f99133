import type { IpcMainInvokeEvent } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import { REQUEST_CHANNEL } from '../../src-shared/ipc/channels.ts';
import { contract, type Handlers } from '../../src-shared/ipc/contract.ts';
import type { Result } from '../../src-shared/result.ts';
import { serveRequests } from './serve.ts';

type Invoke = (event: unknown, name: unknown, input: unknown) => Promise<Result<unknown, Failure>>;
const handled = vi.hoisted(() => new Map<string, unknown>());
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, handler: unknown) => handled.set(channel, handler) },
}));

const OURS = { ours: true } as unknown as IpcMainInvokeEvent;
let calls: [string, unknown][];
let bugs: [string, unknown][];
let answer: (name: string, input: unknown) => unknown;

beforeEach(() => {
  calls = [];
  bugs = [];
  answer = () => undefined;
  handled.clear();
  const handlers = new Proxy({} as Handlers, {
    get: (_, name: string) => async (input: unknown) => {
      calls.push([name, input]);
      return answer(name, input);
    },
  });
  serveRequests({
    handlers: () => handlers,
    isOurs: (event) => (event as unknown as { readonly ours: boolean }).ours,
    onBug: (request, error) => bugs.push([request, error]),
  });
});

const ask = (name: unknown, input?: unknown, event: unknown = OURS) =>
  (handled.get(REQUEST_CHANNEL) as Invoke)(event, name, input);

test('a request that fits reaches its handler, parsed, and its answer comes as a value', async () => {
  answer = () => ({ queued: true });
  const input = { sessionId: 's', text: 'Hello', more: 'than asked' };
  expect(await ask('session.send', input)).toEqual({ ok: true, value: { queued: true } });
  expect(calls).toEqual([['session.send', { sessionId: 's', text: 'Hello' }]]);
});

test('an answer of many events comes as one text', async () => {
  const page = { events: [{ seq: 0, type: 'queue-held' }], more: false, total: 1 };
  answer = () => page;
  const sent = await ask('session.attach', { sessionId: 's', fromSeq: 0 });
  expect(sent).toEqual({ ok: true, value: expect.any(String) });
  expect(JSON.parse(sent.ok ? (sent.value as string) : '')).toEqual(page);
});

test('a page that is not ours may ask nothing', async () => {
  const refused = { ok: false, error: { kind: 'bad-input', message: 'This page may not ask anything.' } };
  expect(await ask('sessions.list', undefined, { ours: false })).toEqual(refused);
  const gone = {
    get ours(): boolean {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    },
  };
  expect(await ask('sessions.list', undefined, gone)).toEqual(refused);
  expect(calls).toEqual([]);
});

test.each([
  'nothing',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  7,
  undefined,
  ['sessions.list'],
  {},
])('there is no request %j', async (name) => {
  expect(await ask(name)).toEqual({ ok: false, error: { kind: 'bad-input', message: 'There is no such request.' } });
  expect(calls).toEqual([]);
});

test.each([
  ['session.send', undefined],
  ['session.send', { sessionId: 's', text: '' }],
  ['session.send', { sessionId: '', text: 'x' }],
  ['session.send', { sessionId: 's', text: 7 }],
  ['session.attach', { sessionId: 's', fromSeq: -1 }],
  ['session.interrupt', { sessionId: 's', reason: 'shutdown' }],
  ['permission.answer', { sessionId: 's', callId: 'c', askId: 'a', answer: { kind: 'allow-always' } }],
  ['output.read', { sessionId: 's', callId: 'c', offset: 0, length: 10_000_000 }],
  ['session.set-mode', { sessionId: 's', mode: 'root' }],
] as const)('%s with %j is refused before any handler runs', async (name, input) => {
  const result = await ask(name, input);
  expect(result).toMatchObject({ ok: false, error: { kind: 'bad-input' } });
  expect(result.ok ? '' : result.error.message).toMatch(
    new RegExp(`^The request ${name.replace('.', '\\.')} does not fit`),
  );
  expect(calls).toEqual([]);
});

test('a message that is too large is not even parsed', async () => {
  const result = await ask('session.interrupt', { sessionId: 's', reason: 'x'.repeat(5_000_000) });
  expect(result).toEqual({
    ok: false,
    error: { kind: 'bad-input', message: 'The request session.interrupt is not looked at: it is too large.' },
  });
  const answer = { kind: 'allow-edited', input: new Map([['command', 'ls']]) };
  expect(await ask('permission.answer', { sessionId: 's', callId: 'c', askId: 'a', answer })).toMatchObject({
    ok: false,
  });
  expect(calls).toEqual([]);
});

test('what does not fit is told by its place', async () => {
  const result = await ask('session.attach', { sessionId: 's', fromSeq: 'x' });
  expect(result.ok ? '' : result.error.message).toContain(' at fromSeq: ');
});

test('an expected failure travels whole, and is no bug', async () => {
  const failure: Failure = { kind: 'busy', message: 'The session runs.', hint: 'Stop it first.' };
  answer = () => {
    throw new FailureError(failure);
  };
  expect(await ask('session.remove', { sessionId: 's' })).toEqual({ ok: false, error: failure });
  expect(bugs).toEqual([]);
});

test('a bug is reported with its stack to us, and to the page in one line without it', async () => {
  const bug = new Error('x is undefined\n    at main (/app/index.js:1:1)');
  answer = () => Promise.reject(bug);
  expect(await ask('sessions.list')).toEqual({ ok: false, error: { kind: 'internal', message: 'x is undefined' } });
  expect(bugs).toEqual([['sessions.list', bug]]);
  answer = () => Promise.reject('just words');
  expect(await ask('sessions.list')).toEqual({ ok: false, error: { kind: 'internal', message: 'just words' } });
});

test('every request of the contract is served', async () => {
  for (const name of Object.keys(contract.requests)) {
    const result = await ask(name, {});
    expect(result.ok || result.error.message, name).not.toBe('There is no such request.');
  }
});
