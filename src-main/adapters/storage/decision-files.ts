import { constants } from 'node:fs';
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { SessionId } from '../../../src-shared/ids.ts';
import { SessionId as SessionIdSchema } from '../../../src-shared/ids.ts';
import { Decision } from '../../../src-shared/ledger/decision.ts';
import { parseLine } from '../../../src-shared/session/stored-line.ts';
import { DECISIVE_EVENTS, DecisionCollector } from '../../core/ledger/collect-decisions.ts';
import type { DecisionStore, SessionDecisions } from '../../ports/decision-store.ts';

/** Of the kept file's own form; one of another version is read anew. */
const VERSION = 1;
const Kept = z.object({ v: z.literal(VERSION), bytes: z.number(), mtimeMs: z.number(), decisions: z.array(Decision) });

/** Read at once; in between others get their turn. */
const BITE = 256 * 1024;
/** A line of a journal that is longer is no decision's. */
const LONGEST_LINE = 64 * 1024 * 1024;
const MARKS = DECISIVE_EVENTS.map((type) => `"type":"${type}"`);

/** How far a journal has been read. */
type Reading = {
  readonly collector: DecisionCollector;
  decisions: readonly Decision[];
  /** Up to the end of the last whole line. */
  bytes: number;
  mtimeMs: number;
};

/**
 * Decisions out of the journals in the folders of `root`. What was read is kept beside each journal (`decisions.json`, by
 * size and time), so that the next start reads none of those that have not changed; it goes with its session.
 */
export class DecisionFiles implements DecisionStore {
  readonly #root: string;
  readonly #readings = new Map<SessionId, Reading>();
  readonly #kept = new Map<SessionId, SessionDecisions & Pick<Reading, 'bytes' | 'mtimeMs'>>();

  constructor(root: string) {
    this.#root = root;
  }

  async sessions(): Promise<readonly SessionId[]> {
    const names = await readdir(this.#root).catch(() => []);
    return names.flatMap((name) => {
      const id = SessionIdSchema.safeParse(name);
      return id.success && /^[\w-]+$/.test(name) ? [id.data] : [];
    });
  }

  async read(sessionId: SessionId): Promise<SessionDecisions> {
    const path = this.#path(sessionId, 'journal.jsonl');
    const now = await stat(path).catch(() => undefined);
    if (now === undefined) return this.#forget(sessionId);
    const reading = this.#readings.get(sessionId);
    const known = reading ?? this.#kept.get(sessionId) ?? (await this.#readKept(sessionId));
    if (known !== undefined && known.bytes === now.size && known.mtimeMs === now.mtimeMs) {
      return { sessionId, decisions: known.decisions };
    }
    // One that was made shorter was mended or replaced.
    const from = reading !== undefined && reading.bytes <= now.size ? reading : newReading();
    const isFirst = from !== reading;
    this.#readings.set(sessionId, from);
    this.#kept.delete(sessionId);
    await this.#readOn(path, from).catch(() => undefined);
    from.mtimeMs = now.mtimeMs;
    if (isFirst && from.bytes === now.size) await this.#keep(sessionId, from).catch(() => undefined);
    return { sessionId, decisions: from.decisions };
  }

  #forget(sessionId: SessionId): SessionDecisions {
    this.#readings.delete(sessionId);
    this.#kept.delete(sessionId);
    return { sessionId, decisions: [] };
  }

  #path(sessionId: SessionId, name: string): string {
    return join(this.#root, sessionId, name);
  }

  async #readKept(sessionId: SessionId) {
    const text = await readFile(this.#path(sessionId, 'decisions.json'), 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const kept = Kept.safeParse(parsed(text));
    if (!kept.success) return undefined;
    const { bytes, mtimeMs, decisions } = kept.data;
    const known = { sessionId, bytes, mtimeMs, decisions };
    this.#kept.set(sessionId, known);
    return known;
  }

  async #keep(sessionId: SessionId, { bytes, mtimeMs, decisions }: Reading): Promise<void> {
    const kept: z.output<typeof Kept> = { v: VERSION, bytes, mtimeMs, decisions: [...decisions] };
    await writeFileAtomic(this.#path(sessionId, 'decisions.json'), JSON.stringify(kept), { mode: 0o600 });
  }

  async #readOn(path: string, reading: Reading): Promise<void> {
    const file = await open(path, constants.O_RDONLY);
    try {
      const found: Decision[] = [];
      for await (const line of linesFrom(file, reading)) {
        if (!MARKS.some((mark) => line.includes(mark))) continue;
        const event = parseLine(line);
        const decision = event.ok ? reading.collector.take(event.value) : undefined;
        if (decision !== undefined) found.push(decision);
      }
      if (found.length > 0) reading.decisions = [...reading.decisions, ...found];
    } finally {
      await file.close();
    }
  }
}

const newReading = (): Reading => ({ collector: new DecisionCollector(), decisions: [], bytes: 0, mtimeMs: 0 });

/** Whole lines from where reading stopped; `reading.bytes` goes on with them. */
async function* linesFrom(file: FileHandle, reading: Reading): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for (let at = reading.bytes; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BITE), 0, BITE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    let chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10)) {
      reading.bytes += end + 1;
      yield chunk.toString('utf8', 0, end);
      chunk = chunk.subarray(end + 1);
    }
    if (chunk.length > LONGEST_LINE) return;
    rest = Buffer.from(chunk);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
