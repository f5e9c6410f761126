/**
 * A small window that says what is about to be cleared, in how many seconds, and takes a no (A6).
 * Electron's notifications have no buttons on Linux, so it is the same window on all systems. It is
 * shown without taking the focus: whoever types goes on typing.
 */
import { BrowserWindow, type Rectangle, screen, type WebContents } from 'electron';
import type { LiveState, Method } from '../core/usecases/contract.ts';
import { COUNTDOWN_ADDRESS } from './app-address.ts';
import { countdownBounds } from './countdown-place.ts';
import { loadPage } from './load-page.ts';
import { safePreferences } from './page-guard.ts';

/** All that its page may ask for. */
export const COUNTDOWN_METHODS: readonly Method[] = [
  'app.about',
  'sessions.state',
  'sessions.request',
  'settings.read',
];

export interface CountdownOptions {
  preload: string;
  onPage(contents: WebContents): void;
}

export class CountdownWindow {
  readonly #options: CountdownOptions;
  #window: BrowserWindow | undefined;

  constructor(options: CountdownOptions) {
    this.#options = options;
  }

  /** There while a clear counts down or waits for a yes. */
  show(state: LiveState, title: string): void {
    const count = state.clears.filter((clear) => clear.state === 'countdown').length;
    if (count === 0) {
      this.close();
      return;
    }
    const bounds = this.#bounds(count);
    if (this.#window === undefined) this.#window = this.#make(bounds, title);
    else if (this.#window.getBounds().height !== bounds.height) this.#window.setBounds(bounds);
  }

  close(): void {
    this.#window?.destroy();
    this.#window = undefined;
  }

  #bounds(count: number): Rectangle {
    const { bounds, workArea } = screen.getPrimaryDisplay();
    return countdownBounds(count, bounds, workArea, process.platform);
  }

  #make(bounds: Rectangle, title: string): BrowserWindow {
    const { preload, onPage } = this.#options;
    const window = new BrowserWindow({
      ...bounds,
      title,
      show: false,
      frame: false,
      resizable: false,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
      skipTaskbar: true,
      alwaysOnTop: true,
      // Such windows are not given the focus when they appear, only when they are clicked.
      ...(process.platform === 'linux' && { type: 'notification' }),
      ...(process.platform === 'darwin' && { type: 'panel' }),
      webPreferences: safePreferences(preload),
    });
    onPage(window.webContents);
    window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    window.once('ready-to-show', () => window.showInactive());
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('closed', () => {
      if (this.#window === window) this.#window = undefined;
    });
    void loadPage(window, COUNTDOWN_ADDRESS);
    return window;
  }
}
