/**
 * Loads a page into one of our windows. A window that is closed, or given another page, before this
 * one is there has not failed.
 */
import type { BrowserWindow } from 'electron';

export async function loadPage(
  window: Pick<BrowserWindow, 'loadURL' | 'isDestroyed'>,
  address: string,
): Promise<void> {
  try {
    await window.loadURL(address);
  } catch (error) {
    // Electron calls a destroyed window ERR_FAILED, as it does a page that is not there.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ABORTED' && !window.isDestroyed())
      throw error;
  }
}
