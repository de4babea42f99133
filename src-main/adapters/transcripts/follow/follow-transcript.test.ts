import { appendFile, mkdtemp, rm, truncate, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionEvent } from '../../../../src-shared/session/event.ts';
import { millis } from '../../../../src-shared/units.ts';
import { ManualClock } from '../../../ports/clock.fake.ts';
import type { FollowNews } from '../../../ports/transcript-follower.ts';
import { openTranscript } from '../open-transcript.ts';
import {
  BURST_MS,
  LOOK_AT_REST_MS,
  LOOK_MS,
  MOST_PAUSE_MS,
  QUIET_MS,
  transcriptFollower,
} from './follow-transcript.ts';
import { FIXTURES, filesBelow, type RecordedFile, Rewriter } from './recordings.fixture.ts';

let folder = '';
let clock: ManualClock;
let news: FollowNews[];
let changed: (() => void)[];
let bytesRead = 0;
const stops: { dispose(): void }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-follow-'));
  clock = new ManualClock(Date.UTC(2026, 11, 1, 12));
  news = [];
  changed = [];
  bytesRead = 0;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop.dispose();
  await rm(folder, { recursive: true, force: true });
});

const CASCADE = join(FIXTURES, 'claude-code-2.1.92', 'cascade-stream');

/** A recording that is written again, and its own file. */
async function writing(recording: string) {
  const files = (await filesBelow(recording)).filter(({ path }) => path.endsWith('.jsonl') && path !== 'stream.jsonl');
  const main = files.find(({ path }) => !path.includes('/')) as RecordedFile;
  const writer = new Rewriter(folder, files);
  const lines = (count: number) => main.bytes.toString().split('\n').slice(0, count).join('\n').length + 1;
  let written = 0;
  const writeLines = async (count: number) => {
    written += await writer.append(main, lines(count) - written);
  };
  return { writer, main, path: join(folder, main.path), writeLines };
}

function follow(path: string, more: { readonly lastLineAt?: number; readonly isOver?: boolean } = {}): void {
  const start = transcriptFollower({
    clock,
    watch: (_folders, onChange) => {
      changed.push(onChange);
      return { dispose: () => void changed.splice(changed.indexOf(onChange), 1) };
    },
    onRead: (bytes) => {
      bytesRead += bytes;
    },
  });
  stops.push(
    start({ path, lastLineAt: more.lastLineAt, isOver: more.isOver ?? false, onNews: (one) => news.push(one) }),
  );
}

/** Time passes, and what is begun meanwhile comes to its end. */
async function pass(ms: number): Promise<void> {
  clock.advance(millis(ms));
  await settled();
}

/** The same for long: a look that time passes in pauses before the next one. */
async function passLong(ms: number): Promise<void> {
  await pass(ms);
  await pass(MOST_PAUSE_MS);
  await pass(MOST_PAUSE_MS);
}

/** A look has ended when it has planned the next one. */
async function settled(): Promise<void> {
  await expect.poll(() => clock.pending, { interval: 5 }).toBe(1);
}

const told = (): readonly SessionEvent[] => {
  let events: SessionEvent[] = [];
  for (const one of news) {
    events = [...events.slice(0, one.keep), ...one.events];
    for (const event of one.amended) events[event.seq] = event;
  }
  return events;
};
const last = () => news.at(-1) as FollowNews;
const openCalls = () =>
  told().filter((e) => e.type === 'call-queued').length - told().filter((e) => e.type === 'call-completed').length;

test('a session of the past is left as it was opened, until its file grows', async () => {
  const { path, writeLines } = await writing(CASCADE);
  await writeLines(10);
  follow(path, { lastLineAt: Date.UTC(2026, 10, 30) });
  await pass(0);
  await pass(LOOK_AT_REST_MS);
  expect(news).toEqual([]);
  await writeLines(12);
  await pass(LOOK_AT_REST_MS);
  expect(last().lastLineAt).toBe(clock.now());
  expect(openCalls()).toBe(4);
  expect(told().some((event) => event.type === 'session-ended')).toBe(false);
});

