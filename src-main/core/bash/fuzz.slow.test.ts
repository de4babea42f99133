import { describe, expect, test } from 'vitest';
import { runWords, watchTree } from './testing/checks.ts';
import { generate } from './testing/generate.ts';
import { optionSoup } from './testing/option-soup.ts';
import { seedsFor } from './testing/random.ts';
import { scriptSoup } from './testing/script-soup.ts';
import { soup } from './testing/soup.ts';

const timeout = 40 * 60_000;

describe.each(seedsFor([33]))('seed %i', (seed) => {
  test(`20,000 generated commands without a false allow (seed ${seed})`, { timeout }, () => {
    const { faults, ran, asked } = watchTree({ seed, count: 20_000, make: generate });
    expect(faults).toEqual([]);
    expect(ran + asked).toBe(20_000);
    expect(ran).toBeGreaterThan(8_000);
  });

  test(`100,000 texts of shell tokens without a false allow (seed ${seed})`, { timeout }, () => {
    expect(watchTree({ seed, count: 100_000, make: soup }).faults).toEqual([]);
  });

  test(`10,000 sed and awk scripts without a false allow (seed ${seed})`, { timeout }, () => {
    expect(watchTree({ seed, count: 10_000, make: scriptSoup }).faults).toEqual([]);
  });

  test(`5,000 uses of listed options without a false allow (seed ${seed})`, { timeout }, () => {
    expect(watchTree({ seed, count: 5_000, make: optionSoup }).faults).toEqual([]);
  });

  test(`10,000 commands whose words are decoded as bash decodes them (seed ${seed})`, { timeout }, () => {
    expect(runWords({ seed, count: 10_000 }).faults).toEqual([]);
  });
});
