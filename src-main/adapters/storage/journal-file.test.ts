import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { toLine } from '../../../src-shared/session/stored-line.ts';
import { eventOf, someEvents } from './events.fixture.ts';
import { JournalFile, mendJournal, readJournal } from './journal-file.ts';

const seeds = [1_001, 20_260_101, ...(process.env.GANTRY_SEED ? [Number(process.env.GANTRY_SEED)] : [])];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-journal-'));
  path = join(folder, 'journal.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const notice = (text: string, seq: number): SessionEvent => eventOf({ type: 'notice-given', level: 'info', text }, seq);
const EVENTS = [notice('one', 0), notice('two', 1), notice('three', 2)];
const whole = (events: readonly SessionEvent[]): string => events.map((event) => `${toLine(event)}\n`).join('');

function written(events: readonly SessionEvent[]): void {
  const journal = JournalFile.create(path);
  journal.write(events);
  journal.sync();
  journal.close();
}

/** Mends the journal, adds an event, and gives what the next reader finds. */
function addedTo(): { readonly texts: readonly string[]; readonly findings: number } {
  const { events } = mendJournal(path);
  const journal = JournalFile.append(path);
  journal.write([notice('added', events.length)]);
  journal.close();
  const read = readJournal(path);
  return { texts: read.events.map((event) => (event as { text: string }).text), findings: read.findings.length };
}

describe('a journal', () => {
  test.each(seeds)('gives back any events it was given (seed %i)', (seed) => {
    let n = 0;
    fc.assert(
      fc.property(someEvents(), (events) => {
        path = join(folder, `${n++}.jsonl`);
        written(events);
        expect(readJournal(path)).toEqual({ events, findings: [] });
        expect(mendJournal(path)).toEqual({ events, findings: [] });
      }),
      { seed, numRuns: 60 },
    );
  });

  test('is on disk when write returns', () => {
    const journal = JournalFile.create(path);
    journal.write(EVENTS.slice(0, 1));
    expect(readFileSync(path, 'utf8')).toBe(whole(EVENTS.slice(0, 1)));
    journal.write(EVENTS.slice(1));
    expect(readJournal(path).events).toEqual(EVENTS);
    journal.close();
  });

  test('is for its owner alone, and is never begun twice', () => {
    written(EVENTS);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(() => JournalFile.create(path)).toThrow(/EEXIST/);
  });

  test('that is closed or given up says so to whoever writes, and keeps what it has', () => {
    const journal = JournalFile.create(path);
    journal.write(EVENTS);
    journal.giveUp(new Error('another window has it'));
    expect(() => journal.write(EVENTS)).toThrow('another window has it');
    journal.sync();
    journal.close();
    const closed = JournalFile.append(path);
    closed.close();
    closed.close();
    expect(() => closed.write(EVENTS)).toThrow('the journal is closed');
    expect(readJournal(path).events).toEqual(EVENTS);
  });
});

test.runIf(existsSync('/dev/full'))('a full disk is an error of every write', () => {
  const full = JournalFile.append('/dev/full');
  expect(() => full.write(EVENTS)).toThrow(/ENOSPC/);
  expect(() => full.write(EVENTS)).toThrow(/ENOSPC/);
  full.close();
});

describe('a torn last line', () => {
  const torn = whole(EVENTS).slice(0, -20);

  test('is left out of what is read, and the file stays as it is', () => {
    writeFileSync(path, torn);
    expect(readJournal(path)).toEqual({
      events: EVENTS.slice(0, 2),
      findings: [
        { file: 'journal.jsonl', line: 3, kind: 'torn-line', message: 'This line ends in the middle. It is left out.' },
      ],
    });
    expect(readFileSync(path, 'utf8')).toBe(torn);
  });

  test('is cut off and kept aside when the journal goes on', () => {
    writeFileSync(path, torn);
    expect(mendJournal(path).findings).toEqual([
      {
        file: 'journal.jsonl',
        line: 3,
        kind: 'torn-line',
        message: 'This line ends in the middle. It was cut off and is kept in journal.jsonl.torn.',
      },
    ]);
    expect(readFileSync(path, 'utf8')).toBe(whole(EVENTS.slice(0, 2)));
    expect(readFileSync(`${path}.torn`, 'utf8')).toBe(`${torn.split('\n')[2]}\n`);
    expect(addedTo()).toEqual({ texts: ['one', 'two', 'added'], findings: 0 });
  });

  test('of nothing but NUL, as a power failure leaves it, is one too', () => {
    writeFileSync(path, Buffer.concat([Buffer.from(whole(EVENTS)), Buffer.alloc(100)]));
    expect(addedTo()).toEqual({ texts: ['one', 'two', 'three', 'added'], findings: 0 });
  });

  test('that tears again is kept with the others', () => {
    writeFileSync(path, torn);
    mendJournal(path);
    writeFileSync(path, torn.slice(0, -2));
    mendJournal(path);
    expect(readFileSync(`${path}.torn`, 'utf8').trimEnd().split('\n')).toHaveLength(2);
  });
});

test('a whole last line without a line break is kept and gets one', () => {
  writeFileSync(path, whole(EVENTS).trimEnd());
  expect(readJournal(path)).toEqual({ events: EVENTS, findings: [] });
  expect(addedTo()).toEqual({ texts: ['one', 'two', 'three', 'added'], findings: 0 });
  expect(existsSync(`${path}.torn`)).toBe(false);
});

test('a whole last line of a newer format is not taken for a torn one', () => {
  writeFileSync(path, `${whole(EVENTS)}{"v":99,"type":"from-the-future"}`);
  expect(mendJournal(path).findings).toEqual([
    {
      file: 'journal.jsonl',
      line: 4,
      kind: 'bad-line',
      message: 'This line was written by a newer Gantry (format 99). It is left out.',
    },
  ]);
  expect(readFileSync(path, 'utf8')).toContain('from-the-future"}\n');
});

test('bad lines in the middle are findings with their place; the events after them are numbered on', () => {
  const [one, two, three] = EVENTS.map(toLine);
  writeFileSync(path, [one, '{"v":1,"type":"no', two, '', '7', '{"v":1,"type":"unknown"}', three, ''].join('\n'));
  const { events, findings } = mendJournal(path);
  expect(events).toEqual(EVENTS);
  expect(findings.map(({ line, kind }) => [line, kind])).toEqual([
    [2, 'bad-line'],
    [5, 'bad-line'],
    [6, 'bad-line'],
  ]);
  expect(addedTo().texts).toEqual(['one', 'two', 'three', 'added']);

  writeFileSync(path, `${one}\nbroken\n${three}\n`);
  expect(readJournal(path).events.map(({ seq }) => seq)).toEqual([0, 1]);
});

test('a mark of the byte order and carriage returns of an editor do no harm', () => {
  writeFileSync(path, `\uFEFF${whole(EVENTS).replaceAll('\n', '\r\n')}`);
  expect(readJournal(path)).toEqual({ events: EVENTS, findings: [] });
});

test('an empty journal is a journal', () => {
  writeFileSync(path, '');
  expect(mendJournal(path)).toEqual({ events: [], findings: [] });
  expect(addedTo().texts).toEqual(['added']);
});

describe.each(seeds)('a damaged journal (seed %i)', (seed) => {
  const events = someEvents(6).filter((some) => some.length > 0);

  test('cut anywhere loses only the line of the cut, and can be appended to', () => {
    fc.assert(
      fc.property(events, fc.nat(), (all, at) => {
        const bytes = Buffer.from(whole(all));
        const cut = at % (bytes.length + 1);
        writeFileSync(path, bytes.subarray(0, cut));
        const before = all.filter((_, i) => Buffer.byteLength(whole(all.slice(0, i + 1))) - 1 <= cut);
        expect(mendJournal(path).events).toEqual(before);
        const journal = JournalFile.append(path);
        journal.write([notice('added', before.length)]);
        journal.close();
        expect(readJournal(path)).toEqual({ events: [...before, notice('added', before.length)], findings: [] });
      }),
      { seed, numRuns: 60 },
    );
  });

  test('with bytes overwritten or put in never throws, and keeps every line before the damage', () => {
    fc.assert(
      fc.property(
        events,
        fc.nat(),
        fc.uint8Array({ minLength: 1, maxLength: 30 }),
        fc.boolean(),
        (all, at, junk, over) => {
          const bytes = Buffer.from(whole(all));
          const place = at % bytes.length;
          const rest = bytes.subarray(over ? Math.min(place + junk.length, bytes.length) : place);
          writeFileSync(path, Buffer.concat([bytes.subarray(0, place), junk, rest]));
          const untouched = all.filter((_, i) => Buffer.byteLength(whole(all.slice(0, i + 1))) <= place);
          const read = readJournal(path).events;
          expect(read.slice(0, untouched.length)).toEqual(untouched);
          expect(read.map(({ seq }) => seq)).toEqual(read.map((_, i) => i));
          expect(mendJournal(path).events).toEqual(read);
          expect(readFileSync(path).at(-1) ?? 0x0a).toBe(0x0a);
        },
      ),
      { seed, numRuns: 100 },
    );
  });
});
