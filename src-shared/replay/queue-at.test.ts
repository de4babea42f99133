import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallId } from '../ids.ts';
import { callById, foldSession, type SessionState } from '../session/state.ts';
import { type ScriptedCall, SessionScript } from '../timeline/session-script.ts';
import { factsAt } from './facts-at.ts';
import { queueAt, since } from './queue-at.ts';
import { waitsFor } from './waits-for.ts';
import { whyWaits } from './why-waits.ts';

const bash = (id: string, summary: string, rest: Partial<ScriptedCall> = {}): ScriptedCall => ({
  id,
  tool: 'Bash',
  summary,
  message: 'm1',
  queued: 100,
  start: 100,
  ...rest,
});

/** Picture e of the design: two commands run, a read has ended and is held back, an edit waits for both commands. */
const rounding = (): SessionScript =>
  new SessionScript()
    .turn('turn-1', 0)
    .request('r1', 0, [50], 80, { message: 'm0' })
    .request('r2', 90, [100, 110, 120, 130], 200, { message: 'm1' })
    .call(bash('old', 'ls', { message: 'm0', queued: 60, start: 60, end: 70, yielded: 75 }))
    .call(bash('test', 'npm test', { end: 3_000, yielded: 3_000 }))
    .call(bash('lint', 'npm run lint', { start: 110, lane: 1, end: 4_000, yielded: 4_000 }))
    .call({
      id: 'read',
      tool: 'Read',
      summary: 'docs/rounding.md',
      message: 'm1',
      queued: 120,
      start: 120,
      lane: 2,
      end: 500,
      yielded: 4_000,
    })
    .call({
      id: 'edit',
      tool: 'Edit',
      summary: 'src/invoice.ts',
      safe: false,
      message: 'm1',
      queued: 130,
      waits: [{ why: 'lock', by: ['test', 'lint'], at: 130 }],
      start: 4_000,
    });

const stateAt = (script: SessionScript, t: number): SessionState =>
  foldSession(script.events().filter((event) => event.t <= t));

const table = (state: SessionState, selected?: string) =>
  (queueAt(state, selected as CallId | undefined)?.calls ?? []).map((call) => [
    call.index + 1,
    call.callId,
    call.phase,
    waitsFor(state, call).words,
    since(call),
  ]);

