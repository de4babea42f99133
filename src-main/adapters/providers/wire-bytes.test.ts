import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MessageId, SessionId } from '../../../src-shared/ids.ts';
import type { ModelChoice } from '../../../src-shared/model/choice.ts';
import { millis } from '../../../src-shared/units.ts';
import type { LiveSession } from '../../app/live-session.ts';
import { SessionLibrary } from '../../app/session-library.ts';
import { quiet } from '../../app/testing/bench.ts';
import { HandModel } from '../../app/testing/hand-model.ts';
import { HandTools } from '../../app/testing/hand-tools.ts';
import { faultsOfRequest, type RequestMessage } from '../../core/conversation/request-validator.ts';
import type { Clock } from '../../ports/clock.ts';
import { systemClock } from '../process/system-clock.ts';
import { SessionFolders } from '../storage/session-folders.ts';
import { refuses, says, type WireBlock } from './testing/anthropic-server.ts';
import { chats } from './testing/chat-server.ts';
import { DIALECTS, type Dialect, type DialectBlock } from './testing/dialects.ts';
import { providerFor } from './testing/hear.ts';
import { bySizes } from './testing/split.ts';
import type { Answer, WireServer } from './testing/wire-server.ts';

/**
 * What goes over the wire, byte by byte, through the SDKs, with journals on disk: over turns, retries, resumes, forks and
 * compactions nothing that was said changes.
 */

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const CACHE = ',"cache_control":{"type":"ephemeral"}';
/** What JSON can be written in more than one way, and what would not survive a copy field by field. */
const INPUT = {
  command: 'printf "\\u00e9\\n" | grep -c "日本語 🏴‍☠️" \u2028 \ud83d',
  '10': 1,
  '2': { __proto__: null, nested: [null, 1e21, -0.5, [], {}, ''] },
  empty: {},
};
const THOUGHT = { thinking: 'Größe? 🤔\n  "so" \u0000 \u2029 \\u0041', signature: 'EqQBCgIYAhIM/+=\\u003d"' };
const HIDDEN = { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3pzix/LafPsn4a' };

/** Takes whatever it is given, and answers with words and a picture. */
const tools = () =>
  new HandTools([
    new HandTools().tool('Now', {
      isConcurrencySafe: () => true,
      checkPermissions: async () => ({ verdict: 'allow', because: 'it is a test' }),
      call: async ({ command }) => ({ output: `now ${command}`, isError: false }),
      mapResult: (text) => ({
        content: [
          { type: 'text', text },
          { type: 'image', mediaType: 'image/png', data: PIXEL },
        ],
        isError: false,
      }),
    }),
  ]);

/** Waits before another try are over at once. */
const hasty: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  schedule: (wait, run) => systemClock.schedule(wait < 5_000 ? millis(0) : wait, run),
};

let root: string;
let server: WireServer;
let library: SessionLibrary;
let dialect: Dialect;
let ids = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-bytes-'));
});
afterEach(async () => {
  await library.closeAll('closed');
  const { faults } = server;
  await server.close();
  rmSync(root, { recursive: true, force: true });
  expect(faults).toEqual([]);
});

async function open(): Promise<void> {
  library = new SessionLibrary({
    store: new SessionFolders(root),
    clock: hasty,
    newId: (prefix) => `${prefix}-${++ids}`,
    readTranscript: async (path) => ({ path, findings: [], events: [] }),
    toolsFor: tools,
    scriptedProvider: () => new HandModel(),
    providerFor: (choice) => providerFor({ ...choice, provider: dialect.provider, baseUrl: server.url }),
    prepareScenario: async (_scenario, scratch) => scratch,
    app: 'test',
  });
  await library.load();
}

/** The app is closed, and opened again. */
async function reopen(sessionId: SessionId): Promise<LiveSession> {
  await library.closeAll('closed');
  await open();
  return library.live(sessionId);
}

async function until(isSo: () => unknown): Promise<void> {
  while (!isSo()) await quiet();
}

/** Sends a message and waits for the turn's end. */
async function turn(session: LiveSession, text: string, ...answers: readonly Answer[]): Promise<void> {
  const before = session.log.state.turns.filter(({ end }) => end !== undefined).length;
  server.answer(...answers);
  session.send(text);
  await ended(session, before + 1);
}

async function ended(session: LiveSession, turns: number): Promise<void> {
  await until(() => session.log.state.turns.filter(({ end }) => end !== undefined).length === turns);
  await session.idle;
  expect(session.log.state.turns.at(-1)?.end?.reason).toBe('completed');
}

/** A message with thoughts before its blocks, in the words of the format. */
function thoughtful(...blocks: readonly DialectBlock[]): Answer {
  const options = { delta: 3, split: bySizes([1, 7, 2, 40, 3]) };
  if (dialect.provider === 'openai-compatible') return chats([{ reasoning: THOUGHT.thinking }, ...blocks], options);
  const all: readonly WireBlock[] = [THOUGHT, { raw: HIDDEN }, ...blocks];
  return says(all, options);
}

