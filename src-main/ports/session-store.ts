import type { SessionId } from '../../src-shared/ids.ts';
import type { Scenario } from '../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../src-shared/session/event.ts';
import type { Finding, SessionSummary } from '../../src-shared/session/summary.ts';
import type { EventStore } from './event-log.ts';
import type { ResultFiles } from './result-files.ts';

/** A session's place on disk. */
export type SessionPlace = {
  readonly sessionId: SessionId;
  readonly journalPath: string;
  readonly store: EventStore;
  readonly files: ResultFiles;
  /** A scratch folder of the session's own, for scenarios. */
  readonly scratch: string;
  /**
   * Gives the session outputs of its own from a history that is copied into it.
   * Never fails: `problem` is what the disk said.
   * @returns the new paths by the old ones, of those that are there.
   */
  adopt(
    outputs: readonly { readonly callId: string; readonly path: string }[],
  ): Promise<{ readonly paths: ReadonlyMap<string, string>; readonly problem?: string }>;
  /** Gives the session free for other windows. */
  release(): Promise<void>;
};

/** Where sessions are kept. Failures are `FailureError`s with words for a person. */
export interface SessionStore {
  create(sessionId: SessionId, scenario: Scenario | undefined): Promise<SessionPlace>;
  /** Opens an existing session for going on: mends its journal, takes its lock. */
  open(sessionId: SessionId): Promise<{
    readonly place: SessionPlace;
    readonly events: readonly SessionEvent[];
    readonly findings: readonly Finding[];
    readonly scenario: Scenario | undefined;
  }>;
  /** The events of a session that somebody else works in, as far as they are on disk. Changes nothing. */
  read(sessionId: SessionId): Promise<{
    readonly path: string;
    readonly events: readonly SessionEvent[];
    readonly findings: readonly Finding[];
  }>;
  list(): Promise<readonly SessionSummary[]>;
  saveSummary(summary: SessionSummary): Promise<void>;
  /** @throws FailureError of kind `locked` when somebody works in it. */
  remove(sessionId: SessionId): Promise<void>;
}
