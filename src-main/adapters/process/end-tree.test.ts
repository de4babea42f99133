import { expect, test } from 'vitest';
import { millis } from '../../../src-shared/units.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import { endTree, HASTY, ORDINARY, type TreeEnd } from './end-tree.ts';
import type { Member, ProcessTable, Tree } from './process-table.ts';

const TREE: Tree = { marker: 'm', rootPid: 10 };

/** Decides what a signal does: the pids that live afterwards. */
type World = { alive: number[]; onSignal: (pid: number, signal: 'ask' | 'force') => void };

const member = (pid: number): Member => ({ pid, ppid: 1, pgid: pid, start: pid, command: `p${pid}` });

function tableOf(world: World): ProcessTable {
  return {
    startOf: (pid) => pid,
    members: async () => world.alive.map(member),
    remains: () => world.alive.map(member),
    signal: async (_tree, members, strength) => {
      for (const { pid } of members) world.onSignal(pid, strength);
    },
    orphans: async () => [],
    usageOf: () => undefined,
  };
}

/** Moves the clock by a millisecond whenever everything waits for it, until the work is done. */
async function drive<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  for (let step = 0; !isDone && step < 20_000; step++) {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    if (!isDone) clock.advance(millis(1));
  }
  return work;
}

/** Runs `endTree` in a world; every signal goes into the log with its time. */
async function play(
  world: (log: string[], say: (text: string) => void) => World,
): Promise<{ log: string[]; end: TreeEnd }> {
  const clock = new ManualClock();
  const log: string[] = [];
  const made = world(log, (text) => log.push(`${text}@${clock.monotonic()}`));
  return { log, end: await drive(clock, endTree(TREE, tableOf(made), clock)) };
}

test('what ends when asked is never forced', async () => {
  const { log, end } = await play((_log, say) => {
    const world: World = {
      alive: [10, 11],
      onSignal: (pid, signal) => {
        say(`${signal} ${pid}`);
        world.alive = world.alive.filter((other) => other !== pid);
      },
    };
    return world;
  });
  expect(log).toEqual(['ask 10@0', 'ask 11@0']);
  expect(end.ended.map(({ pid }) => pid)).toEqual([10, 11]);
  expect(end.survivors).toEqual([]);
});

test('what ignores the question is asked once and forced after two seconds', async () => {
  const { log, end } = await play((_log, say) => {
    const world: World = {
      alive: [10],
      onSignal: (pid, signal) => {
        say(`${signal} ${pid}`);
        if (signal === 'force') world.alive = [];
      },
    };
    return world;
  });
  expect(log).toEqual(['ask 10@0', 'force 10@2000']);
  expect(end.survivors).toEqual([]);
});

test('a child that appears while the tree is ending gets a signal of its own', async () => {
  const { log } = await play((_log, say) => {
    const world: World = {
      alive: [10],
      onSignal: (pid, signal) => {
        say(`${signal} ${pid}`);
        world.alive = pid === 10 ? [77] : [];
      },
    };
    return world;
  });
  expect(log).toEqual(['ask 10@0', 'ask 77@4']);
});

test('a child born behind the reader of the list is found by the second look', async () => {
  const looks = [[member(10)], [], [member(77)], [], []];
  const asked: number[] = [];
  const clock = new ManualClock();
  const table: ProcessTable = {
    ...tableOf({ alive: [], onSignal: () => {} }),
    members: async () => looks.shift() ?? [],
    signal: async (_tree, members) => {
      asked.push(...members.map(({ pid }) => pid));
    },
  };
  await drive(clock, endTree(TREE, table, clock));
  expect(asked).toEqual([10, 77]);
});

test('a process that became another program after it was asked is asked again', async () => {
  // What `cmd &` is between fork and exec: a shell in which the signal is lost.
  const looks = [{ ...member(10), command: 'bash' }, member(10), member(10), member(10)].map((one) => [one]);
  const asked: string[] = [];
  const clock = new ManualClock();
  const table: ProcessTable = {
    ...tableOf({ alive: [], onSignal: () => {} }),
    members: async () => looks.shift() ?? [],
    signal: async (_tree, members) => {
      asked.push(...members.map(({ command }) => command));
    },
  };
  await drive(clock, endTree(TREE, table, clock));
  expect(asked).toEqual(['bash', 'p10']);
});

test('when patience runs out midway, the rest of the grace is not waited for', async () => {
  const clock = new ManualClock();
  const log: string[] = [];
  const world: World = {
    alive: [10],
    onSignal: (pid, signal) => {
      log.push(`${signal} ${pid}@${clock.monotonic()}`);
      if (signal === 'force') world.alive = [];
    },
  };
  const patience = () => (clock.monotonic() < 700 ? ORDINARY : HASTY);
  await drive(clock, endTree(TREE, tableOf(world), clock, patience));
  expect(log).toHaveLength(2);
  expect(log[0]).toBe('ask 10@0');
  const forcedAt = Number(log[1]?.split('@')[1]);
  expect(forcedAt).toBeGreaterThanOrEqual(700);
  expect(forcedAt).toBeLessThanOrEqual(750);
});

test('what even force cannot end is named, and not waited for for ever', async () => {
  const { log, end } = await play((_log, say) => ({
    alive: [10],
    onSignal: (pid, signal) => say(`${signal} ${pid}`),
  }));
  expect(end.survivors).toEqual([member(10)]);
  expect(log[0]).toBe('ask 10@0');
  expect(log[1]).toBe('force 10@2000');
  expect(log.at(-1)).toBe('force 10@7000');
});
