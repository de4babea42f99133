import type { Disposable } from '../../src-shared/disposable.ts';
import { FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import type { Hit, TextKind } from '../../src-shared/library/session.ts';
import type { IndexState, LibraryOverview, LibraryPlaces, RowAnswer, RowQuery } from '../../src-shared/library/view.ts';
import { millis } from '../../src-shared/units.ts';
import type { Clock } from '../ports/clock.ts';
import type { LibraryIndex, Page, Surroundings } from '../ports/library-index.ts';
import { addFolder, leaveOut, type PlacesDeps, placesNow } from './library-places.ts';
import type { OpenedTranscripts } from './opened-transcripts.ts';
import type { SessionLibrary } from './session-library.ts';

/** Progress is told at most so often, in ms. */
const TELL_MS = 400;

export type LibraryDeskDeps = {
  readonly index: LibraryIndex;
  readonly sessions: Pick<SessionLibrary, 'list'> & { readonly transcripts: Pick<OpenedTranscripts, 'open'> };
  /** Where our own sessions lie. */
  readonly ownFolder: string;
  readonly otherPrograms: () => boolean;
  /** Where the vault is, absolute, if one was chosen. */
  readonly vaultFolder: () => string | undefined;
  readonly places: PlacesDeps;
  readonly clock: Clock;
  readonly onChanged: (index: IndexState) => void;
};

/** What the window asks of all sessions of this machine. Nothing is looked for before somebody asks. */
export class LibraryDesk {
  readonly #deps: LibraryDeskDeps;
  #state: IndexState = { kind: 'unknown' };
  #updating: AbortController | undefined;
  #telling: Disposable | undefined;

  constructor(deps: LibraryDeskDeps) {
    this.#deps = deps;
  }

  async overview(): Promise<LibraryOverview> {
    const facets = await this.#deps.index.facets(this.#around());
    return { facets, index: this.#state, otherPrograms: this.#deps.otherPrograms() };
  }

  rows(query: RowQuery, page: Page): Promise<RowAnswer> {
    return this.#deps.index.rows(query, page, this.#around());
  }

  hits(id: number, text: string, kinds: TextKind[]): Promise<Hit[]> {
    return this.#deps.index.hits(id, text, kinds);
  }

  /** Opens one of ours as ours, and the file of any other to be replayed. @throws FailureError when it has gone */
  async open(id: number): Promise<SessionId> {
    const path = await this.#deps.index.pathOf(id);
    if (path === undefined) {
      throw new FailureError({
        kind: 'not-found',
        message: 'This session is no longer in the index.',
        hint: 'Look for sessions again.',
      });
    }
    const own = this.#deps.sessions.list().find((session) => session.kind === 'live' && session.path === path);
    if (own !== undefined) return own.sessionId;
    return (await this.#deps.sessions.transcripts.open(path, new AbortController().signal)).sessionId;
  }

  /** Where sessions are looked for, with what is there now. */
  places(): Promise<LibraryPlaces> {
    const { index, places } = this.#deps;
    return placesNow(places, this.#deps.otherPrograms(), (folders) => index.countIn(folders));
  }

  /** @throws FailureError for what is no folder, or lies in the vault */
  async setFolder(folder: string, on: boolean): Promise<void> {
    await addFolder(this.#deps.places, { folder, on, vault: this.#deps.vaultFolder() });
    this.#lookAnew();
  }

  setProgram(format: string, on: boolean): void {
    leaveOut(this.#deps.places, format, on);
    this.#lookAnew();
  }

  /** The file of a session. Undefined where the index knows none of this number any more. */
  pathOf(id: number): Promise<string | undefined> {
    return this.#deps.index.pathOf(id);
  }

  found() {
    return this.#deps.index.found();
  }

  /** Starts to bring the index up to date, unless that is going on. */
  refresh(): void {
    if (this.#updating !== undefined) return;
    const mine = new AbortController();
    this.#updating = mine;
    this.#turn({ kind: 'looking' });
    const onProgress = (done: number, total: number): void => {
      if (this.#updating === mine) this.#turn({ kind: 'reading', done, total });
    };
    this.#deps.index.update(onProgress, mine.signal).then(
      () => this.#settle(mine, { kind: 'current' }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        this.#settle(mine, mine.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', message });
      },
    );
  }

  /** Other files count now, or some have come back: looks again, if anybody has looked before. */
  filesChanged(): void {
    if (this.#state.kind !== 'unknown') this.#lookAnew();
  }

  /** One that is going on does not know of what has changed since it began. What it has read stays. */
  #lookAnew(): void {
    this.cancel();
    this.#updating = undefined;
    this.refresh();
  }

  /** Stops reading. What was read stays in the index. */
  cancel(): void {
    this.#updating?.abort(STOPPED);
  }

  close(): void {
    this.cancel();
    this.#telling?.dispose();
    this.#deps.index.close();
  }

  #settle(mine: AbortController, state: IndexState): void {
    if (this.#updating !== mine) return;
    this.#updating = undefined;
    this.#turn(state);
  }

  #turn(state: IndexState): void {
    this.#state = state;
    if (this.#telling !== undefined) return;
    this.#deps.onChanged(state);
    this.#telling = this.#deps.clock.schedule(millis(TELL_MS), () => {
      this.#telling = undefined;
      // What has happened meanwhile is told once, as it is now.
      if (this.#state !== state) this.#turn(this.#state);
    });
  }

  #around(): Surroundings {
    const isRunning = (status: string): boolean => status === 'running' || status === 'waiting';
    return {
      ownFolder: this.#deps.ownFolder,
      running: this.#deps.sessions.list().flatMap(({ status, path }) => (isRunning(status) ? [path] : [])),
      now: this.#deps.clock.now(),
      vaultFolder: this.#deps.vaultFolder(),
    };
  }
}

const STOPPED = new FailureError({ kind: 'busy', message: 'Reading was stopped.' });
