import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { PUSH_CHANNEL, RECEIVED_CHANNEL, REQUEST_CHANNEL } from '../src-shared/ipc/channels.ts';
import type { PreloadBridge } from '../src-shared/ipc/contract.ts';

type Listener = (payload: unknown) => void;

/** Who on the page listens to what. Electron itself has one listener of ours, however many the page has. */
const listeners = new Map<string, Set<Listener>>();

/** The whole of what a page can reach of us: three functions. Names and inputs are checked in main. */
const bridge: PreloadBridge = {
  invoke: (name, input) => ipcRenderer.invoke(REQUEST_CHANNEL, name, input),
  on(name, listener) {
    const relay: Listener = (payload) => listener(payload);
    const those = listeners.get(name) ?? new Set();
    listeners.set(name, those.add(relay));
    return () => those.delete(relay);
  },
  pathOf: (file) => webUtils.getPathForFile(file),
};

ipcRenderer.on(PUSH_CHANNEL, (_event, name: string, payload: { readonly sessionId: string }) => {
  // Main sends a page no more events than it takes in. A message counts as taken in when the page's thread comes to it.
  if (name === 'session.events') ipcRenderer.send(RECEIVED_CHANNEL, payload.sessionId);
  for (const listener of listeners.get(name) ?? []) listener(payload);
});

contextBridge.exposeInMainWorld('gantry', bridge);
