import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FailureError } from '../../../src-shared/failure.ts';
import { readPage, searchFile } from './output-pages.ts';

const seeds = [1_001, 20_260_101, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];
const CHUNK = 1024 * 1024;

let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-pages-'));
  path = join(folder, 'output.txt');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isWhole = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** All pages from the beginning, each asked for where the one before ended. */
async function pages(length: number): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for (let offset = 0; ; ) {
    const page = await readPage(path, offset, length);
    expect(page.offset).toBe(offset);
    if (page.bytes.length === 0) {
      expect(offset).toBe(page.total);
      return all;
    }
    all.push(page.bytes);
    offset += page.bytes.length;
  }
}

describe('a page', () => {
  test('says where it lies', async () => {
    writeFileSync(path, 'one\ntwo\nthree\n');
    const page = await readPage(path, 4, 4);
    expect(Buffer.from(page.bytes).toString()).toBe('two\n');
    expect(page).toMatchObject({ offset: 4, total: 14, path });
  });

  test('behind the end is empty and says where the end is', async () => {
    writeFileSync(path, 'é');
    expect(await readPage(path, 100, 10)).toMatchObject({ offset: 2, total: 2, bytes: new Uint8Array() });
    writeFileSync(path, '');
    expect(await readPage(path, 0, 10)).toMatchObject({ offset: 0, total: 0, bytes: new Uint8Array() });
  });

  test('asked for inside a character begins with it, and ends before one that it would split', async () => {
    writeFileSync(path, 'aé😀b');
    const at = async (offset: number, length: number) => {
      const page = await readPage(path, offset, length);
      return [page.offset, Buffer.from(page.bytes).toString()];
    };
    expect(await at(2, 4)).toEqual([1, 'é']);
    expect(await at(4, 3)).toEqual([3, '😀']);
    expect(await at(6, 2)).toEqual([3, '😀b']);
    expect(await at(0, 2)).toEqual([0, 'a']);
    expect(await at(3, 1)).toEqual([3, '😀']);
  });

  describe.each(seeds)('of a text (seed %i)', (seed) => {
    test('holds whole characters, and all pages together are the file', async () => {
      const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀'), maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(text, fc.integer({ min: 1, max: 12 }), async (content, length) => {
          writeFileSync(path, content);
          const all = await pages(length);
          expect(Buffer.concat(all).toString()).toBe(content);
          for (const page of all) {
            expect(isWhole(page)).toBe(true);
            expect(page.length).toBeLessThanOrEqual(Math.max(length, 4));
          }
        }),
        { seed, numRuns: 150 },
      );
    });

    test('asked for anywhere holds the place asked for', async () => {
      const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(text, fc.nat(), fc.integer({ min: 1, max: 9 }), async (content, place, length) => {
          const bytes = Buffer.from(content);
          const offset = place % bytes.length;
          writeFileSync(path, bytes);
          const page = await readPage(path, offset, length);
          expect(page.offset).toBeGreaterThan(offset - 4);
          expect(page.offset).toBeLessThanOrEqual(offset);
          expect(page.offset + page.bytes.length).toBeGreaterThan(offset);
          expect(Buffer.from(page.bytes)).toEqual(bytes.subarray(page.offset, page.offset + page.bytes.length));
        }),
        { seed, numRuns: 150 },
      );
    });

    test('of any bytes at all fits the others too', async () => {
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.constantFrom(0x80, 0xbf, 0xc3, 0xf0, 0x41), { maxLength: 60 }).map((all) => Uint8Array.from(all)),
      );
      await fc.assert(
        fc.asyncProperty(bytes, fc.integer({ min: 1, max: 12 }), async (content, length) => {
          writeFileSync(path, content);
          expect(Buffer.concat(await pages(length))).toEqual(Buffer.from(content));
        }),
        { seed, numRuns: 150 },
      );
    });
  });
});

describe('a search', () => {
  const hits = (text: string, from = 0, limit = 100) => searchFile(path, text, from, limit);

  test('finds every place, overlapping ones too, as offsets of bytes', async () => {
    writeFileSync(path, 'é aaa é');
    expect(await hits('aa')).toEqual({ offsets: [3, 4], more: false });
    expect(await hits('é')).toEqual({ offsets: [0, 7], more: false });
    expect(await hits('é', 1)).toEqual({ offsets: [7], more: false });
    expect(await hits('nowhere')).toEqual({ offsets: [], more: false });
    expect(await hits('aa', 100)).toEqual({ offsets: [], more: false });
    expect(await hits('')).toEqual({ offsets: [], more: false });
  });

  test('stops at the limit and says so only when there are others', async () => {
    writeFileSync(path, 'x.x.x');
    expect(await hits('x', 0, 2)).toEqual({ offsets: [0, 2], more: true });
    expect(await hits('x', 3, 2)).toEqual({ offsets: [4], more: false });
    expect(await hits('x', 0, 3)).toEqual({ offsets: [0, 2, 4], more: false });
  });

  test('finds what lies across the border of two chunks, once', async () => {
    const needle = 'needle';
    for (const at of [CHUNK - 6, CHUNK - 3, CHUNK - 1, CHUNK, 2 * CHUNK - 2]) {
      const bytes = Buffer.alloc(2 * CHUNK + 100, '.');
      bytes.write(needle, at);
      writeFileSync(path, bytes);
      expect(await hits(needle)).toEqual({ offsets: [at], more: false });
      expect(await hits(needle, 7)).toEqual({ offsets: [at], more: false });
    }
  });

  test('finds the same as looking at the whole, also with a text longer than what repeats', async () => {
    writeFileSync(path, Buffer.alloc(CHUNK + 50, 'ab'));
    const { offsets } = await hits('ababab', CHUNK - 20, 1_000);
    expect(offsets).toEqual(Array.from({ length: 33 }, (_, i) => CHUNK - 20 + 2 * i));
  });
});

test('an output that has gone is a failure in words', async () => {
  const gone = join(folder, 'gone.txt');
  for (const work of [readPage(gone, 0, 10), searchFile(gone, 'x', 0, 1)]) {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error instanceof FailureError ? error.failure : error).toEqual({
      kind: 'not-readable',
      message: `The output in ${gone} cannot be read.`,
      hint: 'It may have been moved or deleted.',
    });
  }
});
