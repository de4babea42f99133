import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Salvaged } from '../salvage.ts';
import { FileOrder } from './file-order.ts';
import { FileTail } from './file-tail.ts';
import { LineTail } from './line-tail.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-tail-'));
  file = join(folder, 'session.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the tail of a file', () => {
  const reads: number[] = [];
  const grow = async (tail: FileTail) => {
    const pieces: string[] = [];
    reads.length = 0;
    const growth = await tail.grow((piece) => pieces.push(piece.toString()));
    return [growth, pieces.join('')];
  };
  const tailOf = () => new FileTail(file, (bytes) => reads.push(bytes));

  test('gives what was appended and reads nothing else but a mark', async () => {
    const tail = tailOf();
    expect(await grow(tail)).toEqual(['gone', '']);
    await writeFile(file, 'a'.repeat(5_000));
    expect(await grow(tail)).toEqual(['grown', 'a'.repeat(5_000)]);
    expect(reads).toEqual([5_000]);
    expect(await grow(tail)).toEqual(['same', '']);
    expect(reads).toEqual([]);
    await appendFile(file, 'more');
    expect(await grow(tail)).toEqual(['grown', 'more']);
    expect(reads).toEqual([16 + 4]);
  });

  test('notices a file that was cut, and one that has taken its name', async () => {
    const tail = tailOf();
    await writeFile(file, 'one line\n');
    await grow(tail);
    await truncate(file, 3);
    expect(await grow(tail)).toEqual(['replaced', '']);
    const other = tailOf();
    await writeFile(file, 'one line\n');
    await grow(other);
    await writeFile(join(folder, 'new'), 'one line\nand more\n');
    await rename(join(folder, 'new'), file);
    expect(await grow(other)).toEqual(['replaced', '']);
  });

  test('notices a file that was written anew and is longer now', async () => {
    const tail = tailOf();
    await writeFile(file, 'what it was\n');
    await grow(tail);
    await writeFile(file, 'what it is now, and it is longer\n');
    expect(await grow(tail)).toEqual(['replaced', '']);
  });
});

describe('the lines of a file that grows', () => {
  const values = async (tail: LineTail) => {
    const found: Salvaged[] = [];
    const growth = await tail.grow((records) => found.push(...records));
    return { growth, values: found.map(({ value }) => value), lines: found.map(({ line }) => line) };
  };
  const tailOf = () => new LineTail(file, { onRead: () => {}, onTrouble: () => {} });

  test('half a line waits for its rest', async () => {
    const tail = tailOf();
    await writeFile(file, '{"a":1}\n{"b":');
    expect((await values(tail)).values).toEqual([{ a: 1 }]);
    expect(tail.waiting).toBe(5);
    await appendFile(file, '"{}');
    expect((await values(tail)).values).toEqual([]);
    await appendFile(file, '"}\n');
    expect(await values(tail)).toEqual({ growth: 'grown', values: [{ b: '{}' }], lines: [2] });
  });

  test('a whole object without its line break is taken, once, and the lines are counted on', async () => {
    const tail = tailOf();
    await writeFile(file, '{"a":1}\n{"b":2}');
    expect((await values(tail)).values).toEqual([{ a: 1 }, { b: 2 }]);
    await appendFile(file, '\n{"c":3}\n');
    expect(await values(tail)).toEqual({ growth: 'grown', values: [{ c: 3 }], lines: [3] });
  });

  test('an object that is glued to one that was taken for a whole line is read anew with it', async () => {
    const tail = tailOf();
    await writeFile(file, '{"a":1}');
    await values(tail);
    await appendFile(file, '{"b":2}\n');
    expect((await values(tail)).growth).toBe('replaced');
    expect((await values(tailOf())).lines).toEqual([1, 1]);
  });
});

test('files that come later get places between those that are there, in the order of their names', () => {
  const order = new FileOrder(10);
  const first = ['b', 'd'].map((name) => order.place(['b', 'd'], name) ?? -1);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const later = ['a', 'c', 'e'].map((name) => order.place(names, name) ?? -1);
  const all = [later[0], first[0], later[1], first[1], later[2]];
  expect(all).toEqual([...all].sort((x, y) => (x ?? 0) - (y ?? 0)));
  expect(new Set(all).size).toBe(5);
});
