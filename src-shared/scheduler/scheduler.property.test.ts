import fc from 'fast-check';
import { describe, test } from 'vitest';
import { properties } from './properties.ts';

const numRuns = Number(process.env.GANTRY_RUNS ?? 500);
// A seed that once failed stays in the list.
const seeds = [1_001, 20_260_101, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

describe.each(seeds)('on random messages (seed %d)', (seed) => {
  test.each(properties)('$title', ({ property }) => {
    fc.assert(property, { seed, numRuns });
  });
});
