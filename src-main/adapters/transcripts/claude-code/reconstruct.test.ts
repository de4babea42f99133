import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Strategy } from '../../../../src-shared/session/settings.ts';
import { isBefore } from '../common/story.ts';
import { type PlayedCall, type ReconstructionInput, reconstruct } from './reconstruct.ts';

/**
 * A picture of a message: one line a call, one column 10 ms. `|` is its block, `!` its recorded end. `safe` or `unsafe`,
 * then marks: `stopped` (cancelled with others), `culprit`, `never-ran`, `no-result`.
 */
function played(picture: string, strategy: Strategy = 'streaming', rest: Partial<ReconstructionInput> = {}) {
  const calls = picture
    .trim()
    .split('\n')
    .map((line, order): PlayedCall => {
      const [id = '', kind, ...others] = line.trim().split(/\s+/);
      const time = others.at(-1) ?? '';
      const marks = others.slice(0, -1);
      const queued = time.indexOf('|') * 10;
      return {
        id,
        queued: { at: queued, ord: queued + order * 0.01 },
        end: { at: time.indexOf('!') * 10, ord: time.indexOf('!') * 10 + 5 + order * 0.01 },
        hasResult: !marks.includes('no-result'),
        safe: kind === 'safe',
        wasStopped: marks.includes('stopped'),
        isCulprit: marks.includes('culprit'),
        neverRan: marks.includes('never-ran'),
        seenRunningAt: undefined,
      };
    });
  return reconstruct({ messageId: 'm', calls, strategy, stoppedAt: undefined, ...rest });
}

const startsOf = (result: ReturnType<typeof reconstruct>) =>
  Object.fromEntries([...result.starts].map(([id, { moment, cause }]) => [id, `${moment.at} ${cause}`]));

describe('calls start as the scheduler has it', () => {
  test('safe calls start with their blocks', () => {
    const result = played(`
      a safe |........!
      b safe ..|......!
      c safe ....|.!...`);
    expect(startsOf(result)).toEqual({ a: '0 block', b: '20 block', c: '40 block' });
    expect(result.batches).toEqual([{ batchId: 'm-batch-0', kind: 'safe' }]);
    expect(result.waits).toEqual([]);
  });

  test('an unsafe call waits for what runs, and all behind it wait for it', () => {
    const result = played(`
      a safe   |....!......
      b unsafe .|......!...
      c safe   ..|.......!.`);
    expect(startsOf(result)).toEqual({ a: '0 block', b: '50 previous-call', c: '80 previous-call' });
    expect(result.waits.map(({ callId, why, by }) => `${callId} ${why} ${by}`)).toEqual(['b lock a', 'c order b']);
    expect(result.batches.map((batch) => batch.kind)).toEqual(['safe', 'exclusive', 'safe']);
  });

  test('in the older way nothing starts before the message is complete', () => {
    const result = played(
      `
      a safe   |........!
      b safe   ...|.....!
      c unsafe .....|.....!`,
      'batch',
    );
    expect(startsOf(result)).toEqual({ a: '50 message', b: '50 message', c: '90 previous-call' });
    expect(result.plans.map(({ kind, callIds }) => `${kind} ${callIds}`)).toEqual(['safe a,b', 'exclusive c']);
  });

  test('what a culprit cancels in the queue never starts; what already ran did', () => {
    const result = played(`
      a safe culprit   |...!......
      b safe stopped   .|...!.....
      c unsafe stopped ..|..!.....
      d safe stopped   .......|!..`);
    expect(startsOf(result)).toEqual({ a: '0 block', b: '10 block' });
  });

  test('what had not started when a person stopped the turn never does', () => {
    const stoppedAt = { at: 60, ord: 65 };
    const result = played(
      `
      a safe stopped   |.....!
      b unsafe stopped .|....!`,
      'streaming',
      { stoppedAt },
    );
    expect(startsOf(result)).toEqual({ a: '0 block' });
  });
});

