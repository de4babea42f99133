import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type * as fs from 'node:fs/promises';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readManifest } from './manifest-file.ts';
import type { Progress } from './run-vault.ts';
import { runVault } from './run-vault.ts';
import { verifyVault } from './verify-vault.ts';

/** A disk that refuses: to take more than so many bytes, to make files, or to give back what was written. */
const disk = vi.hoisted(() => ({ below: '', room: Number.POSITIVE_INFINITY, isReadOnly: false, flips: false }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  const refuse = (code: string): never => {
    throw Object.assign(new Error(`${code}: refused`), { code });
  };
  const withRoom = (handle: fs.FileHandle): fs.FileHandle =>
    new Proxy(handle, {
      get(target, name) {
        if (name === 'writeFile' || name === 'appendFile') {
          return async (data: string | Buffer) => {
            if (data.length > disk.room) refuse('ENOSPC');
            disk.room -= data.length;
            const bytes = Buffer.from(data);
            if (disk.flips && name === 'writeFile' && bytes.length > 0) bytes[0] = (bytes[0] ?? 0) ^ 1;
            await target.writeFile(bytes);
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const isOurs = (path: unknown): boolean => disk.below !== '' && String(path).startsWith(disk.below);
  const open = async (path: string, flags: string | number = 'r', mode?: number): Promise<fs.FileHandle> => {
    const writes = typeof flags === 'string' ? flags !== 'r' : (flags & 3) !== 0;
    if (isOurs(path) && writes && disk.isReadOnly) refuse('EROFS');
    const handle = await real.open(path, flags, mode);
    return isOurs(path) && writes ? withRoom(handle) : handle;
  };
  return { ...real, open };
});

let home: string;
let vault: string;
let source: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'gantry-vault-')));
  vault = join(home, 'disk', 'vault');
  source = join(home, 'projects');
  mkdirSync(vault, { recursive: true });
  mkdirSync(source);
  Object.assign(disk, { below: vault, room: Number.POSITIVE_INFINITY, isReadOnly: false, flips: false });
});
afterEach(async () => {
  disk.below = '';
  await rm(home, { recursive: true, force: true });
});

const BIG = `${'{"line":"of a session"}'.padEnd(99)}\n`.repeat(6_000);
let mtime = 1_700_000_000;
function lay(name: string, text: string): void {
  writeFileSync(join(source, name), text);
  mtime += 10;
  utimesSync(join(source, name), mtime, mtime);
}
const run = (onProgress: (progress: Progress) => void = () => undefined) =>
  runVault({
    folder: vault,
    sources: [{ program: 'claude-code', path: source, onlyTranscripts: false }],
    now: () => 1,
    signal: new AbortController().signal,
    onProgress,
    makeAs: 'vault_1',
    calm: false,
  });
const verify = () =>
  verifyVault({ folder: vault, now: () => 1, signal: new AbortController().signal, onProgress: () => undefined });
const copyOf = (name: string): Promise<string> => readFile(join(vault, 'claude-code/projects', name), 'utf8');
/** Does something once, in the midst of the first file. */
const midway = (deed: () => void) => {
  let done = false;
  return ({ bytes }: Progress): void => {
    if (done || bytes === 0) return;
    done = true;
    deed();
  };
};

test('a session that is written while it is copied is kept as far as it was whole lines, and copied again later', async () => {
  lay('a.jsonl', `${BIG}{"half":`);
  const first = await run(midway(() => appendFileSync(join(source, 'a.jsonl'), '"line"}\nmore\n')));
  expect(first.run).toMatchObject({ files: 1, problems: 0 });
  expect(await copyOf('a.jsonl')).toBe(BIG);
  expect((await verify()).problems).toEqual([]);
  expect((await run()).run.files).toBe(1);
  expect(await copyOf('a.jsonl')).toBe(`${BIG}{"half":"line"}\nmore\n`);
  expect(existsSync(join(vault, 'older'))).toBe(false);
});

test('a file that is written anew while it is copied is copied again, until it is quiet', async () => {
  lay('a.json', BIG);
  const result = await run(midway(() => lay('a.json', `now ${BIG}`)));
  expect(result.run).toMatchObject({ files: 1, problems: 0 });
  expect(await copyOf('a.json')).toBe(`now ${BIG}`);
});

test('a session that shrinks while it is copied is copied as it is then', async () => {
  lay('a.jsonl', BIG);
  await run(midway(() => truncateSync(join(source, 'a.jsonl'), 100)));
  expect(await copyOf('a.jsonl')).toBe(BIG.slice(0, 100));
});