describe('the queue at a moment', () => {
  test('waiting calls come first, and each says what it waits for', () => {
    const state = stateAt(rounding(), 1_430);
    expect(queueAt(state, undefined)).toMatchObject({ request: 2, messageId: 'm1' });
    expect(table(state)).toEqual([
      [4, 'edit', 'queued', 'npm test and npm run lint', 130],
      [1, 'test', 'executing', 'nothing', 100],
      [2, 'lint', 'executing', 'nothing', 110],
      [3, 'read', 'completed', 'its turn, after 1 and 2', 500],
    ]);
  });

  test('a holder that has ended is not waited for any more', () => {
    const state = stateAt(rounding(), 3_500);
    expect(table(state)).toEqual([
      [4, 'edit', 'queued', 'npm run lint', 130],
      [2, 'lint', 'executing', 'nothing', 110],
      [3, 'read', 'completed', 'its turn, after 2', 500],
      [1, 'test', 'yielded', 'nothing', 3_000],
    ]);
  });

  test('a call of the same agent is selected: its newest open request is shown all the same', () => {
    expect(queueAt(stateAt(rounding(), 1_430), 'old' as CallId)?.messageId).toBe('m1');
  });

  test('nothing is open: the request of the selected call, else the newest', () => {
    const script = rounding().at(5_000, { type: 'session-ended', reason: 'closed' });
    expect(queueAt(stateAt(script, 6_000), 'old' as CallId)?.messageId).toBe('m0');
    expect(queueAt(stateAt(script, 6_000), undefined)?.messageId).toBe('m1');
  });

  test('a selected call of a sub-agent shows the queue of that agent', () => {
    const script = rounding()
      .agent('explore', 'Explore', 140, { parent: 'test' })
      .call(bash('find', 'ls src', { agent: 'explore', message: 'm9', queued: 200, start: 200 }));
    expect(queueAt(stateAt(script, 1_000), 'find' as CallId)).toMatchObject({ agentId: 'explore', messageId: 'm9' });
    expect(queueAt(stateAt(script, 1_000), undefined)?.messageId).toBe('m1');
  });

  test('results of a broken attempt wait for nothing and keep no request open', () => {
    const script = new SessionScript()
      .call(bash('gone', 'ls', { message: 'm0', end: 200, outcome: 'discarded' }))
      .call(bash('kept', 'ls', { queued: 300, start: 300, end: 400, yielded: 400 }));
    expect(queueAt(script.state(), undefined)?.messageId).toBe('m1');
    expect(table(script.state(), 'gone')).toEqual([[1, 'gone', 'completed', 'nothing', 200]]);
  });

  test.each([
    ['no-lane', 'a free lane'],
    ['message-open', 'the end of the message'],
    ['settings', 'the end of the message'],
    ['hold', 'you, the queue is held'],
    ['batch', 'the batch before'],
    ['order', 'an earlier call'],
  ] as const)('a wait for %s without names reads %s', (why, words) => {
    const script = new SessionScript().call(
      bash('one', 'ls', { start: undefined as never, waits: [{ why, at: 100 }] }),
    );
    expect(table(script.state())[0]?.[3]).toBe(words);
  });

  test('a question is waited for as a person, not as a call', () => {
    const script = new SessionScript().call(bash('one', 'rm x', { ask: [150] }));
    expect(table(script.state())[0]?.[3]).toBe('your answer');
    expect(whyOf(script.state(), 'one', 2_150)).toBe('Bash(rm x) has waited *2.0 s* for your answer.');
  });
});

const whyOf = (state: SessionState, id: string, now: number, timed = true): string | undefined =>
  whyWaits(state, callById(state, id as CallId) as never, now, timed)
    ?.map(({ text, callId, strong }) => (callId !== undefined ? `[${text}]` : strong ? `*${text}*` : text))
    .join('');

describe('why it waits', () => {
  test('holders are named as ways to them', () => {
    const state = stateAt(rounding(), 1_430);
    expect(whyOf(state, 'edit', 1_430)).toBe(
      'Edit(invoice.ts) has waited *1.3 s*. [npm test] and [npm run lint] hold the shared lock, and an edit needs it alone.',
    );
    expect(whyOf(state, 'read', 1_500)).toBe(
      'Read(rounding.md) has ended and has waited *1.0 s* for its turn. ' +
        'Results are handed over in the order of the calls, and [npm test] and [npm run lint] come first.',
    );
    expect(whyOf(state, 'test', 1_500)).toBeUndefined();
  });

  test('without times in the file no length is made up', () => {
    expect(whyOf(stateAt(rounding(), 1_430), 'edit', 1_430, false)).toMatch(
      /^Edit\(invoice\.ts\) waits\. \[npm test\]/,
    );
  });
});

