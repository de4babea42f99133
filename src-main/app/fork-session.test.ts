import { describe, expect, test } from 'vitest';
import { Story } from '../../src-renderer/conversation/story.ts';
import { FailureError } from '../../src-shared/failure.ts';
import { type CallId, MAIN_AGENT, type MessageId, type SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { defaultSettings } from '../../src-shared/session/settings.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import { spentOf } from '../../src-shared/session/tokens.ts';
import { millis } from '../../src-shared/units.ts';
import { apiMessages } from '../core/conversation/api-messages.ts';
import { faultsOfRequest } from '../core/conversation/request-validator.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { SessionLibrary } from './session-library.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, HandModel, says } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { MemorySessionStore } from './testing/memory-session-store.ts';
import { told } from './testing/session-bench.ts';

const CLAUDE: ModelChoice = { provider: 'anthropic', model: 'claude-x' };

/** A recording that ends in the middle of a call, and tells of what it was allowed. */
function recording(): readonly SessionEvent[] {
  const story = new Story('Shop', { kind: 'imported', format: 'claude-code', path: '/x.jsonl', clock: 'recorded' });
  story.at(1_000).you('First').request().says('I look.').call('done', 'Read', 'a.ts').said();
  story.starts('done').asks('done', { title: 'Read?' });
  story.add({
    type: 'permission-settled',
    callId: 'done' as CallId,
    verdict: 'allow',
    by: 'user',
    trace: [],
    rule: { text: 'Bash', scope: 'session' },
  });
  story.add({ type: 'call-spent', callId: 'done' as CallId, model: 'x', usage: { inputTokens: 7 } });
  story.add({ type: 'mode-changed', mode: 'bypassPermissions' });
  story.add({ type: 'settings-changed', settings: { ...defaultSettings(), mode: 'bypassPermissions' } });
  story.add({ type: 'context-modified', callId: 'done' as CallId, changes: [], cwd: '/elsewhere' });
  story.at(2_000).ends('done', { result: 'text of a' });
  story.at(3_000).request().says('And now this.').call('open', 'Bash', 'sleep 60').starts('open');
  story.add({ type: 'user-message-queued', messageId: 'q' as MessageId, text: 'Waiting words' });
  return story.events;
}

function setUp(events: readonly SessionEvent[] = recording()) {
  const store = new MemorySessionStore();
  const clock = new ManualClock();
  clock.advance(millis(1_000_000));
  const model = new HandModel();
  const hooks = new FakeHookRunner();
  const library = new SessionLibrary({
    store,
    clock,
    newId: countingIds(),
    readTranscript: async (path) => ({ path, findings: [], events }),
    toolsFor: () => new HandTools(),
    scriptedProvider: () => model,
    providerFor: () => model,
    prepareScenario: async (_scenario, scratch) => scratch,
    hooksFor: () => ({ runner: hooks, transcriptPath: '/j' }),
    app: 'test',
    ensureFolder: async (path) => {
      if (path !== '/work') throw new FailureError({ kind: 'not-found', message: `${path} is not there.` });
    },
  });
  const fork = async (more: { upToMessageId?: MessageId; seq?: number; prompt?: string } = {}) => {
    const { sessionId: of } = await library.transcripts.open('/x.jsonl', new AbortController().signal);
    const sessionId = await library.forkSession({ sessionId: of, cwd: '/work', model: CLAUDE, ...more });
    await quiet();
    return { sessionId, session: await library.live(sessionId) };
  };
  return { store, clock, model, hooks, library, fork };
}

