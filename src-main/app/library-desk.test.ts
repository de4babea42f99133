import { expect, test } from 'vitest';
import type { SessionId } from '../../src-shared/ids.ts';
import type { IndexState } from '../../src-shared/library/view.ts';
import type { SessionSummary } from '../../src-shared/session/summary.ts';
import { millis } from '../../src-shared/units.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import type { LibraryIndex } from '../ports/library-index.ts';
import { LibraryDesk } from './library-desk.ts';

type Update = { readonly progress: (done: number, total: number) => void; readonly end: (error?: Error) => void };

function setUp(sessions: readonly Partial<SessionSummary>[] = []) {
  const clock = new ManualClock();
  const told: IndexState[] = [];
  const opened: string[] = [];
  const updates: Update[] = [];
  const index = {
    pathOf: async (id: number) => (id === 1 ? '/own/s/journal.jsonl' : id === 2 ? '/other/a.jsonl' : undefined),
    update: (progress: Update['progress'], signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        updates.push({ progress, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  } as unknown as LibraryIndex;
  const desk = new LibraryDesk({
    index,
    sessions: {
      list: () => sessions as SessionSummary[],
      transcripts: {
        open: async (path) => {
          opened.push(path);
          return { sessionId: 'opened' as SessionId, findings: [] };
        },
      },
    },
    ownFolder: '/own',
    otherPrograms: () => true,
    vaultFolder: () => undefined,
    places: {
      chosen: () => ({ folders: [], leaveOut: [] }),
      programs: () => [],
      isThere: async () => true,
      write: () => undefined,
    },
    clock,
    onChanged: (state) => void told.push(state),
  });
  return { desk, clock, told, opened, updates };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one of ours is opened as ours, any other file as a transcript, and one that has gone says so', async () => {
  const own = { sessionId: 's' as SessionId, kind: 'live', path: '/own/s/journal.jsonl' } as const;
  const { desk, opened } = setUp([own]);
  expect(await desk.open(1)).toBe('s');
  expect(opened).toEqual([]);
  expect(await desk.open(2)).toBe('opened');
  expect(opened).toEqual(['/other/a.jsonl']);
  await expect(desk.open(3)).rejects.toThrow('no longer in the index');
});

test('progress is told a few times a second, and the end in any case', async () => {
  const { desk, clock, told, updates } = setUp();
  desk.refresh();
  desk.refresh();
  expect(updates).toHaveLength(1);
  for (let done = 0; done < 100; done++) updates[0]?.progress(done, 100);
  clock.advance(millis(400));
  expect(told).toEqual([{ kind: 'looking' }, { kind: 'reading', done: 99, total: 100 }]);
  updates[0]?.end();
  await settled();
  clock.advance(millis(800));
  expect(told.at(-1)).toEqual({ kind: 'current' });
  desk.refresh();
  expect(updates).toHaveLength(2);
});

test('what is looked at is changed: an update that goes on begins anew, and its end says nothing', async () => {
  const { desk, clock, told, updates } = setUp();
  desk.filesChanged();
  expect(updates).toHaveLength(0);
  desk.refresh();
  desk.setProgram('codex', false);
  desk.filesChanged();
  expect(updates).toHaveLength(3);
  await settled();
  updates[0]?.progress(1, 2);
  clock.advance(millis(800));
  expect(told.at(-1)).toEqual({ kind: 'looking' });
  updates[2]?.end();
  await settled();
  clock.advance(millis(800));
  expect(told.at(-1)).toEqual({ kind: 'current' });
});

test('a person can stop it, and a failure is told in its words', async () => {
  const { desk, clock, told, updates } = setUp();
  desk.refresh();
  desk.cancel();
  await settled();
  clock.advance(millis(400));
  expect(told.at(-1)).toEqual({ kind: 'stopped' });
  desk.refresh();
  updates[1]?.end(new Error('The disk is full.'));
  await settled();
  clock.advance(millis(800));
  expect(told.at(-1)).toEqual({ kind: 'failed', message: 'The disk is full.' });
});
