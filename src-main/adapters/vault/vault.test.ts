import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import {
  appendFile,
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Source } from '../../core/vault/places.ts';
import { readManifest } from './manifest-file.ts';
import { type RestoreOptions, restoreVault } from './restore.ts';
import { type RunOptions, runVault } from './run-vault.ts';
import { onlyInVault, vaultStatus } from './vault-status.ts';
import { verifyVault } from './verify-vault.ts';

let home: string;
let vault: string;
let projects: string;
let now: number;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'gantry-vault-')));
  vault = join(home, 'disk', 'vault');
  projects = join(home, '.claude', 'projects');
  now = Date.UTC(2026, 0, 2);
  await mkdir(vault, { recursive: true });
  await mkdir(projects, { recursive: true });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const SESSION = '-work-shop/1b2c3d4e-1111-4222-8333-123456789abc';
const at = (path: string): string => join(vault, 'claude-code', 'projects', path);
const claude = (): Source => ({ program: 'claude-code', path: projects, onlyTranscripts: false });

async function lay(path: string, text: string, mtime = 1_700_000_000): Promise<void> {
  const place = join(projects, path);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
  await utimes(place, mtime, mtime);
}
const layAll = async (): Promise<void> => {
  await lay(`${SESSION}.jsonl`, '{"a":1}\n');
  await lay(`${SESSION}/subagents/agent-1.jsonl`, '{"b":1}\n');
  await lay(`${SESSION}/tool-results/toolu_1.txt`, 'much output');
};

const options = () => ({
  folder: vault,
  sources: [claude()],
  now: () => ++now,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});
const run = (facts: Partial<RunOptions> = {}) => runVault({ ...options(), makeAs: 'vault_1', calm: false, ...facts });
const verify = () => verifyVault(options());
const restore = (facts: Partial<RestoreOptions> = {}) =>
  restoreVault({ ...options(), which: { kind: 'all' }, to: undefined, older: false, ...facts });
const read = (path: string): Promise<string> => readFile(path, 'utf8');
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

test('sessions come into the vault with their sub-agents and results, under their own names, for their owner alone', async () => {
  await layAll();
  expect(await run()).toMatchObject({ run: { files: 3, problems: 0, stopped: false }, problems: [] });
  expect(await read(at(`${SESSION}.jsonl`))).toBe('{"a":1}\n');
  expect(await read(at(`${SESSION}/tool-results/toolu_1.txt`))).toBe('much output');
  expect(statSync(at(`${SESSION}.jsonl`)).mode & 0o777).toBe(0o600);
  expect(statSync(at(`${SESSION}/subagents`)).mode & 0o777).toBe(0o700);
  expect(statSync(at(`${SESSION}.jsonl`)).mtimeMs).toBe(1_700_000_000_000);
  const record = (await readManifest(vault)).files.get(`claude-code/projects/${SESSION}.jsonl`);
  expect(record).toMatchObject({
    from: join(projects, `${SESSION}.jsonl`),
    bytes: 8,
    sha256: sha('{"a":1}\n'),
    mtimeMs: 1_700_000_000_000,
  });
  expect(await verify()).toEqual({ files: 3, bytes: 27, problems: [], unreadable: 0 });
  expect(await run()).toMatchObject({ run: { files: 0, bytes: 0 } });
});

