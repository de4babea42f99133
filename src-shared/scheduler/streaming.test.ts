import { describe, expect, test } from 'vitest';
import { draw, drawn, play, told } from './picture.ts';

// How to read the pictures: picture.ts.

describe('streaming', () => {
  test('safe calls run beside each other, an unsafe one alone, and nothing overtakes it', () => {
    const run = play(`
      read     |###
      grep     |##
      read2    |#
      npm !    |##
      edit !   |#
      read3    |##
      glob     |#`);
    expect(draw(run)).toBe(
      drawn(`
      read     |###
      grep     |##=
      read2    |#==
      npm !    |???##
      edit !   |.....#
      read3    |......##
      glob     |......#=`),
    );
    expect(run.done).toBe(true);
  });

  test('a call starts as soon as its block has arrived, while the message is still open', () => {
    const run = play(`
      read     |##
      grep     |   ##
      edit !   |    ##
      read2    |     #
      > end    |         ^`);
    expect(draw(run)).toBe(
      drawn(`
      read     |##
      grep     |   ##
      edit !   |    ?##
      read2    |     ??#`),
    );
    expect(run.endsAt).toBe(9);
  });

  test('a group opens when something starts while nothing executes, and closes when nothing executes', () => {
    const run = play(`
      read     |##
      grep     | ##
      edit !   |  #
      glob     |     #
      > end    |        ^`);
    expect(told(run, 'batch-planned', 'batch-started', 'start', 'batch-ended')).toEqual([
      '0 open batch-0 safe',
      '0 start read in lane 0 of batch-0',
      '1 start grep in lane 1 of batch-0',
      '3 close batch-0',
      '3 open batch-1 exclusive',
      '3 start edit in lane 0 of batch-1',
      '4 close batch-1',
      '5 open batch-2 safe',
      '5 start glob in lane 0 of batch-2',
      '6 close batch-2',
    ]);
  });

  test('the cap holds, and a call takes the lowest free lane', () => {
    const run = play(
      `
      a |####
      b |#
      c |##
      d |##
      e |#`,
      { cap: 3 },
    );
    expect(draw(run)).toBe(
      drawn(`
      a |####
      b |#===
      c |##==
      d |?##=
      e |??#=`),
    );
    expect(run.runs.map(({ start }) => start?.lane)).toEqual([0, 1, 2, 1, 2]);
  });

  test('what a call waits for is told when it is added, and again when that is somebody else', () => {
    const run = play(
      `
      a    |##
      b    |###
      w !  |##
      c    |#
      d    |#
      e    |#
      x !  |#`,
      { cap: 2 },
    );
    expect(draw(run)).toBe(
      drawn(`
      a    |##
      b    |###
      w !  |???##
      c    |.....#
      d    |.....#
      e    |.....?#
      x !  |......?#`),
    );
    expect(told(run, 'blocked')).toEqual([
      '0 blocked w: lock a b',
      '0 blocked c: order w',
      '0 blocked d: order w',
      '0 blocked e: order w',
      '0 blocked x: order e',
      // At 3 the lock becomes w's, for whom c, d and e were waiting already: no news.
      '5 blocked e: no-lane c d',
      '6 blocked x: lock d e',
    ]);
  });

  test('all who come to wait for a lane are told once, and a waiting unsafe call names all that run', () => {
    const run = play(
      `
      w !  |##
      c    |##
      d    |#
      e    |#
      f    |#
      x !  |#`,
      { cap: 2 },
    );
    expect(draw(run)).toBe(
      drawn(`
      w !  |##
      c    |??##
      d    |??#=
      e    |???#
      f    |????#
      x !  |....?#`),
    );
    expect(told(run, 'blocked')).toEqual([
      '0 blocked c: lock w',
      '0 blocked d: lock w',
      '0 blocked e: lock w',
      '0 blocked f: lock w',
      '0 blocked x: order f',
      '2 blocked e: no-lane c d',
      '2 blocked f: no-lane c d',
      '4 blocked x: lock e f',
    ]);
  });

  test('unsafe calls may be held until the message has ended well; safe ones behind them do not overtake', () => {
    const picture = `
      read     |#
      edit !   |##
      read2    | #
      > end    |   ^`;
    const run = play(picture, { startUnsafe: 'after-message' });
    expect(draw(run)).toBe(
      drawn(`
      read     |#
      edit !   |...##
      read2    | ....#`),
    );
    expect(told(run, 'blocked')).toEqual(['0 blocked edit: settings', '1 blocked read2: order edit']);
    expect(draw(play(picture.replace('> end', '> cut-off'), { startUnsafe: 'after-message' }))).toBe(
      drawn(`
      read     |#
      edit !   |...x
      read2    | ..#`),
    );
  });
});
