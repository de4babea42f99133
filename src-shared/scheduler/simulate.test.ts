import { expect, test } from 'vitest';
import { draw, drawn, messageOf, play } from './picture.ts';
import { simulate, simulateAllAtOnce } from './simulate.ts';

// How to read the pictures: picture.ts.

const mixed = `
  read     |###
  grep     |##
  npm !    |##
  edit !   | #
  glob     | #`;

test('the strategies differ in when, not in what', () => {
  const wall = Object.fromEntries(
    (['streaming', 'batch', 'serial'] as const).map((strategy) => [strategy, play(mixed, { strategy }).endsAt]),
  );
  expect(wall).toEqual({ streaming: 7, batch: 8, serial: 9 });
});

test('all at once is what a run without any lock would be', () => {
  expect(draw(simulateAllAtOnce(messageOf(mixed)))).toBe(
    drawn(`
    read     |.###
    grep     |.##=
    npm !    |.##=
    edit !   | #==
    glob     | #==`),
  );
});

test('the same message gives the same simulation', () => {
  expect(play(mixed)).toEqual(play(mixed));
});

test('a length known as a lower bound makes the whole one, but only if the call ran that long', () => {
  const { calls } = messageOf(`
    ls     |##!   | bash
    sleep  |####  | bash`);
  const message = { calls: calls.map((call) => ({ ...call, runsAtLeast: call.callId === 'sleep' })) };
  const of = (cascade: 'bash' | 'none') =>
    simulate(message, {
      strategy: 'streaming',
      cap: 10,
      cascade,
      startUnsafe: 'at-once',
      newBatchId: () => 'one' as never,
    }).isLowerBound;
  expect(of('none')).toBe(true);
  expect(of('bash')).toBe(false);
});

test('a call that hangs is not done, and an input after the end makes nothing longer', () => {
  expect(play('tail |#~').done).toBe(false);
  const run = play(`
    read      |##
    > escape  |       ^`);
  expect(run).toMatchObject({ done: true, endsAt: 2 });
});

test('a call that ends the turn stops what runs and what waits, and keeps its own end', () => {
  const { calls } = messageOf(`
    read   |####
    ask    |##
    edit ! | #`);
  const refused = calls.map((call) => ({ ...call, endsTurn: call.callId === 'ask' }));
  const { runs, done } = simulate(
    { calls: refused },
    { strategy: 'streaming', cap: 10, cascade: 'bash', startUnsafe: 'at-once', newBatchId: () => 'one' as never },
  );
  expect(done).toBe(true);
  expect(runs.map((run) => [run.endedAt, run.cancelled?.reason])).toEqual([
    [2, 'escape'],
    [2, undefined],
    [2, 'escape'],
  ]);
});

test('a call whose block is said to come before its predecessor comes with it', () => {
  const run = play(`
    read  |   #
    grep  | #`);
  expect(run.runs.map(({ arrivedAt }) => arrivedAt)).toEqual([3, 3]);
});

test('an empty message is done when it has ended', () => {
  for (const strategy of ['streaming', 'batch', 'serial'] as const) {
    expect(play('> end |^', { strategy })).toMatchObject({ runs: [], done: true, endsAt: 0 });
  }
});
