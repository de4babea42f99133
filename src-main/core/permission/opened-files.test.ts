import { expect, test } from 'vitest';
import { seedsFor } from '../bash/testing/random.ts';
import { compareFiles } from './testing/expected-files.ts';

test.each(seedsFor([1, 2026]))(
  'whatever bash opens was expected, or said to be unknown (seed %i)',
  { timeout: 120_000 },
  (seed) => {
    const { faults, known } = compareFiles(seed, 150);
    expect(faults).toEqual([]);
    // The test is worth something only while most of what is opened was foretold.
    expect(known).toBeGreaterThan(80);
  },
);
