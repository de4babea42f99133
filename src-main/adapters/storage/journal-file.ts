import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { assertNever } from '../../../src-shared/assert-never.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { parseLine, toLine } from '../../../src-shared/session/stored-line.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import type { EventStore } from '../../ports/event-log.ts';
import { JournalOrder, type OddPlace } from './journal-order.ts';

const LINE_BREAK = 0x0a;
/** Some editors put one in front of what they save. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** A journal on disk, appended to through one open descriptor (17 µs a write; a sync costs 3 ms, spec 7). */
export class JournalFile implements EventStore {
  #descriptor: number | undefined;
  /** The file ends within a line that could not be taken back. */
  #endsTorn = false;
  #refusal: Error = new Error('the journal is closed');

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Fails when the file exists. */
  static create(path: string): JournalFile {
    return new JournalFile(openSync(path, 'ax', 0o600));
  }

  static append(path: string): JournalFile {
    return new JournalFile(openSync(path, 'a', 0o600));
  }

  /**
   * All of the events or none: what failed can be written again.
   * @throws when the disk refuses, when the journal is closed, or with the reason it was given up for.
   */
  write(events: readonly SessionEvent[]): void {
    if (this.#descriptor === undefined) throw this.#refusal;
    const lines = events.map((event) => `${toLine(event)}\n`).join('');
    const bytes = Buffer.from(this.#endsTorn ? `\n${lines}` : lines, 'utf8');
    let written = 0;
    try {
      // A short write would tear the line for ever; the rest follows at once.
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
      this.#endsTorn = false;
    } catch (cause) {
      if (written > 0) this.#takeBack(this.#descriptor, written);
      throw cause;
    }
  }

  /** A disk that fills up takes a part of the lines; written again behind it they would be a line that nobody reads. */
  #takeBack(descriptor: number, written: number): void {
    try {
      ftruncateSync(descriptor, fstatSync(descriptor).size - written);
    } catch {
      this.#endsTorn = true;
    }
  }

  sync(): void {
    if (this.#descriptor !== undefined) fdatasyncSync(this.#descriptor);
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    closeSync(descriptor);
  }

  /** Nothing is written from now on; whoever tries is told why. */
  giveUp(reason: Error): void {
    this.#refusal = reason;
    this.close();
  }
}

export type ReadJournal = { readonly events: readonly SessionEvent[]; readonly findings: readonly Finding[] };

/** Reads a journal as it is. Lines that cannot be read are findings, never an end. Fails when the file cannot be read. */
export function readJournal(path: string): ReadJournal {
  return parseJournal(readFileSync(path), basename(path), 'It is left out.');
}

/**
 * Makes a journal fit to be appended to: a torn last line (the app died while it wrote) is cut off and kept beside the
 * journal as `<name>.torn`.
 */
export function mendJournal(path: string): ReadJournal {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(LINE_BREAK) + 1;
  const tail = bytes.subarray(end);
  if (tail.length > 0) {
    const descriptor = openSync(path, 'r+');
    try {
      // A whole last line lacks only its line break; a torn one goes aside.
      if (isJson(tail)) writeSync(descriptor, '\n', bytes.length);
      else {
        appendFileSync(`${path}.torn`, Buffer.concat([tail, Buffer.from('\n')]), { mode: 0o600 });
        ftruncateSync(descriptor, end);
      }
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
  return parseJournal(bytes, basename(path), `It was cut off and is kept in ${basename(path)}.torn.`);
}

/** No beginning of a line is JSON by itself: its brace is open. A whole line may still be one that we do not know. */
function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Events are numbered anew when lines are missing: everything that counts on `seq` counts on it being the place in the
 * list, without gaps. Each line that is not an event of the list is a finding, and so are numbers that are gone.
 */
function parseJournal(bytes: Buffer, file: string, fateOfTornLine: string): ReadJournal {
  const events: SessionEvent[] = [];
  const findings: Finding[] = [];
  const order = new JournalOrder();
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  let line = 0;
  const tell = (kind: string, message: string): void => void findings.push({ file, line, kind, message });
  for (let start = hasMark ? BYTE_ORDER_MARK.length : 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_BREAK, start);
    const stop = end === -1 ? bytes.length : end;
    const text = bytes.subarray(start, stop);
    start = stop + 1;
    line++;
    if (text.length === 0) continue;
    const parsed = parseLine(text.toString('utf8'));
    if (parsed.ok) {
      const odd = order.take(parsed.value, line);
      if (odd !== undefined) tell(...toldOf(odd));
      if (odd?.kind === 'repeated') continue;
      const seq = events.length;
      events.push(parsed.value.seq === seq ? parsed.value : { ...parsed.value, seq });
      continue;
    }
    order.unreadable();
    if (end === -1 && !isJson(text)) tell('torn-line', `This line ends in the middle. ${fateOfTornLine}`);
    else tell('bad-line', `This line ${parsed.error}. It is left out.`);
  }
  return { events, findings };
}

function toldOf(odd: OddPlace): readonly [kind: string, message: string] {
  switch (odd.kind) {
    case 'missing':
      return [
        'missing-events',
        `Before this line ${odd.count === 1 ? '1 event is' : `${odd.count} events are`} missing.`,
      ];
    case 'repeated':
      return ['repeated-line', `This line repeats line ${odd.line}. It is left out.`];
    case 'misplaced':
      return ['misplaced-line', 'This line stands behind later ones. It is read where it stands.'];
    default:
      return assertNever(odd, 'odd place');
  }
}