describe('a fork of a recording', () => {
  test('goes on with its history, whose open call has an honest end', async () => {
    const { fork, model, hooks } = setUp();
    const { session } = await fork({ prompt: 'Go on' });
    const { messages } = model.now.request;
    expect(faultsOfRequest(messages)).toEqual([]);
    expect(told(messages)).toEqual([
      'user: First',
      'model: I look.',
      'model: [Read done]',
      'result done: text of a',
      'model: And now this.',
      'model: [Bash open]',
      'result open (error): The history that this session goes on from ends before this call had a result.',
      'user: Go on',
    ]);
    expect(hooks.inputs.find(({ event }) => event === 'SessionStart')).toMatchObject({ source: 'fork' });
    const { state } = session.log;
    expect(state).toMatchObject({
      title: 'Shop (continued)',
      cwd: '/work',
      forkedFrom: { path: '/x.jsonl', title: 'Shop' },
      history: { calls: 2, entries: 3 },
    });
    await model.now.send(begins(), says('Done.'), ends());
    expect(session.running).toBe(false);
  });

  test('was allowed nothing: rules, modes, folders and messages that wait are not copied', async () => {
    const { session } = await setUp().fork();
    const { state, events } = session.log;
    expect(state.settings.mode).toBe('default');
    expect(state.folders).toEqual([]);
    expect(state.queuedMessages).toEqual([]);
    expect(events.filter(({ type }) => type.startsWith('permission-') || type === 'mode-changed')).toEqual([]);
  });

  test('is in the list as begun now, and its clock goes on behind the history', async () => {
    const { fork, library, clock, model } = setUp();
    const { sessionId, session } = await fork();
    expect(session.log.now).toBe(3_000);
    const row = library.list().find((one) => one.sessionId === sessionId);
    expect(row).toMatchObject({ startedAt: clock.now(), durationMs: 0, kind: 'live' });
    session.send('Hello');
    await quiet();
    await model.now.send(begins(), says('Hi'), ends());
    // What the recording had spent is not spent again.
    expect(spentOf(session.log.state)).toMatchObject({ tokensIn: 0, tokensOut: 1 });
  });

  test('is written whole, and opens again as it was', async () => {
    const { fork, store } = setUp();
    const { sessionId, session } = await fork();
    const kept = store.kept.get(sessionId)?.store.events ?? [];
    expect(kept).toEqual(session.log.events);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at));
    expect(apiMessages(foldSession(kept), MAIN_AGENT)).toEqual(apiMessages(session.log.state, MAIN_AGENT));
  });

  test('ends at the chosen message: an answer with the results of its calls, a question alone', async () => {
    const { fork, model } = setUp();
    await fork({ upToMessageId: 'message-2' as MessageId, prompt: 'Other' });
    expect(told(model.now.request.messages).slice(2)).toEqual([
      'model: [Read done]',
      'result done: text of a',
      'user: Other',
    ]);
    await fork({ upToMessageId: 'message-1' as MessageId, prompt: 'Other' });
    expect(told(model.now.request.messages)).toEqual(['user: First', 'user: Other']);
    await expect(fork({ upToMessageId: 'nowhere' as MessageId })).rejects.toThrow(FailureError);
  });

  test('is proposed the recorded folder only where it is there', async () => {
    const { library } = setUp();
    const { sessionId } = await library.transcripts.open('/x.jsonl', new AbortController().signal);
    expect(await library.forkOptions(sessionId)).toEqual({});
    await expect(library.forkSession({ sessionId, cwd: '/gone', model: CLAUDE })).rejects.toThrow(FailureError);
    expect(library.list()).toHaveLength(1);
  });
});

test('a session of ours is forked while it runs, and is not disturbed', async () => {
  const { library, model, fork } = setUp();
  const { sessionId, session } = await fork({ prompt: 'Go on' });
  await model.now.send(begins(), says('Half'));
  const other = await library.live(await library.forkSession({ sessionId, cwd: '/work', model: CLAUDE }));
  expect(other.log.state.title).toBe('Shop (continued) (fork)');
  expect(other.log.state.requests.at(-1)?.end).toMatchObject({ kind: 'failed' });
  expect(session.running).toBe(true);
  await model.streams[0]?.send(says(' and half.'), ends());
  expect(session.running).toBe(false);
  expect(other.log.state.forkedFrom).toEqual({
    sessionId: sessionId as SessionId,
    title: 'Shop (continued)',
    seq: expect.any(Number),
  });
});
