import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { diskTrouble } from './disk-trouble.ts';
import { fileNameOf, ResultFolder } from './result-folder.ts';

const seeds = [1_001, 20_260_101, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

let root: string;
let results: ResultFolder;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-results-'));
  results = new ResultFolder(join(root, 'tool-results'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the name of a file', () => {
  test.each(['toolu_01AbCdEf', 'call_1_2', 'slow', 'a-b'])('%s is the id itself', (id) => {
    expect(fileNameOf(id)).toBe(id);
  });

  const hostile = [
    '../../etc/passwd',
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    'a\0b',
    'NUL',
    'com1',
    'call#2',
    '😀',
    'x'.repeat(300),
  ];
  test.each(hostile)('of the id %j stays in the folder and fits every system', (id) => {
    const name = fileNameOf(id);
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
    expect(name).not.toMatch(/^(?:nul|com1)$/i);
    expect(dirname(results.pathFor(id))).toBe(join(root, 'tool-results'));
  });

  test('belongs to one id only', () => {
    expect(new Set(hostile.map(fileNameOf)).size).toBe(hostile.length);
    expect(fileNameOf('a/b')).not.toBe(fileNameOf('a_b'));
    // An id that was made to look like the name of another one.
    expect(fileNameOf(fileNameOf('a/b'))).not.toBe(fileNameOf('a/b'));
  });

  test.each(seeds)('belongs to one id only, for any two ids (seed %i)', (seed) => {
    const id = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a-z0-9_/.-]*$/),
      fc.string().map(fileNameOf),
    );
    fc.assert(
      fc.property(id, id, (a, b) => {
        expect(fileNameOf(a) === fileNameOf(b)).toBe(a === b);
        expect(fileNameOf(a)).toBe(basename(fileNameOf(a)));
        expect(`gantry:session_1:${fileNameOf(a)}`).toMatch(/^[\w.:-]{1,400}$/);
      }),
      { seed, numRuns: 1_000 },
    );
  });
});

describe('an output', () => {
  test('is saved whole, with its size in bytes, for its owner alone', async () => {
    const saved = await results.save('call', 'é😀\n');
    expect(saved).toEqual({ path: join(root, 'tool-results', 'call.txt'), bytes: 7 });
    expect(readFileSync(saved.path, 'utf8')).toBe('é😀\n');
    expect(statSync(saved.path).mode & 0o777).toBe(0o600);
    expect(await results.text(saved.path)).toBe('é😀\n');
    expect(Buffer.from(await results.head(saved.path, 3)).toString('hex')).toBe('c3a9f0');
    expect((await results.head(saved.path, 100)).length).toBe(7);
    await results.remove(saved.path);
    await results.remove(saved.path);
    expect(readdirSync(join(root, 'tool-results'))).toEqual([]);
  });

  test('has a folder to be written to by a process', () => {
    writeFileSync(results.pathFor('call'), 'written by a child');
    expect(readdirSync(join(root, 'tool-results'))).toEqual(['call.txt']);
  });

  test('that cannot be saved names the folder and the reason, and leaves no part of it', async () => {
    writeFileSync(join(root, 'tool-results'), 'a file, not a folder');
    await expect(results.save('call', 'text')).rejects.toThrow(
      `${join(root, 'tool-results')} cannot be written to, a file is where a folder has to be`,
    );
  });

  test('whose folder takes nothing can be written all the same, elsewhere, but not stay', async () => {
    const own = results.pathFor('one');
    rmSync(join(root, 'tool-results'), { recursive: true });
    writeFileSync(join(root, 'tool-results'), 'a file, not a folder');
    const path = results.pathFor('two');
    expect(path).not.toContain(root);
    expect(results.pathFor('three')).toBe(join(dirname(path), 'three.txt'));
    writeFileSync(path, 'text');
    expect(await results.text(path)).toBe('text');
    await expect(results.keep(path)).rejects.toThrow(
      `${join(root, 'tool-results')} cannot be written to, a file is where a folder has to be`,
    );
    await expect(results.keep(own)).resolves.toBeUndefined();
    rmSync(dirname(path), { recursive: true });
  });

  test('on a disk with room is told of no shortage', async () => {
    results.pathFor('call');
    expect(await results.shortage('call')).toBeUndefined();
  });

  test.runIf(existsSync('/dev/full'))('for which the disk is too full says so, and leaves no part of it', async () => {
    symlinkSync('/dev/full', results.pathFor('call'));
    await expect(results.save('call', 'text')).rejects.toThrow(/tool-results cannot be written to, the disk is full$/);
    expect(readdirSync(join(root, 'tool-results'))).toEqual([]);
  });

  test('in whose place a folder lies is not saved either', async () => {
    mkdirSync(join(root, 'tool-results', 'call.txt'), { recursive: true });
    await expect(results.save('call', 'text')).rejects.toThrow(/cannot be written to, it is a folder$/);
  });
});

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'there is no permission'],
  ['EPERM', 'there is no permission'],
  ['ENOENT', 'it does not exist'],
  ['EMFILE', 'too many files are open'],
  ['EIO', 'EIO: what the system says'],
])('%s is told in words', (code, words) => {
  expect(diskTrouble(Object.assign(new Error(`${code}: what the system says`), { code }))).toBe(words);
});
test('trouble that is no error is told as it is', () => {
  expect(diskTrouble('thrown')).toBe('thrown');
});
