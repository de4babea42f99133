import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant, sessionTime } from '../units.ts';
import { SessionEvent, type SessionEventType } from './event.ts';
import { defaultSettings } from './settings.ts';
import { foldSession, type SessionState } from './state.ts';
import { parseLine, toLine } from './stored-line.ts';

/** Few ids, so that events meet; odd ones among them. */
const id = fc.constantFrom('a', 'b', 'c', '__proto__');
const words = fc.oneof(fc.string({ maxLength: 6, unit: 'binary' }), fc.constant('\n'));
const timing = fc.constant({ certainty: 'measured' });
// JSON knows no negative zero, and neither does a journal.
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const trace = fc.array(fc.constant({ step: 'user', verdict: 'deny', text: 'no' }), { maxLength: 2 });
const result = fc.record({
  content: fc.array(fc.record({ type: fc.constant('text'), text: words }), { maxLength: 2 }),
  isError: fc.boolean(),
});
const kind = fc.constantFrom('safe', 'exclusive');
const onCall = <T extends object>(facts: T) => ({ callId: id, ...facts });

/** How the facts of each type are made up. A type that is left out does not compile. */
const FACTS: { readonly [T in SessionEventType]: Readonly<Record<string, fc.Arbitrary<unknown>>> } = {
  'session-started': {
    sessionId: id,
    title: words,
    cwd: words,
    origin: fc.constant({ kind: 'live', provider: 'x' }),
    app: words,
    settings: fc.constantFrom(defaultSettings(), defaultSettings('batch')),
    forkedFrom: fc.constant({ title: 'x', seq: 3 }),
  },
  'session-resumed': { app: words, after: fc.constantFrom('clean', 'crash') },
  'session-ended': { reason: fc.constantFrom('closed', 'quit') },
  'title-changed': { title: words, usage: fc.constantFrom({}, { outputTokens: 3, costUsd: 0.5 }) },
  'model-chosen': { model: fc.constant({ provider: 'anthropic', model: 'x' }) },
  'prompt-prepared': { agentId: id, text: words, sources: fc.constant([{ path: 'x', kind: 'user', chars: 3 }]) },
  'settings-changed': { settings: fc.constant(defaultSettings('serial')) },
  'mode-changed': { mode: fc.constantFrom('plan', 'default') },
  'turn-started': { turnId: id, agentId: id },
  'turn-ended': { turnId: id, agentId: id, reason: fc.constantFrom('completed', 'error') },
  'user-message-added': { messageId: id, agentId: id, text: words, from: fc.constantFrom('person', 'program') },
  'user-message-queued': { messageId: id, text: words },
  'user-message-unqueued': { messageId: id, why: fc.constantFrom('sent', 'removed') },
  'interrupt-requested': { reason: fc.constantFrom('escape', 'interrupt') },
  'attempt-discarded': { messageId: id },
  'continuation-stopped': { reason: words },
  'agent-started': { agentId: id, depth: fc.nat(3), name: words, agentType: words, prompt: words },
  'agent-ended': { agentId: id, reason: fc.constantFrom('completed', 'rejected'), calls: fc.nat(9), tokens: fc.nat(9) },
  'notice-given': { level: fc.constantFrom('info', 'error'), text: words },
  'request-started': { requestId: id, agentId: id, turnId: id, attempt: fc.integer({ min: 1, max: 3 }), timing },
  'message-started': { requestId: id, messageId: id, agentId: id, model: words },
  'block-growing': {
    messageId: id,
    agentId: id,
    index: fc.nat(3),
    kind: fc.constantFrom('text', 'thinking', 'tool-use'),
    added: words,
    size: fc.nat(9),
  },
  'block-arrived': {
    messageId: id,
    agentId: id,
    index: fc.nat(3),
    block: fc.oneof(
      fc.record({ kind: fc.constant('text'), text: words }),
      fc.record({ kind: fc.constant('tool-use'), callId: id, tool: words }),
      fc.record({ kind: fc.constant('other'), raw: json }),
    ),
  },
  'message-completed': {
    messageId: id,
    requestId: id,
    stopReason: fc.constantFrom('end-turn', 'unknown'),
    usage: fc.constantFrom({}, { outputTokens: 3 }),
  },
  'request-failed': { requestId: id, message: words },
  'call-queued': onCall({
    agentId: id,
    messageId: id,
    index: fc.nat(3),
    tool: words,
    input: json,
    summary: words,
    safety: fc.constant({ safe: true, because: 'declared-safe' }),
  }),
  'call-blocked': onCall({ why: fc.constantFrom('lock', 'order'), by: fc.array(id, { maxLength: 2 }) }),
  'call-started': onCall({ lane: fc.nat(3), batchId: id, timing }),
  'stage-started': onCall({ stage: fc.constantFrom('schema', 'run') }),
  'stage-ended': onCall({ stage: fc.constantFrom('schema', 'run'), verdict: words }),
  'call-progressed': onCall({ bytes: fc.nat(), lines: fc.nat(), tail: words }),
  'call-input-changed': onCall({ by: fc.constantFrom('user', 'hook'), input: json }),
  'call-observed': onCall({ fields: fc.dictionary(fc.constantFrom('x', 'y'), json) }),
  'call-spent': onCall({ model: words, usage: fc.constantFrom({}, { outputTokens: 3, costUsd: 0.5 }) }),
  'call-cancelled': onCall({ reason: fc.constantFrom('interrupt', 'discarded'), hadStarted: fc.boolean() }),
  'call-completed': onCall({ outcome: fc.constantFrom('ok', 'error'), result, timing }),
  'call-yielded': onCall({}),
  'result-saved': onCall({ path: words, bytes: fc.nat(), found: fc.boolean() }),
  'result-deduplicated': onCall({ sameAs: id }),
  'result-replaced': onCall({
    why: fc.constantFrom('budget', 'duplicate'),
    content: fc.array(fc.record({ type: fc.constant('text'), text: words }), { maxLength: 2 }),
  }),
  'reads-went-stale': onCall({ files: fc.array(words, { maxLength: 2 }) }),
  'context-modified': onCall({
    changes: fc.array(words, { maxLength: 2 }),
    cwd: words,
    files: fc.array(
      fc.record({
        path: id,
        mtimeMs: fc.nat(9),
        size: fc.nat(9),
        hash: words,
        by: fc.constantFrom('read', 'write'),
        range: fc.constantFrom('whole', { offset: 1, limit: 3 }),
      }),
      { maxLength: 2 },
    ),
  }),
  'context-compacted': {
    agentId: id,
    trigger: fc.constantFrom('auto', 'too-long', 'manual'),
    summary: words,
    tokensBefore: fc.nat(9),
    tokensAfter: fc.nat(9),
    entriesBefore: fc.nat(5),
    answersBefore: fc.nat(5),
  },
  'history-copied': { events: fc.nat(9) },
  'cascade-triggered': { culprit: id, policy: words, victims: fc.array(id, { maxLength: 2 }) },
  'batch-planned': { batchId: id, agentId: id, messageId: id, kind, callIds: fc.array(id, { maxLength: 3 }) },
  'batch-started': { batchId: id, agentId: id, messageId: id, kind },
  'batch-ended': { batchId: id },
  'classifier-started': onCall({ name: words }),
  'classifier-ended': onCall({
    name: words,
    verdict: fc.constantFrom('allow', 'stopped'),
    reason: words,
    ms: fc.nat(9),
    model: words,
    usage: fc.constantFrom({}, { outputTokens: 3, costUsd: 0.5 }),
  }),
  'permission-asked': onCall({
    askId: id,
    agentId: id,
    question: fc.constant({ title: 'x', reason: 'y', risk: 'z', dangerous: false }),
    trace,
  }),
  'permission-settled': onCall({
    verdict: fc.constantFrom('allow', 'deny'),
    by: fc.constantFrom('user', 'rule'),
    trace,
  }),
  'hook-started': { runId: id, callId: id, hookEvent: words, command: words, timing },
  'hook-ended': {
    runId: id,
    outcome: fc.constantFrom('ok', 'deny'),
    stdout: words,
    stderr: words,
    effects: fc.array(words, { maxLength: 1 }),
  },
  'queue-held': { on: fc.boolean(), by: fc.constantFrom('person', 'breakpoint') },
  'queue-stepped': {},
  'breakpoints-changed': {
    breakpoints: fc.array(
      fc.record({ id, kind: fc.constant('before'), rule: fc.constant('Bash'), enabled: fc.boolean() }),
    ),
  },
  'faults-changed': {
    faults: fc.array(fc.record({ id, kind: fc.constant('hang'), rule: fc.constant('Bash'), enabled: fc.boolean() })),
  },
  'call-paused': onCall({ breakpointId: id, why: fc.constantFrom('before', 'failure', 'cascade') }),
  'call-resumed': onCall({ how: fc.constantFrom('go-on', 'edited', 'cancelled') }),
  'fault-injected': onCall({ faultId: id, kind: fc.constantFrom('delay', 'hang') }),
  'todos-changed': {
    agentId: id,
    todos: fc.array(fc.record({ content: words, status: fc.constantFrom('pending', 'completed') }), { maxLength: 2 }),
  },
  'mcp-server-changed': {
    server: id,
    scope: fc.constantFrom('user', 'project'),
    status: fc.constantFrom('connecting', 'connected', 'failed', 'closed'),
    tools: fc.nat(3),
    message: words,
  },
  'process-spawned': onCall({ pid: fc.nat(3), command: words }),
  'process-ended': onCall({ pid: fc.nat(3) }),
  'shell-started': onCall({ shellId: id, agentId: id, command: words, path: words }),
  'shell-progressed': { shellId: id, bytes: fc.nat(), lines: fc.nat(), tail: words },
  'shell-read': { shellId: id, until: fc.nat() },
  'shell-ended': {
    shellId: id,
    end: fc.constantFrom({ kind: 'exited', code: 1 }, { kind: 'killed', by: 'person' }, { kind: 'unknown' }),
    bytes: fc.nat(),
    survivors: fc.array(fc.record({ pid: fc.nat(3), command: words }), { maxLength: 1 }),
  },
  'process-tree-ended': onCall({
    survivors: fc.array(fc.record({ pid: fc.nat(3), command: words }), { maxLength: 1 }),
  }),
};