const call = (id: string): DialectBlock => ({ tool: 'Now', id, input: { command: INPUT.command, times: 2 } });
/** Its input fits no schema: it goes back as it came all the same. */
const odd = (id: string): DialectBlock => ({ tool: 'Now', id, input: INPUT });

const bodies = () => server.requests.map(({ body }) => body as { messages: RequestMessage[]; tools: unknown });
/** The messages of a request as they were sent, without cache marks and without what closes them. */
function sent(at: number): string {
  const { text } = server.requests.at(at) ?? { text: '' };
  const messages = JSON.stringify(bodies().at(at)?.messages);
  expect(text).toContain(`"messages":${messages}`);
  return messages.replaceAll(CACHE, '').replace(/\]$/, '');
}

/** All that is not messages: tools, system prompt, limits. */
function rest(at: number): string {
  const { messages: _, ...others } = bodies().at(at) ?? { messages: [] };
  return JSON.stringify(others);
}

/** Each request begins with the bytes of the one before. @param from the first one of a stretch. */
function expectPrefixes(from: number, until = server.requests.length): void {
  for (let at = from + 1; at < until; at++) {
    expect(sent(at).startsWith(sent(at - 1)), `request ${at} begins with the bytes of the one before`).toBe(true);
    expect(rest(at)).toBe(rest(from));
  }
}

/** Marks stand at the end of the tools and of the last message, and nowhere else. */
function expectMarks(): void {
  for (const { text } of server.requests) {
    if (dialect.provider === 'openai-compatible') {
      expect(text).not.toContain('cache_control');
      continue;
    }
    const marks = [...text.matchAll(/"cache_control":\{"type":"ephemeral"\}/g)].map(({ index }) => index);
    const ends = [...text.matchAll(/"cache_control":\{"type":"ephemeral"\}\}\](?:\}\])?,"/g)].map(({ index }) => index);
    expect(marks).toEqual(ends);
    expect(marks).toHaveLength(2);
  }
}

