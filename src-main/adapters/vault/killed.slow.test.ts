import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance, seedsFor } from '../../core/bash/testing/random.ts';
import { bundleRun, surviveKills } from './killed-world.fixture.ts';

const KILLS = 40;

let root: string;
let program: string;
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-vault-')));
  program = await bundleRun(join(root, 'bundle'));
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each(seedsFor([6_302]))(
  `a run killed with -9 at ${KILLS} moments damages nothing, and the next one makes it whole (seed %i)`,
  { timeout: 600_000 },
  async (seed) => {
    const killed = await surviveKills(join(root, `life-${seed}`), program, new Chance(seed), KILLS);
    expect(killed).toBeGreaterThan(KILLS / 3);
  },
);
