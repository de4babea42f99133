import type { SessionId } from '../../src-shared/ids.ts';

/** A window, by the number it is called by in words. */
export type WindowNumber = number;

/** Who looks at a session, in the order they came, and whose commands count. */
type Watched = {
  readonly windows: Set<WindowNumber>;
  owner: WindowNumber;
};

/**
 * Which window works in which session. The first that shows a session owns it; others read. Ownership passes on when the
 * owner turns to something else or closes, and by an explicit take-over (spec 4.1: two windows never write one session).
 */
export class SessionOwners {
  readonly #sessions = new Map<SessionId, Watched>();
  /** What a page showed before it was loaded again. It is still its own, until it shows something. */
  readonly #beforeReload = new Map<WindowNumber, Set<SessionId>>();

  attach(window: WindowNumber, sessionId: SessionId): void {
    const left = this.#beforeReload.get(window);
    this.#beforeReload.delete(window);
    for (const other of left ?? []) if (other !== sessionId) this.detach(window, other);
    const watched = this.#sessions.get(sessionId);
    if (watched === undefined) this.#sessions.set(sessionId, { windows: new Set([window]), owner: window });
    else watched.windows.add(window);
  }

  detach(window: WindowNumber, sessionId: SessionId): void {
    const watched = this.#sessions.get(sessionId);
    if (watched === undefined || !watched.windows.delete(window)) return;
    const [next] = watched.windows;
    if (next === undefined) this.#sessions.delete(sessionId);
    else if (watched.owner === window) watched.owner = next;
  }

  /** The page is loaded again: it will come back to what it showed, and nobody takes that away meanwhile. */
  reloaded(window: WindowNumber): void {
    this.#beforeReload.set(window, new Set(this.shownIn(window)));
  }

  /** @returns the sessions that no window shows any more. */
  closed(window: WindowNumber): readonly SessionId[] {
    this.#beforeReload.delete(window);
    const shown = this.shownIn(window);
    for (const sessionId of shown) this.detach(window, sessionId);
    return shown.filter((sessionId) => !this.#sessions.has(sessionId));
  }

  /** False when the window does not show the session, or owns it already. */
  takeOver(window: WindowNumber, sessionId: SessionId): boolean {
    const watched = this.#sessions.get(sessionId);
    if (watched === undefined || watched.owner === window || !watched.windows.has(window)) return false;
    watched.owner = window;
    return true;
  }

  /** Undefined when no window shows the session: then anybody may work in it. */
  ownerOf(sessionId: SessionId): WindowNumber | undefined {
    return this.#sessions.get(sessionId)?.owner;
  }

  mayCommand(window: WindowNumber, sessionId: SessionId): boolean {
    return (this.ownerOf(sessionId) ?? window) === window;
  }

  /** All windows that show it, in the order they came. */
  windowsOf(sessionId: SessionId): readonly WindowNumber[] {
    return [...(this.#sessions.get(sessionId)?.windows ?? [])];
  }

  shownIn(window: WindowNumber): readonly SessionId[] {
    return [...this.#sessions].flatMap(([sessionId, { windows }]) => (windows.has(window) ? [sessionId] : []));
  }
}
