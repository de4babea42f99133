import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { Finding } from '../../src-shared/session/summary.ts';
import type { WholeTexts } from './whole-texts.ts';

/** A transcript of another program (or a journal of ours) as events. */
export type OpenedTranscript = {
  readonly events: readonly SessionEvent[];
  readonly findings: readonly Finding[];
  /** The main file. */
  readonly path: string;
  /** Where long texts were left in the files: reads them. */
  readonly texts?: WholeTexts;
};

/** Of a large transcript that is still being read. */
export type ReadNews = {
  /** The main file. */
  readonly path: string;
  /** The first `keep` events of those that were told stand, but for those that are amended; `events` follow them. */
  readonly keep: number;
  readonly amended: readonly SessionEvent[];
  readonly events: readonly SessionEvent[];
  /** Bytes read, of all the session's files have. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Reads the long texts of these events, where they are not in what was given before. */
  readonly texts: WholeTexts | undefined;
  /** What was told until now is a session so far, that can be shown. */
  readonly isShowable: boolean;
};

/**
 * Reads a file or folder. A large one is told while it is read; all that was told is in the answer, too. Fails with a
 * `FailureError`, or an Error whose message is fit for a person.
 */
export type TranscriptReader = (
  path: string,
  signal: AbortSignal,
  onNews?: (news: ReadNews) => void,
) => Promise<OpenedTranscript>;
