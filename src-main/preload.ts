import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { PreloadBridge } from '../src-shared/ipc/contract.ts';

// The channel names stand here again because a sandboxed preload can load nothing of main's.
const REQUEST_CHANNEL = 'gantry:request';
const PUSH_CHANNEL = 'gantry:push';

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

contextBridge.exposeInMainWorld('gantry', bridge);
