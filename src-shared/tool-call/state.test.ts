import { describe, expect, test } from 'vitest';
import { textResult } from './content.ts';
import { type CallEvent, evolve, queued, type ToolCall } from './state.ts';

type Loose = { readonly type: CallEvent['type']; readonly [fact: string]: unknown };

/** A queued call after these events, which happen at 1, 2, 3, …. */
function callAfter(...facts: readonly Loose[]): ToolCall {
  const first = {
    type: 'call-queued',
    callId: 'a',
    agentId: 'main',
    messageId: 'm',
    index: 0,
    tool: 'Bash',
    input: { command: 'ls' },
    summary: 'ls',
    safety: { safe: false, because: 'declared-unsafe' },
    seq: 0,
    at: 0,
    t: 0,
  } as unknown as Parameters<typeof queued>[0];
  return facts.reduce<ToolCall>(
    (call, fact, index) => evolve(call, { callId: 'a', seq: index + 1, at: 0, t: index + 1, ...fact } as never),
    queued(first),
  );
}

const MEASURED = { certainty: 'measured' };
const started: Loose = { type: 'call-started', lane: 2, batchId: 'b', timing: MEASURED };
const completed: Loose = { type: 'call-completed', outcome: 'ok', result: textResult('done'), timing: MEASURED };
const yielded: Loose = { type: 'call-yielded' };
const blocked = (why: string, ...by: string[]): Loose => ({ type: 'call-blocked', why, by });
const asked: Loose = { type: 'permission-asked', askId: 'q', question: {}, trace: [] };
const settled: Loose = { type: 'permission-settled', askId: 'q', verdict: 'allow', by: 'user', trace: [] };

describe('a call goes through its phases', () => {
  test('queued, executing, completed, yielded', () => {
    expect(callAfter()).toMatchObject({ phase: 'queued', queuedAt: 0 });
    expect(callAfter(started)).toMatchObject({ phase: 'executing', run: { lane: 2, batchId: 'b', at: 1 } });
    expect(callAfter(started, completed)).toMatchObject({ phase: 'completed', end: { at: 2, outcome: 'ok' } });
    expect(callAfter(started, completed, yielded)).toMatchObject({ phase: 'yielded', yieldedAt: 3 });
  });

  test('one that never started has no run', () => {
    expect(callAfter(completed)).toMatchObject({ phase: 'completed', run: undefined });
  });
});

describe('an event that does not fit the phase changes nothing', () => {
  test.each([
    ['a second start', [started], started],
    ['a start after the end', [completed], started],
    ['a second end', [started, completed], { ...completed, outcome: 'error' }],
    ['an end after the yield', [started, completed, yielded], { ...completed, outcome: 'error' }],
    ['a yield before the end', [started], yielded],
    ['a second yield', [started, completed, yielded], yielded],
    ['a wait after the start', [started], blocked('lock')],
    ['progress after the end', [started, completed], { type: 'call-progressed', bytes: 1, lines: 1, tail: '' }],
    ['a question after the end', [started, completed], asked],
    ['the end of a stage that is not open', [started], { type: 'stage-ended', stage: 'run', verdict: 'ok' }],
  ] as readonly (readonly [string, readonly Loose[], Loose])[])('%s', (_name, before, event) => {
    expect(callAfter(...before, event)).toEqual(callAfter(...before));
  });
});

describe('waits', () => {
  test('follow each other without gaps and end with the start', () => {
    expect(callAfter(blocked('order', 'x'), blocked('lock', 'y'), started).waits).toEqual([
      { why: 'order', by: ['x'], from: 1, until: 2 },
      { why: 'lock', by: ['y'], from: 2, until: 3 },
    ]);
  });

  test('end with a call that never starts', () => {
    expect(callAfter(blocked('order'), completed).waits).toEqual([{ why: 'order', by: [], from: 1, until: 2 }]);
  });
});

