import { afterAll, beforeAll, expect, test } from 'vitest';
import { Children } from './testing/slow/bundle.ts';
import type { LookedAt, SettledCalls } from './testing/slow/settled-calls.child.ts';

let children: Children;
beforeAll(async () => {
  children = await Children.bundle();
});
afterAll(() => children.dispose());

const look = async (calls: SettledCalls): Promise<LookedAt> =>
  (await children.run('settled-calls', calls, ['--expose-gc'])) as LookedAt;

/**
 * What the turn holds beside the session's own record, in bytes a call. The request of its open stream is in it: a use and a
 * result for each call of the conversation so far.
 */
const heldByTurn = ({ live, after, calls }: LookedAt): number => (live.heap - after.heap) / calls;

/** The turn's own signal and that of its open stream, on which the stream listens. */
const OF_THE_TURN = { signals: 2, listeners: 1 };

test('10,000 settled calls of a living turn leave no signal and no listener, and nothing on the heap', async () => {
  const looked = await look({ messages: 100, callsInEach: 100 });
  expect(looked.calls).toBe(10_000);
  expect(looked.live).toMatchObject(OF_THE_TURN);
  expect(looked.after).toMatchObject({ signals: 0, listeners: 0 });
  expect(heldByTurn(looked)).toBeLessThan(500);
});

test('nor do 10,000 of one message that is still open, but for their places in it', async () => {
  const looked = await look({ messages: 1, callsInEach: 10_000 });
  expect(looked.calls).toBe(10_000);
  expect(looked.live).toMatchObject(OF_THE_TURN);
  expect(looked.after).toMatchObject({ signals: 0, listeners: 0 });
  expect(heldByTurn(looked)).toBeLessThan(1_500);
});
