import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ScriptedCall, SessionScript } from '../timeline/session-script.ts';
import type { Outcome } from '../tool-call/event.ts';
import { align, alignGreedily } from './align.ts';
import { callKey } from './call-key.ts';
import { turnByNumber } from './calls.ts';
import { compare } from './compare.ts';
import { changeWords, sameWords } from './words.ts';

/** `npm test 100-900 error`: a Bash call queued and started at 100. */
function sideOf(lines: readonly string[], shift = 0) {
  const script = new SessionScript().turn('turn-1', shift, shift + 10_000);
  for (const [i, line] of lines.entries()) {
    const [, summary = '', from = '', until = '', outcome = 'ok'] = /^(.*) (\d+)-(\d+) ?(\w*)$/.exec(line) ?? [];
    const call: ScriptedCall = {
      id: `c${i}`,
      tool: 'Bash',
      summary,
      input: { command: summary },
      queued: shift + Number(from),
      start: shift + Number(from),
      lane: i,
      end: shift + Number(until),
      outcome: (outcome === '' ? 'ok' : outcome) as Outcome,
    };
    script.call(call);
  }
  return { state: script.state(), turn: undefined };
}

const told = (a: readonly string[], b: readonly string[], shift = 0) => {
  const [one, other] = [sideOf(a), sideOf(b, shift)];
  const found = compare(one, other);
  const differences = found.differences.map((difference) => {
    const id = difference.kind === 'only-b' ? difference.b : difference.a;
    const { state } = difference.kind === 'only-b' ? other : one;
    const call = state.calls[state.callIndex[id] as number];
    return `${difference.at.a}/${difference.at.b} ${call?.summary}: ${changeWords(difference)}`;
  });
  return { same: sameWords(found), differences, found };
};

describe('where two runs differ', () => {
  test('equal runs differ in nothing, whenever they were and however a little quicker one was', () => {
    const { same, differences, found } = told(['a 0-100', 'b 200-900'], ['a 0-100', 'b 210-990'], 50_000);
    expect([same, differences]).toEqual(['Every call is in both, and ended the same way.', []]);
    expect([found.common, found.first]).toEqual([2, undefined]);
  });

  test('calls that one has, in the order in which they were asked for', () => {
    const { same, differences, found } = told(
      ['a 0-9', 'b 100-200', 'c 300-400'],
      ['a 0-9', 'x 2000-2100', 'c 2500-2600'],
    );
    expect(same).toBe('The first call is the same.');
    expect(differences).toEqual(['100/0 b: only in A', '100/2000 x: only in B']);
    expect(found.first?.kind).toBe('only-a');
  });

  test('another outcome, and a clearly other length', () => {
    const { same, differences, found } = told(
      ['a 0-1000', 'b 10-500', 'c 20-90'],
      ['a 0-3000', 'b 10-500 error', 'c 20-30'],
    );
    expect(differences).toEqual(['0/0 a: 1.0 s in A, 3.0 s in B', '10/10 b: ok in A, error in B']);
    expect([same, found.first?.kind]).toEqual(['The first call is the same.', 'outcome']);
  });

  test('lengths alone make no first difference', () => {
    expect(told(['a 0-1000'], ['a 0-3000']).found).toMatchObject({ first: undefined, sameCalls: 1 });
    expect(told([], []).same).toBe('Neither has a call.');
    expect(told(['a 0-9'], ['b 0-9']).same).toBe('They differ from the first call on.');
  });

  test('a sub-agent that only one has stands where the main agent was then', () => {
    const main = new SessionScript().turn('turn-1', 0, 9_000);
    for (const [i, at] of [0, 1_000, 2_000].entries())
      main.call({ id: `m${i}`, tool: 'Agent', summary: `${i}`, input: { i }, queued: at, start: at, end: at + 500 });
    const without = main.state();
    main.call({ id: 's', tool: 'Read', agent: 'sub', summary: 'x', queued: 1_100, start: 1_100, end: 1_200 });
    const found = compare({ state: without, turn: undefined }, { state: main.state(), turn: undefined });
    expect(found).toMatchObject({ first: { kind: 'only-b', b: 's', at: { a: 1_000, b: 1_100 } }, sameCalls: 2 });
  });

  test('one turn against another of the same session', () => {
    const state = new SessionScript()
      .turn('turn-1', 0, 1_000)
      .turn('turn-2', 5_000, 7_000)
      .call({ id: 'a', tool: 'Read', summary: 'a.ts', queued: 100, start: 100, end: 200 })
      .call({ id: 'b', tool: 'Read', summary: 'a.ts', queued: 5_100, start: 5_100, end: 5_200 })
      .call({
        id: 'c',
        tool: 'Read',
        summary: 'c.ts',
        input: { file_path: 'c.ts' },
        queued: 5_300,
        start: 5_300,
        end: 5_400,
      })
      .state();
    const found = compare({ state, turn: turnByNumber(state, 1) }, { state, turn: turnByNumber(state, 2) });
    expect(found).toMatchObject({
      a: { from: 0, wallMs: 1_000, calls: 1 },
      b: { from: 5_000, wallMs: 2_000, calls: 2 },
      common: 1,
      first: { kind: 'only-b', at: { a: 100, b: 300 } },
    });
    expect(turnByNumber(state, 3)).toBeUndefined();
  });
});

