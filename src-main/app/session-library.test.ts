import { describe, expect, test } from 'vitest';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { SessionScript } from '../../src-shared/timeline/session-script.ts';
import { millis } from '../../src-shared/units.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { FakeHookRunner } from '../ports/hook-runner.fake.ts';
import { HandSettings } from '../ports/settings.fake.ts';
import { noSettings } from '../ports/settings.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import type { OpenedTranscript } from '../ports/transcript-reader.ts';
import type { NewSession } from './new-session.ts';
import { type LibraryDeps, SessionLibrary } from './session-library.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, HandModel, says, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { MemorySessionStore } from './testing/memory-session-store.ts';

const SCENARIO: Scenario = { name: 'two', title: 'Two reads', prompt: 'Read both.', turns: [] };

function setUp(more: Partial<LibraryDeps> = {}) {
  const store = new MemorySessionStore();
  const clock = new ManualClock();
  const model = new HandModel();
  const tools = new HandTools();
  const prepared: string[] = [];
  const deps: LibraryDeps = {
    store,
    clock,
    newId: countingIds(),
    readTranscript: async (path) => transcript(path),
    toolsFor: () => tools,
    scriptedProvider: () => model,
    prepareScenario: async (_scenario, scratch) => {
      prepared.push(scratch);
      return `${scratch}/shop`;
    },
    app: 'test',
    ...more,
  };
  const library = new SessionLibrary(deps);
  const problems: Failure[] = [];
  library.onProblem((problem) => problems.push(problem));
  return { store, clock, model, tools, library, prepared, problems, deps };
}

const transcript = (path: string): OpenedTranscript => ({
  path,
  findings: [{ file: path, line: 3, kind: 'bad-line', message: 'It is left out.' }],
  events: new SessionScript({
    title: path,
    origin: { kind: 'imported', format: 'claude-code', path, clock: 'recorded' },
  })
    .turn('t', 0, 50)
    .events(),
});

async function started(more: Partial<LibraryDeps> = {}) {
  const all = setUp(more);
  const sessionId = await all.library.startScenario(SCENARIO);
  await quiet();
  const place = all.store.kept.get(sessionId);
  if (place === undefined) throw new Error('the session has no place');
  return { ...all, sessionId, disk: place.store };
}

const failure = async (work: Promise<unknown>): Promise<Failure | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
};

