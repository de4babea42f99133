import { createReadStream } from 'node:fs';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import { apply, emptySession } from '../../../src-shared/session/state.ts';
import { parseLine } from '../../../src-shared/session/stored-line.ts';
import { sessionTime } from '../../../src-shared/units.ts';
import { fieldsOf, numberAt, textAt } from './common/fields.ts';
import { type Importer, type ReadOptions, TranscriptUnreadable } from './importer.ts';
import { Salvager } from './salvage.ts';

/**
 * Our own journals, for inspecting and replaying. Lines that cannot be read are left out with a finding and the rest is
 * counted anew, so that `seq` has no gaps; the file itself is never changed (recovery is the storage's business).
 */
export const gantryJournal: Importer = {
  name: 'gantry-journal',

  sniff(head) {
    const ours = head.filter((value) => {
      const line = fieldsOf(value);
      return (
        numberAt(line, 'v') !== undefined && numberAt(line, 'seq') !== undefined && textAt(line, 'type') !== undefined
      );
    });
    return head.length === 0 ? 0 : ours.length / head.length;
  },

  async read(source, options) {
    const path = source.main ?? source.path;
    const journal = new JournalReader(path, options);
    let lineNo = 0;
    for await (const { text, isLast } of linesOf(path, options)) journal.take(text, ++lineNo, isLast);
    const { events, state } = journal;
    if (events.length === 0) {
      throw new TranscriptUnreadable(path, 'holds no event of a Gantry journal', 'Open another file.');
    }
    return { events, title: state.title, cwd: state.cwd, version: state.app || undefined };
  },
};

class JournalReader {
  readonly events: SessionEvent[] = [];
  readonly state = emptySession();
  readonly #file: string;
  readonly #options: ReadOptions;
  #expected = 0;

  constructor(file: string, options: ReadOptions) {
    this.#file = file;
    this.#options = options;
  }

  take(text: string, line: number, isLast: boolean): void {
    if (text.trim() === '') return;
    const parsed = parseLine(text);
    if (parsed.ok) {
      this.#add(parsed.value, line);
      return;
    }
    // Two lines glued together, or a torn one before a whole one, still hold whole events.
    const salvager = new Salvager(() => {});
    const pieces = [...salvager.push(Buffer.from(text)), ...salvager.end()];
    const whole = pieces.map(({ value }) => parseLine(JSON.stringify(value))).filter((one) => one.ok);
    const saved = whole.length === 0 ? 'it was left out' : `${whole.length} whole events in it were read`;
    const kind = isLast && whole.length === 0 ? 'torn-tail' : 'damaged-line';
    this.#find(line, kind, `The ${isLast ? 'last ' : ''}line ${parsed.error}; ${saved}`);
    for (const one of whole) this.#add(one.value, line);
  }

  #add(event: SessionEvent, line: number): void {
    if (event.seq !== this.#expected) {
      this.#find(line, 'missing-events', `Event ${this.#expected} is missing; event ${event.seq} stands in its place`);
    }
    this.#expected = event.seq + 1;
    const counted = { ...event, seq: this.events.length, t: sessionTime(Math.max(event.t, this.state.now)) };
    this.events.push(counted);
    apply(this.state, counted);
  }

  #find(line: number, kind: string, message: string): void {
    this.#options.onFinding({ file: this.#file, line, kind, message });
  }
}

type JournalLine = { readonly text: string; readonly isLast: boolean };

async function* linesOf(path: string, { onBytes, signal }: ReadOptions): AsyncGenerator<JournalLine> {
  let rest = '';
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024, signal });
  for await (const piece of stream as AsyncIterable<string>) {
    onBytes(Buffer.byteLength(piece));
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) yield { text, isLast: false };
  }
  if (rest !== '') yield { text: rest, isLast: true };
}
