import { describe, expect, test } from 'vitest';
import { runWords, watchTree } from './testing/checks.ts';
import { generate } from './testing/generate.ts';
import { seedsFor } from './testing/random.ts';
import { scriptSoup } from './testing/script-soup.ts';
import { soup } from './testing/soup.ts';

describe.each(seedsFor([1, 2026]))('seed %i', (seed) => {
  test(`what is called read-only leaves a folder as it was (seed ${seed})`, { timeout: 120_000 }, () => {
    const { faults, asked, ran, recognised } = watchTree({ seed, count: 160, make: generate });
    expect(faults).toEqual([]);
    // The generator is worth something only while most harmless commands run and many changes are hidden.
    expect(ran).toBeGreaterThan(60);
    expect(asked).toBeGreaterThan(30);
    expect(recognised).toBeGreaterThan(0.9);
  });

  test(`shell tokens in any order leave a folder as it was (seed ${seed})`, { timeout: 120_000 }, () => {
    const { faults, ran } = watchTree({ seed, count: 1000, make: soup });
    expect(faults).toEqual([]);
    expect(ran).toBeGreaterThan(20);
  });

  test(`sed and awk scripts of any tokens leave a folder as it was (seed ${seed})`, { timeout: 120_000 }, () => {
    const { faults, ran } = watchTree({ seed, count: 300, make: scriptSoup });
    expect(faults).toEqual([]);
    expect(ran).toBeGreaterThan(20);
  });

  test(`words are decoded as bash decodes them (seed ${seed})`, { timeout: 60_000 }, () => {
    const { faults, compared } = runWords({ seed, count: 200 });
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(50);
  });
});
