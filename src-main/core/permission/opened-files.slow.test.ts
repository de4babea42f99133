import { expect, test } from 'vitest';
import { seedsFor } from '../bash/testing/random.ts';
import { compareFiles } from './testing/expected-files.ts';

test.each(seedsFor([7, 8, 9]))(
  'whatever bash opens in 3,000 commands was expected, or said to be unknown (seed %i)',
  { timeout: 60 * 60_000 },
  (seed) => {
    expect(compareFiles(seed, 3_000).faults).toEqual([]);
  },
);
