import { FailureError } from '../../../src-shared/failure.ts';
import type { SessionId } from '../../../src-shared/ids.ts';
import type { Scenario } from '../../../src-shared/scenario/scenario.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import type { SessionSummary } from '../../../src-shared/session/summary.ts';
import type { SessionPlace, SessionStore } from '../../ports/session-store.ts';
import { MemoryResultFiles, MoodyStore } from './bench.ts';

type Kept = { readonly store: MoodyStore; readonly scenario: Scenario | undefined };

/** Sessions in memory. A session that is open is locked, as on disk. */
export class MemorySessionStore implements SessionStore {
  readonly kept = new Map<SessionId, Kept>();
  readonly locked = new Set<SessionId>();
  readonly summaries = new Map<SessionId, SessionSummary>();
  /** Rows of sessions that were there before the app started. */
  rows: readonly SessionSummary[] = [];
  opens = 0;
  /** Given to every new store, to make its writes fail. */
  full = false;

  async create(sessionId: SessionId, scenario: Scenario | undefined): Promise<SessionPlace> {
    const store = new MoodyStore();
    store.full = this.full;
    this.kept.set(sessionId, { store, scenario });
    return this.#place(sessionId, store);
  }

  async open(sessionId: SessionId) {
    this.opens++;
    const kept = this.kept.get(sessionId);
    if (kept === undefined) throw new FailureError({ kind: 'not-found', message: 'It has gone.' });
    if (this.locked.has(sessionId)) throw new FailureError({ kind: 'locked', message: 'It is open elsewhere.' });
    const events: readonly SessionEvent[] = [...kept.store.events];
    return { place: this.#place(sessionId, kept.store), events, findings: [], scenario: kept.scenario };
  }

  async read(sessionId: SessionId) {
    const events: readonly SessionEvent[] = [...(this.kept.get(sessionId)?.store.events ?? [])];
    return { path: `/sessions/${sessionId}/journal.jsonl`, events, findings: [] };
  }

  #place(sessionId: SessionId, store: MoodyStore): SessionPlace {
    this.locked.add(sessionId);
    return {
      sessionId,
      journalPath: `/sessions/${sessionId}/journal.jsonl`,
      store,
      files: new MemoryResultFiles(),
      scratch: `/sessions/${sessionId}/scratch`,
      adopt: async () => ({ paths: new Map() }),
      release: async () => void this.locked.delete(sessionId),
    };
  }

  async list(): Promise<readonly SessionSummary[]> {
    return this.rows;
  }

  async saveSummary(summary: SessionSummary): Promise<void> {
    this.summaries.set(summary.sessionId, summary);
  }

  async remove(sessionId: SessionId): Promise<void> {
    this.kept.delete(sessionId);
  }
}
