import { BrowserWindow, type Session, shell, type WebContents } from 'electron';
import { APP_ORIGIN, APP_URL } from './protocol.ts';

const BACKGROUND = { dark: '#0E1014', light: '#FFFFFF' } as const;

/** The one window. Sandboxed, without Node, and unable to go anywhere else. */
export function createMainWindow(deps: {
  readonly preload: string;
  /** The dev server's address while developing. */
  readonly devUrl: string | undefined;
  readonly dark: boolean;
  readonly show: boolean;
  readonly query: string;
}): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
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
      webSecurity: true,
      spellcheck: false,
    },
  });
  refuseToLeave(window.webContents, deps.devUrl);
  refusePermissions(window.webContents.session);
  if (deps.show) window.once('ready-to-show', () => window.show());
  void window.loadURL(`${deps.devUrl ?? APP_URL}${deps.query}`);
  return window;
}

/** Is this the address of our own page? */
export function isOurPage(url: string, devUrl: string | undefined): boolean {
  if (devUrl !== undefined && new URL(url).origin === new URL(devUrl).origin) return true;
  return url.startsWith(`${APP_ORIGIN}/`);
}

function refuseToLeave(contents: WebContents, devUrl: string | undefined): void {
  contents.on('will-navigate', (event, url) => {
    if (!isOurPage(url, devUrl)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
}