test('a session whose last line is recent is followed at once, and is over when nothing comes for long', async () => {
  const { path, main, writer } = await writing(CASCADE);
  await writer.append(main, main.bytes.length);
  follow(path, { lastLineAt: clock.now() - 10_000 });
  await pass(0);
  expect(last().lastLineAt).toBe(clock.now() - 10_000);
  await passLong(QUIET_MS.turn - 60_000);
  expect(last().lastLineAt).toBeDefined();
  await passLong(60_000);
  expect(last().lastLineAt).toBeUndefined();
  expect(told()).toEqual((await openTranscript(path)).events);
});

test('a call that runs long and writes nothing keeps the session alive for longer', async () => {
  const { path, writeLines } = await writing(CASCADE);
  await writeLines(12);
  follow(path, { lastLineAt: clock.now() - 1_000 });
  await pass(0);
  await passLong(QUIET_MS.turn + 1_000);
  expect(last().lastLineAt).toBeDefined();
  await passLong(QUIET_MS.call);
  expect(last().lastLineAt).toBeUndefined();
  expect(openCalls()).toBe(0);
});

test('what the system says is looked at after a burst; what it does not say is found by looking', async () => {
  const { path, writeLines } = await writing(CASCADE);
  await writeLines(10);
  follow(path, { lastLineAt: clock.now() });
  await pass(0);
  const first = news.length;
  await writeLines(11);
  for (const onChange of changed) onChange();
  await pass(BURST_MS);
  expect(news.length).toBe(first + 1);
  await writeLines(12);
  await pass(LOOK_MS);
  expect(news.length).toBe(first + 2);
});

test('a file that is cut is read again from its start, with a finding', async () => {
  const { path, writeLines, main } = await writing(CASCADE);
  await writeLines(12);
  follow(path, { lastLineAt: clock.now() });
  await pass(0);
  await truncate(path, main.bytes.toString().split('\n').slice(0, 6).join('\n').length + 1);
  await pass(LOOK_MS);
  expect(last().findings.map(({ kind }) => kind)).toContain('file-replaced');
  expect(told().filter((event) => event.type === 'call-queued')).toHaveLength(2);
});

test('a file that is deleted is over, and what was read of it stays, with a finding', async () => {
  const { path, writeLines } = await writing(CASCADE);
  await writeLines(12);
  follow(path, { lastLineAt: clock.now() });
  await pass(0);
  await unlink(path);
  await pass(LOOK_MS);
  expect(last().findings.map(({ kind }) => kind)).toContain('file-gone');
  expect(last().lastLineAt).toBeUndefined();
  expect(told().filter((event) => event.type === 'call-queued')).toHaveLength(6);
});

test('each byte is read once, but for a few that show that the file is the same', async () => {
  const { path, writeLines, main } = await writing(CASCADE);
  await writeLines(3);
  follow(path, { lastLineAt: clock.now() });
  await pass(0);
  const before = bytesRead;
  const from = told().length;
  expect(from).toBeGreaterThan(0);
  let looks = 0;
  for (let line = 4; line <= 20; line++) {
    await writeLines(line);
    await pass(LOOK_MS);
    looks++;
  }
  const appended = main.bytes.toString().split('\n').slice(3, 20).join('\n').length + 1;
  expect(bytesRead - before).toBeGreaterThanOrEqual(appended);
  expect(bytesRead - before).toBeLessThanOrEqual(appended + 16 * looks);
});

test('a session that says that it is over is not followed because it is young', async () => {
  const { path, writeLines } = await writing(CASCADE);
  await writeLines(12);
  follow(path, { lastLineAt: clock.now(), isOver: true });
  await pass(0);
  await pass(LOOK_AT_REST_MS);
  expect(news).toEqual([]);
  expect(bytesRead).toBe(0);
});

test('the end of a turn ends its last message, and nothing goes on', async () => {
  const { path, main, writer } = await writing(CASCADE);
  await writer.append(main, main.bytes.length);
  follow(path, { lastLineAt: clock.now() });
  await pass(0);
  const count = (type: SessionEvent['type']) => told().filter((event) => event.type === type).length;
  expect(count('message-started') - count('message-completed')).toBe(1);
  const mark = { type: 'system', subtype: 'turn_duration', timestamp: '2026-11-30T14:08:12.200Z', sessionId: 'x' };
  await appendFile(path, `${JSON.stringify(mark)}\n`);
  await pass(LOOK_MS);
  expect(count('message-started') - count('message-completed')).toBe(0);
  expect(count('turn-started') - count('turn-ended')).toBe(0);
  expect(last().lastLineAt).toBeDefined();
});
