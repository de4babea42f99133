import type { Disposable } from '../../src-shared/disposable.ts';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { ModelChoice } from '../../src-shared/model/choice.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { foldSession } from '../../src-shared/session/state.ts';
import type { Finding, SessionSummary } from '../../src-shared/session/summary.ts';
import type { SavedOutput } from '../../src-shared/tool-call/state.ts';
import { millis } from '../../src-shared/units.ts';
import type { SettingsSource } from '../ports/settings.ts';
import type { LiveSession } from './live-session.ts';
import type { Fork, NewSession } from './new-session.ts';
import {
  eventsOf,
  type Locked,
  type OpenEntry,
  savedOutputOf,
  sourceOf,
  stateOf,
  summaryOf,
  textsOf,
} from './open-entry.ts';
import { OpenedTranscripts, type TranscriptDeps } from './opened-transcripts.ts';
import { RestingSessions } from './resting-sessions.ts';
import { type Live, type MakerDeps, SessionMaker, type Started } from './session-maker.ts';
import { callsWithText, wholeEvents } from './whole-events.ts';

export type LibraryDeps = MakerDeps & TranscriptDeps;

export type LiveInFolder = {
  readonly sessionId: SessionId;
  readonly session: LiveSession;
  readonly settings: SettingsSource;
};

type EventPage = {
  readonly events: readonly SessionEvent[];
  readonly more: boolean;
  readonly total: number;
  /** Of a transcript: which telling of it. */
  readonly revision?: number;
};

const SUMMARY_WAIT_MS = 150;
/** Sessions of ours that no window shows and that stay open, so that going back and forth between some costs nothing. */
const MOST_RESTING = 10;

