import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { toLine } from '../../../src-shared/session/stored-line.ts';
import { eventOf } from './events.fixture.ts';
import { JournalFile, mendJournal, readJournal } from './journal-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-order-'));
  path = join(folder, 'journal.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const event = (seq: number, text = `event ${seq}`): SessionEvent =>
  eventOf({ type: 'notice-given', level: 'info', text }, seq);
const line = (seq: number): string => toLine(event(seq));
const resumed = (seq: number): SessionEvent => eventOf({ type: 'session-resumed', app: 'test', after: 'crash' }, seq);

/** What is read of these lines, and told of them. */
function read(...lines: readonly string[]) {
  writeFileSync(path, lines.map((one) => `${one}\n`).join(''));
  const { events, findings } = readJournal(path);
  const texts = events.map((one) => ('text' in one ? one.text : one.type));
  return { texts, told: findings.map((finding) => `${finding.line} ${finding.kind}: ${finding.message}`) };
}

test('lines that are gone without a trace are told, with how many there were', () => {
  expect(read(line(0), line(1), line(4), line(6)).told).toEqual([
    '3 missing-events: Before this line 2 events are missing.',
    '4 missing-events: Before this line 1 event is missing.',
  ]);
  expect(read(line(2)).told).toEqual(['1 missing-events: Before this line 2 events are missing.']);
});

test('a line that cannot be read is told once, and stands for one event or for none', () => {
  const told = ['2 bad-line: This line is not JSON. It is left out.'];
  expect(read(line(0), 'broken', line(2)).told).toEqual(told);
  expect(read(line(0), 'put in between', line(1)).told).toEqual(told);
  expect(read(line(0), 'broken', line(4)).told).toEqual([
    ...told,
    '3 missing-events: Before this line 2 events are missing.',
  ]);
});

test('a line that stands there twice is read once', () => {
  expect(read(line(0), line(1), line(0), line(1), line(2))).toEqual({
    texts: ['event 0', 'event 1', 'event 2'],
    told: [
      '3 repeated-line: This line repeats line 1. It is left out.',
      '4 repeated-line: This line repeats line 2. It is left out.',
    ],
  });
});

test('a line that has come behind later ones is read where it stands', () => {
  expect(read(line(0), line(2), line(1), line(3))).toEqual({
    texts: ['event 0', 'event 2', 'event 1', 'event 3'],
    told: [
      '2 missing-events: Before this line 1 event is missing.',
      '3 misplaced-line: This line stands behind later ones. It is read where it stands.',
    ],
  });
});

test('a journal that went on behind a line that could not be read is told of that line alone', () => {
  writeFileSync(path, `${line(0)}\nbroken\n${line(2)}\n${line(3)}\n`);
  const { events } = mendJournal(path);
  expect(events).toHaveLength(3);
  const journal = JournalFile.append(path);
  // Counted from the lines that could be read, as a session does it.
  journal.write([resumed(3), event(4, 'new'), event(5, 'newer')]);
  journal.close();
  const again = readJournal(path);
  expect(again.findings.map(({ kind, line: at }) => [kind, at])).toEqual([['bad-line', 2]]);
  expect(again.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
});
