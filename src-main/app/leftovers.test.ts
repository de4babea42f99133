import { expect, test } from 'vitest';
import { FakeProcessRunner } from '../ports/process-runner.fake.ts';
import { Leftovers } from './leftovers.ts';

const processes = [
  { pid: 7, command: 'sleep 1000', marker: 'gantry-a:session_1:call_1', since: 5 },
  { pid: 8, command: 'npm run dev', marker: 'gantry-a:session_1:call_1' },
  { pid: 9, command: 'cat', marker: 'gantry-ab:session_2:call_1' },
];

test('leftovers are those of this home, with the session they come from', async () => {
  const finder = new FakeProcessRunner();
  finder.leftovers = processes;
  expect(await new Leftovers(finder, 'gantry-a').list()).toEqual([
    { pid: 7, command: 'sleep 1000', since: 5, sessionId: 'session_1' },
    { pid: 8, command: 'npm run dev', sessionId: 'session_1' },
  ]);
});

test('ending them leaves those of other homes alone, and says what is still there', async () => {
  const finder = new FakeProcessRunner();
  finder.leftovers = processes;
  const leftovers = new Leftovers(finder, 'gantry-a');
  expect(await leftovers.end()).toEqual({ ended: 2, survivors: [] });
  expect(finder.leftovers.map(({ pid }) => pid)).toEqual([9]);
  expect(await leftovers.end()).toEqual({ ended: 0, survivors: [] });
});

test('what could not be ended does not count as ended', async () => {
  const stubborn = {
    findLeftovers: async () => processes.slice(0, 2),
    endLeftovers: async () => [{ pid: 8, command: 'npm run dev' }],
  };
  expect(await new Leftovers(stubborn, 'gantry-a').end()).toEqual({
    ended: 1,
    survivors: [{ pid: 8, command: 'npm run dev' }],
  });
});
