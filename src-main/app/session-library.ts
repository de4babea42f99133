import type { Disposable } from '../../src-shared/disposable.ts';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { CallId, SessionId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import { callById, foldSession, type SessionState } from '../../src-shared/session/state.ts';
import type { Finding, SessionSummary } from '../../src-shared/session/summary.ts';
import type { SavedOutput } from '../../src-shared/tool-call/state.ts';
import { millis } from '../../src-shared/units.ts';
import { summarise } from '../core/session-summary.ts';
import { settingsAtStart } from '../core/settings/start-settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelProvider } from '../ports/model-provider.ts';
import type { SessionPlace, SessionStore } from '../ports/session-store.ts';
import { noSettings, type SettingsSource } from '../ports/settings.ts';
import type { ToolRegistry } from '../ports/tool.ts';
import type { TranscriptReader } from '../ports/transcript-reader.ts';
import { type HookSetup, LiveSession } from './live-session.ts';
import { recover } from './recover.ts';
import { SessionLog } from './session-log.ts';

export type LibraryDeps = {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly newId: (prefix: string) => string;
  readonly readTranscript: TranscriptReader;
  /** `settings` name the environment of what the tools start. */
  readonly toolsFor: (sessionId: SessionId, settings: SettingsSource) => ToolRegistry;
  readonly scriptedProvider: (scenario: Scenario) => ModelProvider;
  /** Lays a scenario's files; gives the working folder. */
  readonly prepareScenario: (scenario: Scenario, scratch: string) => Promise<string>;
  /** Version and platform, for the journal. */
  readonly app: string;
  /** The settings of a folder; none when left out. With the scenario whose files lie there, where it is one's. */
  readonly settingsFor?: (folder: string, scenario: Scenario | undefined) => SettingsSource;
  /** The hooks that these settings set; none when left out. */
  readonly hooksFor?: (place: SessionPlace, cwd: string, settings: SettingsSource) => HookSetup;
  /** What the environment says of the cap, as it stands there. */
  readonly capInEnvironment?: string | undefined;
};

type Live = {
  readonly kind: 'live';
  readonly session: LiveSession;
  readonly place: SessionPlace;
  readonly findings: readonly Finding[];
};
type Imported = {
  readonly kind: 'imported';
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  readonly findings: readonly Finding[];
  readonly path: string;
};
type Entry = Live | Imported;

const SUMMARY_WAIT_MS = 150;

/** All sessions the app knows: running ones, those on disk, and opened transcripts. */
export class SessionLibrary {
  readonly #deps: LibraryDeps;
  readonly #entries = new Map<SessionId, Entry>();
  /** Rows of sessions on disk that are not open. */
  #stored: readonly SessionSummary[] = [];
  readonly #eventListeners = new Set<(sessionId: SessionId, events: readonly SessionEvent[]) => void>();
  readonly #changeListeners = new Set<(sessions: readonly SessionSummary[]) => void>();
  readonly #problemListeners = new Set<(problem: Failure) => void>();
  readonly #opening = new Map<SessionId, Promise<Entry>>();
  #announcing: Disposable | undefined;

  constructor(deps: LibraryDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    this.#stored = await this.#deps.store.list();
  }

  list(): readonly SessionSummary[] {
    const open = [...this.#entries].map(([sessionId, entry]) => this.#summary(sessionId, entry));
    const closed = this.#stored.filter(({ sessionId }) => !this.#entries.has(sessionId));
    return [...open, ...closed].sort((a, b) => b.startedAt - a.startedAt);
  }

  #summary(sessionId: SessionId, entry: Entry): SessionSummary {
    const state = entry.kind === 'live' ? entry.session.log.state : entry.state;
    const path = entry.kind === 'live' ? entry.place.journalPath : entry.path;
    return summarise(state, { sessionId, path, findings: entry.findings.length });
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
  async startScenario(scenario: Scenario): Promise<SessionId> {
    const { store, newId, prepareScenario } = this.#deps;
    const sessionId = newId('session') as SessionId;
    const place = await store.create(sessionId, scenario);
    const log = this.#newLog(place, []);
    try {
      const cwd = await prepareScenario(scenario, place.scratch);
      this.#begin(log, sessionId, scenario, cwd);
      this.#addLive(place, log, scenario, []).session.send(scenario.prompt ?? 'Go.');
      return sessionId;
    } catch (error) {
      // A session that never began is nothing to keep.
      this.#entries.delete(sessionId);
      log.close();
      await place.release();
      await store.remove(sessionId).catch(() => undefined);
      throw error;
    }
  }

  #begin(log: SessionLog, sessionId: SessionId, scenario: Scenario, cwd: string): void {
    const { app, capInEnvironment } = this.#deps;
    const loaded = this.#settingsFor(cwd, scenario).current();
    const { settings, warnings } = settingsAtStart({ scenario: scenario.settings, loaded, capInEnvironment });
    log.append({
      type: 'session-started',
      sessionId,
      title: scenario.title ?? scenario.name,
      cwd,
      origin: { kind: 'live', provider: 'scripted', scenario: scenario.name },
      app,
      settings,
    });
    for (const text of warnings) log.append({ type: 'notice-given', level: 'warning', text });
    log.sync();
  }

  #settingsFor(folder: string, scenario: Scenario | undefined): SettingsSource {
    return this.#deps.settingsFor?.(folder, scenario) ?? noSettings(folder);
  }

  #newLog(place: SessionPlace, past: readonly SessionEvent[]): SessionLog {
    const log: SessionLog = new SessionLog({
      store: place.store,
      clock: this.#deps.clock,
      past,
      onFailure: (error) => this.#tellPaused(log.state.title, place, error),
    });
    return log;
  }

  #tellPaused(title: string, place: SessionPlace, error: Error): void {
    const problem: Failure = {
      kind: 'not-writable',
      message: `The session ${title} is paused: ${place.journalPath} cannot be written (${error.message}).`,
      hint: 'Make room on the disk or give the folder write permission. The session goes on by itself; nothing is lost.',
    };
    for (const listener of this.#problemListeners) listener(problem);
  }

  #addLive(place: SessionPlace, log: SessionLog, scenario: Scenario | undefined, findings: readonly Finding[]): Live {
    const { clock, newId, toolsFor, scriptedProvider, hooksFor } = this.#deps;
    const { sessionId } = place;
    const provider = scriptedProvider(scenario ?? { name: 'nothing', turns: [] });
    const { cwd } = log.state;
    const settings = this.#settingsFor(cwd, scenario);
    const tools = toolsFor(sessionId, settings);
    const hooks = hooksFor === undefined ? {} : { hooks: hooksFor(place, cwd, settings) };
    const session = new LiveSession({ log, clock, provider, tools, files: place.files, newId, settings, ...hooks });
    const entry: Live = { kind: 'live', session, place, findings };
    this.#entries.set(sessionId, entry);
    log.onEvents((events) => {
      for (const listener of this.#eventListeners) listener(sessionId, events);
      this.#announce();
    });
    this.#announce();
    return entry;
  }

  /** Opens a transcript or journal for reading. The same path again gives the same session, read anew. */
  async openTranscript(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly sessionId: SessionId; readonly findings: readonly Finding[] }> {
    const opened = await this.#deps.readTranscript(path, signal);
    const known = [...this.#entries].find(([, entry]) => entry.kind === 'imported' && entry.path === opened.path);
    const sessionId = known?.[0] ?? (this.#deps.newId('import') as SessionId);
    const { events, findings } = opened;
    this.#entries.set(sessionId, { kind: 'imported', events, findings, state: foldSession(events), path: opened.path });
    this.#announce();
    return { sessionId, findings };
  }

  /** A page of events from `fromSeq` on. Opens a session of ours that is on disk. */
  async eventsFrom(sessionId: SessionId, fromSeq: number, limit: number) {
    const entry = await this.#entry(sessionId);
    // What is not on disk yet is not shown yet; it comes as a push.
    if (entry.kind === 'live') entry.session.log.flush();
    const all = entry.kind === 'live' ? entry.session.log.events : entry.events;
    const events = all.slice(fromSeq, fromSeq + limit);
    return { events, more: fromSeq + events.length < all.length, total: all.length };
  }

  async findings(sessionId: SessionId): Promise<readonly Finding[]> {
    return (await this.#entry(sessionId)).findings;
  }

  /** The session for a command. Fails when it is a transcript, which is only read. */
  async live(sessionId: SessionId): Promise<LiveSession> {
    const entry = await this.#entry(sessionId);
    if (entry.kind === 'live') return entry.session;
    throw new FailureError({ kind: 'unsupported', message: 'This is a transcript. It is replayed, not continued.' });
  }

  /** Where the whole output of a call lies. */
  async savedOutput(sessionId: SessionId, callId: CallId): Promise<SavedOutput> {
    const entry = await this.#entry(sessionId);
    const call = callById(entry.kind === 'live' ? entry.session.log.state : entry.state, callId);
    if (call?.saved === undefined) {
      throw new FailureError({ kind: 'not-found', message: 'This call has no output on disk.' });
    }
    return call.saved;
  }

  #entry(sessionId: SessionId): Promise<Entry> {
    const entry = this.#entries.get(sessionId);
    if (entry !== undefined) return Promise.resolve(entry);
    const opening = this.#opening.get(sessionId) ?? this.#open(sessionId);
    this.#opening.set(sessionId, opening);
    return opening.finally(() => this.#opening.delete(sessionId));
  }

  async #open(sessionId: SessionId): Promise<Entry> {
    if (!this.#stored.some((summary) => summary.sessionId === sessionId)) {
      throw new FailureError({
        kind: 'not-found',
        message: 'There is no such session.',
        hint: 'Choose one from the list.',
      });
    }
    const { place, events, findings, scenario } = await this.#deps.store.open(sessionId);
    const log = this.#newLog(place, events);
    try {
      // Without its first line nobody knows where the session worked; tools would work somewhere else.
      if (log.state.sessionId === undefined) throw new FailureError(withoutBeginning(place));
      recover(log, this.#deps.app);
      return this.#addLive(place, log, scenario, findings);
    } catch (error) {
      log.close();
      await place.release();
      throw error;
    }
  }

  /** Takes a transcript out of the list (its file stays), or deletes a session of ours with all its files. */
  async remove(sessionId: SessionId): Promise<void> {
    const entry = this.#entries.get(sessionId);
    if (entry?.kind === 'live') {
      if (entry.session.running) throw new FailureError({ kind: 'busy', message: 'The session runs. Stop it first.' });
      await this.#close(entry, 'closed');
    }
    this.#entries.delete(sessionId);
    if (entry?.kind !== 'imported') {
      await this.#deps.store.remove(sessionId);
      this.#stored = this.#stored.filter((summary) => summary.sessionId !== sessionId);
    }
    this.#announce();
  }

  /** Stops everything that runs and writes every journal's end. One that cannot does not keep the others from it. */
  async closeAll(reason: 'closed' | 'quit'): Promise<void> {
    const live = [...this.#entries.values()].filter((entry) => entry.kind === 'live');
    await Promise.allSettled(live.map((entry) => this.#close(entry, reason)));
    this.#entries.clear();
  }

  async #close(entry: Live, reason: 'closed' | 'quit'): Promise<void> {
    const { session, place } = entry;
    try {
      await session.close(reason);
      // Only spares reading the journal for the list.
      await this.#deps.store.saveSummary(this.#summary(place.sessionId, entry)).catch(() => undefined);
    } finally {
      await place.release();
    }
  }

  #announce(): void {
    if (this.#announcing !== undefined) return;
    this.#announcing = this.#deps.clock.schedule(millis(SUMMARY_WAIT_MS), () => {
      this.#announcing = undefined;
      const sessions = this.list();
      for (const listener of this.#changeListeners) listener(sessions);
    });
  }
}

const withoutBeginning = (place: SessionPlace): Failure => ({
  kind: 'not-readable',
  message: `${place.journalPath} cannot be continued: its first line cannot be read.`,
  hint: 'Open the file as a transcript to look at it.',
});