describe('the recording overrules what was believed', () => {
  test('a call that ended beside a running one may run beside it', () => {
    const result = played(`
      a unsafe |..........!
      b unsafe .|...!......`);
    expect(startsOf(result)).toEqual({ a: '0 block', b: '10 block' });
    expect([...result.safe.values()]).toEqual([true, true]);
  });

  test('more calls at once than there are lanes means more lanes', () => {
    const lines = Array.from({ length: 12 }, (_, n) => `c${n} safe |${n === 11 ? '..!.' : '...!'}`);
    expect(new Set(Object.values(startsOf(played(lines.join('\n')))))).toEqual(new Set(['0 block']));
  });

  test('a call whose result is missing holds nobody up', () => {
    const result = played(`
      a unsafe no-result |...........!
      b unsafe           .|...!.......`);
    expect(startsOf(result)).toEqual({ a: '0 block', b: '10 block' });
    expect(result.safe.get('a')).toBe(false);
  });

  test('a call that was refused at once answers out of turn', () => {
    const result = played(`
      a unsafe           |..........!
      b unsafe never-ran .|..!.......`);
    expect(result.starts.get('b')).toMatchObject({ moment: { at: 40 }, outOfTurn: true });
    expect(result.safe.get('a')).toBe(false);
  });

  test('a result before the last block means that calls started as their blocks came', () => {
    const result = played(
      `
      a safe |.!......
      b safe ....|..!.`,
      'batch',
    );
    expect(result.strategy).toBe('streaming');
    expect(startsOf(result)).toEqual({ a: '0 block', b: '40 block' });
  });
});

test('whatever was recorded, each call with a result starts between its block and its end', () => {
  const moment = fc.integer({ min: 0, max: 20 });
  const call = fc.record({
    queued: moment,
    length: moment,
    flags: fc.record({
      hasResult: fc.boolean(),
      safe: fc.boolean(),
      wasStopped: fc.boolean(),
      isCulprit: fc.boolean(),
      neverRan: fc.boolean(),
    }),
    seen: fc.option(moment, { nil: undefined }),
  });
  const strategy = fc.constantFrom<Strategy>('streaming', 'batch');
  fc.assert(
    fc.property(
      fc.array(call, { maxLength: 14 }),
      strategy,
      fc.option(moment, { nil: undefined }),
      (drawn, how, stop) => {
        const calls = drawn.map(
          ({ queued, length, flags, seen }, order): PlayedCall => ({
            ...flags,
            id: `c${order}`,
            queued: { at: queued, ord: order },
            end: { at: queued + length, ord: 100 + order },
            seenRunningAt: seen === undefined ? undefined : seen * 100,
          }),
        );
        const stoppedAt = stop === undefined ? undefined : { at: stop, ord: 50 };
        const { starts } = reconstruct({ messageId: 'm', calls, strategy: how, stoppedAt });
        for (const { id, queued, end, hasResult, wasStopped } of calls) {
          const start = starts.get(id);
          if (start === undefined) expect(wasStopped || !hasResult).toBe(true);
          else {
            expect(isBefore(start.moment, queued)).toBe(false);
            // A call without a result ends at a guess, which may lie before the turn it never got.
            if (hasResult) expect(isBefore(end, start.moment)).toBe(false);
          }
        }
      },
    ),
    { seed: 7, numRuns: 2000 },
  );
});

test('a message of 10,000 calls is played in linear time', () => {
  const calls = Array.from(
    { length: 10_000 },
    (_, n): PlayedCall => ({
      id: `c${n}`,
      queued: { at: n, ord: n },
      end: { at: n + 20_000, ord: n + 50_000 },
      hasResult: true,
      safe: n % 100 !== 0,
      wasStopped: false,
      isCulprit: false,
      neverRan: false,
      seenRunningAt: undefined,
    }),
  );
  const started = performance.now();
  const result = reconstruct({ messageId: 'm', calls, strategy: 'streaming', stoppedAt: undefined });
  expect(result.starts.size).toBe(10_000);
  expect(performance.now() - started).toBeLessThan(5000);
});
