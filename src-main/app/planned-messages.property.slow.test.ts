import fc from 'fast-check';
import { describe, test } from 'vitest';
import { plannedProperties } from './testing/planned/properties.ts';

const runs = Number(process.env.GANTRY_RUNS ?? 10_000);
const seed = Number(process.env.GANTRY_SEED ?? 7_007);

describe(`on ${runs} random messages through all stages (seed ${seed})`, () => {
  test.each(plannedProperties.map((one) => [one.title, one] as const))('%s', async (_, { property, share }) => {
    await fc.assert(property, { seed, numRuns: Math.ceil(runs * share) });
  });
});