/** All sessions the app knows: running ones, those on disk, and opened transcripts. */
export class SessionLibrary {
  readonly #deps: LibraryDeps;
  readonly #maker: SessionMaker;
  readonly #entries = new Map<SessionId, OpenEntry>();
  /** Rows of sessions on disk that are not open. */
  #stored: readonly SessionSummary[] = [];
  readonly #eventListeners = new Set<(sessionId: SessionId, events: readonly SessionEvent[]) => void>();
  readonly #changeListeners = new Set<(sessions: readonly SessionSummary[]) => void>();
  readonly #problemListeners = new Set<(problem: Failure) => void>();
  readonly #opening = new Map<SessionId, Promise<OpenEntry>>();
  #announcing: Disposable | undefined;
  readonly #resting = new RestingSessions({
    most: MOST_RESTING,
    mayRest: (sessionId) => this.#mayRest(sessionId),
    rest: (sessionId) => this.#rest(sessionId),
  });

  /** Those of other programs. */
  readonly transcripts: OpenedTranscripts;

  constructor(deps: LibraryDeps) {
    this.#deps = deps;
    this.transcripts = new OpenedTranscripts(deps, {
      find: (path) => this.#importedFrom(path),
      put: (sessionId, entry) => void this.#entries.set(sessionId, entry),
      newId: () => deps.newId('import') as SessionId,
      changed: () => this.#announce(),
    });
    this.#maker = new SessionMaker(deps, (problem) => {
      for (const listener of this.#problemListeners) listener(problem);
    });
  }

  async load(): Promise<void> {
    this.#stored = await this.#deps.store.list();
  }

  list(): readonly SessionSummary[] {
    const open = [...this.#entries].map(([sessionId, entry]) => summaryOf(sessionId, entry));
    const closed = this.#stored.filter(({ sessionId }) => !this.#entries.has(sessionId));
    return [...open, ...closed].sort((a, b) => b.startedAt - a.startedAt);
  }

  onEvents(listener: (sessionId: SessionId, events: readonly SessionEvent[]) => void): Disposable {
    this.#eventListeners.add(listener);
    return { dispose: () => void this.#eventListeners.delete(listener) };
  }

  /** Told when the list has changed, at most a few times a second. */
  onChanged(listener: (sessions: readonly SessionSummary[]) => void): Disposable {
    this.#changeListeners.add(listener);
    return { dispose: () => void this.#changeListeners.delete(listener) };
  }

  /** Told what a person has to know at once, whatever is on the screen: a session that is paused. */
  onProblem(listener: (problem: Failure) => void): Disposable {
    this.#problemListeners.add(listener);
    return { dispose: () => void this.#problemListeners.delete(listener) };
  }

  /** Starts a session that plays a scenario with real tools in a scratch folder, and sends its prompt. */
  startScenario(scenario: Scenario): Promise<SessionId> {
    return this.#start(this.#maker.scenario(scenario));
  }

  /**
   * Starts a session with a model in a folder of the person's.
   * @throws FailureError when the folder is none or the model cannot be.
   */
  startSession(wanted: NewSession): Promise<SessionId> {
    return this.#start(this.#maker.session(wanted));
  }

  /**
   * Starts a session that goes on from another one, ours or a transcript: its history is copied, up to a message or whole.
   * @throws FailureError when there is no such session or message, the folder is none or the model cannot be.
   */
  async forkSession(wanted: Fork): Promise<SessionId> {
    const entry = await this.#entry(wanted.sessionId);
    const events = await wholeEvents(eventsOf(entry), textsOf(entry));
    return this.#start(this.#maker.fork(events, sourceOf(wanted.sessionId, entry), wanted));
  }

  async #start(starting: Promise<Started>): Promise<SessionId> {
    const { live, go } = await starting;
    const { place, session } = live;
    this.#add(live);
    try {
      go();
      return place.sessionId;
    } catch (error) {
      this.#entries.delete(place.sessionId);
      await this.#maker.undo(place, session.log);
      throw error;
    }
  }

  #add(live: Live): void {
    const { sessionId } = live.place;
    this.#entries.set(sessionId, live);
    live.session.log.onEvents((events) => {
      for (const listener of this.#eventListeners) listener(sessionId, events);
      this.#announce();
    });
    this.#announce();
  }

  /** What a fork is proposed to work with: the folder that was recorded, if it is there, and the session's model. */
  async forkOptions(sessionId: SessionId): Promise<{ readonly cwd?: string; readonly model?: ModelChoice }> {
    const entry = await this.#entry(sessionId);
    const { cwd, model } = stateOf(entry);
    const isThere = await (this.#deps.ensureFolder?.(cwd) ?? Promise.resolve()).then(
      () => true,
      () => false,
    );
    return { ...(isThere ? { cwd } : {}), ...(model === undefined ? {} : { model }) };
  }

  #importedFrom(path: string) {
    for (const [sessionId, entry] of this.#entries) {
      if (entry.kind === 'imported' && entry.path === path) return { sessionId, entry };
    }
    return undefined;
  }

  /** Wall time in ms of the last line of a transcript that is being written; undefined where none is. */
  lastLineAt(sessionId: SessionId): number | undefined {
    const entry = this.#entries.get(sessionId);
    return entry?.kind === 'imported' ? entry.lastLineAt : undefined;
  }

  /** A page of events from `fromSeq` on. Opens a session of ours that is on disk. */
  async eventsFrom(sessionId: SessionId, fromSeq: number, limit: number): Promise<EventPage> {
    // Whoever begins anew may find that the other process has gone.
    if (fromSeq === 0 && this.#entries.get(sessionId)?.kind === 'locked') this.#entries.delete(sessionId);
    const entry = await this.#entry(sessionId);
    // What is not on disk yet is not shown yet; it comes as a push.
    if (entry.kind === 'live') entry.session.log.flush();
    const all = eventsOf(entry);
    const events = all.slice(fromSeq, fromSeq + limit);
    const revision = entry.kind === 'imported' ? { revision: entry.revision } : {};
    return { events, more: fromSeq + events.length < all.length, total: all.length, ...revision };
  }

  /**
   * All events with all their texts, as they are now.
   * @throws FailureError when a text was left in a file that has changed since.
   */
  async wholeEvents(sessionId: SessionId): Promise<readonly SessionEvent[]> {
    const entry = await this.#entry(sessionId);
    return wholeEvents(eventsOf(entry), textsOf(entry));
  }

  /** A text of a transcript that was left in its file. @throws FailureError when there is none, or the file has changed. */
  async keptText(sessionId: SessionId, id: number): Promise<string> {
    const texts = textsOf(await this.#entry(sessionId));
    if (texts === undefined) throw new FailureError({ kind: 'not-found', message: 'There is no such text.' });
    return texts.read(id);
  }

  /** The calls with this text in what was left in the files, in any case. */
  async findInKept(sessionId: SessionId, text: string, signal: AbortSignal): Promise<readonly CallId[]> {
    const entry = await this.#entry(sessionId);
    return callsWithText({ events: eventsOf(entry), texts: textsOf(entry), text, signal });
  }

  async findings(sessionId: SessionId): Promise<readonly Finding[]> {
    return (await this.#entry(sessionId)).findings;
  }

  /** The session for a command. Fails when it is a transcript, which is only read. */
  async live(sessionId: SessionId): Promise<LiveSession> {
    const entry = await this.#entry(sessionId);
    if (entry.kind === 'live') return entry.session;
    if (entry.kind === 'locked') throw new FailureError(entry.why);
    throw new FailureError({ kind: 'unsupported', message: 'This is a transcript. It is replayed, not continued.' });
  }

  /** Why a session of ours that is shown takes no command; undefined when it does, or is not open. */
  lockedBecause(sessionId: SessionId): Failure | undefined {
    const entry = this.#entries.get(sessionId);
    return entry?.kind === 'locked' ? entry.why : undefined;
  }

  /** What a session is called; empty when there is none of this id. */
  titleOf(sessionId: SessionId): string {
    const entry = this.#entries.get(sessionId);
    if (entry === undefined) return this.#stored.find((stored) => stored.sessionId === sessionId)?.title ?? '';
    return stateOf(entry).title;
  }

  /** Is it a session of ours that is open here and takes commands? */
  isLive(sessionId: SessionId): boolean {
    return this.#entries.get(sessionId)?.kind === 'live';
  }

  /** Sessions of ours that are open here and work in this folder, with the settings they work under. */
  liveIn(isFolder: (cwd: string) => boolean): readonly LiveInFolder[] {
    return [...this.#entries].flatMap(([sessionId, entry]) =>
      entry.kind === 'live' && isFolder(entry.session.log.state.cwd)
        ? [{ sessionId, session: entry.session, settings: entry.settings }]
        : [],
    );
  }

  /** A window shows the session. */
  seen(sessionId: SessionId): void {
    this.#resting.wanted(sessionId);
  }

  /** No window shows the session any more. It goes on with what it does, and may be closed when it does nothing. */
  left(sessionId: SessionId): void {
    if (this.isLive(sessionId)) this.#resting.left(sessionId);
  }

  #mayRest(sessionId: SessionId): boolean {
    const entry = this.#entries.get(sessionId);
    if (entry?.kind !== 'live') return false;
    const { running, log } = entry.session;
    const { queuedMessages, shells } = log.state;
    return !running && !log.failed && queuedMessages.length === 0 && shells.every(({ end }) => end !== undefined);
  }

  /** It stays in the list, and is opened again from disk when it is wanted. */
  async #rest(sessionId: SessionId): Promise<void> {
    const entry = this.#entries.get(sessionId);
    if (entry?.kind !== 'live') return;
    try {
      await this.#close(entry, 'closed');
    } finally {
      const others = this.#stored.filter((stored) => stored.sessionId !== sessionId);
      this.#stored = [...others, summaryOf(sessionId, entry)];
      this.#entries.delete(sessionId);
      this.#announce();
    }
  }

  /** The last window that showed the session has closed: what waits in it is denied (spec 2.5). */
  denyWaiting(sessionId: SessionId): void {
    const entry = this.#entries.get(sessionId);
    if (entry?.kind === 'live') entry.session.denyWaiting();
  }

  /**
   * Another model answers in a session from its next turn on.
   * @throws FailureError when it cannot be, or a turn runs.
   */
  async setModel(sessionId: SessionId, model: ModelChoice): Promise<void> {
    this.#deps.providerFor?.(model);
    (await this.live(sessionId)).setModel(model);
  }

  /** Where the whole output of a call lies. */
  async savedOutput(sessionId: SessionId, callId: CallId): Promise<SavedOutput> {
    const saved = savedOutputOf(stateOf(await this.#entry(sessionId)), callId);
    if (saved === undefined) {
      throw new FailureError({ kind: 'not-found', message: 'This call has no output on disk.' });
    }
    return saved;
  }

  #entry(sessionId: SessionId): Promise<OpenEntry> {
    const closing = this.#resting.closing(sessionId);
    if (closing !== undefined) return closing.then(() => this.#entry(sessionId));
    const entry = this.#entries.get(sessionId);
    if (entry !== undefined) return Promise.resolve(entry);
    const opening = this.#opening.get(sessionId) ?? this.#open(sessionId);
    this.#opening.set(sessionId, opening);
    return opening.finally(() => this.#opening.delete(sessionId));
  }

  async #open(sessionId: SessionId): Promise<OpenEntry> {
    if (!this.#stored.some((summary) => summary.sessionId === sessionId)) {
      throw new FailureError({
        kind: 'not-found',
        message: 'There is no such session.',
        hint: 'Choose one from the list.',
      });
    }
    const opened = await this.#deps.store.open(sessionId).catch((error: unknown) => {
      if (error instanceof FailureError && error.failure.kind === 'locked') return error.failure;
      throw error;
    });
    if (!('place' in opened)) return this.#addLocked(sessionId, opened);
    const live = await this.#maker.reopen(opened);
    this.#add(live);
    this.#resting.left(sessionId);
    return live;
  }

  async #addLocked(sessionId: SessionId, why: Failure): Promise<OpenEntry> {
    const { path, events, findings } = await this.#deps.store.read(sessionId);
    const entry: Locked = { kind: 'locked', path, events, findings, state: foldSession(events), why };
    this.#entries.set(sessionId, entry);
    this.#announce();
    return entry;
  }

  /** Takes a transcript out of the list (its file stays), or deletes a session of ours with all its files. */
  async remove(sessionId: SessionId): Promise<void> {
    await this.#resting.closing(sessionId);
    this.#resting.wanted(sessionId);
    const entry = this.#entries.get(sessionId);
    if (entry?.kind === 'live') {
      if (entry.session.running) throw new FailureError({ kind: 'busy', message: 'The session runs. Stop it first.' });
      await this.#close(entry, 'closed');
    }
    if (entry?.kind === 'imported') entry.close();
    this.#entries.delete(sessionId);
    if (entry?.kind !== 'imported') {
      await this.#deps.store.remove(sessionId);
      this.#stored = this.#stored.filter((summary) => summary.sessionId !== sessionId);
    }
    this.#announce();
  }

  /** Stops everything that runs and writes every journal's end. One that cannot does not keep the others from it. */
  async closeAll(reason: 'closed' | 'quit'): Promise<void> {
    const live = [...this.#entries].flatMap(([sessionId, entry]) =>
      entry.kind === 'live' && this.#resting.closing(sessionId) === undefined ? [entry] : [],
    );
    for (const entry of this.#entries.values()) if (entry.kind === 'imported') entry.close();
    await Promise.allSettled(live.map((entry) => this.#close(entry, reason)));
    await this.#resting.closed();
    this.#entries.clear();
  }

  async #close(entry: Live, reason: 'closed' | 'quit'): Promise<void> {
    const { session, place } = entry;
    try {
      await session.close(reason);
      // Only spares reading the journal for the list.
      await this.#deps.store.saveSummary(summaryOf(place.sessionId, entry)).catch(() => undefined);
    } finally {
      await place.release();
    }
  }

  #announce(): void {
    if (this.#announcing !== undefined) return;
    this.#announcing = this.#deps.clock.schedule(millis(SUMMARY_WAIT_MS), () => {
      this.#announcing = undefined;
      this.#resting.look();
      const sessions = this.list();
      for (const listener of this.#changeListeners) listener(sessions);
    });
  }
}