describe.each(DIALECTS)('over $provider', { timeout: 60_000 }, (one) => {
  let choice: ModelChoice;
  let session: LiveSession;
  let sessionId: SessionId;

  beforeEach(async () => {
    dialect = one;
    server = await dialect.startServer();
    choice = { provider: dialect.provider, model: 'claude-test', contextWindow: 1_000_000 };
    await open();
    server.answer(
      thoughtful({ text: 'I look: naïve “é”.' }, call('a'), odd('b')),
      thoughtful({ text: ' Seen \t🎉\n' }),
    );
    const images = [{ mediaType: 'image/png', data: PIXEL } as const];
    sessionId = await library.startSession({ cwd: root, model: choice, prompt: 'Look at this\r\n é', images });
    session = await library.live(sessionId);
    await ended(session, 1);
  });

  /** What the first turn has left, as the format writes it. */
  function expectFirstTurn(at: number): void {
    const text = sent(at);
    const input = JSON.stringify({ command: INPUT.command, times: 2 });
    const oddInput = JSON.stringify(INPUT);
    if (dialect.provider === 'anthropic') {
      const { thinking, signature } = THOUGHT;
      expect(text).toContain(
        [
          JSON.stringify({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } }),
          JSON.stringify({ type: 'text', text: 'Look at this\r\n é' }),
        ].join(','),
      );
      expect(text).toContain(
        `{"role":"assistant","content":[${[
          JSON.stringify({ type: 'thinking', thinking, signature }),
          JSON.stringify(HIDDEN),
          JSON.stringify({ type: 'text', text: 'I look: naïve “é”.' }),
          `{"type":"tool_use","id":"a","name":"Now","input":${input}}`,
          `{"type":"tool_use","id":"b","name":"Now","input":${oddInput}}`,
        ].join(',')}]}`,
      );
      expect(text).toContain(JSON.stringify({ type: 'text', text: ' Seen \t🎉\n' }));
      expect(text.split('"type":"image"').length).toBeGreaterThan(2);
      return;
    }
    expect(text).not.toContain('Größe?');
    expect(text).toContain(JSON.stringify({ name: 'Now', arguments: input }));
    expect(text).toContain(JSON.stringify({ name: 'Now', arguments: oddInput }));
    expect(text.split(`data:image/png;base64,${PIXEL}`).length).toBeGreaterThan(2);
    expect(text).toContain(JSON.stringify({ role: 'assistant', content: ' Seen \t🎉\n' }));
  }

  test('turns, retries and three openings leave every byte as it was', async () => {
    await turn(
      session,
      'Again',
      dialect.refuses(529, 'Busy', { 'retry-after-ms': '1' }),
      dialect.streams(async (stream) => {
        await stream.start();
        await stream.block({ text: 'Half' });
        stream.wire.cut();
      }),
      thoughtful(call('c')),
      thoughtful({ text: 'Done.' }),
    );
    for (let n = 0; n < 3; n++) {
      const again = await reopen(sessionId);
      await turn(again, `Opened ${n}`, thoughtful({ text: 'So.' }, call(`d${n}`)), thoughtful({ text: 'Yes.' }));
    }
    // The try after a stream that broke asks for the whole answer at once; nothing else of it is different.
    const texts = server.requests.map(({ text }) => text);
    expect(texts[3]).toBe(texts[2]);
    expect(bodies()[4]?.messages).toEqual(bodies()[2]?.messages);
    for (const at of [2, server.requests.length - 1]) expectFirstTurn(at);
    const plain = server.requests.map((_, at) => at).filter((at) => at !== 4);
    for (const [n, at] of plain.entries()) {
      if (n === 0) continue;
      expect(sent(at).startsWith(sent(plain[n - 1] as number)), `request ${at}`).toBe(true);
      expect(rest(at)).toBe(rest(0));
    }
    expectMarks();
  });

  test('a fork, and a fork of the fork, send the bytes of the session they come from', async () => {
    const fork = await library.forkSession({ sessionId, cwd: root, model: choice });
    await turn(await library.live(fork), 'In the fork', thoughtful(call('c')), thoughtful({ text: 'Done.' }));
    const again = await reopen(fork);
    await turn(again, 'Opened', thoughtful({ text: 'Yes.' }));
    const second = await library.forkSession({ sessionId: fork, cwd: root, model: choice });
    await turn(await library.live(second), 'In the second', thoughtful({ text: 'Yes.' }));
    expectPrefixes(0);
    expectFirstTurn(server.requests.length - 1);
    expectMarks();
    // Up to a message of the middle, the bytes up to there are the same.
    const entries = session.log.state.entries.filter((entry) => entry.kind === 'assistant');
    const upToMessageId = entries[0]?.messageId as MessageId;
    const part = await library.forkSession({ sessionId, cwd: root, model: choice, upToMessageId });
    await turn(await library.live(part), 'Other', thoughtful({ text: 'Yes.' }));
    expect(sent(-1).startsWith(sent(1).replace(/\}$/, '').replace(/\]$/, ''))).toBe(true);
  });

  test('what a compaction keeps, and what follows it, stays byte for byte, opened again and forked', async () => {
    const big = 'x'.repeat(30_000);
    await turn(session, `Long ${big}`, thoughtful({ text: 'Yes.' }));
    await turn(
      session,
      'Short',
      thoughtful({ text: 'I look.' }, call('kept'), odd('odd')),
      thoughtful({ text: 'Yes.' }),
    );
    const before = sent(-1);
    server.answer(dialect.says([{ text: 'They sent a picture.' }]));
    expect(session.compact('')).toBe(false);
    await ended(session, 4);
    const first = server.requests.length;
    await turn(session, 'And now', thoughtful({ text: 'Yes.' }));
    const text = sent(first);
    expect(text).toContain('They sent a picture.');
    expect(text).not.toContain(big);
    // What stays, from the answer before it on, is a piece of what had been sent.
    const kept = before.slice(before.indexOf('I look.', before.indexOf('Short')));
    expect(kept.length).toBeGreaterThan(400);
    expect(text).toContain(kept);
    const again = await reopen(sessionId);
    await turn(again, 'Opened', thoughtful(call('c')), thoughtful({ text: 'Yes.' }));
    const fork = await library.forkSession({ sessionId, cwd: root, model: choice });
    await turn(await library.live(fork), 'Forked', thoughtful({ text: 'Yes.' }));
    expectPrefixes(first);
    for (const { messages } of dialect.provider === 'anthropic' ? bodies() : []) {
      expect(faultsOfRequest(messages)).toEqual([]);
    }
  });
});

describe('thoughts that the server has refused', () => {
  const WORDS =
    'messages.1.content.0: Invalid `signature` in `thinking` block. It is bound to a different conversation.';
  const refusal = refuses(400, 'invalid_request_error', WORDS);
  const choice: ModelChoice = { provider: 'anthropic', model: 'claude-test' };

  beforeEach(async () => {
    dialect = DIALECTS[0] as Dialect;
    server = await dialect.startServer();
    await open();
  });

  test('are not sent again by a resumed session nor by a fork; those that came afterwards are', async () => {
    server.answer(thoughtful({ text: 'One.' }));
    const sessionId = await library.startSession({ cwd: root, model: choice, prompt: 'First' });
    const session = await library.live(sessionId);
    await ended(session, 1);
    const later = { thinking: 'Later', signature: 'later' };
    await turn(session, 'Second', refusal, says([later, { text: 'Two.' }]));
    expect(server.requests).toHaveLength(3);
    await turn(session, 'Third', says([{ text: 'Three.' }]));
    const again = await reopen(sessionId);
    await turn(again, 'Fourth', says([{ text: 'Four.' }]));
    const fork = await library.forkSession({ sessionId, cwd: root, model: choice });
    await turn(await library.live(fork), 'Fifth', says([{ text: 'Five.' }]));
    expect(server.requests).toHaveLength(6);
    expectPrefixes(2);
    for (let at = 2; at < 6; at++) expect(sent(at)).not.toContain('Größe');
    for (let at = 3; at < 6; at++) expect(sent(at)).toContain(JSON.stringify({ type: 'thinking', ...later }));
  });
});