describe('a scenario', () => {
  test('starts in its scratch folder with its settings, and sends its prompt', async () => {
    const { disk, prepared, sessionId, model } = await started();
    expect(prepared).toEqual([`/sessions/${sessionId}/scratch`]);
    expect(disk.events[0]).toMatchObject({
      type: 'session-started',
      sessionId,
      title: 'Two reads',
      cwd: `/sessions/${sessionId}/scratch/shop`,
      origin: { kind: 'live', provider: 'scripted', scenario: 'two' },
      settings: { strategy: 'streaming', cascade: 'bash' },
    });
    expect(model.now.request.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Read both.' }] }]);
  });

  test('wins with its own settings over those of settings files', async () => {
    const settings = new HandSettings({ defaults: { strategy: 'serial', cap: 4 } });
    const { library, store } = setUp({ settingsFor: () => settings });
    const sessionId = await library.startScenario({
      ...SCENARIO,
      settings: { strategy: 'batch', treatAsSafe: ['Bash'] },
    });
    expect(store.kept.get(sessionId)?.store.events[0]).toMatchObject({
      settings: { strategy: 'batch', cap: 4, cascade: 'none', treatAsSafe: ['Bash'] },
    });
  });

  test('starts in the mode of its folder’s settings, and says what of them has no effect', async () => {
    const settings = new HandSettings({
      mode: { mode: 'acceptEdits', scope: 'user', file: '/home/u/.claude/settings.json', line: 2 },
      findings: [{ file: '/home/u/.claude/settings.json', line: 4, kind: 'settings-entry', message: 'It is skipped.' }],
    });
    const folders: string[] = [];
    const { disk, sessionId } = await started({
      capInEnvironment: 'many',
      settingsFor: (folder) => {
        folders.push(folder);
        return settings;
      },
    });
    expect(new Set(folders)).toEqual(new Set([`/sessions/${sessionId}/scratch/shop`]));
    expect(disk.events[0]).toMatchObject({ settings: { mode: 'acceptEdits', cap: 10 } });
    expect(disk.events.filter(({ type }) => type === 'notice-given')).toMatchObject([
      { text: 'CLAUDE_CODE_MAX_TOOL_USE_CONCURRENCY is many, not a positive whole number. 10 is used.' },
      { detail: '/home/u/.claude/settings.json:4 It is skipped.' },
    ]);
  });

  test('runs the hooks of its settings, and they hear of its end', async () => {
    const hooks = new FakeHookRunner();
    const asked: unknown[] = [];
    const deps: Partial<LibraryDeps> = {
      settingsFor: (folder, scenario) => {
        asked.push(scenario?.name);
        return noSettings(folder);
      },
      hooksFor: ({ journalPath }) => ({ runner: hooks, transcriptPath: journalPath }),
    };
    const { library, sessionId } = await started(deps);
    expect(new Set(asked)).toEqual(new Set([SCENARIO.name]));
    expect(hooks.inputs[0]).toMatchObject({
      event: 'SessionStart',
      session: { sessionId, transcriptPath: `/sessions/${sessionId}/journal.jsonl` },
    });
    await library.closeAll('quit');
    expect(hooks.inputs.at(-1)).toMatchObject({ event: 'SessionEnd' });
    expect(hooks.isClosed).toBe(true);
  });

  test('whose files cannot be laid leaves nothing behind', async () => {
    const { library, store, clock } = setUp({
      prepareScenario: () => Promise.reject(new FailureError({ kind: 'not-writable', message: 'No room.' })),
    });
    expect(await failure(library.startScenario(SCENARIO))).toMatchObject({ message: 'No room.' });
    expect([store.kept.size, store.locked.size, library.list().length, clock.pending]).toEqual([0, 0, 0, 0]);
  });

  test('on a disk that takes nothing is refused in words, and leaves nothing behind', async () => {
    const { library, store, problems } = setUp();
    store.full = true;
    expect(await failure(library.startScenario(SCENARIO))).toMatchObject({ kind: 'not-writable' });
    expect(problems).toHaveLength(1);
    expect([store.kept.size, store.locked.size, library.list().length]).toEqual([0, 0, 0]);
  });
});

describe('listeners', () => {
  test('are told of events when they are on disk, and of changes a few times a second', async () => {
    const { library, disk, sessionId, clock, model } = await started();
    clock.advance(millis(150));
    const told: string[] = [];
    const lists: (readonly SessionSummary[])[] = [];
    library.onEvents((id, events) => {
      expect(id).toBe(sessionId);
      expect(disk.events.at(-1)).toBe(events.at(-1));
      told.push(...events.map(({ type }) => type));
    });
    const changes = library.onChanged((sessions) => lists.push(sessions));
    await model.now.send(begins(), says('Hi'));
    await model.now.send(ends());
    expect(told).toContain('message-completed');
    expect(lists).toEqual([]);
    clock.advance(millis(150));
    expect(lists).toHaveLength(1);
    expect(lists[0]).toMatchObject([{ sessionId, title: 'Two reads', status: 'idle', lastTurn: 'ok' }]);
    changes.dispose();
    clock.advance(millis(1_000));
    expect(lists).toHaveLength(1);
  });
});

describe('a disk that is full', () => {
  test('is said to the person with the place and what to do, once, and nothing goes on until there is room', async () => {
    const { library, disk, sessionId, model, tools, problems, clock } = await started();
    disk.full = true;
    await model.now.send(begins(), uses('a', 'Look'), ends('tool-use'));
    expect(problems).toEqual([
      {
        kind: 'not-writable',
        message: `The session Two reads is paused: /sessions/${sessionId}/journal.jsonl cannot be written (ENOSPC: no space left on device, write).`,
        hint: 'Make room on the disk or give the folder write permission. The session goes on by itself; nothing is lost.',
      },
    ]);
    expect(tools.calls.has('a')).toBe(false);
    const { events } = await library.eventsFrom(sessionId, 0, 1_000);
    expect(events.map(({ type }) => type)).not.toContain('call-queued');
    const session = await library.live(sessionId);
    expect(() => session.send('More')).toThrow(FailureError);
    clock.advance(millis(2_000));
    expect(problems).toHaveLength(1);
    disk.full = false;
    clock.advance(millis(2_000));
    await quiet();
    expect(tools.calls.has('a')).toBe(true);
    expect(session.log.events.at(-1)).toBe(disk.events.at(-1));
  });
});

describe('events', () => {
  test('come in pages, with what is appended but not yet written flushed first', async () => {
    const { library, sessionId, disk } = await started();
    const session = await library.live(sessionId);
    session.setMode('plan');
    const first = await library.eventsFrom(sessionId, 0, 3);
    expect(first.events.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(first).toMatchObject({ more: true, total: disk.events.length });
    const rest = await library.eventsFrom(sessionId, 3, 1_000);
    expect(rest.more).toBe(false);
    expect(rest.events.at(-1)?.type).toBe('mode-changed');
    expect(await library.eventsFrom(sessionId, 1_000, 10)).toMatchObject({ events: [], more: false });
  });
});

describe('a session on disk', () => {
  async function onDisk(change: (events: readonly SessionEvent[]) => readonly SessionEvent[] = (events) => events) {
    const before = await started();
    await before.model.now.send(begins(), uses('a', 'Look'), ends('tool-use'));
    const { store } = before;
    const events = change([...before.disk.events]);
    before.disk.events.splice(0, before.disk.events.length, ...events);
    store.locked.clear();
    store.rows = before.library.list();
    const tools: ToolRegistry = new HandTools();
    const library = new SessionLibrary({ ...before.deps, newId: countingIds(1_000), toolsFor: () => tools });
    await library.load();
    return { ...before, library };
  }

  test('is a row of the list until it is opened, and is opened once for all who ask at the same time', async () => {
    const { library, store, sessionId } = await onDisk();
    expect(library.list()).toMatchObject([{ sessionId }]);
    const [one, two] = await Promise.all([library.live(sessionId), library.live(sessionId)]);
    expect(one).toBe(two);
    expect(store.opens).toBe(1);
    expect(library.list()).toHaveLength(1);
  });

  test('that ended in the middle is recovered when it is opened, and goes on', async () => {
    const { library, sessionId, disk } = await onDisk();
    const session = await library.live(sessionId);
    expect(session.log.state.calls).toMatchObject([{ phase: 'yielded', end: { outcome: 'unknown' } }]);
    expect(disk.events.some(({ type }) => type === 'session-resumed')).toBe(true);
    session.send('Go on.');
    await quiet();
    expect(session.running).toBe(true);
  });

  test('whose beginning is lost is not continued, and is given free', async () => {
    const { library, sessionId, store } = await onDisk((events) => events.slice(1));
    expect(await failure(library.live(sessionId))).toMatchObject({ kind: 'not-readable' });
    expect(store.locked.size).toBe(0);
    expect(await failure(library.live(sessionId))).toMatchObject({ kind: 'not-readable' });
    expect(store.opens).toBe(2);
  });

  test('that nobody knows is not found', async () => {
    const { library } = setUp();
    expect(await failure(library.live('nobody' as SessionId))).toMatchObject({ kind: 'not-found' });
    expect(await failure(library.eventsFrom('__proto__' as SessionId, 0, 1))).toMatchObject({ kind: 'not-found' });
  });
});

describe('a transcript', () => {
  const open = (library: SessionLibrary, path: string) => library.transcripts.open(path, new AbortController().signal);

  test('is read and listed, with what was odd about it', async () => {
    const { library } = setUp();
    const { sessionId, findings } = await open(library, '/t.jsonl');
    expect(findings).toHaveLength(1);
    expect(await library.findings(sessionId)).toHaveLength(1);
    expect(library.list()).toMatchObject([{ sessionId, kind: 'imported', findings: 1, path: '/t.jsonl' }]);
    expect((await library.eventsFrom(sessionId, 0, 10)).events[0]?.type).toBe('session-started');
  });

  test('that is opened again is the same session, read anew', async () => {
    const { library } = setUp();
    const [first, second] = await Promise.all([open(library, '/t.jsonl'), open(library, '/t.jsonl')]);
    expect(second.sessionId).toBe(first.sessionId);
    expect((await open(library, '/t.jsonl')).sessionId).toBe(first.sessionId);
    expect((await open(library, '/u.jsonl')).sessionId).not.toBe(first.sessionId);
  });

  test('is not continued', async () => {
    const { library } = setUp();
    const { sessionId } = await open(library, '/t.jsonl');
    expect(await failure(library.live(sessionId))).toMatchObject({ kind: 'unsupported' });
  });

  test('is taken out of the list, and its file is left alone', async () => {
    const { library, store } = setUp();
    const { sessionId } = await open(library, '/t.jsonl');
    store.remove = () => Promise.reject(new Error('not its file'));
    await library.remove(sessionId);
    expect(library.list()).toEqual([]);
  });
});

describe('outputs on disk', () => {
  test('are found by their call, and a call without one says so', async () => {
    const { library, sessionId, model, tools } = await started();
    await model.now.send(begins(), uses('a', 'Change'), uses('b', 'Change'), ends('tool-use'));
    tools.call('a').end('x'.repeat(60_000));
    await quiet();
    expect(await library.savedOutput(sessionId, 'a' as CallId)).toMatchObject({
      path: '/results/a.txt',
      bytes: 60_000,
    });
    expect(await failure(library.savedOutput(sessionId, 'b' as CallId))).toMatchObject({ kind: 'not-found' });
    expect(await failure(library.savedOutput(sessionId, '__proto__' as CallId))).toMatchObject({ kind: 'not-found' });
  });
});

describe('removing and closing', () => {
  test('a session that runs is not removed; an idle one goes with its files', async () => {
    const { library, store, sessionId, model } = await started();
    expect(await failure(library.remove(sessionId))).toMatchObject({ kind: 'busy' });
    await model.now.send(begins(), says('Hi.'), ends());
    await library.remove(sessionId);
    expect([store.kept.size, store.locked.size, library.list().length]).toEqual([0, 0, 0]);
  });

  test('closing all stops what runs, writes every end and gives every session free', async () => {
    const { library, store, disk, model, tools, sessionId } = await started();
    await model.now.send(begins(), uses('a', 'Look'), ends('tool-use'));
    const closed = library.closeAll('quit');
    tools.call('a').throw(new DOMException('stopped', 'AbortError'));
    await closed;
    expect(disk.events.at(-1)).toMatchObject({ type: 'session-ended', reason: 'quit' });
    expect(store.locked.size).toBe(0);
    expect(store.summaries.get(sessionId)).toMatchObject({ status: 'ended', openCalls: 0 });
  });

  test('a session that cannot be closed keeps no other from it', async () => {
    const { library, store, disk, model } = await started();
    const other = await library.startScenario(SCENARIO);
    await quiet();
    await model.now.send(begins(), says('Hi.'), ends());
    disk.close = () => {
      throw new Error('EIO');
    };
    await library.closeAll('quit');
    expect(store.kept.get(other)?.store.closed).toBe(true);
    expect(store.locked.size).toBe(0);
  });

  test('a summary that cannot be written holds up no closing', async () => {
    const { library, store } = await started();
    store.saveSummary = () => Promise.reject(new Error('ENOSPC'));
    await library.closeAll('quit');
    expect(store.locked.size).toBe(0);
  });
});

describe('sessions that no window shows', () => {
  const MOST = 10;

  /** So many sessions that have answered and were left. */
  async function left(count: number) {
    const all = setUp();
    const ids: SessionId[] = [];
    for (let n = 0; n < count; n++) {
      ids.push(await all.library.startScenario(SCENARIO));
      await quiet();
      await all.model.now.send(begins(`m${n}`), says('Hi.'), ends());
    }
    for (const id of ids) all.library.left(id);
    await quiet();
    return { ...all, ids };
  }

  test('are closed but for the last ones, stay in the list, and are opened again when they are wanted', async () => {
    const { library, store, ids, model } = await left(MOST + 2);
    expect(ids.filter((id) => !library.isLive(id))).toEqual(ids.slice(0, 2));
    expect(store.locked.size).toBe(MOST);
    expect(library.list().map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining(ids));
    const session = await library.live(ids[0] as SessionId);
    session.send('And?');
    await quiet();
    await model.now.send(begins('again'), says('Yes.'), ends());
    expect(session.log.state.entries.at(-1)).toMatchObject({ blocks: [{ text: 'Yes.' }] });
  });

  test('are opened only when they have been closed', async () => {
    const { library, ids, store } = await left(MOST);
    const more = await library.startScenario(SCENARIO);
    await quiet();
    const stop = (await library.live(more)).interrupt('escape');
    await quiet();
    library.left(more);
    const [first] = ids as [SessionId];
    expect([stop, store.locked.has(first)]).toEqual([true, true]);
    expect((await library.live(first)).running).toBe(false);
    expect(store.opens).toBe(1);
  });

  test('go on with what they do', async () => {
    const { library, model, ids } = await left(MOST);
    const busy = await library.startScenario(SCENARIO);
    await quiet();
    library.left(busy);
    for (const id of ids) library.left(id);
    await quiet();
    expect(library.isLive(busy)).toBe(true);
    await model.now.send(begins('late'), says('Hi.'), ends());
    expect((await library.live(busy)).log.state.turns.at(-1)?.end?.reason).toBe('completed');
  });

  test('are closed once when the app quits meanwhile', async () => {
    const { library, store, ids } = await left(MOST);
    const more = await library.startScenario(SCENARIO);
    await quiet();
    (await library.live(more)).interrupt('escape');
    await quiet();
    library.left(more);
    await library.closeAll('quit');
    const ends = [...ids, more].map((id) => store.kept.get(id)?.store.events.filter((e) => e.type === 'session-ended'));
    expect(ends.map((list) => list?.length)).toEqual(ends.map(() => 1));
    expect(store.locked.size).toBe(0);
  });
});

describe('a session with a model', () => {
  const model: ModelChoice = { provider: 'anthropic', model: 'm' };
  const started = async (more: Partial<LibraryDeps> = {}) => {
    const asked: ModelChoice[] = [];
    const answers = new HandModel();
    const providerFor = (choice: ModelChoice) => {
      asked.push(choice);
      return answers;
    };
    const all = setUp({ providerFor, ...more });
    const start = (facts: Partial<NewSession> = {}) =>
      all.library.startSession({ cwd: '/work/shop', model, prompt: 'Fix it', ...facts });
    return { ...all, asked, answers, start };
  };

  test('starts in its folder, in its mode, with its message', async () => {
    const { library, start, answers } = await started();
    const sessionId = await start({ mode: 'plan' });
    await quiet();
    const { state } = (await library.live(sessionId)).log;
    expect(state).toMatchObject({
      cwd: '/work/shop',
      model,
      title: 'Fix it',
      origin: { kind: 'live', provider: 'anthropic', model },
      settings: { mode: 'plan' },
    });
    expect(answers.streams).toHaveLength(1);
  });

  test('that is opened again is answered by its own model', async () => {
    const { library, start, store, answers, deps, model: scripted } = await started();
    const sessionId = await start();
    await quiet();
    await answers.now.send(begins(), says('Done.'), ends());
    await library.closeAll('quit');
    store.rows = [...store.summaries.values()];
    const other: ModelChoice = { provider: 'openai-compatible', model: 'llama' };
    const later = new SessionLibrary(deps);
    await later.load();
    (await later.live(sessionId)).send('And?');
    await quiet();
    expect(answers.streams).toHaveLength(2);
    expect(scripted.streams).toEqual([]);
    await answers.now.send(begins('m2'), says('Done.'), ends());
    await later.setModel(sessionId, other);
    expect((await later.live(sessionId)).log.state.model).toEqual(other);
  });

  test('cannot start where nobody can work', async () => {
    const wrong = new FailureError({ kind: 'not-found', message: '/nowhere is not there.' });
    const { start, store } = await started({ ensureFolder: () => Promise.reject(wrong) });
    expect(await failure(start({ cwd: '/nowhere' }))).toEqual(wrong.failure);
    expect(store.kept.size).toBe(0);
  });

  test('that cannot be is told before there is a session; one from before can still be opened', async () => {
    const wrong = new FailureError({ kind: 'bad-input', message: 'x is no address of a server.' });
    const { start, library, store, answers, deps } = await started();
    const sessionId = await start();
    await quiet();
    await answers.now.send(begins(), says('Done.'), ends());
    await library.closeAll('quit');
    store.rows = [...store.summaries.values()];
    const refusing = new SessionLibrary({
      ...deps,
      providerFor: () => {
        throw wrong;
      },
    });
    await refusing.load();
    expect(await failure(refusing.startSession({ cwd: '/work/shop', model }))).toEqual(wrong.failure);
    const session = await refusing.live(sessionId);
    session.send('And?');
    await session.idle;
    expect(session.log.state.turns.at(-1)?.end).toMatchObject({ reason: 'error', message: wrong.message });
  });
});
