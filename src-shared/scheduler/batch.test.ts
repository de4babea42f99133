import { describe, expect, test } from 'vitest';
import { draw, drawn, play, told } from './picture.ts';

// How to read the pictures: picture.ts.

describe('batch', () => {
  test('waits for the whole message, then runs batch after batch', () => {
    const run = play(
      `
      read    |##
      grep    |#
      npm !   | ##
      read2   |  #
      edit !  |  #
      > end   |   ^`,
      { strategy: 'batch' },
    );
    expect(draw(run)).toBe(
      drawn(`
      read    |...##
      grep    |...#=
      npm !   | ....##
      read2   |  .....#
      edit !  |  ......#`),
    );
    expect(told(run, 'batch-planned', 'batch-started', 'batch-ended', 'blocked')).toEqual([
      '0 blocked read: message-open',
      '0 blocked grep: message-open',
      '1 blocked npm: message-open',
      '2 blocked read2: message-open',
      '2 blocked edit: message-open',
      '3 plan batch-0 safe: read grep',
      '3 plan batch-1 exclusive: npm',
      '3 plan batch-2 safe: read2',
      '3 plan batch-3 exclusive: edit',
      '3 open batch-0 safe',
      '3 blocked npm: batch read grep',
      '3 blocked read2: batch npm',
      '3 blocked edit: batch read2',
      '5 close batch-0',
      '5 open batch-1 exclusive',
      '7 close batch-1',
      '7 open batch-2 safe',
      '8 close batch-2',
      '8 open batch-3 exclusive',
      '9 close batch-3',
    ]);
  });

  test('inside a safe batch at most cap run at once, and the batch stays one', () => {
    const run = play(
      `
      a |#   || modifies
      b |##  || modifies
      c |#   || modifies
      d |#
      e !|#`.replaceAll('||', '|'),
      { strategy: 'batch', cap: 1 },
    );
    expect(draw(run)).toBe(
      drawn(`
      a   |#
      b   |?##
      c   |???#
      d   |????#
      e ! |.....#`),
    );
    expect(told(run, 'batch-ended', 'apply-modifiers')).toEqual([
      '5 close batch-0',
      '5 apply a b c',
      '6 close batch-1',
    ]);
  });

  test('a cascade reaches the batches to come', () => {
    const run = play(
      `
      read    |###
      ls      |#!   | bash
      edit !  |#
      glob    |#`,
      { strategy: 'batch', cascade: 'bash' },
    );
    expect(draw(run)).toBe(
      drawn(`
      read    |##x
      ls      |#!
      edit !  |..x
      glob    |..x`),
    );
    expect(told(run, 'batch-started', 'batch-ended')).toEqual(['0 open batch-0 safe', '2 close batch-0']);
  });
});
