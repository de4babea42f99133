import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Node, withDescendants } from './tree.ts';

// A failing run is the same one when it is run again.
fc.configureGlobal({ seed: Number(process.env.GANTRY_SEED ?? 1_001) });

const pidsBelow = (rows: readonly Node[], root: number) =>
  withDescendants(rows, (row) => row.pid === root).map((row) => row.pid);

test('finds children and their children whatever the order of the rows', () => {
  const rows = [
    { pid: 30, ppid: 20 },
    { pid: 20, ppid: 10 },
    { pid: 99, ppid: 1 },
    { pid: 10, ppid: 1 },
    { pid: 21, ppid: 10 },
  ];
  expect(pidsBelow(rows, 10)).toEqual([10, 20, 21, 30]);
});

test('several roots, one below the other, are listed once each', () => {
  const rows = [
    { pid: 10, ppid: 1 },
    { pid: 20, ppid: 10 },
    { pid: 30, ppid: 20 },
  ];
  const found = withDescendants(rows, (row) => row.pid === 10 || row.pid === 20);
  expect(found.map((row) => row.pid).sort()).toEqual([10, 20, 30]);
});

test('is the least set that holds the roots and every child of a member, circles included (property)', () => {
  const rows = fc.uniqueArray(
    fc.record({ pid: fc.integer({ min: 1, max: 30 }), ppid: fc.integer({ min: 0, max: 30 }) }),
    {
      selector: (row) => row.pid,
    },
  );
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 30 }), (all, root) => {
      const found = withDescendants(all, (row) => row.pid === root);
      const pids = new Set(found.map((row) => row.pid));
      expect(pids.size).toBe(found.length);
      for (const row of all) {
        const belongs = row.pid === root || pids.has(row.ppid);
        expect(pids.has(row.pid)).toBe(belongs && all.some((other) => other.pid === root));
      }
    }),
  );
});
