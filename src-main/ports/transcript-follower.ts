import type { Disposable } from '../../src-shared/disposable.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import type { WholeTexts } from './whole-texts.ts';

/** What is new in a session that another program writes. */
export type FollowNews = {
  /** The first `keep` events stand; those behind them are replaced by `events`. */
  readonly keep: number;
  readonly events: readonly SessionEvent[];
  /** Events that stand, told better: same number, time and call. */
  readonly amended: readonly SessionEvent[];
  readonly findings: readonly Finding[];
  readonly texts: WholeTexts | undefined;
  /** Wall time in ms at which the last line came; undefined once the session counts as over. */
  readonly lastLineAt: number | undefined;
};

export type FollowWish = {
  /** As it was opened: a file, a folder or a place in a database. */
  readonly path: string;
  /** Wall time in ms of its last line, where lines have times. */
  readonly lastLineAt: number | undefined;
  /** Its last line says that it is over. */
  readonly isOver: boolean;
  readonly onNews: (news: FollowNews) => void;
};

/** Follows the files of a session that was opened, until it is disposed. The first news replaces all that was read before. */
export type TranscriptFollower = (wish: FollowWish) => Disposable;
