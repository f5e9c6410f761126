/**
 * Runs in the sandbox beside a page of ours and gives it a HostPort, and nothing else of Electron
 * (G3).
 */
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { EngineEvent } from '../core/usecases/contract.ts';
import type { HostPort } from '../core/usecases/host-port.ts';
import { CHANNELS } from './channels.ts';

const port: HostPort = {
  kind: 'electron',
  call: (method, args) => ipcRenderer.invoke(CHANNELS.call, method, args),
  onEvent(listener) {
    const hear = (_event: IpcRendererEvent, event: EngineEvent) => listener(event);
    ipcRenderer.on(CHANNELS.event, hear);
    return () => {
      ipcRenderer.off(CHANNELS.event, hear);
    };
  },
  openLink: (url) => ipcRenderer.invoke(CHANNELS.link, url),
  choose: (choice) => ipcRenderer.invoke(CHANNELS.choose, choice),
  download: async () => undefined, // it was written where the user wants it
};

contextBridge.exposeInMainWorld('memoryKeeperHost', port);
