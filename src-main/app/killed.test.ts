import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedsFor } from '../core/bash/testing/random.ts';
import { Deaths, expectFullStory } from './testing/killed/deaths.ts';

/** Spec 7.5 wants 200; they are tried in `killed.slow.test.ts`. */
const MOMENTS = 20;

let deaths: Deaths;
beforeAll(async () => {
  deaths = await Deaths.prepare();
}, 120_000);
afterAll(() => deaths.dispose());

test('the story has all that a death may tear', () => {
  expectFullStory(deaths.whole);
});

test.each(seedsFor([7_501]))(
  `a session killed with -9 at ${MOMENTS} moments loses nothing, leaves nothing, and goes on (seed %i)`,
  { timeout: 600_000 },
  async (seed) => {
    const after = await deaths.try(seed, MOMENTS, 2);
    expect(after).toHaveLength(MOMENTS);
    expect(after.some(({ openCalls }) => openCalls > 0)).toBe(true);
  },
);
