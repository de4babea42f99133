import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { seedsFor } from '../core/bash/testing/random.ts';
import { openDamagedJournals } from './testing/damaged/open-damaged.ts';
import { agentsRun, brokenRun, busyRun } from './testing/eventful-runs.ts';

const RUNS = 150;

let scratch: string;
let sessions: readonly (readonly SessionEvent[])[];
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'gantry-damaged-'));
  sessions = [await busyRun(), await brokenRun(), await agentsRun(), await busyRun({ strategy: 'serial' })];
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each(seedsFor([4_001, 4_002]))(
  `${RUNS} damaged journals open without a crash and without a loss that is not told (seed %i)`,
  { timeout: 300_000 },
  async (seed) => {
    const sum = await openDamagedJournals({ seed, runs: RUNS, sessions, scratch });
    // The property would hold of a reader that refuses everything.
    expect(sum.continued).toBeGreaterThan(RUNS * 0.5);
    expect(sum.lost).toBeGreaterThan(RUNS / 10);
  },
);
