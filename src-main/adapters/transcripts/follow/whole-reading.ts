import { dirname } from 'node:path';
import type { Finding } from '../../../../src-shared/session/summary.ts';
import { FindingList } from '../findings.ts';
import type { Importer, TranscriptSource } from '../importer.ts';
import type { OnRead } from './file-tail.ts';
import { KeptRecords } from './kept-records.ts';
import { GONE, type GrowingReading, type Grown, REPLACED, type Told } from './reading.ts';
import { markOf } from './stamp.ts';

/** A session of a format whose reader starts anew each time. Files of lines are still read once (see `KeptRecords`). */
export class WholeReading implements GrowingReading {
  readonly #importer: Importer;
  readonly #path: string;
  readonly #kept: KeptRecords;
  readonly #findings: Finding[] = [];
  readonly #onRead: OnRead;
  #source: TranscriptSource;
  #seen = '';
  #isGone = false;

  constructor(importer: Importer, source: TranscriptSource, onRead: OnRead) {
    this.#importer = importer;
    this.#source = source;
    this.#path = source.stored?.file ?? source.main ?? source.path;
    this.#kept = new KeptRecords(onRead);
    this.#onRead = onRead;
  }

  get folders(): readonly string[] {
    const { agentFiles, partFiles = [] } = this.#source;
    return [...new Set([this.#path, ...agentFiles, ...partFiles].map(dirname))].slice(0, MOST_FOLDERS);
  }

  async grow(): Promise<Grown> {
    await this.#findFiles();
    const { agentFiles, partFiles = [], stored } = this.#source;
    // A database that is written keeps the newest beside itself.
    const beside = stored === undefined ? [] : [`${stored.file}-wal`];
    const marks = await Promise.all([this.#path, ...beside, ...agentFiles, ...partFiles].map(markOf));
    this.#isGone = marks[0] === undefined;
    if (this.#isGone) this.#tellOnce(GONE, this.#path);
    const seen = marks.join('\n');
    const grown = !this.#isGone && seen !== this.#seen;
    this.#seen = seen;
    return { grown, gone: this.#isGone };
  }

  async #findFiles(): Promise<void> {
    const { main, path, stored } = this.#source;
    if (this.#importer.sourceOf === undefined || main === undefined || stored !== undefined) return;
    const signal = new AbortController().signal;
    this.#source = await this.#importer.sourceOf(main, { path, signal }).catch(() => this.#source);
  }

  #tellOnce(what: { readonly kind: string; readonly message: string }, file: string): void {
    if (this.#findings.some((one) => one.kind === what.kind && one.file === file)) return;
    this.#findings.push({ file, line: 0, ...what });
  }

  async tell(goesOn: boolean): Promise<Told> {
    const findings = new FindingList();
    const { events } = await this.#importer.read(
      { ...this.#source, goesOn },
      { onFinding: findings.add, signal: new AbortController().signal, onBytes: this.#onRead, kept: this.#kept },
    );
    for (const file of this.#kept.takeReplaced()) this.#findings.push({ file, line: 0, ...REPLACED });
    return { events, findings: [...this.#findings, ...findings.all()], texts: undefined };
  }
}

/** More folders than this are looked at now and then instead of being watched. */
const MOST_FOLDERS = 16;
