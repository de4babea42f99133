import fc from 'fast-check';
import { describe, test } from 'vitest';
import { properties } from './properties.ts';

const numRuns = Number(process.env.GANTRY_RUNS ?? 10_000);
const seed = Number(process.env.GANTRY_SEED ?? 7_007);

describe(`on ${numRuns} random messages (seed ${seed})`, () => {
  test.each(properties)('$title', ({ property }) => {
    fc.assert(property, { seed, numRuns });
  });
});
