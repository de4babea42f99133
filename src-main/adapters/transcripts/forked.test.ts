import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAIN_AGENT, type MessageId, type SessionId } from '../../../src-shared/ids.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { defaultSettings } from '../../../src-shared/session/settings.ts';
import { foldSession, type SessionState } from '../../../src-shared/session/state.ts';
import { parseLine, toLine } from '../../../src-shared/session/stored-line.ts';
import { forkedEvents } from '../../app/fork-session.ts';
import { apiMessages } from '../../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../../core/conversation/request-validator.ts';
import { copiedHistory } from '../../core/fork/copied-history.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import { openTranscript } from './open-transcript.ts';

/**
 * Every recording, and every message of it, is a place from which a session can go on: a server takes the conversation
 * with one more message behind it.
 */
const own = join(import.meta.dirname, 'fixtures', 'claude-code-2.1.92');
const shared = process.env.GANTRY_SHARED ?? resolve(import.meta.dirname, '../../../../shared');
const open = join(shared, 'transcripts', 'public');
const missing = !existsSync(open);
if (missing) console.warn(`Skipped: the public transcripts are not at ${open}. Set GANTRY_SHARED to read them.`);

function fork(events: readonly SessionEvent[], upToMessageId?: MessageId): readonly SessionEvent[] {
  const history = copiedHistory(events, { upToMessageId });
  if (history === undefined) throw new Error(`${upToMessageId} is no message of the main agent`);
  return forkedEvents({
    clock: new ManualClock(),
    history: history.events,
    start: {
      sessionId: 'fork' as SessionId,
      title: 'A fork',
      cwd: '/work',
      origin: { kind: 'live', provider: 'anthropic', model: { provider: 'anthropic', model: 'claude-x' } },
      app: 'test',
      settings: defaultSettings(),
      forkedFrom: { title: 'x', seq: history.seq },
    },
  });
}

/** What a server would say of each agent's conversation, with a message behind the main one. */
function faultsIn(forked: readonly SessionEvent[]): readonly string[] {
  const last = forked.at(-1) as SessionEvent;
  const message = { type: 'user-message-added', messageId: 'm', agentId: MAIN_AGENT, text: 'Go on.', from: 'person' };
  const state = foldSession([...forked, { ...message, seq: last.seq + 1, at: last.at, t: last.t } as SessionEvent]);
  const agents = [MAIN_AGENT, ...state.agents.map(({ agentId }) => agentId)];
  return [...agents.flatMap((agentId) => faultsOfRequest(apiMessages(state, agentId))), ...openEnds(state)];
}

const openEnds = ({ calls, requests, turns, agents }: SessionState): readonly string[] => [
  ...calls.filter(({ phase }) => phase === 'queued' || phase === 'executing').map(({ callId }) => `${callId} is open`),
  ...requests.filter(({ end }) => end === undefined).map(({ requestId }) => `${requestId} is open`),
  ...turns.filter(({ end }) => end === undefined).map(({ turnId }) => `${turnId} is open`),
  ...agents.filter(({ until }) => until === undefined).map(({ agentId }) => `${agentId} is open`),
];

const messagesOf = (events: readonly SessionEvent[]): readonly MessageId[] =>
  events.flatMap((event) =>
    (event.type === 'user-message-added' || event.type === 'message-started') && event.agentId === MAIN_AGENT
      ? [event.messageId]
      : [],
  );

describe.each(readdirSync(own))('%s', (name) => {
  test('can be gone on with from its end and from every message', async () => {
    const { events } = await openTranscript(join(own, name));
    const messages = messagesOf(events);
    expect(messages.length).toBeGreaterThan(1);
    expect(faultsIn(fork(events))).toEqual([]);
    for (const messageId of messages) expect([messageId, ...faultsIn(fork(events, messageId))]).toEqual([messageId]);
  });

  test('is copied with its calls, their results and its sub-agents', async () => {
    const { events } = await openTranscript(join(own, name));
    const [before, after] = [foldSession(events), foldSession(fork(events))];
    expect(after.calls.map(({ callId, agentId }) => [callId, agentId])).toEqual(
      before.calls.map(({ callId, agentId }) => [callId, agentId]),
    );
    expect(after.agents.map(({ agentId }) => agentId)).toEqual(before.agents.map(({ agentId }) => agentId));
    expect(after.history).toMatchObject({ calls: before.calls.length, entries: after.entries.length });
    const ends = (state: SessionState) => state.calls.map((call) => 'end' in call && call.end.result);
    for (const [at, end] of ends(before).entries()) if (end) expect(ends(after)[at]).toEqual(end);
  });
});

test('a copy is a journal that is read as it was written, with numbers without gaps', async () => {
  const { events } = await openTranscript(join(own, 'agents-stream'));
  const forked = fork(events);
  expect(forked.map(({ seq }) => seq)).toEqual(forked.map((_, at) => at));
  for (const event of forked) expect(parseLine(toLine(event))).toEqual({ ok: true, value: event });
});

const transcripts = ['claude-code', 'claude-stream-json'].flatMap((name) =>
  missing
    ? []
    : readdirSync(join(open, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(jsonl|txt)$/.test(file))
        .map((file) => join(name, file))
        .sort(),
);

test.skipIf(missing)(
  'public transcripts can be gone on with from their end and from every message',
  async () => {
    expect(transcripts.length).toBeGreaterThan(48);
    const faults: string[] = [];
    for (const file of transcripts) {
      const { events } = await openTranscript(join(open, file));
      const messages = messagesOf(events);
      // Of a long one every tenth: each fork reads all that is before it.
      const some = messages.filter((_, at) => messages.length < 100 || at % 10 === 0);
      for (const messageId of [undefined, ...some]) {
        for (const fault of faultsIn(fork(events, messageId))) faults.push(`${file} ${messageId}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  },
  120_000,
);