test('what grows replaces its copy; what shrinks or is written anew leaves the older one beside it', async () => {
  await lay('p/a.jsonl', 'one\n');
  await run();
  await lay('p/a.jsonl', 'one\ntwo\n', 1_700_000_100);
  await run();
  expect(existsSync(join(vault, 'older'))).toBe(false);
  await lay('p/a.jsonl', 'one\n', 1_700_000_200);
  await run();
  await lay('p/a.jsonl', 'new\n', 1_700_000_300);
  await run();
  expect(await read(at('p/a.jsonl'))).toBe('new\n');
  const older = [...(await readManifest(vault)).older.values()];
  expect(older.map(({ path, sha256 }) => [path, sha256])).toEqual([
    ['claude-code/projects/p/a.jsonl', sha('one\ntwo\n')],
    ['claude-code/projects/p/a.jsonl', sha('one\n')],
  ]);
  expect(await Promise.all(older.map(({ kept }) => read(join(vault, kept))))).toEqual(['one\ntwo\n', 'one\n']);
  expect((await verify()).problems).toEqual([]);

  const to = join(home, 'out');
  expect(await restore({ to, older: true })).toMatchObject({ files: 3, problems: [] });
  const names = readdirSync(join(to, 'claude-code/projects/p')).sort();
  expect(names).toEqual(
    ['a.jsonl', `a.${sha('one\n').slice(0, 12)}.jsonl`, `a.${sha('one\ntwo\n').slice(0, 12)}.jsonl`].sort(),
  );
});

test('what a source has lost stays in the vault, is told, and comes back only where nothing is', async () => {
  await layAll();
  await lay('-work-shop/other.jsonl', 'other\n');
  await run();
  await rm(join(projects, `${SESSION}.jsonl`));
  await rm(join(projects, SESSION), { recursive: true });
  await lay('-work-shop/other.jsonl', 'newer\n', 1_700_000_100);
  expect(await vaultStatus(options())).toMatchObject({
    sessions: 2,
    files: 4,
    gone: 1,
    waiting: { files: 1, bytes: 6 },
  });
  const gone = await onlyInVault(vault, async (path) => existsSync(path), options().signal);
  expect(gone.map(({ path }) => path)).toEqual([`claude-code/projects/${SESSION}.jsonl`]);

  const result = await restore();
  expect(result).toMatchObject({ files: 3, same: 0 });
  expect(result.problems.map(({ message }) => message)).toEqual([
    `${join(projects, '-work-shop/other.jsonl')} is there already with other content, and was left as it is.`,
  ]);
  expect(await read(join(projects, `${SESSION}/subagents/agent-1.jsonl`))).toBe('{"b":1}\n');
  expect(await read(join(projects, '-work-shop/other.jsonl'))).toBe('newer\n');
  expect(statSync(join(projects, `${SESSION}.jsonl`)).mtimeMs).toBe(1_700_000_000_000);
  expect(await restore()).toMatchObject({ files: 0, same: 3 });
});

test('one session is restored by its id or by its own file, and an unknown one is said to be unknown', async () => {
  await layAll();
  await lay('-work-shop/other.jsonl', 'other\n');
  await run();
  const to = join(home, 'out');
  expect(await restore({ to, which: { kind: 'session', id: '1b2c3d4e' } })).toMatchObject({ files: 3 });
  const path = `claude-code/projects/${SESSION}.jsonl`;
  expect(await restore({ to, which: { kind: 'main', path } })).toMatchObject({ files: 0, same: 3 });
  expect(existsSync(join(to, 'claude-code/projects/-work-shop/other.jsonl'))).toBe(false);
  await expect(restore({ which: { kind: 'session', id: 'nobody' } })).rejects.toThrow(
    'The vault has no session nobody.',
  );
  await expect(restore({ to: join(vault, 'x') })).rejects.toThrow('lies in the vault');
});

test('a manifest cannot have files laid where Gantry copies nothing from', async () => {
  await layAll();
  await run();
  const manifest = await read(join(vault, 'gantry-vault.jsonl'));
  await writeFile(join(vault, 'gantry-vault.jsonl'), manifest.replaceAll(projects, join(home, 'elsewhere')));
  await rm(projects, { recursive: true });
  expect(await restore()).toMatchObject({ files: 0, problems: [{}, {}, {}] });
  expect(existsSync(join(home, 'elsewhere'))).toBe(false);
});

