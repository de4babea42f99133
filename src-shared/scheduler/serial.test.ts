import { describe, expect, test } from 'vitest';
import { draw, drawn, play, told } from './picture.ts';

// How to read the pictures: picture.ts.

describe('serial', () => {
  test('one call after the other, each from the moment it has arrived', () => {
    const run = play(
      `
      read    |##
      grep    |#
      edit !  | #
      glob    |      #`,
      { strategy: 'serial' },
    );
    expect(draw(run)).toBe(
      drawn(`
      read    |##
      grep    |..#
      edit !  | ..#
      glob    |      #`),
    );
    expect(told(run, 'blocked')).toEqual(['0 blocked grep: order read', '1 blocked edit: order grep']);
    expect(told(run, 'batch-started')).toEqual([
      '0 open batch-0 exclusive',
      '2 open batch-1 exclusive',
      '3 open batch-2 exclusive',
      '6 open batch-3 exclusive',
    ]);
  });
});
