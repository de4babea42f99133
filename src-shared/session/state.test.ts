import { describe, expect, test } from 'vitest';
import type { EventFacts, SessionEvent } from './event.ts';
import { defaultSettings } from './settings.ts';
import { apply, callById, emptySession, foldSession } from './state.ts';

/** Facts as events, a millisecond apart. Ids are plain words. */
type Loose = { readonly type: EventFacts['type']; readonly [fact: string]: unknown };
const eventsOf = (facts: readonly Loose[]): readonly SessionEvent[] =>
  facts.map((fact, seq) => ({ seq, at: 1_000_000 + seq, t: seq, ...fact }) as unknown as SessionEvent);
const fold = (...facts: readonly Loose[]) => foldSession(eventsOf(facts));

const MEASURED = { certainty: 'measured' };
const started: Loose = {
  type: 'session-started',
  sessionId: 's',
  title: 'A title',
  cwd: '/work',
  origin: { kind: 'live', provider: 'scripted' },
  app: 'test',
  settings: defaultSettings(),
};
const queued = (callId: string): Loose => ({
  type: 'call-queued',
  callId,
  agentId: 'main',
  messageId: 'm',
  index: 0,
  tool: 'Bash',
  input: { command: 'ls' },
  summary: 'ls',
  safety: { safe: true, because: 'declared-safe' },
});
const request: Loose = {
  type: 'request-started',
  requestId: 'r',
  agentId: 'main',
  turnId: 't',
  attempt: 1,
  timing: MEASURED,
};
const message = (messageId: string): Loose => ({
  type: 'message-started',
  requestId: 'r',
  messageId,
  agentId: 'main',
  model: 'model-1',
});
const block = (messageId: string, text: string): Loose => ({
  type: 'block-arrived',
  messageId,
  agentId: 'main',
  index: 0,
  block: { kind: 'text', text },
});

describe('the session', () => {
  test('starts with nothing', () => {
    expect(foldSession([])).toEqual(emptySession());
  });

  test('has title, folder, settings and a wall time for its own zero', () => {
    const state = fold(started);
    expect(state).toMatchObject({ sessionId: 's', title: 'A title', cwd: '/work', app: 'test', startedAt: 1_000_000 });
    expect(state.settings).toEqual(defaultSettings());
  });

  test('counts numbers, and its time only goes forwards', () => {
    const state = emptySession();
    for (const t of [0, 50, 20]) {
      const [event] = eventsOf([{ type: 'title-changed', title: 'x' }]);
      apply(state, { ...event, t, seq: state.nextSeq } as SessionEvent);
    }
    expect([state.nextSeq, state.now]).toEqual([3, 50]);
  });

  test('ends, and goes on when it is resumed', () => {
    expect(fold(started, { type: 'session-ended', reason: 'quit' }).ended).toBe('quit');
    const resumed = fold(
      started,
      { type: 'session-ended', reason: 'quit' },
      { type: 'session-resumed', app: 'newer', after: 'clean' },
    );
    expect([resumed.ended, resumed.app]).toEqual([undefined, 'newer']);
  });

  test('a mode is one of its settings', () => {
    const state = fold(started, { type: 'mode-changed', mode: 'plan' });
    expect(state.settings).toEqual({ ...defaultSettings(), mode: 'plan' });
    const changed = fold(started, { type: 'settings-changed', settings: defaultSettings('serial') });
    expect(changed.settings.strategy).toBe('serial');
  });
});

describe('messages', () => {
  test('of persons, program and model stand in one order, with notices between them', () => {
    const state = fold(
      { type: 'user-message-added', messageId: 'u', agentId: 'main', text: 'Hello', from: 'person' },
      request,
      message('m'),
      block('m', 'Hi'),
      { type: 'notice-given', level: 'warning', text: 'Careful', detail: 'why' },
    );
    expect(state.entries).toMatchObject([
      { kind: 'user', text: 'Hello', from: 'person' },
      { kind: 'assistant', blocks: [{ kind: 'text', text: 'Hi' }], discarded: false },
      { kind: 'notice', level: 'warning', text: 'Careful', detail: 'why' },
    ]);
  });

  test('that wait are queued until they are sent or taken back', () => {
    const wait = (id: string): Loose => ({ type: 'user-message-queued', messageId: id, text: id });
    const state = fold(wait('a'), wait('b'), { type: 'user-message-unqueued', messageId: 'a', why: 'removed' });
    expect(state.queuedMessages.map(({ text }) => text)).toEqual(['b']);
  });

  test('that were sent wait no more, also when the word that they left the queue is missing', () => {
    const state = fold(
      { type: 'user-message-queued', messageId: 'a', text: 'a' },
      { type: 'user-message-added', messageId: 'a', agentId: 'main', text: 'a', from: 'person' },
    );
    expect(state.queuedMessages).toEqual([]);
    expect(state.entries).toHaveLength(1);
  });

  test('a block goes to the newest message with its id, and is a tick of its request', () => {
    const state = fold(request, message('m'), block('m', 'a'), block('m', 'b'), block('other', 'c'));
    expect(state.entries[0]).toMatchObject({ blocks: [{ text: 'a' }, { text: 'b' }] });
    expect(state.requests[0]).toMatchObject({ messageId: 'm', model: 'model-1', firstBlockAt: 2, blockTimes: [2, 3] });
  });

  test('an attempt that was thrown away stays, marked', () => {
    const state = fold(request, message('m'), { type: 'attempt-discarded', messageId: 'm' });
    expect(state.entries).toMatchObject([{ messageId: 'm', discarded: true }]);
  });
});

