import type { Disposable } from '../../src-shared/disposable.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import type { TranscriptFollower } from '../ports/transcript-follower.ts';
import type { TranscriptReader } from '../ports/transcript-reader.ts';
import { foldInTurns } from './fold-in-turns.ts';
import { type ImportedChange, ImportedSession } from './imported-session.ts';
import { type Rest, readInParts } from './read-in-parts.ts';
import { type Reading, readOn, STOPPED } from './read-on.ts';

export type TranscriptDeps = {
  readonly readTranscript: TranscriptReader;
  /** Reads transcripts on that other programs write; without it they stay as they were opened. */
  readonly followTranscript?: TranscriptFollower;
};

/** Where the sessions are kept that are opened here. */
export type TranscriptShelf = {
  /** The session of a path that is open already. */
  readonly find: (path: string) => { readonly sessionId: SessionId; readonly entry: ImportedSession } | undefined;
  readonly put: (sessionId: SessionId, entry: ImportedSession) => void;
  readonly newId: () => SessionId;
  /** Something of a session on the shelf is another now. */
  readonly changed: () => void;
};

/** Transcripts: opened, shown while they are read, and followed while their programs write them. */
export class OpenedTranscripts {
  readonly #deps: TranscriptDeps;
  readonly #shelf: TranscriptShelf;
  readonly #growthListeners = new Set<(sessionId: SessionId, change: ImportedChange, revision: number) => void>();
  readonly #readingListeners = new Set<(reading: Reading) => void>();
  /** Those that are being read while they are shown. */
  readonly #readings = new Map<SessionId, AbortController>();

  constructor(deps: TranscriptDeps, shelf: TranscriptShelf) {
    this.#deps = deps;
    this.#shelf = shelf;
  }

  /** Told when a transcript that is followed has grown, or is another one than was told. */
  onGrown(listener: (sessionId: SessionId, change: ImportedChange, revision: number) => void): Disposable {
    this.#growthListeners.add(listener);
    return { dispose: () => void this.#growthListeners.delete(listener) };
  }

  /** Told how far transcripts have been read that are shown meanwhile. */
  onReading(listener: (reading: Reading) => void): Disposable {
    this.#readingListeners.add(listener);
    return { dispose: () => void this.#readingListeners.delete(listener) };
  }

  /** Opens a transcript or journal for reading. The same path again gives the same session, read anew. */
  async open(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly sessionId: SessionId; readonly findings: readonly Finding[] }> {
    const stop = new AbortController();
    const opened = await readInParts(this.#deps.readTranscript, path, AbortSignal.any([signal, stop.signal]));
    const { events, findings, texts, rest } = opened;
    const state = await foldInTurns(events);
    const before = this.#shelf.find(opened.path);
    const sessionId = before?.sessionId ?? this.#shelf.newId();
    const entry = new ImportedSession(opened.path, { events, findings, state, texts });
    this.#shelf.put(sessionId, entry);
    if (before !== undefined) this.#replace(sessionId, before.entry, entry);
    if (rest === undefined) this.#follow(sessionId, entry);
    else void this.#readOn(sessionId, entry, rest, stop);
    this.#shelf.changed();
    return { sessionId, findings };
  }

  /** Ends the reading of a transcript that is shown while it is read. What was read stays. */
  stopReading(sessionId: SessionId): void {
    this.#readings.get(sessionId)?.abort(STOPPED);
  }

  /** A large transcript is shown while it is read. */
  async #readOn(sessionId: SessionId, entry: ImportedSession, rest: Rest, stop: AbortController): Promise<void> {
    // Whoever closes the session ends its reading, too.
    entry.followWith({ dispose: () => stop.abort(STOPPED) });
    this.#readings.set(sessionId, stop);
    const isWhole = await readOn(entry, rest, {
      sessionId,
      onChange: (change) => this.#tellGrown(sessionId, entry, change),
      onReading: (reading) => {
        for (const listener of this.#readingListeners) listener(reading);
      },
    });
    if (this.#readings.get(sessionId) === stop) this.#readings.delete(sessionId);
    if (isWhole) this.#follow(sessionId, entry);
  }

  /** Windows that show what was read before show it anew. */
  #replace(sessionId: SessionId, before: ImportedSession, entry: ImportedSession): void {
    before.close();
    entry.revision = before.revision + 1;
    this.#tellGrown(sessionId, entry, { revised: { keep: 0, amended: [] }, events: entry.events });
  }

  #follow(sessionId: SessionId, entry: ImportedSession): void {
    const { origin, now, startedAt, ended } = entry.state;
    const isTimed = origin?.kind !== 'imported' || origin.clock === 'recorded';
    const follow = this.#deps.followTranscript?.({
      path: entry.path,
      lastLineAt: isTimed && entry.events.length > 0 ? startedAt + now : undefined,
      isOver: ended !== undefined && ended !== 'end-of-file',
      onNews: (news) => entry.take(news, (change) => this.#tellGrown(sessionId, entry, change)),
    });
    if (follow !== undefined) entry.followWith(follow);
  }

  #tellGrown(sessionId: SessionId, entry: ImportedSession, change: ImportedChange): void {
    for (const listener of this.#growthListeners) listener(sessionId, change, entry.revision);
    this.#shelf.changed();
  }
}
