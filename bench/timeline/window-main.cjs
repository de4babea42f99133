// An Electron window with one word in it: what a start costs without an app. Plain CommonJS, so that it runs unbuilt.
const { app, BrowserWindow } = require('electron');

app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900, show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  void window.loadURL('data:text/html,<title>Empty</title><p>Ready');
});
app.on('window-all-closed', () => app.quit());