describe('when two calls are the same', () => {
  const key = (tool: string, input: unknown, cwd = '/work/shop') => callKey({ tool, input }, cwd);
  test('the order of fields, space around texts, the folder and a description do not count', () => {
    expect(key('Edit', { a: 1, b: ' x ' })).toBe(key('Edit', { b: 'x', a: 1 }));
    expect(key('Read', { file_path: '/work/shop/a.ts' })).toBe(
      key('Read', { file_path: '/tmp/two/a.ts' }, '/tmp/two/'),
    );
    expect(key('Bash', { command: 'ls', description: 'Look' })).toBe(key('Bash', { command: 'ls' }));
  });
  test('tool, values and their kinds do', () => {
    const keys = [
      key('Read', { a: 1 }),
      key('Edit', { a: 1 }),
      key('Read', { a: '1' }),
      key('Read', { a: [1] }),
      key('Read', undefined),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

const call = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(500), fc.constantFrom('ok', 'error', 'cancelled'));
const run = fc
  .array(call, { maxLength: 30 })
  .map((calls) => calls.map(([name, ms, outcome], i) => `${name} ${i * 50}-${i * 50 + ms} ${outcome}`));

test('a run compared with itself has no difference (seed 4)', () => {
  fc.assert(
    fc.property(run, (lines) => {
      const { found } = told(lines, lines, 7_000);
      expect(found).toMatchObject({ differences: [], first: undefined, common: lines.length, sameCalls: lines.length });
    }),
    { seed: 4, numRuns: 60 },
  );
});

test('every call is in both or in one, and both ways round tell the same (seed 5)', () => {
  fc.assert(
    fc.property(run, run, (a, b) => {
      const there = compare(sideOf(a), sideOf(b));
      const back = compare(sideOf(b), sideOf(a));
      const count = (found: typeof there, kind: string) => found.differences.filter((one) => one.kind === kind).length;
      expect(there.common + count(there, 'only-a')).toBe(a.length);
      expect(there.common + count(there, 'only-b')).toBe(b.length);
      expect([back.common, count(back, 'only-a')]).toEqual([there.common, count(there, 'only-b')]);
      expect(there.first === undefined).toBe(back.first === undefined);
    }),
    { seed: 5, numRuns: 60 },
  );
});

test('both ways to align keep the order, take every item once and pair only equals (seed 6)', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  fc.assert(
    fc.property(list, list, (a, b) => {
      for (const places of [align(a, b), alignGreedily(a, b)]) {
        expect(places.flatMap((place) => place.a ?? [])).toEqual(a.map((_, i) => i));
        expect(places.flatMap((place) => place.b ?? [])).toEqual(b.map((_, i) => i));
        for (const { a: i, b: j } of places) if (i !== undefined && j !== undefined) expect(a[i]).toBe(b[j]);
      }
      expect(alignGreedily(a, a).every((place) => place.a === place.b)).toBe(true);
    }),
    { seed: 6 },
  );
});
