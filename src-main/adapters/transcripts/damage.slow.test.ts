import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { openDamaged } from './damage.ts';

let scratch = '';
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'gantry-damage-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Spec 7.5: no crash and no silent loss in 2,000 damaged transcripts. */
test.each([11, 12, 13, 14])('500 damaged transcripts still make sound sessions (seed %s)', async (seed) => {
  await openDamaged({ seed, runs: 500, scratch });
});
