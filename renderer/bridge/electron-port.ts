/** Electron's preload puts a HostPort on the window under this name, and nothing else. */
import type { HostPort } from '../../core/usecases/host-port.ts';

declare global {
  interface Window {
    memoryKeeperHost?: HostPort;
  }
}

export function electronPort(): HostPort | undefined {
  return window.memoryKeeperHost;
}
