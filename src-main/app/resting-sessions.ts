import type { SessionId } from '../../src-shared/ids.ts';

export type RestingDeps = {
  /** So many sessions that nobody looks at stay open: those that were looked at last. */
  readonly most: number;
  /** Nothing goes on in it. */
  readonly mayRest: (sessionId: SessionId) => boolean;
  /** Closes it; it is opened again from disk when it is wanted. What goes wrong is what the next opening mends. */
  readonly rest: (sessionId: SessionId) => Promise<void>;
};

/**
 * Which open sessions no window shows. All of an open session is in memory, about 8 KB a call, so that an app which is
 * never closed would grow with every session that was ever looked at.
 */
export class RestingSessions {
  readonly #deps: RestingDeps;
  /** In the order in which they were left. */
  readonly #unseen = new Set<SessionId>();
  readonly #closing = new Map<SessionId, Promise<void>>();

  constructor(deps: RestingDeps) {
    this.#deps = deps;
  }

  /** A window shows the session, or it is gone. */
  wanted(sessionId: SessionId): void {
    this.#unseen.delete(sessionId);
  }

  /** The last window that showed it shows something else. */
  left(sessionId: SessionId): void {
    this.#unseen.delete(sessionId);
    this.#unseen.add(sessionId);
    this.look();
  }

  /** Lets those rest that were left first. Called whenever something may have ended. */
  look(): void {
    const { most, mayRest, rest } = this.#deps;
    if (this.#unseen.size <= most) return;
    const idle = [...this.#unseen].filter(mayRest);
    for (const sessionId of idle.slice(0, Math.max(0, this.#unseen.size - most))) {
      this.#unseen.delete(sessionId);
      const closing = rest(sessionId)
        .catch(() => undefined)
        .finally(() => this.#closing.delete(sessionId));
      this.#closing.set(sessionId, closing);
    }
  }

  /** Settles when a session that is being closed is; undefined for all others. */
  closing(sessionId: SessionId): Promise<void> | undefined {
    return this.#closing.get(sessionId);
  }

  /** Settles when all that are being closed are. */
  async closed(): Promise<void> {
    await Promise.all(this.#closing.values());
  }
}
