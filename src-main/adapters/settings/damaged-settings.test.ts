import { expect, test } from 'vitest';
import { seedsFor } from '../../core/bash/testing/random.ts';
import { readDamagedSettings } from './testing/damaged-settings.ts';

const RUNS = 200;

test.each(seedsFor([5_001]))(
  `${RUNS} times damaged settings on disk never throw and never allow more (seed %i)`,
  { timeout: 180_000 },
  (seed) => {
    const { broken, readable } = readDamagedSettings(seed, RUNS);
    expect(broken).toBeGreaterThan(RUNS / 5);
    expect(readable).toBeGreaterThan(RUNS / 20);
  },
);
