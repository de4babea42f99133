import { BrowserWindow, type Session, type WebContents } from 'electron';
import { APP_ORIGIN, APP_URL } from './protocol.ts';

const BACKGROUND = { dark: '#0E1014', light: '#FFFFFF' } as const;
/** The next window does not cover the one before it. */
const CASCADE = 28;

/** A window of ours. Sandboxed, without Node, and unable to go anywhere else. */
export function createMainWindow(deps: {
  readonly preload: string;
  /** The dev server's address while developing. */
  readonly devUrl: string | undefined;
  readonly dark: boolean;
  readonly show: boolean;
  readonly query: string;
  /** Opened beside this one. */
  readonly beside?: BrowserWindow | undefined;
}): BrowserWindow {
  const [x, y] = deps.beside?.getPosition() ?? [];
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    ...(x === undefined || y === undefined ? {} : { x: x + CASCADE, y: y + CASCADE }),
    minWidth: 640,
    minHeight: 420,
    show: false,
    title: 'Gantry',
    backgroundColor: deps.dark ? BACKGROUND.dark : BACKGROUND.light,
    autoHideMenuBar: true,
    webPreferences: {
      preload: deps.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      devTools: deps.devUrl !== undefined,
      spellcheck: false,
    },
  });
  refusePermissions(window.webContents.session);
  if (deps.show) window.once('ready-to-show', () => window.show());
  const address = `${deps.devUrl ?? APP_URL}${deps.query}`;
  // A page may empty itself (`about:blank` asks nobody). It has no say there, and is brought back.
  window.webContents.on('did-navigate', (_event, url) => {
    if (!isOurDocument(url, deps.devUrl)) void window.loadURL(address);
  });
  void window.loadURL(address);
  return window;
}

/** Is this the address of our own page? */
export function isOurPage(url: string, devUrl: string | undefined): boolean {
  if (!URL.canParse(url)) return false;
  if (devUrl !== undefined && new URL(url).origin === new URL(devUrl).origin) return true;
  return url.startsWith(`${APP_ORIGIN}/`);
}

/** Is it the one page that a window may be at: what a reload leads to? */
function isOurDocument(url: string, devUrl: string | undefined): boolean {
  if (!isOurPage(url, devUrl)) return false;
  const { pathname } = new URL(url);
  return pathname === new URL(devUrl ?? APP_URL).pathname;
}

/**
 * For every page there is in the app, whoever has made it: it stays where it is, makes no frame that goes anywhere, no
 * further window and no embedded page. Links go through the request `link.open`, which looks at them.
 */
export function refuseToLeave(contents: WebContents, devUrl: string | undefined): void {
  contents.on('will-frame-navigate', (details) => {
    if (!details.isMainFrame || !isOurDocument(details.url, devUrl)) details.preventDefault();
  });
  contents.on('will-navigate', (details) => {
    if (!isOurDocument(details.url, devUrl)) details.preventDefault();
  });
  contents.on('will-redirect', (details) => {
    if (!details.isMainFrame || !isOurDocument(details.url, devUrl)) details.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Cameras, places, notifications, clipboards, devices: the page needs none, main does what there is to do. */
function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}
