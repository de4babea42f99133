import { type Failure, FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import {
  EVENTS_PER_PAGE,
  type Handlers,
  type PushName,
  type PushPayload,
  type RequestName,
  type RequestOutput,
  type SessionAccess,
} from '../../src-shared/ipc/contract.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import type { SessionOwners, WindowNumber } from '../app/session-owners.ts';
import type { EventFeed } from './event-feed.ts';

export type PushTo = <K extends PushName>(window: WindowNumber, name: K, payload: PushPayload<K>) => void;

export type WindowDeskDeps = {
  readonly library: Pick<
    SessionLibrary,
    'eventsFrom' | 'isLive' | 'live' | 'lockedBecause' | 'denyWaiting' | 'seen' | 'left' | 'lastLineAt'
  >;
  /** Wall time in ms. */
  readonly now: () => number;
  readonly owners: SessionOwners;
  readonly push: PushTo;
};

/** Which window shows which session, and tells each whether its commands count there. */
export class WindowDesk {
  readonly #deps: WindowDeskDeps;
  /** Windows that were told that a session is being written, each with the session. */
  readonly #followed = new Set<string>();

  constructor(deps: WindowDeskDeps) {
    this.#deps = deps;
  }

  async attach(
    window: WindowNumber,
    feed: EventFeed,
    { sessionId, fromSeq }: { readonly sessionId: SessionId; readonly fromSeq: number },
  ): Promise<RequestOutput<'session.attach'>> {
    const { library, owners, push } = this.#deps;
    // First, so that no event falls between page and feed; the window drops what it has twice.
    feed.attach(sessionId);
    library.seen(sessionId);
    try {
      const page = await library.eventsFrom(sessionId, fromSeq, EVENTS_PER_PAGE);
      const locked = library.lockedBecause(sessionId);
      if (library.isLive(sessionId)) {
        // It may have been opened only now.
        library.seen(sessionId);
        owners.attach(window, sessionId);
        this.#tellAccess(sessionId);
      } else if (locked !== undefined) {
        push(window, 'session.access', { sessionId, access: lockedAccess(locked) });
      }
      this.tellFollowing(window, sessionId);
      return { ...page, events: [...page.events] };
    } catch (error) {
      feed.detach(sessionId);
      throw error;
    }
  }

  /** Says how long nothing has come of a session that another program writes. Of all others there is nothing to say. */
  tellFollowing(window: WindowNumber, sessionId: SessionId): void {
    const { library, now, push } = this.#deps;
    const at = library.lastLineAt(sessionId);
    const wasFollowed = this.#followed.has(`${window} ${sessionId}`);
    if (at === undefined && !wasFollowed) return;
    if (at === undefined) this.#followed.delete(`${window} ${sessionId}`);
    else this.#followed.add(`${window} ${sessionId}`);
    push(window, 'session.following', { sessionId, ...(at === undefined ? {} : { quietMs: Math.max(0, now() - at) }) });
  }

  detach(window: WindowNumber, feed: EventFeed, sessionId: SessionId): void {
    feed.detach(sessionId);
    this.#followed.delete(`${window} ${sessionId}`);
    const { owners, library } = this.#deps;
    owners.detach(window, sessionId);
    if (owners.windowsOf(sessionId).length === 0) library.left(sessionId);
    this.#tellAccess(sessionId);
  }

  /** @throws FailureError when the session takes no commands at all. */
  async takeOver(window: WindowNumber, sessionId: SessionId): Promise<void> {
    const { library, owners } = this.#deps;
    const session = await library.live(sessionId);
    if (!owners.takeOver(window, sessionId)) return;
    session.tell({ text: `Window ${window} of Gantry has taken this session over. Other windows show it read-only.` });
    this.#tellAccess(sessionId);
  }

  /** The page is loaded again: it attaches anew to what it showed. */
  reloaded(window: WindowNumber, feed: EventFeed): void {
    feed.detachAll();
    this.#deps.owners.reloaded(window);
  }

  /** @param isLast no window of ours is left: the app ends, and denies what waits as it does. */
  closed(window: WindowNumber, feed: EventFeed, isLast: boolean): void {
    const { owners, library } = this.#deps;
    feed.detachAll();
    const shown = owners.shownIn(window);
    const orphans = owners.closed(window);
    for (const sessionId of isLast ? [] : orphans) {
      library.denyWaiting(sessionId);
      library.left(sessionId);
    }
    for (const sessionId of shown) this.#tellAccess(sessionId);
  }

  #tellAccess(sessionId: SessionId): void {
    const { owners, push } = this.#deps;
    for (const window of owners.windowsOf(sessionId)) {
      const access = owners.mayCommand(window, sessionId) ? OWNER : READER;
      push(window, 'session.access', { sessionId, access });
    }
  }

  /**
   * The requests of one window, with those refused that would work in a session another window owns. What a request is
   * about is told by its input's `sessionId`; one that is not known to only read is taken for a command.
   */
  guarded(window: WindowNumber, handlers: Handlers): Handlers {
    const entries = Object.entries(handlers).map(([name, handler]) => {
      if (READS.has(name as RequestName)) return [name, handler];
      return [
        name,
        async (input: never) => {
          const sessionId = sessionIn(input);
          if (sessionId !== undefined && !this.#deps.owners.mayCommand(window, sessionId))
            throw new FailureError(TAKEN);
          return (handler as (input: never) => Promise<unknown>)(input);
        },
      ];
    });
    return Object.fromEntries(entries) as Handlers;
  }
}

/** Requests about a session that change nothing in it, whoever asks. */
const READS: ReadonlySet<RequestName> = new Set<RequestName>([
  // A fork leaves the session that it comes from as it is.
  'session.fork',
  'fork.options',
  'session.attach',
  'session.detach',
  'session.take-over',
  'session.findings',
  'session.stop-reading',
  'kept-text.read',
  'kept-text.find',
  'output.read',
  'output.search',
  'output.reveal',
  'export.preview',
  'export.picture',
  'export.write',
  'trust.state',
  // About a folder, whatever session it is seen from.
  'trust.set',
]);

function sessionIn(input: unknown): SessionId | undefined {
  if (typeof input !== 'object' || input === null || !('sessionId' in input)) return undefined;
  return typeof input.sessionId === 'string' ? (input.sessionId as SessionId) : undefined;
}

const OWNER: SessionAccess = { kind: 'owner' };
const READER: SessionAccess = {
  kind: 'reader',
  why: 'Another window of Gantry works in this session. It is shown here read-only.',
  takeOver: true,
};
const lockedAccess = ({ message }: Failure): SessionAccess => ({
  kind: 'reader',
  why: `${message} It is shown here read-only, as it was when it was opened.`,
  takeOver: false,
});
const TAKEN: Failure = {
  kind: 'locked',
  message: 'Another window of Gantry works in this session.',
  hint: 'Take the session over first.',
};