const fact = fc.oneof(
  ...Object.entries(FACTS).map(([type, facts]) => fc.record({ type: fc.constant(type), ...facts })),
);
const stream = fc
  .array(fc.tuple(fact, fc.nat(50)), { maxLength: 60 })
  .map((facts) =>
    facts.map(
      ([one, t], seq) => ({ ...one, seq, at: instant(1_000 + seq), t: sessionTime(t) }) as unknown as SessionEvent,
    ),
  );

const seeds = [1_001, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

describe.each(seeds)('any events in any order (seed %d)', (seed) => {
  test('are events that a journal gives back as they were', () => {
    fc.assert(
      fc.property(stream, (events) => {
        for (const event of events) {
          expect(SessionEvent.safeParse(event).success, event.type).toBe(true);
          expect(parseLine(toLine(event))).toEqual({ ok: true, value: event });
        }
      }),
      { seed, numRuns: 100 },
    );
  });

  test('fold to the same session, watched or read from disk', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const read = events.map((event) => {
          const parsed = parseLine(toLine(event));
          if (!parsed.ok) throw new Error(parsed.error);
          return parsed.value;
        });
        expect(foldSession(read)).toEqual(foldSession(events));
      }),
      { seed, numRuns: 300 },
    );
  });

  test('fold to plain data that crosses to another process unchanged', () => {
    const plain = (state: SessionState) => ({ ...state, callIndex: Object.entries(state.callIndex) });
    fc.assert(
      fc.property(stream, (events) => {
        const state = plain(foldSession(events));
        expect(structuredClone(state)).toEqual(state);
      }),
      { seed, numRuns: 100 },
    );
  });

  test('leave each event as it was', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const before = structuredClone(events);
        foldSession(events);
        expect(events).toEqual(before);
      }),
      { seed, numRuns: 100 },
    );
  });

  test('never bring a call back from its end', () => {
    const ORDER = ['queued', 'executing', 'completed', 'yielded'];
    fc.assert(
      fc.property(stream, (events) => {
        const phases = new Map<string, number>();
        for (let length = 1; length <= events.length; length++) {
          for (const call of foldSession(events.slice(0, length)).calls) {
            const now = ORDER.indexOf(call.phase);
            expect(now).toBeGreaterThanOrEqual(phases.get(call.callId) ?? 0);
            phases.set(call.callId, now);
          }
        }
      }),
      { seed, numRuns: 50 },
    );
  });
});