test('other files in the folder are left alone, also where a copy should go', async () => {
  await writeFile(join(vault, 'holiday.jpg'), 'mine');
  await mkdir(at('p'), { recursive: true });
  await writeFile(at('p/a.jsonl'), 'mine too');
  await mkdir(join(vault, 'gantry-parts'));
  await writeFile(join(vault, 'gantry-parts', 'notes.txt'), 'and mine');
  await lay('p/a.jsonl', 'theirs\n');
  await lay('p/b.jsonl', 'theirs\n');
  const result = await run();
  expect(result.run).toMatchObject({ files: 1, problems: 1 });
  expect(result.problems[0]?.message).toContain('is no file of the vault');
  expect(await read(at('p/a.jsonl'))).toBe('mine too');
  expect(await read(join(vault, 'holiday.jpg'))).toBe('mine');
  expect(await read(join(vault, 'gantry-parts', 'notes.txt'))).toBe('and mine');
  expect((await verify()).problems).toEqual([]);
});

test('a manifest that was lost is found again from the copies', async () => {
  await layAll();
  await run();
  await rm(join(vault, 'gantry-vault.jsonl'));
  await expect(run({ makeAs: undefined })).rejects.toThrow('There is no vault in');
  await appendFile(join(projects, `${SESSION}.jsonl`), '{"a":2}\n');
  expect(await run()).toMatchObject({ run: { files: 3, problems: 0 } });
  expect(await read(at(`${SESSION}.jsonl`))).toBe('{"a":1}\n{"a":2}\n');
  expect(existsSync(join(vault, 'older'))).toBe(false);
});

test('a copy that has rotted, is cut or is missing is told, and made again by the next run', async () => {
  await layAll();
  await run();
  const copy = at(`${SESSION}.jsonl`);
  const { mtime } = statSync(copy);
  await writeFile(copy, '{"a":7}\n');
  await utimes(copy, mtime, mtime);
  await writeFile(at(`${SESSION}/tool-results/toolu_1.txt`), 'much');
  await rm(at(`${SESSION}/subagents/agent-1.jsonl`));
  expect((await verify()).problems.map(({ message }) => message.slice(vault.length))).toEqual([
    `/claude-code/projects/${SESSION}.jsonl is not what was copied.`,
    `/claude-code/projects/${SESSION}/subagents/agent-1.jsonl is missing.`,
    `/claude-code/projects/${SESSION}/tool-results/toolu_1.txt is not what was copied.`,
  ]);
  expect(await restore({ to: join(home, 'out') })).toMatchObject({ files: 0, problems: [{}, {}, {}] });
  expect(await run()).toMatchObject({ run: { files: 3, problems: 0 } });
  expect(await read(copy)).toBe('{"a":1}\n');
  expect((await verify()).problems).toEqual([]);
});

test('links are not followed, pipes are not waited for, and databases are told and left out', async () => {
  await layAll();
  await writeFile(join(home, 'secret.jsonl'), 'secret');
  await symlink(join(home, 'secret.jsonl'), join(projects, '-work-shop', 'linked.jsonl'));
  await mkdir(join(home, 'private'));
  await writeFile(join(home, 'private', 'x.jsonl'), 'secret');
  await symlink(join(home, 'private'), join(projects, 'linked'));
  await lay('opencode.db', 'SQLite format 3');
  await lay('opencode.db-wal', 'wal');
  expect(await run()).toMatchObject({ run: { files: 3, problems: 0 }, leftOut: [join(projects, 'opencode.db')] });
  expect(existsSync(at('linked'))).toBe(false);
});

test('nothing is written through a link in the vault', async () => {
  await layAll();
  await mkdir(join(home, 'elsewhere'));
  await symlink(join(home, 'elsewhere'), join(vault, 'claude-code'));
  expect(await run()).toMatchObject({ run: { files: 0, problems: 3 } });
  expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
});