test('a file that never keeps still is told, and the others are copied', async () => {
  lay('b.json', 'quiet');
  lay('a.json', BIG);
  const result = await run(({ files }) => {
    if (files === 0) lay('a.json', `${BIG}${mtime}`);
  });
  expect(result.problems).toEqual([
    { path: join(source, 'a.json'), message: `${join(source, 'a.json')} kept changing while it was copied.` },
  ]);
  expect(await copyOf('b.json')).toBe('quiet');
  expect((await verify()).problems).toEqual([]);
});

test('a file that vanishes before its turn is no problem; one that vanishes in mid-copy is copied as it was', async () => {
  lay('b.jsonl', 'gone before\n');
  lay('a.jsonl', BIG);
  const result = await run(
    midway(() => {
      rmSync(join(source, 'a.jsonl'));
      rmSync(join(source, 'b.jsonl'));
    }),
  );
  expect(result.run).toMatchObject({ files: 1, problems: 0 });
  expect(await copyOf('a.jsonl')).toBe(BIG);
});

test('a full disk ends the run in plain words; what was copied before stays whole', async () => {
  lay('b.jsonl', 'small\n');
  await run();
  lay('b.jsonl', 'small\nand more\n');
  lay('a.jsonl', BIG);
  disk.room = 300_000;
  await expect(run()).rejects.toMatchObject({
    failure: { message: `The vault in ${vault} cannot be written: the disk is full.` },
  });
  disk.room = Number.POSITIVE_INFINITY;
  expect(readdirSync(join(vault, 'gantry-parts'))).toEqual([]);
  expect(await copyOf('b.jsonl')).toBe('small\n');
  expect((await verify()).problems).toEqual([]);
  expect((await run()).run).toMatchObject({ files: 2, problems: 0 });
  expect(await copyOf('a.jsonl')).toBe(BIG);
});

test.each([10, 50, 350])('a manifest with room for %i bytes more is made good by the next run', async (room) => {
  lay('a.jsonl', 'one\n');
  await run();
  lay('a.jsonl', 'two\n');
  disk.room = room;
  await expect(run()).rejects.toThrow('the disk is full');
  disk.room = Number.POSITIVE_INFINITY;
  await run();
  expect(await copyOf('a.jsonl')).toBe('two\n');
  expect([...(await readManifest(vault)).older.values()]).toHaveLength(1);
  expect((await verify()).problems).toEqual([]);
});

test('a disk that is read-only is said to be, and can still be checked', async () => {
  lay('a.jsonl', 'one\n');
  await run();
  lay('b.jsonl', 'two\n');
  disk.isReadOnly = true;
  await expect(run()).rejects.toMatchObject({
    failure: { message: `The vault in ${vault} cannot be written: the disk is read-only.` },
  });
  writeFileSync(join(vault, 'claude-code/projects/a.jsonl'), 'bad\n');
  expect((await verify()).problems).toHaveLength(1);
});

test('a disk that gives back something else than was written is not trusted', async () => {
  lay('a.jsonl', 'one\n');
  await run();
  lay('a.jsonl', 'one\ntwo\n');
  disk.flips = true;
  expect((await run()).problems[0]?.message).toContain('does not give back what was written');
  disk.flips = false;
  expect(await copyOf('a.jsonl')).toBe('one\n');
});

test.each([
  ['in the midst of a file', 0, 'its folder has gone'],
  ['between two files', 2, 'its disk was taken away'],
])('a disk unplugged %s ends the run, and its empty folder does not become half a vault', async (_, after, why) => {
  for (let n = 0; n < 5; n++) lay(`${n}.jsonl`, `${n}\n`);
  let isThere = true;
  const unplug = ({ files, bytes }: Progress): void => {
    if (!isThere || bytes === 0 || files !== after) return;
    isThere = false;
    renameSync(vault, join(home, 'disk', 'away'));
    mkdirSync(vault);
  };
  await expect(run(unplug)).rejects.toMatchObject({ failure: { message: expect.stringContaining(why) } });
  expect(readdirSync(vault)).toEqual([]);
  rmSync(vault, { recursive: true });
  renameSync(join(home, 'disk', 'away'), vault);
  rmSync(join(vault, 'gantry-vault.jsonl.lock'), { recursive: true, force: true });
  expect((await run()).run.problems).toBe(0);
  expect((await readManifest(vault)).files.size).toBe(5);
  expect((await verify()).problems).toEqual([]);
});
