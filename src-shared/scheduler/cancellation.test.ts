import { describe, expect, test } from 'vitest';
import type { BatchId, CallId } from '../ids.ts';
import { createScheduler } from './create-scheduler.ts';
import { draw, drawn, play, told } from './picture.ts';

// How to read the pictures: picture.ts.

describe('a cascade', () => {
  // The recording cascade-stream of Claude Code 2.1.92, in ticks: `ls missing-folder` fails while `sleep 4` runs.
  const recorded = `
    ls missing    |#####!            | bash
    sleep         | #################| bash cancel
    read          |  ##
    grep          |   #
    git status    |   ##             | bash
    touch !       |    #             | bash`;

  test('cancels who runs and who waits; who is done keeps its own result', () => {
    const run = play(recorded);
    expect(draw(run)).toBe(
      drawn(`
      ls missing    |#####!
      sleep         | #####x
      read          |  ##==
      grep          |   #==
      git status    |   ##=
      touch !       |    ??x`),
    );
    expect(told(run, 'cascade', 'cancel')).toEqual([
      '6 cascade from ls missing: sleep touch',
      '6 cancel sleep: sibling_error by ls missing, running',
      '6 cancel touch: sibling_error by ls missing',
    ]);
  });

  test('does not happen in the strategies whose policy is none', () => {
    const run = play(recorded, { strategy: 'batch', cascade: 'none' });
    expect(told(run, 'cascade', 'cancel')).toEqual([]);
    expect(run.runs.every(({ start }) => start !== undefined)).toBe(true);
  });

  test.each([
    ['any-error', 'read grep'],
    ['except-writes', ''],
    ['bash', ''],
    ['bash-mutating', ''],
    ['none', ''],
  ] as const)('from a failing Edit under %s cancels: %s', (cascade, victims) => {
    const run = play(
      `
      edit !  |#!  | write
      read    |#
      grep    |#`,
      { cascade },
    );
    const cancelled = run.runs.filter((one) => one.cancelled !== undefined).map(({ call }) => call.callId);
    expect(cancelled.join(' ')).toBe(victims);
  });

  test('falls on calls that are added later too, and is told once', () => {
    const run = play(`
      ls     |#!   | bash
      read   |    #
      grep   |     #`);
    expect(draw(run)).toBe(
      drawn(`
      ls     |#!
      read   |    x
      grep   |     x`),
    );
    expect(told(run, 'cascade', 'cancel', 'yield')).toEqual([
      '2 yield ls',
      '4 cascade from ls: read',
      '4 cancel read: sibling_error by ls',
      '4 yield read',
      '5 cancel grep: sibling_error by ls',
      '5 yield grep',
    ]);
  });

  test('is not told while nobody falls', () => {
    expect(told(play('ls |#! | bash'), 'cascade')).toEqual([]);
  });

  test('never starts from a call that was told to cancel', () => {
    const run = play(`
      rm !      |##!     | bash
      > escape  | ^`);
    expect(told(run, 'cascade', 'cancel')).toEqual(['1 cancel rm: escape, running']);
    const victimThatFails = play(`
      ls        |#!       | bash
      sleep     |##!      | bash lingers
      read      |####     | lingers`);
    expect(told(victimThatFails, 'cascade')).toEqual(['2 cascade from ls: sleep read']);
  });
});

describe('an interrupt', () => {
  const picture = `
    fetch        |#####   | cancel
    edit !       | ###
    read         | #
    > interrupt  |  ^
    > end        |   ^`;

  test('stops what says cancel and all that waits', () => {
    const run = play(picture);
    expect(draw(run)).toBe(
      drawn(`
      fetch        |##x
      edit !       | ?x
      read         | .x`),
    );
    expect(told(run, 'cancel')).toEqual([
      '2 cancel fetch: interrupt, running',
      '2 cancel edit: interrupt',
      '2 cancel read: interrupt',
    ]);
  });

  test('lets what says block run to its end; escape does not', () => {
    const blocking = picture.replace('#####   | cancel', '#####');
    expect(draw(play(blocking))).toBe(
      drawn(`
      fetch        |#####
      edit !       | ?x==
      read         | .x==`),
    );
    expect(draw(play(blocking.replace('> interrupt', '> escape')))).toBe(draw(play(picture)));
  });

  test('cancels what is added later', () => {
    const run = play(`
      edit !       |###
      read         |   #
      > interrupt  | ^`);
    expect(draw(run)).toBe(
      drawn(`
      edit !       |###
      read         |   x`),
    );
  });

  test('is possible while everything executing says cancel, and that is told on change', () => {
    const run = play(`
      fetch   |###    | cancel
      sleep   | #     | cancel
      read    | ###
      edit !  |   #   | cancel`);
    expect(draw(run)).toBe(
      drawn(`
      fetch   |###
      sleep   | #=
      read    | ###
      edit !  |   ?#`),
    );
    expect(told(run, 'interruptible')).toEqual([
      '0 interruptible',
      '1 not interruptible',
      '4 interruptible',
      '5 not interruptible',
    ]);
  });
});

