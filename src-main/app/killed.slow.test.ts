import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedsFor } from '../core/bash/testing/random.ts';
import { Deaths } from './testing/killed/deaths.ts';

const MOMENTS = 50;

let deaths: Deaths;
let load: readonly ChildProcess[] = [];
beforeAll(async () => {
  deaths = await Deaths.prepare();
  // One for each processor that never rests.
  load = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;) Math.random();'], { stdio: 'ignore' }),
  );
}, 120_000);
afterAll(async () => {
  for (const child of load) child.kill('SIGKILL');
  await deaths.dispose();
});

/** Spec 7.5: 200 moments under load. */
test.each(seedsFor([75, 76, 77, 78]))(
  `a session killed with -9 at ${MOMENTS} moments under load loses nothing, leaves nothing, and goes on (seed %i)`,
  { timeout: 60 * 60_000 },
  async (seed) => {
    const after = await deaths.try(seed, MOMENTS, 2);
    expect(after).toHaveLength(MOMENTS);
    const sum = (of: (one: (typeof after)[number]) => number): number => after.reduce((all, one) => all + of(one), 0);
    const figures = {
      acknowledged: sum(({ acknowledged }) => acknowledged),
      openCalls: sum(({ openCalls }) => openCalls),
      torn: sum(({ torn }) => Number(torn)),
      requestsAfter: sum(({ requestsAfter }) => requestsAfter),
      slowestReapMs: Math.round(Math.max(...after.map(({ reapedMs }) => reapedMs))),
    };
    console.info(`seed ${seed}: ${JSON.stringify(figures)}`);
    expect(figures.openCalls).toBeGreaterThan(MOMENTS);
    expect(figures.torn).toBeGreaterThan(0);
  },
);