describe('requests and turns', () => {
  test('a request completes with its reason and usage, or fails with its wait', () => {
    const done = fold(request, message('m'), {
      type: 'message-completed',
      messageId: 'm',
      requestId: 'r',
      stopReason: 'end-turn',
      usage: { outputTokens: 3 },
    });
    expect(done.requests[0]?.end).toEqual({
      at: 2,
      kind: 'completed',
      stopReason: 'end-turn',
      usage: { outputTokens: 3 },
    });
    const failed = fold(request, { type: 'request-failed', requestId: 'r', message: 'Busy', retryInMs: 500 });
    expect(failed.requests[0]?.end).toEqual({ at: 1, kind: 'failed', message: 'Busy', retryInMs: 500 });
  });

  test('a turn ends for a reason', () => {
    const state = fold(
      { type: 'turn-started', turnId: 't', agentId: 'main' },
      { type: 'turn-ended', turnId: 't', agentId: 'main', reason: 'error', message: 'Busy' },
    );
    expect(state.turns).toEqual([
      { turnId: 't', agentId: 'main', from: 0, end: { at: 1, reason: 'error', message: 'Busy' } },
    ]);
  });

  test('interrupts and stopped continuations are remembered with their time', () => {
    const state = fold(
      { type: 'interrupt-requested', reason: 'escape' },
      { type: 'continuation-stopped', reason: 'A hook said so' },
    );
    expect(state.interrupts).toEqual([{ reason: 'escape', at: 0 }]);
    expect(state.stops).toEqual([{ callId: undefined, reason: 'A hook said so', at: 1 }]);
  });
});

describe('calls and batches', () => {
  const start = (callId: string, batchId = 'b'): Loose => ({
    type: 'call-started',
    callId,
    lane: 0,
    batchId,
    timing: MEASURED,
  });
  const open: Loose = { type: 'batch-started', batchId: 'b', agentId: 'main', messageId: 'm', kind: 'safe' };

  test('a call is found by its id, whatever the id', () => {
    const state = fold(queued('__proto__'), queued('constructor'));
    expect(callById(state, '__proto__' as never)?.phase).toBe('queued');
    expect(callById(state, 'constructor' as never)?.phase).toBe('queued');
    expect(callById(state, 'toString' as never)).toBeUndefined();
  });

  test('a second call with the same id is not one', () => {
    expect(fold(queued('a'), queued('a')).calls).toHaveLength(1);
  });

  test('news of a call that nobody queued is left out', () => {
    expect(fold(start('a'), { type: 'call-yielded', callId: 'a' }).calls).toEqual([]);
  });

  test('a batch that was not planned has the calls that started in it', () => {
    const state = fold(queued('a'), queued('b'), open, start('a'), start('b'), { type: 'batch-ended', batchId: 'b' });
    expect(state.batches).toEqual([
      { batchId: 'b', agentId: 'main', messageId: 'm', kind: 'safe', from: 2, until: 5, callIds: ['a', 'b'] },
    ]);
  });

  test('a batch that was planned keeps its plan, and the plan’s event stays as it was', () => {
    const events = eventsOf([
      queued('a'),
      queued('b'),
      queued('c'),
      { type: 'batch-planned', batchId: 'b', agentId: 'main', messageId: 'm', kind: 'safe', callIds: ['a', 'b'] },
      open,
      start('a'),
      start('c'),
    ]);
    expect(foldSession(events).batches).toMatchObject([{ from: 4, until: undefined, callIds: ['a', 'b', 'c'] }]);
    expect(events[3]).toMatchObject({ callIds: ['a', 'b'] });
  });

  test('a call that started twice joins its batch once', () => {
    expect(fold(queued('a'), open, start('a'), start('a')).batches[0]?.callIds).toEqual(['a']);
  });

  test('a cascade names culprit, policy and victims', () => {
    const state = fold({ type: 'cascade-triggered', culprit: 'a', policy: 'bash', victims: ['b'] });
    expect(state.cascades).toEqual([{ culprit: 'a', policy: 'bash', victims: ['b'], at: 0 }]);
  });
});

describe('agents and hooks', () => {
  test('an agent runs from its start to its end', () => {
    const state = fold(
      { type: 'agent-started', agentId: 'x', depth: 1, name: 'scout', agentType: 'explore', prompt: 'Look' },
      { type: 'agent-ended', agentId: 'x' },
    );
    expect(state.agents).toMatchObject([{ agentId: 'x', parentCallId: undefined, from: 0, until: 1 }]);
  });

  test('a hook’s run belongs to its call', () => {
    const state = fold(
      queued('a'),
      { type: 'hook-started', runId: 'h', callId: 'a', hookEvent: 'PreToolUse', command: 'check.sh', timing: MEASURED },
      { type: 'hook-ended', runId: 'h', exitCode: 2, outcome: 'deny', stdout: '', stderr: 'No', effects: [] },
    );
    expect(state.hookRuns).toMatchObject([{ runId: 'h', from: 1, end: { at: 2, exitCode: 2, outcome: 'deny' } }]);
    expect(callById(state, 'a' as never)?.hookRuns).toEqual(['h']);
  });

  test('a hook’s run knows where it is set and what there is to know of it', () => {
    const source = '/shop/.claude/settings.json';
    const notice = 'check.sh could not be run (exit code 127) and decided nothing.';
    const state = fold(
      { type: 'hook-started', runId: 'h', hookEvent: 'Stop', command: 'check.sh', source, timing: MEASURED },
      { type: 'hook-ended', runId: 'h', outcome: 'error', stdout: '', stderr: '', effects: [], notice },
    );
    expect(state.hookRuns).toMatchObject([{ source, end: { notice } }]);
  });
});
