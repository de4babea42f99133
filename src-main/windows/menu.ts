import { Menu, type MenuItemConstructorOptions } from 'electron';

/**
 * The app's menu. Without one Electron shows its own, which opens the developer tools of a built app. Commands of ours have
 * their keys in the page, which shows them in its palette; a Mac expects them here.
 */
export function setMenu(deps: { readonly development: boolean; readonly newWindow: () => void }): void {
  const isMac = process.platform === 'darwin';
  const newWindow: MenuItemConstructorOptions = {
    label: 'New window',
    click: deps.newWindow,
    ...(isMac ? { accelerator: 'Shift+Cmd+N' } : {}),
  };
  const zoom: readonly MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ];
  const development: readonly MenuItemConstructorOptions[] = [{ role: 'reload' }, { role: 'toggleDevTools' }];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu' } as const] : []),
      { label: 'File', submenu: [newWindow, { role: 'close' }, ...(isMac ? [] : [{ role: 'quit' } as const])] },
      { role: 'editMenu' },
      { label: 'View', submenu: [...zoom, ...(deps.development ? development : [])] },
      { role: 'windowMenu' },
    ]),
  );
}
