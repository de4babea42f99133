import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentId } from '../ids.ts';
import { MAIN_AGENT } from '../ids.ts';
import { SessionScript } from '../timeline/session-script.ts';
import type { Outcome } from '../tool-call/event.ts';
import {
  type CallFilter,
  type CallOutcome,
  isFiltering,
  NO_FILTER,
  PROBLEMS,
  partsSet,
  testOf,
} from './call-filter.ts';
import { Matching, placeOf, stepAmong } from './matching.ts';

const script = () =>
  new SessionScript()
    .turn('turn-1', 0, 9_000)
    .request('r1', 0, [100, 200, 300], 500, { message: 'm1' })
    .call({
      id: 'test',
      tool: 'Bash',
      summary: 'npm test',
      queued: 100,
      start: 100,
      end: 2_000,
      outcome: 'error',
      message: 'm1',
    })
    .call({
      id: 'lint',
      tool: 'Bash',
      summary: 'npm run lint',
      input: { command: 'npm run lint (strict)' },
      queued: 200,
      start: 200,
      lane: 1,
      end: 700,
      message: 'm1',
    })
    .call({
      id: 'read',
      tool: 'Read',
      summary: '/work/shop/a.ts',
      queued: 300,
      start: 300,
      lane: 2,
      end: 900,
      message: 'm1',
    })
    .call({ id: 'open', tool: 'Read', summary: '/work/shop/b.ts', queued: 400, start: 400, lane: 3, message: 'm1' });

const found = (filter: Partial<CallFilter>, query = ''): readonly string[] => {
  const state = script().state();
  const matching = new Matching(testOf({ ...NO_FILTER, ...filter }, query));
  expect(matching.update(state)).toBe(true);
  return matching.indices().map((at) => state.calls[at]?.callId ?? '');
};

describe('which calls fit', () => {
  test.each<[Partial<CallFilter>, readonly string[]]>([
    [{}, ['test', 'lint', 'read', 'open']],
    [{ tools: ['Read'] }, ['read', 'open']],
    [{ outcomes: ['error'] }, ['test']],
    [{ outcomes: PROBLEMS }, ['test']],
    [{ outcomes: ['open'] }, ['open']],
    [{ agents: [MAIN_AGENT] }, ['test', 'lint', 'read', 'open']],
    [{ agents: ['nobody' as AgentId] }, []],
    [{ text: 'NPM' }, ['test', 'lint']],
    [{ text: ' (strict) ' }, ['lint']],
    [{ text: '.ts', tools: ['Bash'] }, []],
    [{ leastMs: 600 }, ['test', 'read', 'open']],
    [{ leastMs: 601, outcomes: ['ok', 'error'] }, ['test']],
  ])('%j', (filter, ids) => {
    expect(found(filter)).toEqual(ids);
  });

  test('a search stays within the filter', () => {
    expect(found({ tools: ['Bash'] }, 'lint')).toEqual(['lint']);
    expect(found({ tools: ['Read'] }, 'lint')).toEqual([]);
    expect(found({}, 'main agent')).toHaveLength(4);
  });

  test('how many parts are set', () => {
    expect([isFiltering(NO_FILTER), isFiltering({ ...NO_FILTER, text: '  ' })]).toEqual([false, false]);
    expect(partsSet({ ...NO_FILTER, tools: ['Read'], leastMs: 100 })).toBe(2);
  });
});

describe('a set that grows', () => {
  const OUTCOMES: readonly Outcome[] = ['ok', 'error', 'rejected'];
  const call = fc.record({
    tool: fc.constantFrom('Bash', 'Read', 'Edit'),
    outcome: fc.option(fc.constantFrom(...OUTCOMES), { nil: undefined }),
    length: fc.integer({ min: 0, max: 1_000 }),
  });
  const filters = fc.record({
    tools: fc.subarray(['Bash', 'Read', 'Edit']),
    outcomes: fc.subarray<CallOutcome>(['ok', 'error', 'rejected', 'open']),
    leastMs: fc.constantFrom(0, 300, 900),
    text: fc.constantFrom('', 'e', 'bash'),
  });
  const stateOf = (
    calls: readonly { readonly tool: string; readonly outcome: Outcome | undefined; readonly length: number }[],
  ) => {
    const made = new SessionScript().turn('turn-1', 0, 99_000);
    for (const [i, { tool, outcome, length }] of calls.entries()) {
      const end = outcome === undefined ? {} : { end: i * 10 + length, outcome };
      made.call({
        id: `call-${i}`,
        tool,
        summary: `${tool} ${i}`,
        queued: i * 10,
        start: i * 10,
        lane: i % 10,
        ...end,
      });
    }
    return made.state();
  };

  test('all parts together are what each lets through, and time that is up only pauses the work (seed 8)', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 200 }), filters, (calls, some) => {
        const filter: CallFilter = { ...NO_FILTER, ...some };
        const state = stateOf(calls);
        const of = (one: CallFilter): ReadonlySet<number> => {
          const matching = new Matching(testOf(one));
          while (!matching.update(state, () => true));
          expect(matching.size).toBe(matching.indices().length);
          return new Set(matching.indices());
        };
        const parts = (Object.keys(filter) as (keyof CallFilter)[]).map((part) =>
          of({ ...NO_FILTER, [part]: filter[part] }),
        );
        const both = state.calls.map((_, at) => at).filter((at) => parts.every((part) => part.has(at)));
        expect([...of(filter)]).toEqual(both);
      }),
      { seed: 8, numRuns: 60 },
    );
  });

  test('after every event it is what a fresh look at the session gives (seed 9)', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 120 }), filters, fc.integer({ min: 0, max: 120 }), (calls, some, cut) => {
        const filter: CallFilter = { ...NO_FILTER, ...some };
        const grown = new Matching(testOf(filter));
        const early = stateOf(calls.slice(0, cut).map((one) => ({ ...one, outcome: undefined })));
        grown.update(early);
        const late = stateOf(calls);
        grown.update(late);
        const fresh = new Matching(testOf(filter));
        fresh.update(late);
        expect(grown.indices()).toEqual(fresh.indices());
      }),
      { seed: 9, numRuns: 60 },
    );
  });

  test('a call is looked at once, and again only when it has changed or runs', () => {
    const looks: string[] = [];
    const state = script().state();
    const matching = new Matching((one) => looks.push(one.callId) > 0);
    matching.update(state);
    matching.update(state);
    expect(looks).toEqual(['test', 'lint', 'read', 'open', 'open']);
  });
});

test('the way from match to match goes round', () => {
  const matches = [2, 5, 9];
  expect([undefined, 2, 3, 9].map((from) => stepAmong(matches, from, 1))).toEqual([2, 5, 5, 2]);
  expect([undefined, 2, 3, 9].map((from) => stepAmong(matches, from, -1))).toEqual([9, 9, 2, 5]);
  expect([undefined, 4, 5].map((from) => placeOf(matches, from))).toEqual([0, 0, 2]);
  expect(stepAmong([], 4, 1)).toBeUndefined();
});
