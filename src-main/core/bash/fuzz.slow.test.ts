import { describe, expect, test } from 'vitest';
import { runWords, watchTree } from './testing/checks.ts';
import { generate } from './testing/generate.ts';
import { seedsFor } from './testing/random.ts';
import { soup } from './testing/soup.ts';

const minutes = 60_000;

describe.each(seedsFor([33]))('seed %i', (seed) => {
  test(`20,000 generated commands without a false allow (seed ${seed})`, { timeout: 30 * minutes }, () => {
    const { faults, ran, asked } = watchTree({ seed, count: 20_000, make: generate });
    expect(faults).toEqual([]);
    expect(ran + asked).toBe(20_000);
    expect(ran).toBeGreaterThan(8_000);
  });

  test(`100,000 texts of shell tokens without a false allow (seed ${seed})`, { timeout: 30 * minutes }, () => {
    const make = (chance: Parameters<typeof soup>[0]) => ({ command: soup(chance), changed: true });
    expect(watchTree({ seed, count: 100_000, make }).faults).toEqual([]);
  });

  test(`10,000 words decoded as bash decodes them (seed ${seed})`, { timeout: 10 * minutes }, () => {
    expect(runWords({ seed, count: 10_000 }).faults).toEqual([]);
  });
});
