import { type Fields, fieldsOf, textAt } from '../common/fields.ts';
import type { OnFinding, Reading, ReadOptions, TranscriptSource } from '../importer.ts';
import { readRecords } from '../read-records.ts';
import type { PlainAgent, PlainStep } from './session.ts';
import { plainToReading } from './to-reading.ts';
import { UnknownKinds } from './unknown.ts';
import { titleFrom } from './values.ts';

/** What the records of a session say of it as a whole, learned on the way. */
export type Learned = {
  sessionId: string | undefined;
  version: string | undefined;
  cwd: string | undefined;
  title: string | undefined;
  firstPrompt: string | undefined;
  startedAt: number | undefined;
};

/** A file that is being read: where its odd places are told. */
export class ReadFile {
  readonly #file: string;
  readonly #onFinding: OnFinding;
  readonly #unknown = new UnknownKinds();

  constructor(file: string, onFinding: OnFinding) {
    this.#file = file;
    this.#onFinding = onFinding;
  }

  /** `what`: in the plural, as in `records of type "x"`. */
  unknown(what: string, line: number): void {
    this.#unknown.count(what, { file: this.#file, line });
  }

  odd(kind: string, message: string, line: number): void {
    this.#onFinding({ file: this.#file, line, kind, message });
  }

  /** The call that a result is for; undefined, and told, where there is none or where it has one already. */
  callOf<C>(id: string, calls: ReadonlyMap<string, C>, hasResult: (call: C) => boolean, line: number): C | undefined {
    const call = calls.get(id);
    if (call === undefined) this.odd('result-without-call', `The call ${id} of this result is not in the file`, line);
    else if (hasResult(call)) this.odd('second-result', `A second result of ${id}; the first one is shown`, line);
    else return call;
    return undefined;
  }

  /** Tells what was counted. */
  end(): void {
    this.#unknown.tell(this.#onFinding);
  }
}

/** Takes the records of a session one by one. */
export type RecordReader = {
  readonly learned: Learned;
  take(record: Fields, line: number): void;
  done(): { readonly steps: readonly PlainStep[]; readonly agents: readonly PlainAgent[] };
};

export const nothingLearned = (): Learned => ({
  sessionId: undefined,
  version: undefined,
  cwd: undefined,
  title: undefined,
  firstPrompt: undefined,
  startedAt: undefined,
});

type Read = {
  /** Name of the importer. */
  readonly format: string;
  /** What the format calls its records, in the plural. */
  readonly records: string;
  readonly readerOf: (file: ReadFile) => RecordReader;
};

/** Reads a file of records that have a type, from the first to the last. */
export async function readOneByOne(
  source: TranscriptSource,
  options: ReadOptions,
  { format, records: name, readerOf }: Read,
): Promise<Reading> {
  const path = source.main ?? source.path;
  const file = new ReadFile(path, options.onFinding);
  const reader = readerOf(file);
  for await (const records of readRecords(path, options)) {
    for (const { value, line } of records) {
      const record = fieldsOf(value);
      if (record === undefined || textAt(record, 'type') === undefined)
        file.unknown(`values that are no ${name}`, line);
      else reader.take(record, line);
    }
  }
  const { steps, agents } = reader.done();
  file.end();
  const { firstPrompt, title, ...learned } = reader.learned;
  return plainToReading({ ...learned, title: title ?? titleFrom(firstPrompt), steps, agents }, { format, source });
}
