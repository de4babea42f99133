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

/** A large transcript that is still being read. */
export type ReadSoFar = Omit<OpenedTranscript, 'findings'> & {
  /** Bytes read, of all the session's files have. */
  readonly bytes: number;
  readonly totalBytes: number;
};

/**
 * Reads a file or folder. A large one is told so far, a few times, before it is read. Fails with a `FailureError`, or an
 * Error whose message is fit for a person.
 */
export type TranscriptReader = (
  path: string,
  signal: AbortSignal,
  onSoFar?: (soFar: ReadSoFar) => void,
) => Promise<OpenedTranscript>;
