import { appendFileSync, closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { parseLine, toLine } from '../../../src-shared/session/stored-line.ts';
import type { Finding } from '../../../src-shared/session/summary.ts';
import type { EventStore } from '../../ports/event-log.ts';

/** A journal on disk, appended to through one open descriptor (17 µs a write; a sync costs 3 ms, spec 7). */
export class JournalFile implements EventStore {
  #descriptor: number | undefined;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  static create(path: string): JournalFile {
    return new JournalFile(openSync(path, 'ax', 0o600));
  }

  static append(path: string): JournalFile {
    return new JournalFile(openSync(path, 'a', 0o600));
  }

  write(events: readonly SessionEvent[]): void {
    if (this.#descriptor === undefined) throw new Error('the journal is closed');
    const bytes = Buffer.from(events.map((event) => `${toLine(event)}\n`).join(''), 'utf8');
    // A short write would tear the line for ever; the rest follows at once.
    let written = 0;
    while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
  }

  sync(): void {
    if (this.#descriptor !== undefined) fdatasyncSync(this.#descriptor);
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

export type ReadJournal = { readonly events: readonly SessionEvent[]; readonly findings: readonly Finding[] };

/** Reads a journal as it is. Lines that cannot be read are findings, never an end. */
export function readJournal(path: string): ReadJournal {
  return parseJournal(readFileSync(path), basename(path));
}

function parseJournal(bytes: Buffer, file: string): ReadJournal {
  const events: SessionEvent[] = [];
  const findings: Finding[] = [];
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end === -1 ? bytes.length : end;
    line++;
    if (stop > start) {
      const parsed = parseLine(bytes.toString('utf8', start, stop));
      if (parsed.ok) events.push(parsed.value);
      else
        findings.push({
          file,
          line,
          kind: end === -1 ? 'torn-line' : 'bad-line',
          message: `This line ${parsed.error}. It is left out.`,
        });
    }
    start = stop + 1;
  }
  return { events, findings };
}

/**
 * Makes a journal fit to be appended to: a torn last line (the app died while it wrote) is cut off and kept beside the
 * journal as `<name>.torn`.
 */
export function mendJournal(path: string): ReadJournal {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end === bytes.length) return parseJournal(bytes, basename(path));
  const tail = bytes.subarray(end);
  const whole = parseLine(tail.toString('utf8'));
  const descriptor = openSync(path, 'r+');
  try {
    // A whole last line lacks only its line break; a torn one goes aside.
    if (whole.ok) writeSync(descriptor, '\n', bytes.length);
    else {
      appendFileSync(`${path}.torn`, Buffer.concat([tail, Buffer.from('\n')]), { mode: 0o600 });
      ftruncateSync(descriptor, end);
    }
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return parseJournal(bytes, basename(path));
}
