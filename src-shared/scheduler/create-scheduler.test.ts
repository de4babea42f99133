import { describe, expect, test } from 'vitest';
import type { CallId } from '../ids.ts';
import { createScheduler } from './create-scheduler.ts';
import { CallAddedTooLate, CallAddedTwice, CapNotPositive } from './errors.ts';
import { draw, drawn, play, told } from './picture.ts';
import { numberedBatches, simulate } from './simulate.ts';
import type { ScheduledCall, SchedulerOptions } from './types.ts';

// How to read the pictures: picture.ts.

const options: SchedulerOptions = {
  strategy: 'streaming',
  cap: 10,
  cascade: 'bash',
  startUnsafe: 'at-once',
  newBatchId: numberedBatches(),
};
const call = (id: string, more: Partial<ScheduledCall> = {}): ScheduledCall => ({
  callId: id as CallId,
  safe: true,
  kind: 'other',
  onInterrupt: 'block',
  ...more,
});

describe('results', () => {
  test('are yielded in call order, each once; who is done early is held back', () => {
    const run = play(`
      a |###
      b |#
      c |##
      d |   #`);
    expect(draw(run)).toBe(
      drawn(`
      a |###
      b |#==
      c |##=
      d |   #`),
    );
    expect(told(run, 'yield')).toEqual(['3 yield a', '3 yield b', '3 yield c', '4 yield d']);
  });

  test('a call that hangs holds back everything behind it', () => {
    const run = play(`
      a |#
      b |#~
      c |#
      d |  #`);
    expect(told(run, 'yield')).toEqual(['1 yield a']);
    expect(run.done).toBe(false);
  });
});

describe('modifiers of the context', () => {
  test('of an unsafe call are applied before the next call starts', () => {
    const run = play(`
      cd !  |#  | modifies
      read  |#`);
    expect(told(run, 'apply-modifiers', 'start')).toEqual([
      '0 start cd in lane 0 of batch-0',
      '1 apply cd',
      '1 start read in lane 0 of batch-1',
    ]);
  });

  test('of safe calls wait until no safe call is executing, and go in call order, whoever was done first', () => {
    const run = play(`
      a     |###   | modifies
      b     |#     | modifies
      c     |  ##
      d     |   #  | modifies
      e !   |   #`);
    expect(draw(run)).toBe(
      drawn(`
      a     |###
      b     |#==
      c     |  ##
      d     |   #
      e !   |   ?#`),
    );
    expect(told(run, 'apply-modifiers', 'batch-ended', 'start').slice(-4)).toEqual([
      '4 close batch-0',
      '4 apply a b d',
      '4 start e in lane 0 of batch-1',
      '5 close batch-1',
    ]);
  });

  test('of a discarded attempt are never applied', () => {
    const run = play(`
      a          |#     | modifies
      b          |####
      > discard  |  ^`);
    expect(told(run, 'apply-modifiers')).toEqual([]);
  });
});

describe('the debugger', () => {
  test('while held nothing starts, and a step lets exactly one call go', () => {
    const run = play(`
      a          |##
      b          | #
      c          | #
      d !        | #
      > hold     |^
      > step     |   ^
      > step     |    ^
      > release  |        ^`);
    expect(draw(run)).toBe(
      drawn(`
      a          |hhh##
      b          | hhh#
      c          | hhhhhhh#
      d !        | ........#`),
    );
  });

  test('a step that finds nothing startable waits for the first call that is; steps do not pile up', () => {
    const run = play(`
      edit !     |####
      read       |#
      grep       |#
      > hold     | ^
      > step     | ^
      > step     |  ^`);
    expect(draw(run)).toBe(
      drawn(`
      edit !     |####
      read       |????#
      grep       |????hh`),
    );
    expect(run.done).toBe(false);
    expect(told(run, 'blocked')).toEqual([
      '0 blocked read: lock edit',
      '0 blocked grep: lock edit',
      '4 blocked grep: hold',
    ]);
  });

  test('a batch stepped through stays one batch, and its modifiers wait for its end', () => {
    const run = play(
      `
      a       |#   | modifies
      b       |#   | modifies
      > hold  |^
      > step  |  ^
      > step  |     ^`,
      { strategy: 'batch' },
    );
    expect(told(run, 'batch-started', 'batch-ended', 'apply-modifiers')).toEqual([
      '2 open batch-0 safe',
      '6 close batch-0',
      '6 apply a b',
    ]);
  });

  test('letting go of the hold forgets a step that waits', () => {
    const run = play(`
      edit !     |#####
      read       |#
      > hold     | ^
      > step     | ^
      > release  |  ^
      > hold     |   ^`);
    expect(told(run, 'blocked')).toEqual(['0 blocked read: lock edit', '5 blocked read: hold']);
    expect(run.done).toBe(false);
  });

  test('of those who wait for a lane or the hold only the first is told when it is the other', () => {
    const run = play(
      `
      a          |##
      b          |#
      c          |#
      d          |#
      > hold     |^
      > step     | ^
      > step     |   ^
      > release  |    ^`,
      { cap: 1 },
    );
    expect(told(run, 'blocked')).toEqual([
      '0 blocked a: hold',
      '0 blocked b: hold',
      '0 blocked c: hold',
      '0 blocked d: hold',
      '1 blocked b: no-lane a',
      '3 blocked b: hold',
      '3 blocked c: no-lane b',
      '4 blocked c: hold',
      '4 blocked d: no-lane c',
    ]);
  });

  test('a step with an empty queue is nothing: what comes later is held', () => {
    const run = play(`
      a       |   #
      > hold  |^
      > step  | ^`);
    expect(told(run, 'start', 'blocked')).toEqual(['3 blocked a: hold']);
  });
});