test('a folder that a person has added gives its transcripts and what belongs to them, nothing else', async () => {
  const folder = join(home, 'mount');
  for (const path of ['a.jsonl', 'deep/b.json', 'a/tool-results/r.txt', 'photo.jpg', '.ssh/id_rsa']) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
  const sources: readonly Source[] = [{ program: 'folders', path: folder, onlyTranscripts: true }];
  expect(await run({ sources })).toMatchObject({ run: { files: 3 } });
  expect(readdirSync(join(vault, 'folders', 'mount')).sort()).toEqual(['a', 'a.jsonl', 'deep']);
});

test.each([
  ['in a source', () => join(projects, 'vault')],
  ['around a source', () => home],
])('a vault %s is refused, also behind a link', async (_, place) => {
  await mkdir(place(), { recursive: true });
  await expect(run({ folder: place() })).rejects.toThrow('which is to be copied');
  const linked = join(home, 'disk', 'linked');
  await symlink(place(), linked);
  await expect(run({ folder: linked })).rejects.toThrow('which is to be copied');
  expect(existsSync(join(place(), 'gantry-vault.jsonl'))).toBe(false);
});

test('a folder that is not there, or has no vault, is not made into one unasked', async () => {
  await layAll();
  const folder = join(home, 'unplugged');
  await expect(run({ folder })).rejects.toMatchObject({ failure: { kind: 'not-found' } });
  expect(existsSync(folder)).toBe(false);
  await mkdir(folder);
  await expect(run({ folder, makeAs: undefined })).rejects.toMatchObject({ failure: { kind: 'not-found' } });
  expect(readdirSync(folder)).toEqual([]);
});

test('a vault of a later version, or one that another process works in, is left alone', async () => {
  await layAll();
  await run();
  await mkdir(join(vault, 'gantry-vault.jsonl.lock'));
  await expect(run()).rejects.toMatchObject({ failure: { kind: 'locked' } });
  await rm(join(vault, 'gantry-vault.jsonl.lock'), { recursive: true });
  await writeFile(join(vault, 'gantry-vault.jsonl'), '{"kind":"vault","v":2,"id":"x","madeAt":1}\n');
  await expect(run()).rejects.toMatchObject({ failure: { kind: 'unsupported' } });
  expect(await read(join(vault, 'gantry-vault.jsonl'))).toBe('{"kind":"vault","v":2,"id":"x","madeAt":1}\n');
});

test('a run that is stopped keeps what it has copied, says so, and the next goes on', async () => {
  for (let n = 0; n < 20; n++) await lay(`p/${n}.jsonl`, `${n}\n`);
  const stop = new AbortController();
  const stopped = await run({
    signal: stop.signal,
    onProgress: ({ files }) => {
      if (files === 5) stop.abort(new Error('stopped'));
    },
  });
  expect(stopped.run).toMatchObject({ files: 5, stopped: true });
  expect((await readManifest(vault)).files.size).toBe(5);
  expect(readdirSync(join(vault, 'gantry-parts'))).toEqual([]);
  expect(await run()).toMatchObject({ run: { files: 15, stopped: false } });
  expect((await verify()).problems).toEqual([]);
});

test('sources are only read: bytes, times and names stay as they are', async () => {
  await layAll();
  const file = join(projects, `${SESSION}.jsonl`);
  await link(file, join(projects, 'second-name.jsonl'));
  await chmod(file, 0o400);
  const before = { ...statSync(file), atime: undefined, atimeMs: undefined };
  await run();
  await verify();
  await restore({ to: join(home, 'out') });
  await vaultStatus(options());
  expect({ ...statSync(file), atime: undefined, atimeMs: undefined }).toEqual(before);
  expect(readdirSync(projects).sort()).toEqual(['-work-shop', 'second-name.jsonl']);
});

test('a file that is renamed in its source is copied under its new name, and the old copy stays', async () => {
  await lay('p/a.jsonl', 'one\n');
  await run();
  await rename(join(projects, 'p'), join(projects, 'q'));
  await run();
  expect(await read(at('p/a.jsonl'))).toBe('one\n');
  expect(await read(at('q/a.jsonl'))).toBe('one\n');
});
