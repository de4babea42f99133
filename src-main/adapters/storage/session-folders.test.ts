import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FailureError } from '../../../src-shared/failure.ts';
import type { SessionId } from '../../../src-shared/ids.ts';
import { foldSession } from '../../../src-shared/session/state.ts';
import { summarise } from '../../core/session-summary.ts';
import { until } from '../process/until.fixture.ts';
import { eventOf, openingEvents } from './events.fixture.ts';
import { SessionFolders } from './session-folders.ts';

let root: string;
let sessions: SessionFolders;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-sessions-'));
  sessions = new SessionFolders(join(root, 'sessions'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ID = 'session_1' as SessionId;
const folder = (id: string = ID) => join(root, 'sessions', id);
const journal = (id: string = ID) => join(folder(id), 'journal.jsonl');
const SCENARIO = { name: 'two', turns: [[{ text: 'Hello.' }], [{ tool: 'Bash', input: { command: 'ls' } }]] };

/** A session with some events that was closed, or whose app died. */
async function session(id: string, title: string, over: 'ended' | 'crashed' = 'ended'): Promise<void> {
  const place = await sessions.create(id as SessionId, undefined);
  const events = openingEvents(id, title);
  if (over === 'ended') events.push(eventOf({ type: 'session-ended', reason: 'closed' }, events.length));
  place.store.write(events);
  place.store.close();
  await place.release();
  if (over === 'crashed') return;
  const summary = summarise(foldSession(events), { sessionId: id as SessionId, path: journal(id), findings: 0 });
  await sessions.saveSummary(summary);
}

const failure = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FailureError)) throw new Error(`no failure: ${String(error)}`);
  return error.failure;
};

describe('a session', () => {
  test('has a folder of its own that is nobody else’s business', async () => {
    const place = await sessions.create(ID, SCENARIO);
    expect(place).toMatchObject({ sessionId: ID, journalPath: journal(), scratch: join(folder(), 'scratch') });
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(place.files.pathFor('call')).toBe(join(folder(), 'tool-results', 'call.txt'));
    place.store.close();
    await place.release();
  });

  test('is opened again with its events and its scenario', async () => {
    const place = await sessions.create(ID, SCENARIO);
    const events = openingEvents(ID, 'Two');
    place.store.write(events.slice(0, 2));
    place.store.close();
    await place.release();

    const opened = await sessions.open(ID);
    expect(opened).toMatchObject({ events: events.slice(0, 2), findings: [], scenario: SCENARIO });
    opened.place.store.write(events.slice(2));
    opened.place.store.close();
    await opened.place.release();
    const again = await sessions.open(ID);
    expect(again.events).toEqual(events);
    again.place.store.close();
    await again.place.release();
  });

  test('whose scenario is damaged opens without one', async () => {
    await session(ID, 'Two');
    writeFileSync(join(folder(), 'scenario.json'), '{"name":');
    const { place, scenario } = await sessions.open(ID);
    expect(scenario).toBeUndefined();
    place.store.close();
    await place.release();
  });

  test('with a torn last line is mended when it is opened', async () => {
    await session(ID, 'Two');
    writeFileSync(journal(), `${readFileSync(journal(), 'utf8')}{"v":1,"ty`);
    const { place, findings } = await sessions.open(ID);
    expect(findings).toMatchObject([{ kind: 'torn-line', line: 5 }]);
    expect(existsSync(`${journal()}.torn`)).toBe(true);
    place.store.close();
    await place.release();
  });

  test('is deleted with everything in it', async () => {
    await session(ID, 'Two');
    await sessions.remove(ID);
    expect(existsSync(folder())).toBe(false);
    expect(await failure(sessions.open(ID))).toMatchObject({ kind: 'not-found' });
  });
});

describe('two windows', () => {
  test('never have one session', async () => {
    const place = await sessions.create(ID, undefined);
    const other = new SessionFolders(join(root, 'sessions'));
    expect(await failure(other.open(ID))).toEqual({
      kind: 'locked',
      message: 'The session session_1 is open in another window of Gantry.',
      hint: 'Close it there first.',
    });
    place.store.close();
    await place.release();
    const opened = await other.open(ID);
    opened.place.store.close();
    await opened.place.release();
    // Freed twice, e.g. by a window that closes while the app quits: no trouble.
    await opened.place.release();
  });

  test('a lock that was taken away stops the journal with a reason, and not the app', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const place = await sessions.create(ID, undefined);
    rmSync(`${journal()}.lock`, { recursive: true });
    // The lock is looked at every five seconds.
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await until('the loss', () => refuses(place.store));
    expect(() => place.store.write(openingEvents(ID, 'x'))).toThrow(/another window of Gantry has taken this session/);
    await place.release();
  });

  const refuses = (store: { write(events: readonly never[]): void }): boolean => {
    try {
      store.write([]);
      return false;
    } catch {
      return true;
    }
  };
});