describe('stages', () => {
  test('have their time and verdict; one that was open at the end ends with it', () => {
    const stage = (name: string): Loose => ({ type: 'stage-started', stage: name });
    const call = callAfter(
      started,
      stage('schema'),
      { type: 'stage-ended', stage: 'schema', verdict: 'ok' },
      stage('run'),
      completed,
    );
    expect(call.stages).toEqual([
      { stage: 'schema', from: 2, until: 3, verdict: 'ok' },
      { stage: 'run', from: 4, until: 5, verdict: undefined },
    ]);
  });
});

describe('questions', () => {
  test('end when they are settled, and the verdict keeps its reasons', () => {
    const call = callAfter(started, asked, { ...settled, feedback: 'Mind the gap' });
    expect(call.asks).toMatchObject([{ askId: 'q', from: 2, until: 3 }]);
    expect(call.permission).toMatchObject({ verdict: 'allow', by: 'user', feedback: 'Mind the gap', at: 3 });
  });

  test('end with the call in any case', () => {
    expect(callAfter(started, asked, completed).asks).toMatchObject([{ until: 3 }]);
  });
});

describe('a cancellation', () => {
  const cancelled = (reason: string, culprit?: string): Loose => ({
    type: 'call-cancelled',
    reason,
    hadStarted: true,
    ...(culprit === undefined ? {} : { culprit }),
  });

  test('is told by its last reason, and began with the first', () => {
    const call = callAfter(started, cancelled('interrupt'), cancelled('sibling_error', 'x'));
    expect(call.cancellation).toEqual({ reason: 'sibling_error', culprit: 'x', hadStarted: true, at: 2 });
  });
});

describe('what is known besides', () => {
  test('processes come and go by their number', () => {
    const spawned = (pid: number): Loose => ({ type: 'process-spawned', pid, command: `p${pid}` });
    const call = callAfter(started, spawned(7), { type: 'process-ended', pid: 7, code: 0 }, spawned(7), {
      type: 'process-tree-ended',
      survivors: [{ pid: 7, command: 'p7' }],
    });
    expect(call.processes).toMatchObject([
      { pid: 7, from: 2, until: 3, code: 0 },
      { pid: 7, from: 4, until: undefined },
    ]);
    expect(call.survivors).toEqual([{ pid: 7, command: 'p7' }]);
  });

  test('observed fields, stale files and changes add up; the newest input and progress count', () => {
    const call = callAfter(
      started,
      { type: 'call-observed', fields: { a: 1 } },
      { type: 'call-observed', fields: { b: 2 } },
      { type: 'reads-went-stale', files: ['x'] },
      { type: 'reads-went-stale', files: ['y'] },
      { type: 'context-modified', changes: ['one'] },
      { type: 'call-input-changed', by: 'user', input: { command: 'pwd' } },
      { type: 'call-progressed', bytes: 1, lines: 1, tail: 'a' },
      { type: 'call-progressed', bytes: 2, lines: 1, tail: 'b' },
      { type: 'result-saved', path: '/r', bytes: 9, found: true },
      { type: 'result-deduplicated', sameAs: 'z' },
    );
    expect(call).toMatchObject({
      observed: { a: 1, b: 2 },
      staleFiles: ['x', 'y'],
      contextChanges: ['one'],
      input: { command: 'ls' },
      changedInput: { by: 'user', input: { command: 'pwd' } },
      progress: { bytes: 2, lines: 1, tail: 'b' },
      saved: { path: '/r', bytes: 9, found: true },
      sameAs: 'z',
    });
  });

  test('a call is never changed in place', () => {
    const before = callAfter(started);
    const kept = structuredClone(before);
    evolve(before, {
      type: 'call-progressed',
      callId: 'a',
      seq: 9,
      at: 0,
      t: 9,
      bytes: 1,
      lines: 1,
      tail: '',
    } as never);
    evolve(before, { callId: 'a', seq: 9, at: 0, t: 9, ...completed } as never);
    expect(before).toEqual(kept);
  });
});
