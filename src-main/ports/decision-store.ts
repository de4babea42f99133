import type { SessionId } from '../../src-shared/ids.ts';
import type { Decision } from '../../src-shared/ledger/decision.ts';

/** The decisions of one session, oldest first. The same array while its journal has not changed. */
export type SessionDecisions = { readonly sessionId: SessionId; readonly decisions: readonly Decision[] };

/** The decisions of all sessions of ours, as their journals tell them. */
export interface DecisionStore {
  /** Sessions that are there, in no order. Cheap: no journal is read. */
  sessions(): Promise<readonly SessionId[]>;
  /**
   * What has been decided in a session so far. Reads only what is new in its journal since it was last asked, in small
   * bites. A session that is gone or cannot be read has none.
   */
  read(sessionId: SessionId): Promise<SessionDecisions>;
}
