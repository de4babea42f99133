import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { PUSH_CHANNEL, RECEIVED_CHANNEL, REQUEST_CHANNEL } from '../src-shared/ipc/channels.ts';
import type { PreloadBridge } from '../src-shared/ipc/contract.ts';

/** The whole of what a page can reach of us: three functions. Names and inputs are checked in main. */
const bridge: PreloadBridge = {
  invoke: (name, input) => ipcRenderer.invoke(REQUEST_CHANNEL, name, input),
  on(name, listener) {
    const relay = (_event: unknown, pushed: unknown, payload: unknown): void => {
      if (pushed === name) listener(payload);
    };
    ipcRenderer.on(PUSH_CHANNEL, relay);
    return () => ipcRenderer.removeListener(PUSH_CHANNEL, relay);
  },
  pathOf: (file) => webUtils.getPathForFile(file),
};

// Main sends a page no more events than it takes in. A message counts as taken in when the page's thread comes to it.
ipcRenderer.on(PUSH_CHANNEL, (_event, name: string, payload: { readonly sessionId: string }) => {
  if (name === 'session.events') ipcRenderer.send(RECEIVED_CHANNEL, payload.sessionId);
});

contextBridge.exposeInMainWorld('gantry', bridge);
