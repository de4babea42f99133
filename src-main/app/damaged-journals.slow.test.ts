import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { seedsFor } from '../core/bash/testing/random.ts';
import { openDamagedJournals } from './testing/damaged/open-damaged.ts';
import { agentsRun, brokenRun, busyRun } from './testing/eventful-runs.ts';
import { rehearse } from './testing/killed/moment.ts';
import { bundlePrograms } from './testing/killed/programs.ts';

const RUNS = 500;

let scratch: string;
let sessions: readonly (readonly SessionEvent[])[];
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'gantry-damaged-'));
  const programs = await bundlePrograms();
  const { events } = await rehearse(join(scratch, 'story'), programs);
  await programs.dispose();
  sessions = [await busyRun(), await brokenRun(), await agentsRun(), await busyRun({ strategy: 'serial' }), events];
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Spec 7.5: 1,000 damaged journals, no crash and no silent loss. */
test.each(seedsFor([41, 42]))(
  `${RUNS} damaged journals open without a crash and without a loss that is not told (seed %i)`,
  { timeout: 60 * 60_000 },
  async (seed) => {
    const sum = await openDamagedJournals({ seed, runs: RUNS, sessions, scratch });
    console.info(`seed ${seed}: ${JSON.stringify(sum)}`);
    expect(sum.continued).toBeGreaterThan(RUNS * 0.5);
    expect(sum.lost).toBeGreaterThan(RUNS);
  },
);
