import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type FoundSession, NOT_READ } from '../../../src-shared/library/session.ts';
import type { RowQuery } from '../../../src-shared/library/view.ts';
import { bundleForNode } from '../process/bundle.fixture.ts';
import { firstOpencode, shopOpencode } from '../transcripts/store/databases.fixture.ts';
import { IndexServer } from './index-server.ts';
import { indexFileIn, knownFolders, placesOfPrograms } from './known-folders.ts';
import { askLibrary } from './library-client.ts';
import { readingDatabases } from './open-stored.ts';
import type { LibraryRequest, SearchAnswer, SearchQuery } from './protocol.ts';
import { scan } from './scan.ts';

/*
 * Everything that opens the index runs in the real host: SQLite is a native module, and the tests are to notice when it
 * cannot be loaded in a process of its own.
 */

// Each question starts a process.
vi.setConfig({ testTimeout: 20_000 });

let bundle: string;
let root: string;
let sessions: string;

beforeAll(async () => {
  // In the tree, so that the native module is found from there.
  bundle = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), '../../../node_modules/.gantry-library-'));
  await bundleForNode({ host: fileURLToPath(new URL('./host.ts', import.meta.url)) }, bundle, [
    '@photostructure/sqlite',
  ]);
}, 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-library-'));
  sessions = join(root, 'claude', 'projects', '-work-shop');
  mkdirSync(sessions, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A session in the manner of Claude Code: a prompt, one Bash call and its output, an answer. */
function session(name: string, texts: { prompt: string; command: string; output: string; answer: string }): string {
  const base = { sessionId: name, cwd: '/work/shop', version: '2.1.92' };
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
  const use = { type: 'tool_use', id: `toolu_${name}`, name: 'Bash', input: { command: texts.command } };
  const result = { type: 'tool_result', tool_use_id: `toolu_${name}`, content: texts.output };
  const say = (id: string, block: object) => ({ id, type: 'message', role: 'assistant', model: 'm', content: [block] });
  const lines = [
    { ...base, type: 'user', uuid: 'u1', timestamp: at(0), message: { role: 'user', content: texts.prompt } },
    { ...base, type: 'assistant', uuid: 'u2', parentUuid: 'u1', timestamp: at(1), message: say('m1', use) },
    {
      ...base,
      type: 'user',
      uuid: 'u3',
      parentUuid: 'u2',
      timestamp: at(2),
      message: { role: 'user', content: [result] },
    },
    {
      ...base,
      type: 'assistant',
      uuid: 'u4',
      parentUuid: 'u3',
      timestamp: at(3),
      message: say('m2', { type: 'text', text: texts.answer }),
    },
  ];
  const path = join(sessions, `${name}.jsonl`);
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return path;
}

const rounding = {
  prompt: 'Fix the rounding in price.ts',
  command: 'grep -n "toFixed(" src',
  output: 'src/price.ts:14: return Number(v.toFixed(2))',
  answer: 'Every total goes through toFixed, which returns a string.',
};

const read: number[] = [];
function ask(kind: LibraryRequest['ask']) {
  return askLibrary(
    { indexFile: indexFileIn(root), folders: [join(root, 'claude', 'projects')], ask: kind },
    {
      execPath: process.execPath,
      entryPath: join(bundle, 'host.mjs'),
      onProgress: (done, total) => void (done === total && read.push(total)),
      signal: new AbortController().signal,
    },
  );
}
async function list(): Promise<readonly FoundSession[]> {
  const result = await ask({ kind: 'list' });
  return result.kind === 'sessions' ? result.sessions : [];
}
async function search(text: string, more: Partial<SearchQuery> = {}): Promise<SearchAnswer> {
  const query: SearchQuery = { text, kinds: [], project: '', order: 'best', limit: 100, ...more };
  const result = await ask({ kind: 'search', query });
  if (result.kind !== 'hits') throw new Error(`expected hits, not ${result.kind}`);
  return result.answer;
}
const kindsOf = (answer: SearchAnswer): string[] =>
  answer.sessions.flatMap(({ hits }) => hits.map(({ kind }) => kind)).sort();

test('code is found by a part of it, in inputs and outputs, with where it stands', async () => {
  const path = session('one', rounding);
  session('two', { ...rounding, command: 'ls', output: 'nothing', answer: 'no', prompt: 'other' });
  const answer = await search('toFixed(');
  expect(answer.sessions.map(({ session: { path } }) => path)).toEqual([path]);
  expect(kindsOf(answer)).toEqual(['input', 'output']);
  const hit = answer.sessions[0]?.hits.find(({ kind }) => kind === 'output');
  expect(hit).toMatchObject({ tool: 'Bash', callId: 'toolu_one', snippet: rounding.output });
  expect(hit?.marks.map(([from, to]) => hit.snippet.slice(from, to))).toEqual(['toFixed(']);
});

test('a search can be held to one kind of text and to a project', async () => {
  session('one', rounding);
  expect(kindsOf(await search('tofixed', { kinds: ['answer'] }))).toEqual(['answer']);
  expect((await search('toFixed', { project: 'shop' })).hits).toBe(3);
  expect((await search('toFixed', { project: 'cart' })).hits).toBe(0);
  // Two letters hold no trigram.
  expect(kindsOf(await search('v.', { kinds: ['output'] }))).toEqual(['output']);
  expect(await search('toFixed', { limit: 2 })).toMatchObject({ hits: 2, more: true });
});

test('what stands nearly everywhere is found in the newest sessions, in the kinds asked for', async () => {
  const lines = Array.from({ length: 5_100 }, (_, at) => ({
    type: 'user',
    uuid: `p${at}`,
    sessionId: 'old',
    cwd: '/work/shop',
    version: '2.1.92',
    timestamp: new Date(Date.UTC(2025, 0, 1) + at).toISOString(),
    message: { role: 'user', content: `toFixed number ${at}` },
  }));
  writeFileSync(join(sessions, 'old.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  const path = session('one', rounding);
  const answer = await search('toFixed', { limit: 3 });
  expect(answer).toMatchObject({ hits: 3, more: true });
  expect(answer.sessions.map(({ session: { path } }) => path)).toEqual([path]);
  expect(kindsOf(await search('toFixed', { kinds: ['output'] }))).toEqual(['output']);
  expect((await search('"number 17"', { kinds: ['prompt'] })).hits).toBe(100);
});

test('words of the full-text index mean themselves', async () => {
  session('one', { ...rounding, prompt: 'a AND b NEAR(c) "d" * text:x (' });
  for (const text of ['AND b', 'NEAR(c)', 'text:x', '"', '*', '(', '"unclosed', 'a" OR "b', '-- ;', "'", '^x']) {
    await expect(search(text), text).resolves.toBeDefined();
  }
  expect((await search('"AND b NEAR(c)"')).hits).toBe(1);
});

test('only what is new or has changed is read again, and what is gone is forgotten', async () => {
  const path = session('one', rounding);
  session('two', { ...rounding, prompt: 'Another one' });
  expect((await list()).map(({ title, calls, format, version }) => ({ title, calls, format, version }))).toContainEqual(
    {
      title: rounding.prompt,
      calls: 1,
      format: 'claude-code',
      version: '2.1.92',
    },
  );
  await list();
  appendFileSync(path, '\n');
  await list();
  rmSync(path);
  expect(await list()).toHaveLength(1);
  expect(read.splice(0).slice(-4)).toEqual([2, 0, 1, 0]);
  expect((await search('rounding')).hits).toBe(0);
});

test('a damaged index and one of another version are made anew', async () => {
  session('one', rounding);
  writeFileSync(indexFileIn(root), 'this is no database, '.repeat(1_000));
  expect(await list()).toHaveLength(1);
  const bytes = readFileSync(indexFileIn(root));
  // The version of the tables, in the file's header.
  bytes.writeUInt32BE(7_777, 60);
  writeFileSync(indexFileIn(root), bytes);
  expect((await search('toFixed(')).hits).toBe(2);
});

test('two processes that fill one index at once both end with all of it', async () => {
  for (let at = 0; at < 20; at++) session(`s${at}`, { ...rounding, prompt: `Prompt ${at}` });
  const lists = await Promise.all([list(), list()]);
  expect(lists.map((each) => each.length)).toEqual([20, 20]);
  expect((await search('toFixed(')).hits).toBe(40);
});

test('sources stay as they are, and the index is for its owner only', async () => {
  const path = session('one', rounding);
  const print = () => [createHash('sha256').update(readFileSync(path)).digest('hex'), statSync(path).mtimeMs];
  const before = print();
  await search('toFixed');
  expect(print()).toEqual(before);
  if (process.platform !== 'win32') expect(statSync(indexFileIn(root)).mode & 0o777).toBe(0o600);
});

test('a file that is no session is not in the list, and does not keep others from it', async () => {
  session('one', rounding);
  writeFileSync(join(sessions, 'notes.json'), '{"a":1}');
  writeFileSync(join(sessions, 'empty.jsonl'), '');
  writeFileSync(join(sessions, 'torn.jsonl'), '\0\0{{{{');
  expect(await list()).toHaveLength(1);
});

test('links are not followed, parts of sessions are left to them', async () => {
  const outside = join(root, 'outside');
  mkdirSync(outside);
  const path = session('one', rounding);
  cpSync(path, join(outside, 'secret.jsonl'));
  cpSync(path, join(sessions, 'agent-7.jsonl'));
  mkdirSync(join(sessions, 'one', 'subagents'), { recursive: true });
  cpSync(path, join(sessions, 'one', 'subagents', 'x.jsonl'));
  symlinkSync(outside, join(sessions, 'linked'));
  symlinkSync(join(outside, 'secret.jsonl'), join(sessions, 'linked.jsonl'));
  symlinkSync(sessions, join(sessions, 'round'));
  const found: string[] = [];
  for await (const file of scan([join(root, 'claude'), join(root, 'absent')], {
    signal: new AbortController().signal,
  })) {
    found.push(file.path);
  }
  expect(found).toEqual([path]);
});

test('a scan stops when it is told to', async () => {
  session('one', rounding);
  const stop = new AbortController();
  stop.abort('user');
  await expect(scan([root], { signal: stop.signal }).next()).rejects.toBe('user');
});

test('places come from the home and the environment that were given, and from nowhere else', () => {
  const env = { home: '/h', env: { CLAUDE_CONFIG_DIR: '/c' } };
  const folders = knownFolders('/h/.gantry', placesOfPrograms(env));
  expect(folders).toContain(join('/h/.gantry', 'sessions'));
  expect(folders).toContain(join('/c', 'projects'));
  const given = [join('/h', '/'), join('/c', '/')];
  expect(folders.filter((folder) => !given.some((home) => folder.startsWith(home)))).toEqual([]);
  expect(knownFolders('/h/.gantry', placesOfPrograms(undefined))).toEqual([join('/h/.gantry', 'sessions')]);
  const without = placesOfPrograms(env, ['claude-code']);
  expect(without.map(({ folder }) => folder)).not.toContain(join('/c', 'projects'));
  expect(knownFolders('/h/.gantry', [], ['/mnt/other'])).toEqual([join('/h/.gantry', 'sessions'), '/mnt/other']);
});

test('a host that cannot be started is told in words', async () => {
  expect(() => execFileSync(process.execPath, [join(bundle, 'absent.mjs')], { stdio: 'ignore' })).toThrow();
  const asked = askLibrary(
    { indexFile: indexFileIn(root), folders: [], ask: { kind: 'list' } },
    {
      execPath: process.execPath,
      entryPath: join(bundle, 'absent.mjs'),
      onProgress: () => undefined,
      signal: new AbortController().signal,
    },
  );
  await expect(asked).rejects.toThrow(/index of sessions cannot be used/);
});

const around = { ownFolder: join('/h', 'sessions'), running: [] as string[], now: Date.UTC(2026, 0, 3) };
const everything = { kinds: [], where: 'all', project: '', has: [], when: 'any', order: 'best' } as const;
const query = (text: string, more: Partial<RowQuery> = {}): RowQuery => ({
  ...everything,
  kinds: [],
  has: [],
  text,
  ...more,
});

async function serving(work: (server: IndexServer) => Promise<void>): Promise<void> {
  const { execPath } = process;
  const server = new IndexServer({ execPath, entryPath: join(bundle, 'host.mjs'), indexFile: indexFileIn(root) });
  try {
    await work(server);
  } finally {
    server.close();
  }
}
/** The answer when nothing is left to look at. */
async function rowsOf(server: IndexServer, wanted: RowQuery) {
  for (;;) {
    const { answer } = await server.ask({ kind: 'rows', query: wanted, offset: 0, limit: 100, around });
    if (!answer.looking) return answer;
  }
}

test('a process that serves follows what another one reads, and numbers stay when a file changes', async () => {
  const path = session('one', rounding);
  session('two', { ...rounding, prompt: 'Another one', output: 'nothing' });
  await serving(async (server) => {
    expect(await rowsOf(server, query(''))).toMatchObject({ total: 0 });
    await ask({ kind: 'update' });
    const before = await rowsOf(server, query('toFixed('));
    expect(before).toMatchObject({ total: 2, hits: 3, moreHits: false });
    const row = before.rows.find((each) => each.path === path);
    expect(row).toMatchObject({
      hits: 2,
      own: false,
      running: false,
      prompt: rounding.prompt,
      calls: 1,
      mostAtOnce: 1,
    });
    appendFileSync(path, '\n');
    await ask({ kind: 'update' });
    const after = await rowsOf(server, query('toFixed(', { kinds: ['output'] }));
    expect(after.rows.map(({ id }) => id)).toEqual([row?.id]);
    expect((await server.ask({ kind: 'path', id: row?.id ?? 0 })).path).toBe(path);
    expect((await server.ask({ kind: 'path', id: 7_777 })).path).toBeUndefined();
    const { hits } = await server.ask({ kind: 'hits', id: row?.id ?? 0, text: 'toFixed', kinds: [] });
    expect(hits.map(({ kind }) => kind)).toEqual(['input', 'output', 'answer']);
  });
});

test('facets count sessions by place, project and time, and rows are held to them', async () => {
  const path = session('one', rounding);
  await ask({ kind: 'update' });
  await serving(async (server) => {
    const { facets } = await server.ask({ kind: 'facets', around: { ...around, running: [path] } });
    expect(facets).toMatchObject({
      where: { all: 1, running: 1, own: 0, machine: 1 },
      projects: [{ folder: '/work/shop', name: 'shop', count: 1 }],
      has: { cascade: 0 },
      when: { any: 1, day: 1, month: 1 },
    });
    const totals = await Promise.all(
      [
        query('', { where: 'machine' }),
        query('', { where: 'own' }),
        query('toFixed', { project: '/work/shop' }),
        query('toFixed', { project: '/work' }),
        query('toFixed', { has: ['cascade'] }),
      ].map(async (wanted) => (await rowsOf(server, wanted)).total),
    );
    expect(totals).toEqual([1, 0, 1, 0, 0]);
  });
});

test('files are listed by a glance at them before they are read, and counted without opening any', async () => {
  for (let at = 0; at < 30; at++) session(`s${at}`, rounding);
  expect(await ask({ kind: 'count' })).toMatchObject({ counts: [{ count: 30 }] });
  const stop = new AbortController();
  const { execPath } = process;
  const onProgress = (): void => stop.abort(new Error('enough'));
  const asked = askLibrary(
    { indexFile: indexFileIn(root), folders: [join(root, 'claude', 'projects')], ask: { kind: 'update' } },
    { execPath, entryPath: join(bundle, 'host.mjs'), onProgress, signal: stop.signal },
  );
  await expect(asked).rejects.toThrow('enough');
  await serving(async (server) => {
    const { rows, total } = await rowsOf(server, query(''));
    expect(total).toBe(30);
    expect(rows.filter(({ problem }) => problem === NOT_READ).length).toBeGreaterThan(0);
    expect(rows.every(({ cwd, title }) => cwd === '/work/shop' && title !== '')).toBe(true);
  });
  // What was only listed is read the next time.
  expect((await list()).map(({ problem }) => problem)).toEqual(new Array(30).fill(''));
});

test('each session of a database is listed, found and opened, and read again when it changes', async () => {
  const database = join(sessions, 'opencode.db');
  const db = shopOpencode(database);
  try {
    expect(await ask({ kind: 'count' })).toMatchObject({ counts: [{ count: 2 }] });
    const found = await list();
    expect(found.map(({ path, title, cwd }) => [path, title, cwd])).toEqual([
      [`${database}#ses_shop`, 'Fix the prices', '/work/shop'],
      [`${database}#ses_old`, 'Old one', '/work/shop'],
    ]);
    expect(found[0]).toMatchObject({ format: 'opencode', calls: 6, agents: 1, problem: '' });
    expect((await search('Look around')).sessions[0]?.session.path).toBe(`${database}#ses_shop`);
    read.length = 0;
    firstOpencode(db).message('ses_old', 'msg_80', 5, { role: 'user' }, [{ type: 'text', text: 'a later thought' }]);
    expect((await search('later thought')).sessions[0]?.session.path).toBe(`${database}#ses_old`);
    expect(read).toEqual([1]);
  } finally {
    db.close();
  }
});

test('what a database has is not listed again from the files that its older version left', async () => {
  const path = session('ses_old', rounding);
  const other = session('other', rounding);
  expect((await list()).map((one) => one.path).sort()).toEqual([other, path]);
  shopOpencode(join(sessions, 'opencode.db')).close();
  expect((await list()).map((one) => one.path.slice(sessions.length + 1)).sort()).toEqual([
    'opencode.db#ses_old',
    'opencode.db#ses_shop',
    'other.jsonl',
  ]);
});

test('sessions of a database that is locked stay in the list', async () => {
  const db = shopOpencode(join(sessions, 'opencode.db'));
  try {
    const before = await list();
    db.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    expect(await list()).toEqual(before);
  } finally {
    db.close();
  }
});

test('a session of a database is opened in a process of its own, and refused in words', async () => {
  const host = { execPath: process.execPath, entryPath: join(bundle, 'host.mjs') };
  const others: string[] = [];
  const open = readingDatabases(host, async (path) => {
    others.push(path);
    return { events: [], findings: [], path };
  });
  const { signal } = new AbortController();
  const database = join(sessions, 'opencode.db');
  shopOpencode(database).close();
  const { events, path } = await open(database, signal);
  expect(path).toBe(`${database}#ses_shop`);
  expect(events.length).toBeGreaterThan(20);
  expect((await open(sessions, signal)).path).toBe(path);
  await expect(open(`${database}#none`, signal)).rejects.toThrow('holds no session none');
  const file = session('one', rounding);
  expect((await open(file, signal)).path).toBe(file);
  expect(others).toEqual([file]);
});
