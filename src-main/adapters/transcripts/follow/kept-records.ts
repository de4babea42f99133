import { stat } from 'node:fs/promises';
import type { KeptReader, OnFinding } from '../importer.ts';
import type { Salvaged, Trouble } from '../salvage.ts';
import type { OnRead } from './file-tail.ts';
import { LineTail } from './line-tail.ts';

/** Records of larger files are not held between two readings; such files are read whole each time. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;

type Kept = { readonly tail: LineTail; readonly records: Salvaged[]; readonly troubles: Trouble[] };

/** The records of files of lines, for readers that take a session from its start each time: read once, then only added to. */
export class KeptRecords implements KeptReader {
  readonly #files = new Map<string, Kept>();
  readonly #onRead: OnRead;
  #replaced: string[] = [];

  constructor(onRead: OnRead) {
    this.#onRead = onRead;
  }

  async recordsOf(file: string, onFinding: OnFinding): Promise<readonly Salvaged[] | undefined> {
    const { size } = await stat(file);
    if (size > MOST_KEPT_BYTES) {
      this.#files.delete(file);
      return undefined;
    }
    let kept = this.#files.get(file) ?? this.#begin(file);
    const growth = await kept.tail.grow((records) => kept.records.push(...records));
    if (growth === 'replaced') {
      this.#replaced.push(file);
      kept = this.#begin(file);
      await kept.tail.grow((records) => kept.records.push(...records));
    }
    for (const { line, kind, message } of kept.troubles) onFinding({ file, line, kind, message });
    return kept.records;
  }

  #begin(file: string): Kept {
    const troubles: Trouble[] = [];
    const tail = new LineTail(file, { onRead: this.#onRead, onTrouble: (trouble) => troubles.push(trouble) });
    const kept: Kept = { tail, records: [], troubles };
    this.#files.set(file, kept);
    return kept;
  }

  /** Files that were cut or written anew since this was last asked. */
  takeReplaced(): readonly string[] {
    const replaced = this.#replaced;
    this.#replaced = [];
    return replaced;
  }
}
