import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import type { SessionId } from '../../src-shared/ids.ts';
import { PUSH_CHANNEL, RECEIVED_CHANNEL } from '../../src-shared/ipc/channels.ts';
import type { Handlers, PushName, PushPayload } from '../../src-shared/ipc/contract.ts';
import { millis } from '../../src-shared/units.ts';
import type { SessionLibrary } from '../app/session-library.ts';
import { SessionOwners, type WindowNumber } from '../app/session-owners.ts';
import { EventFeed } from '../ipc/event-feed.ts';
import type { HandlerDeps } from '../ipc/handlers.ts';
import { WindowDesk } from '../ipc/window-desk.ts';
import type { Clock } from '../ports/clock.ts';

/** A page that dies again and again is not loaded for ever. */
const MOST_RELOADS = 3;
const RELOADS_COUNT_FOR = millis(60_000);

type AppWindow = {
  readonly number: WindowNumber;
  readonly window: BrowserWindow;
  readonly feed: EventFeed;
  readonly handlers: Handlers;
};

export type AppWindowsDeps = {
  readonly library: SessionLibrary;
  readonly clock: Clock;
  /** Makes a window of ours; `beside` is the one that had the keyboard last. */
  readonly create: (beside: BrowserWindow | undefined) => BrowserWindow;
  readonly handlersFor: (own: HandlerDeps['window'], isFirst: boolean) => Handlers;
  /** Is this address our page's? */
  readonly isOurPage: (url: string) => boolean;
};

/** All windows of the app: each with a feed of its own, and with its word on sessions that others work in. */
export class AppWindows {
  readonly #deps: AppWindowsDeps;
  readonly #owners = new SessionOwners();
  readonly #desk: WindowDesk;
  /** In the order in which they had the keyboard, the last one last. */
  #open: readonly AppWindow[] = [];
  #opened = 0;

  constructor(deps: AppWindowsDeps) {
    this.#deps = deps;
    this.#desk = new WindowDesk({
      library: deps.library,
      owners: this.#owners,
      now: () => deps.clock.now(),
      push: (number, name, payload) => this.#pushTo(this.#byNumber(number), name, payload),
    });
    deps.library.transcripts.onGrown((sessionId, { revised, events }, revision) => {
      for (const opened of this.#open) {
        if (!opened.feed.shows(sessionId)) continue;
        this.#desk.tellFollowing(opened.number, sessionId);
        if (revised !== undefined) {
          opened.feed.drop(sessionId);
          const { keep, amended } = revised;
          const total = keep + events.length;
          this.#pushTo(opened, 'session.revised', { sessionId, revision, keep, amended: [...amended], total });
        }
        opened.feed.take(sessionId, events);
      }
    });
    deps.library.onEvents((sessionId, events) => {
      for (const { feed } of this.#open) feed.take(sessionId, events);
    });
    ipcMain.on(RECEIVED_CHANNEL, (event, sessionId: unknown) => {
      const from = this.#from(event.sender);
      if (from !== undefined && typeof sessionId === 'string') from.feed.received(sessionId as SessionId);
    });
  }

  open(): BrowserWindow {
    const { clock, create, handlersFor } = this.#deps;
    const number = ++this.#opened;
    const window = create(this.#last()?.window);
    const feed = new EventFeed({
      clock,
      send: (sessionId, events) => this.#pushTo(opened, 'session.events', { sessionId, events: [...events] }),
    });
    const handlers = handlersFor(
      {
        'session.attach': (input) => this.#desk.attach(number, feed, input),
        'session.detach': async ({ sessionId }) => this.#desk.detach(number, feed, sessionId),
        'session.take-over': ({ sessionId }) => this.#desk.takeOver(number, sessionId),
        'window.new': async () => void this.open(),
      },
      number === 1,
    );
    const opened: AppWindow = { number, window, feed, handlers: this.#desk.guarded(number, handlers) };
    this.#open = [...this.#open, opened];
    this.#follow(opened);
    return window;
  }

  #follow(opened: AppWindow): void {
    const { window, number, feed } = opened;
    // A page that was reloaded attaches anew; what the old one followed is nobody's now.
    window.webContents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.#desk.reloaded(number, feed);
    });
    this.#reloadAfterCrash(opened);
    window.on('focus', () => {
      this.#open = [...this.#open.filter((other) => other !== opened), opened];
    });
    window.on('closed', () => {
      this.#open = this.#open.filter((other) => other !== opened);
      this.#desk.closed(number, feed, this.#open.length === 0);
    });
  }

  /** The page is only a view: sessions go on, and what it showed comes back with it. */
  #reloadAfterCrash({ window, feed }: AppWindow): void {
    let reloads = 0;
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      feed.detachAll();
      console.error(`gantry: the page of a window has ended: ${reason}`);
      if (reason === 'clean-exit' || window.isDestroyed() || reloads >= MOST_RELOADS) return;
      reloads++;
      this.#deps.clock.schedule(RELOADS_COUNT_FOR, () => {
        reloads--;
      });
      window.webContents.reload();
    });
  }

  /** The handlers of the window a request comes from. Only asked about requests that are ours. */
  handlersOf(event: IpcMainInvokeEvent): Handlers {
    const from = this.#from(event.sender);
    if (from === undefined) throw new Error('a request came from no window of ours');
    return from.handlers;
  }

  /** Does it come from the main frame of a window of ours, with our page in it? */
  isOurs(event: IpcMainInvokeEvent): boolean {
    return (
      this.#from(event.sender) !== undefined &&
      event.senderFrame === event.sender.mainFrame &&
      this.#deps.isOurPage(event.senderFrame?.url ?? '')
    );
  }

  broadcast<K extends PushName>(name: K, payload: PushPayload<K>): void {
    for (const each of this.#open) this.#pushTo(each, name, payload);
  }

  /** Shows something in the window that had the keyboard last, or in the one that works in the session. */
  show(payload: PushPayload<'session.show'>): void {
    const owner = this.#owners.ownerOf(payload.sessionId);
    const target = (owner === undefined ? undefined : this.#byNumber(owner)) ?? this.#last();
    if (target === undefined) return;
    bringToFront(target.window);
    this.#pushTo(target, 'session.show', payload);
  }

  /** Tells a trouble in the window that had the keyboard last. */
  tell(problem: PushPayload<'app.problem'>): void {
    this.#pushTo(this.#last(), 'app.problem', problem);
  }

  focusLast(): void {
    const last = this.#last();
    if (last !== undefined) bringToFront(last.window);
  }

  #last(): AppWindow | undefined {
    return this.#open.at(-1);
  }

  #byNumber(number: WindowNumber): AppWindow | undefined {
    return this.#open.find((each) => each.number === number);
  }

  #from(sender: WebContents): AppWindow | undefined {
    return this.#open.find(({ window }) => !window.isDestroyed() && window.webContents === sender);
  }

  #pushTo<K extends PushName>(to: AppWindow | undefined, name: K, payload: PushPayload<K>): void {
    if (to === undefined || to.window.isDestroyed() || to.window.webContents.isCrashed()) return;
    to.window.webContents.send(PUSH_CHANNEL, name, payload);
  }
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.focus();
}