describe('an id', () => {
  test.each(['../evil', '..', 'a/b', 'a\\b', 'a\0b', ' ', '.', '/etc', 'x\n'])('%j leads nowhere', async (id) => {
    for (const work of [
      () => sessions.create(id as SessionId, undefined),
      () => sessions.open(id as SessionId),
      () => sessions.remove(id as SessionId),
    ]) {
      expect(await failure(work())).toMatchObject({ kind: 'bad-input' });
    }
    expect(existsSync(join(root, 'evil'))).toBe(false);
  });

  test('too long for a folder is refused in words', async () => {
    expect(await failure(sessions.create('x'.repeat(400) as SessionId, undefined))).toMatchObject({
      kind: 'not-writable',
      message: expect.stringMatching(/cannot be kept in .*: the name is too long\.$/),
    });
  });
});

describe('the list', () => {
  test('has no sessions when there is no folder yet', async () => {
    expect(await sessions.list()).toEqual([]);
  });

  test('takes the kept summary while it fits the journal', async () => {
    await session(ID, 'Two');
    const summary = join(folder(), 'summary.json');
    writeFileSync(summary, readFileSync(summary, 'utf8').replace('"Two"', '"From the summary"'));
    expect(await sessions.list()).toMatchObject([{ title: 'From the summary', calls: 1, status: 'ended' }]);
  });

  test.each([
    ['of another size of the journal', '{"journalBytes":1,'],
    ['that is damaged', 'no JSON at all'],
  ])('reads the journal instead of a summary %s, and keeps what it found', async (_name, damage) => {
    await session(ID, 'Two');
    const path = join(folder(), 'summary.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^\{"journalBytes":\d+,/, damage));
    expect(await sessions.list()).toMatchObject([{ title: 'Two', calls: 1 }]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ journalBytes: statSync(journal()).size });
  });

  test('calls a session ended whose app died, and counts what it left open', async () => {
    await session(ID, 'Two', 'crashed');
    expect(await sessions.list()).toMatchObject([{ title: 'Two', status: 'ended', openCalls: 1, lastTurn: 'none' }]);
    expect(await sessions.list()).toMatchObject([{ title: 'Two', status: 'ended', openCalls: 1 }]);
  });

  test('names the place where a session is now, not where it was', async () => {
    await session(ID, 'Two');
    renameSync(folder(), folder('session_2'));
    expect(await sessions.list()).toMatchObject([{ sessionId: 'session_2', path: journal('session_2') }]);
  });

  test('shows what cannot be read beside the others', async () => {
    await session(ID, 'Two');
    mkdirSync(journal('session_2'), { recursive: true });
    mkdirSync(folder('session_3'), { recursive: true });
    writeFileSync(journal('session_3'), 'no event\nat all\n');
    const list = await sessions.list();
    expect(list.map(({ title }) => title).toSorted()).toEqual([
      'Two',
      'session_2 cannot be read',
      'session_3 cannot be read',
    ]);
    expect(list.find(({ sessionId }) => sessionId === 'session_3')).toMatchObject({ findings: 2, status: 'ended' });
    expect(await failure(sessions.open('session_2' as SessionId))).toMatchObject({
      kind: 'not-readable',
      message: expect.stringMatching(/session_2 cannot be opened: it is a folder\.$/),
    });
  });

  test('leaves out what is no session', async () => {
    mkdirSync(folder('empty'), { recursive: true });
    mkdirSync(folder('died at once'), { recursive: true });
    mkdirSync(folder('begun'), { recursive: true });
    writeFileSync(journal('begun'), '');
    writeFileSync(join(root, 'sessions', 'file'), '');
    expect(await sessions.list()).toEqual([]);
  });

  test('is in order, newest first, however many there are', async () => {
    for (let i = 0; i < 70; i++) {
      mkdirSync(folder(`s${i}`), { recursive: true });
      const [first] = openingEvents(`s${i}`, `Title ${i}`);
      writeFileSync(journal(`s${i}`), `${JSON.stringify({ v: 1, ...first, at: 1_000 + ((i * 11) % 70) })}\n`);
    }
    const times = (await sessions.list()).map(({ startedAt }) => startedAt);
    expect(times).toEqual(Array.from({ length: 70 }, (_, i) => 1_069 - i));
  });

  test('of a folder that is none is a failure in words', async () => {
    writeFileSync(join(root, 'sessions'), '');
    expect(await failure(sessions.list())).toMatchObject({
      kind: 'not-readable',
      hint: expect.stringContaining('GANTRY_HOME'),
    });
  });
});

test('a place where nothing can be kept is named with the reason and a way out', async () => {
  writeFileSync(join(root, 'sessions'), '');
  expect(await failure(sessions.create(ID, undefined))).toEqual({
    kind: 'not-writable',
    message: `A session cannot be kept in ${folder()}: a file is where a folder has to be.`,
    hint: 'Make room or give the folder write permission, or set GANTRY_HOME to another folder.',
  });
});

test.skipIf(process.getuid?.() === 0)('a session without permission is a failure in words', async () => {
  await session(ID, 'Two');
  chmodSync(journal(), 0o000);
  expect(await failure(sessions.open(ID))).toMatchObject({
    kind: 'not-readable',
    message: expect.stringMatching(/no permission/),
  });
});
