import { expect, test } from 'vitest';
import { seedsFor } from '../../core/bash/testing/random.ts';
import { readDamagedSettings } from './testing/damaged-settings.ts';

const RUNS = 1_000;

/** Spec 7.5: 1,000 damaged settings, no crash and no wrong allow. */
test.each(seedsFor([51, 52]))(
  `${RUNS} times damaged settings on disk never throw and never allow more (seed %i)`,
  { timeout: 30 * 60_000 },
  (seed) => {
    const { broken, readable } = readDamagedSettings(seed, RUNS);
    expect(broken).toBeGreaterThan(RUNS / 5);
    expect(readable).toBeGreaterThan(RUNS / 20);
  },
);