describe('what is held at a moment', () => {
  test('lanes in use, results so far, folder, files and changes', () => {
    const script = rounding()
      .at(600, {
        type: 'context-modified',
        callId: 'read' as CallId,
        changes: ['read docs/rounding.md'],
        files: [file()],
      })
      .at(700, {
        type: 'context-modified',
        callId: 'test' as CallId,
        changes: ['the working folder is /work/shop/src'],
        cwd: '/work/shop/src',
        files: [{ ...file(), path: '/work/shop/a.ts', toldStaleAt: 9 }],
      });
    const state = stateAt(script, 1_430);
    expect(factsAt(state, queueAt(state, undefined) as never)).toEqual({
      lanes: { used: 2, cap: 10 },
      budget: { used: 0, limit: 200_000 },
      folder: '/work/shop/src',
      files: { read: 2, changed: 1 },
      changes: [
        { callId: 'test', change: 'the working folder is /work/shop/src' },
        { callId: 'read', change: 'read docs/rounding.md' },
      ],
    });
  });

  test('the budget counts what the model is sent, not what was there', () => {
    const script = new SessionScript()
      .call(bash('one', 'ls'))
      .at(200, {
        type: 'call-completed',
        callId: 'one' as CallId,
        outcome: 'ok',
        result: { content: [{ type: 'text', text: 'x'.repeat(500) }], isError: false },
        timing: { certainty: 'measured' },
      } as never)
      .at(300, {
        type: 'result-replaced',
        callId: 'one' as CallId,
        why: 'budget',
        content: [{ type: 'text', text: 'short' }],
      });
    const usedAt = (t: number) => {
      const state = stateAt(script, t);
      return factsAt(state, queueAt(state, undefined) as never).budget.used;
    };
    expect([usedAt(150), usedAt(250), usedAt(350)]).toEqual([0, 500, 5]);
  });

  test('files of other programs tell no limit', () => {
    const script = new SessionScript({ origin: { kind: 'imported', format: 'x', path: '/x', clock: 'recorded' } });
    const state = script.call(bash('one', 'ls')).state();
    expect(factsAt(state, queueAt(state, undefined) as never)).toMatchObject({
      budget: { used: 0, limit: undefined },
      files: undefined,
    });
  });
});

const file = () =>
  ({ path: '/work/shop/docs/rounding.md', mtimeMs: 5, size: 1, hash: 'h', by: 'read', range: 'whole' }) as const;

const scripted = fc.array(
  fc.record({
    message: fc.constantFrom('m1', 'm2', 'm3'),
    agent: fc.constantFrom(undefined, 'explore'),
    queued: fc.integer({ min: 0, max: 50 }),
    starts: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    runs: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    held: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
    by: fc.array(fc.nat({ max: 11 }), { maxLength: 3 }),
    why: fc.constantFrom('lock', 'order', 'batch', 'no-lane', 'hold'),
  }),
  { minLength: 1, maxLength: 12 },
);

test('every call of the request is there once, and who is waited for is there and has not ended (seed 5)', () => {
  fc.assert(
    fc.property(scripted, fc.nat({ max: 120 }), fc.nat({ max: 11 }), (calls, t, pick) => {
      const script = new SessionScript();
      for (const [i, { starts, runs, held, queued, by, why, agent, message }] of calls.entries()) {
        const start = starts === undefined ? undefined : queued + starts;
        const end = runs === undefined || start === undefined ? undefined : start + runs;
        script.call({
          id: `c${i}`,
          tool: 'Read',
          summary: `f${i}`,
          message: `${agent ?? 'main'}-${message}`,
          ...(agent === undefined ? {} : { agent }),
          queued,
          waits: [{ why, by: by.map((n) => `c${n}`), at: queued }],
          ...(start === undefined ? {} : { start }),
          ...(end === undefined ? {} : { end, ...(held === undefined ? {} : { yielded: end + held }) }),
        } as ScriptedCall);
      }
      const state = stateAt(script, t);
      const queue = queueAt(state, `c${pick}` as CallId);
      expect(queue === undefined).toBe(state.calls.length === 0);
      if (queue === undefined) return;
      const own = state.calls.filter(
        ({ messageId, agentId }) => messageId === queue.messageId && agentId === queue.agentId,
      );
      expect(queue.calls.map(({ callId }) => callId).sort()).toEqual(own.map(({ callId }) => callId).sort());
      for (const call of queue.calls) {
        const waits = waitsFor(state, call);
        expect(waits.words).not.toBe('');
        for (const id of waits.calls) expect(['queued', 'executing']).toContain(callById(state, id)?.phase);
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});
