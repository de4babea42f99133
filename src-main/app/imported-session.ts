import type { Disposable } from '../../src-shared/disposable.ts';
import { GrowingSession } from '../../src-shared/replay/growing-session.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { SessionState } from '../../src-shared/session/state.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import type { FollowNews } from '../ports/transcript-follower.ts';
import type { WholeTexts } from '../ports/whole-texts.ts';
import { foldInTurns } from './fold-in-turns.ts';

/** What has changed in a transcript that is followed. */
export type ImportedChange = {
  /** Set where events that were told are others now: the first `keep` stand, but for those that are told better. */
  readonly revised: { readonly keep: number; readonly amended: readonly SessionEvent[] } | undefined;
  /** What came behind them. */
  readonly events: readonly SessionEvent[];
};

export type Opened = {
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  readonly findings: readonly Finding[];
  readonly texts: WholeTexts | undefined;
};

/** A transcript that is open. It grows while its writer is followed. */
export class ImportedSession {
  readonly kind = 'imported' as const;
  readonly path: string;
  /** Counted up whenever events that were told have become others. */
  revision = 0;
  /** Wall time in ms of its last line; undefined while nobody is known to write it. */
  lastLineAt: number | undefined;
  findings: readonly Finding[];
  /** Reads the long texts that were left in the files. */
  texts: WholeTexts | undefined;
  #growing: GrowingSession;
  #follow: Disposable | undefined;
  #isClosed = false;
  #taking: Promise<void> = Promise.resolve();

  constructor(path: string, opened: Opened) {
    this.path = path;
    this.#growing = new GrowingSession(opened.events, opened.state);
    this.findings = opened.findings;
    this.texts = opened.texts;
  }

  get events(): readonly SessionEvent[] {
    return this.#growing.events;
  }

  get state(): SessionState {
    return this.#growing.state;
  }

  followWith(follow: Disposable): void {
    this.#follow = follow;
  }

  close(): void {
    this.#isClosed = true;
    this.#follow?.dispose();
  }

  /** Takes news in, one after the other. `told` is called when they are, unless it was closed meanwhile. */
  take(news: FollowNews, told: (change: ImportedChange) => void): void {
    this.#taking = this.#taking.then(async () => {
      const { keep, amended, events } = news;
      const before = this.events.length;
      const isNew = keep === 0;
      // All of a long session: other work has its turn in between.
      const folded = isNew ? new GrowingSession([...events], await foldInTurns(events)) : undefined;
      if (this.#isClosed) return;
      if (folded !== undefined) this.#growing = folded;
      this.#growing.state.followed = news.lastLineAt !== undefined;
      if (folded === undefined) {
        this.#growing.cut(keep);
        this.#growing.amend(amended);
        this.#growing.append(events);
      }
      this.findings = news.findings;
      this.texts = news.texts ?? this.texts;
      this.lastLineAt = news.lastLineAt;
      const isRevised = keep < before || amended.length > 0;
      if (isRevised) this.revision++;
      told({ revised: isRevised ? { keep, amended } : undefined, events });
    });
  }
}
