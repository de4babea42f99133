import { describe, expect, test } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { AskId, CallId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import { HandSettings } from '../ports/settings.fake.ts';
import { SessionLibrary } from './session-library.ts';
import { countingIds, quiet } from './testing/bench.ts';
import { begins, ends, HandModel, says, uses } from './testing/hand-model.ts';
import { HandTools } from './testing/hand-tools.ts';
import { MemorySessionStore } from './testing/memory-session-store.ts';
import { SessionBench } from './testing/session-bench.ts';

/* What sessions owe to windows that come and go, to other processes, and to a person who trusts their folder. */

describe('when the last window of a session has closed', () => {
  test('what waits is denied and has not run, and what asks later waits for a window again', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Ask'), uses('b', 'Ask'), ends('tool-use'));
    bench.session.denyWaiting();
    await quiet();
    expect(bench.all('permission-settled')).toMatchObject([
      { callId: 'a', verdict: 'deny', by: 'closed' },
      { callId: 'b', verdict: 'deny', by: 'closed' },
    ]);
    expect([bench.tools.calls.has('a'), bench.tools.calls.has('b')]).toEqual([false, false]);
    expect(bench.all('stage-started').filter(({ stage }) => stage === 'run')).toEqual([]);
    await bench.model.now.send(begins('m2'), uses('c', 'Ask'), ends('tool-use'));
    const asked = bench.all('permission-asked').at(-1);
    expect(asked?.callId).toBe('c');
    expect(bench.session.answer('c' as CallId, asked?.askId as AskId, { kind: 'allow-once' })).toBe(true);
  });
});

describe('several questions answered in one step', () => {
  test('are each denied, although the first denial ends the turn', async () => {
    const bench = new SessionBench();
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Ask'), uses('b', 'Ask'), ends('tool-use'));
    const asks = bench.all('permission-asked').map(({ callId, askId }) => ({ callId, askId }));
    const foreign = { callId: 'a' as CallId, askId: 'other' as AskId };
    expect(bench.session.answerAll([...asks, foreign], { kind: 'deny' })).toBe(1);
    await quiet();
    expect(bench.all('permission-settled').map(({ callId, by }) => `${callId} ${by}`)).toEqual(['a user', 'b user']);
    expect(bench.log.state.calls.map(({ callId }) => bench.tools.calls.has(callId))).toEqual([false, false]);
    expect(bench.all('turn-ended')).toMatchObject([{ reason: 'rejected' }]);
  });
});

describe('a folder that is trusted while a session is open in it', () => {
  test('adds its folders with the next turn, and what was said is in the journal', async () => {
    const settings = new HandSettings();
    const bench = new SessionBench({ files: settings });
    await bench.send('Hello');
    await bench.model.now.send(begins('m1'), uses('a', 'Look'), ends('tool-use'));
    expect(bench.tools.call('a').context.directories).toEqual(['/work']);
    settings.set({ directories: ['/shared'] });
    bench.session.tell({ text: 'You have trusted /work.', detail: 'folder ../shared' });
    bench.tools.call('a').end();
    await quiet();
    await bench.model.now.send(begins('m2'), says('Done.'), ends());
    await bench.send('Again');
    await bench.model.now.send(begins('m3'), uses('b', 'Look'), ends('tool-use'));
    expect(bench.tools.call('b').context.directories).toEqual(['/work', '/shared']);
    expect(bench.all('notice-given')).toMatchObject([{ level: 'info', text: 'You have trusted /work.' }]);
  });
});

describe('a session that another process works in', () => {
  const scenario: Scenario = { name: 'one', title: 'One', prompt: 'Go.', turns: [] };

  async function locked() {
    const store = new MemorySessionStore();
    const make = () =>
      new SessionLibrary({
        store,
        clock: new ManualClock(),
        newId: countingIds(),
        readTranscript: () => Promise.reject(new Error('no transcripts here')),
        toolsFor: () => new HandTools(),
        scriptedProvider: () => new HandModel(),
        prepareScenario: async (_, scratch) => `${scratch}/shop`,
        app: 'test',
      });
    const other = make();
    const sessionId = await other.startScenario(scenario);
    await quiet();
    store.rows = other.list();
    const library = make();
    await library.load();
    return { library, other, store, sessionId };
  }

  test('is shown as it is on disk, takes no command, is not removed, and is left as it was', async () => {
    const { library, store, sessionId } = await locked();
    const before = store.kept.get(sessionId)?.store.events.length;
    const { events } = await library.eventsFrom(sessionId, 0, 100);
    expect(events[0]).toMatchObject({ type: 'session-started', title: 'One' });
    expect(library.lockedBecause(sessionId)).toMatchObject({ kind: 'locked' });
    expect(library.isLive(sessionId)).toBe(false);
    await expect(library.live(sessionId)).rejects.toThrow(FailureError);
    expect(library.titleOf(sessionId)).toBe('One');
    expect(store.kept.get(sessionId)?.store.events.length).toBe(before);
  });

  test('can be worked in once the other has gone', async () => {
    const { library, other, sessionId } = await locked();
    await library.eventsFrom(sessionId, 0, 100);
    await other.closeAll('quit');
    await library.eventsFrom(sessionId, 100, 100);
    expect(library.lockedBecause(sessionId)).toBeDefined();
    await library.eventsFrom(sessionId, 0, 100);
    expect([library.lockedBecause(sessionId), library.isLive(sessionId)]).toEqual([undefined, true]);
  });
});
