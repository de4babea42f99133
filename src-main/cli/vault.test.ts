import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from './io.ts';
import { type VaultWorld, vaultCommand } from './vault.ts';

let home: string;
let dir: string;
let source: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'gantry-vault-')));
  dir = join(home, 'vault');
  source = join(home, 'projects');
  await mkdir(dir);
  await mkdir(join(source, '-work-shop'), { recursive: true });
  await writeFile(join(source, '-work-shop', 'abc-1.jsonl'), '{"a":1}\n');
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function gantry(args: readonly string[], world: Partial<VaultWorld> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void err.push(text) };
  const code = await vaultCommand(args, io, {
    sources: [{ program: 'claude-code', path: source, onlyTranscripts: false }],
    folder: undefined,
    now: () => Date.UTC(2026, 0, 2, 3, 4),
    signal: new AbortController().signal,
    ...world,
  });
  return { code, out: out.join(''), err: err.join('') };
}

test('a vault is made, filled, checked and restored from', async () => {
  await expect(gantry(['run', '--dir', dir])).rejects.toThrow('There is no vault in');
  expect(await gantry(['run', '--dir', dir, '--new'])).toEqual({ code: 0, out: '1 file copied, 8 B.\n', err: '' });
  expect((await gantry(['verify'], { folder: dir })).out).toBe('1 file, 8 B: each is what was copied.\n');
  const { out } = await gantry(['status', '--dir', dir]);
  expect(out).toContain('claude-code              1           1         8 B\n');
  expect(out).toContain('Last run: 2026-01-02 03:04, 1 file copied, 8 B.\n');
  const to = join(home, 'out');
  expect(await gantry(['restore', '--dir', dir, '--to', to, '--session', 'abc-1'])).toMatchObject({ code: 0 });
  expect(await readFile(join(to, 'claude-code/projects/-work-shop/abc-1.jsonl'), 'utf8')).toBe('{"a":1}\n');
});

test('what is wrong is named, and told by the exit code', async () => {
  await gantry(['run', '--dir', dir, '--new']);
  await writeFile(join(dir, 'claude-code/projects/-work-shop/abc-1.jsonl'), 'rotten');
  const checked = await gantry(['verify', '--dir', dir]);
  expect(checked.code).toBe(1);
  expect(checked.out).toContain('abc-1.jsonl is not what was copied.\n1 of 1 file is not what was copied.');
  const restored = await gantry(['restore', '--dir', dir, '--to', join(home, 'out'), '--json']);
  expect(restored.code).toBe(1);
  expect(JSON.parse(restored.out)).toMatchObject({ files: 0, same: 0, problems: [{ message: expect.any(String) }] });
});

test('--json prints one object', async () => {
  const run = await gantry(['run', '--dir', dir, '--new', '--json']);
  expect(JSON.parse(run.out)).toMatchObject({ files: 1, bytes: 8, problems: [], stopped: false, leftOut: [] });
  const status = JSON.parse((await gantry(['status', '--dir', dir, '--json'])).out);
  expect(status).toMatchObject({ folder: dir, sessions: 1, files: 1, waiting: { files: 0 }, gone: 0 });
  const verified = JSON.parse((await gantry(['verify', '--dir', dir, '--json'])).out);
  expect(verified).toEqual({ files: 1, bytes: 8, problems: [], unreadable: 0 });
});

test('a run that is stopped says so', async () => {
  const signal = AbortSignal.abort(new Error('Ctrl C'));
  expect(await gantry(['run', '--dir', dir, '--new'], { signal })).toMatchObject({
    code: 1,
    out: 'Stopped. Nothing was copied.\n',
  });
  expect(await gantry(['verify', '--dir', dir], { signal })).toEqual({ code: 0, out: expect.any(String), err: '' });
});

test.each([
  [[]],
  [['copy']],
  [['run', 'twice']],
  [['run', '--to', '/x']],
  [['verify', '--new']],
  [['restore', '--older']],
  [['restore', '--session', '']],
  [['run', '--what']],
])('%j does not fit', async (args) => {
  await expect(gantry(args)).rejects.toBeInstanceOf(UsageError);
});

test('without a folder it says how to name one', async () => {
  await expect(gantry(['status'])).rejects.toMatchObject({ failure: { hint: 'Name its folder: --dir DIR.' } });
});
