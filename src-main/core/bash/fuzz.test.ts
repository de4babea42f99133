import { describe, expect, test } from 'vitest';
import { runWords, watchTree } from './testing/checks.ts';
import { generate } from './testing/generate.ts';
import { seedsFor } from './testing/random.ts';
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

  test(`tokens in any order leave a folder as it was (seed ${seed})`, { timeout: 120_000 }, () => {
    const make = (chance: Parameters<typeof soup>[0]) => ({ command: soup(chance), changed: true });
    const { faults, ran } = watchTree({ seed, count: 1200, make });
    expect(faults).toEqual([]);
    expect(ran).toBeGreaterThan(25);
  });

  test(`words are decoded as bash decodes them (seed ${seed})`, { timeout: 60_000 }, () => {
    const { faults, compared } = runWords({ seed, count: 240 });
    expect(faults).toEqual([]);
    expect(compared).toBeGreaterThan(60);
  });
});