describe('the stronger reason counts', () => {
  test('a sibling error is told over an interrupt, a discard over both', () => {
    const run = play(`
      ls           |###!     | bash
      sleep        |#~       | bash cancel lingers
      read         |#~       | cancel lingers
      > interrupt  |   ^
      > discard    |     ^`);
    expect(told(run, 'cascade', 'cancel')).toEqual([
      '3 cancel sleep: interrupt, running',
      '3 cancel read: interrupt, running',
      '4 cascade from ls: sleep read',
      '4 cancel sleep: sibling_error by ls, running',
      '4 cancel read: sibling_error by ls, running',
    ]);
    expect(run.runs[1]?.cancelled).toEqual({ at: 3, reason: 'sibling_error', culprit: 'ls' });
  });

  test('a discard is told over an escape, but not the other way round', () => {
    const picture = `
      tail       |#~       | lingers
      > escape   |  ^
      > discard  |   ^`;
    expect(told(play(picture), 'cancel')).toEqual([
      '2 cancel tail: escape, running',
      '3 cancel tail: discarded, running',
    ]);
    const swapped = picture.replace('> escape ', '> discard').replace('> discard  |   ^', '> escape   |   ^');
    expect(told(play(swapped), 'cancel')).toEqual(['2 cancel tail: discarded, running']);
  });

  test('of reasons of the same strength the first counts', () => {
    const run = play(`
      tail         |#~       | cancel lingers
      > interrupt  |  ^
      > escape     |   ^
      > shutdown   |   ^`);
    expect(told(run, 'cancel')).toEqual(['2 cancel tail: interrupt, running']);
  });
});

describe('a discard', () => {
  test('starts nothing more, stops what runs, and never yields what is completed', () => {
    const run = play(`
      read       |####     | lingers
      grep       |#
      edit !     | #
      glob       |    #
      > discard  |  ^`);
    expect(draw(run)).toBe(
      drawn(`
      read       |##xx
      grep       |#=/
      edit !     | ?x
      glob       |    x`),
    );
    expect(told(run, 'yield')).toEqual([]);
    expect(told(run, 'batch-ended')).toEqual(['4 close batch-0']);
    expect(run.done).toBe(true);
  });
});

describe('a message that ends badly', () => {
  const picture = `
    read       |###
    edit !     |  #
    grep       |  #
    write !    |  #
    > refused  |  ^`;

  test('refused: unsafe calls that have not started never start; the others are answered', () => {
    const run = play(picture);
    expect(draw(run)).toBe(
      drawn(`
      read       |###
      edit !     |  x
      grep       |  #
      write !    |  x`),
    );
    expect(told(run, 'cancel')).toEqual(['2 cancel edit: refused', '2 cancel write: refused']);
    expect(run.done).toBe(true);
  });

  test('cut off: likewise, with its own reason', () => {
    expect(told(play(picture.replace('> refused', '> cut-off')), 'cancel')).toEqual([
      '2 cancel edit: cut-off',
      '2 cancel write: cut-off',
    ]);
  });

  test('an unsafe call that has started runs to its end, and those behind it then wait for it by name', () => {
    const run = play(`
      edit !     |####
      write !    | #
      read       | #
      write2 !   | #
      grep       | #
      > refused  |  ^`);
    expect(draw(run)).toBe(
      drawn(`
      edit !     |####
      write !    | ?x=
      read       | .??#
      write2 !   | .x==
      grep       | .??#`),
    );
    expect(told(run, 'blocked')).toEqual([
      '1 blocked write: lock edit',
      '1 blocked read: order write',
      '1 blocked write2: order read',
      '1 blocked grep: order write2',
      '2 blocked read: lock edit',
      '2 blocked grep: lock edit',
    ]);
  });

  test('under batch nothing unsafe runs at all, and its neighbours become one batch', () => {
    const run = play(picture, { strategy: 'batch' });
    expect(told(run, 'batch-planned')).toEqual(['2 plan batch-0 safe: read grep']);
    expect(run.done).toBe(true);
  });

  test('what a bad end has cancelled is not cancelled again', () => {
    const run = play(`
      edit !     |#####
      write !    |#
      read       |#
      > refused  |^
      > discard  |  ^`);
    expect(told(run, 'cancel')).toEqual([
      '0 cancel write: refused',
      '2 cancel edit: discarded, running',
      '2 cancel read: discarded',
    ]);
  });
});

describe('a cascade above, which reaches the calls of an agent', () => {
  test('stops every call for its reason and names its culprit, which is none of them; no cascade is told here', () => {
    const scheduler = createScheduler({
      strategy: 'streaming',
      cap: 10,
      cascade: 'bash',
      startUnsafe: 'at-once',
      newBatchId: () => 'batch' as BatchId,
    });
    const call = (callId: string, safe: boolean) =>
      ({ callId: callId as CallId, safe, kind: 'other', onInterrupt: 'block' }) as const;
    scheduler.add(call('look', true));
    scheduler.add(call('change', false));
    const above = 'ls above' as CallId;
    expect(scheduler.interrupt('sibling_error', above).filter(({ type }) => type !== 'blocked')).toMatchObject([
      { type: 'cancel', callId: 'look', reason: 'sibling_error', culprit: above, hadStarted: true },
      { type: 'cancel', callId: 'change', reason: 'sibling_error', culprit: above, hadStarted: false },
    ]);
    const late = scheduler.add(call('late', true));
    expect(late.map(({ type }) => type)).toEqual(['cancel']);
  });
});