describe('a message of 10,000 calls', () => {
  const shapes: Readonly<Record<string, (index: number) => boolean>> = {
    safe: () => true,
    unsafe: () => false,
    mixed: (index) => index % 4 !== 3,
    'safe, then unsafe': (index) => index < 5_000,
  };
  const strategies = ['streaming', 'batch', 'serial'] as const;
  const cases = Object.keys(shapes).flatMap((shape) => strategies.map((strategy) => [shape, strategy] as const));

  test.each(cases)('of %s calls under %s takes a few decisions a call', (shape, strategy) => {
    const isSafe = shapes[shape] as (index: number) => boolean;
    const calls = Array.from({ length: 10_000 }, (_, index) => ({
      ...call(`call-${index}`, { safe: isSafe(index) }),
      arrives: 0,
      runs: 1,
      modifies: index % 2 === 0,
    }));
    for (const cap of [10, 20_000]) {
      const { steps, done } = simulate({ calls }, { ...options, strategy, cap });
      expect(done).toBe(true);
      const namesTold = steps
        .flatMap(({ decisions }) => decisions)
        .reduce((sum, decision) => sum + (decision.type === 'blocked' ? decision.by.length : 1), 0);
      expect(namesTold).toBeLessThan(20 * calls.length);
    }
  });
});

describe('a scheduler is done', () => {
  const ended = { failed: false, modifies: false };

  test('when the message has ended and every call has been yielded', () => {
    const scheduler = createScheduler(options);
    scheduler.add(call('read'));
    scheduler.settle('read' as CallId, ended);
    expect(scheduler.phaseOf('read' as CallId)).toBe('yielded');
    expect(scheduler.done).toBe(false);
    scheduler.messageEnded('well');
    expect(scheduler.done).toBe(true);
  });

  test('after a discard when nothing executes, though the message never ends', () => {
    const scheduler = createScheduler(options);
    scheduler.add(call('read'));
    scheduler.discard();
    expect(scheduler.done).toBe(false);
    scheduler.settle('read' as CallId, ended);
    expect(scheduler.done).toBe(true);
    expect(scheduler.phaseOf('read' as CallId)).toBe('completed');
  });
});

describe('misuse', () => {
  test('a call that is added twice, or after the end, is refused', () => {
    const scheduler = createScheduler(options);
    scheduler.add(call('a'));
    expect(() => scheduler.add(call('a'))).toThrow(CallAddedTwice);
    scheduler.messageEnded('well');
    expect(() => scheduler.add(call('b'))).toThrow(CallAddedTooLate);
    expect(scheduler.phaseOf('b' as CallId)).toBeUndefined();
  });

  test('settling a call that is not executing is ignored, and so is a second end of the message', () => {
    const scheduler = createScheduler(options);
    scheduler.add(call('edit', { safe: false }));
    scheduler.add(call('read'));
    const ended = { failed: true, modifies: true };
    expect(scheduler.settle('read' as CallId, ended)).toEqual([]);
    expect(scheduler.settle('nobody' as CallId, ended)).toEqual([]);
    scheduler.messageEnded('well');
    expect(scheduler.messageEnded('refused')).toEqual([]);
    expect(scheduler.phaseOf('read' as CallId)).toBe('queued');
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('a cap of %s is refused', (cap) => {
    expect(() => createScheduler({ ...options, cap })).toThrow(CapNotPositive);
  });
});
