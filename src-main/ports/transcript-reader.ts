import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { Finding } from '../../src-shared/session/summary.ts';

/** A transcript of another program (or a journal of ours) as events. */
export type OpenedTranscript = {
  readonly events: readonly SessionEvent[];
  readonly findings: readonly Finding[];
  /** The main file. */
  readonly path: string;
};

/** Reads a file or folder. Fails with a `FailureError`, or an Error whose message is fit for a person. */
export type TranscriptReader = (path: string, signal: AbortSignal) => Promise<OpenedTranscript>;
