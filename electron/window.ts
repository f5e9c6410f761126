/**
 * The window: made when it is first wanted, hidden and not closed by its close button, so that the
 * tray stays and unsaved text is kept. It comes back where it was, and its page with it if that is
 * gone.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserWindow, nativeTheme, screen, type WebContents } from 'electron';
import type { Places } from '../core/platform/store/places.ts';
import { readWindowPlace, saveWindowPlace } from '../core/usecases/host-files.ts';
import { sessionsAddress, WINDOW_ADDRESS } from './app-address.ts';
import { loadPage } from './load-page.ts';
import { safePreferences } from './page-guard.ts';
import { restWhileHidden } from './rest-while-hidden.ts';
import { SMALLEST, visibleBounds } from './window-place.ts';

const KEEP_AFTER_MS = 500;
/** A page that hangs does not hold up the end. */
const CLOSE_WITHIN_MS = 2000;

export interface WindowOptions {
  places: Places;
  preload: string;
  onPage(contents: WebContents): void;
}

export class MainWindow {
  readonly #options: WindowOptions;
  #window: BrowserWindow | undefined;
  #mayClose = false;
  /** It has been drawn once; before that an empty window would be seen. */
  #isDrawn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  get browserWindow(): BrowserWindow | undefined {
    return this.#window;
  }

  /**
   * In front of all, whether it was hidden, minimised, crashed or never there; `project`: with the
   * sessions of this one.
   */
  show(project?: string): void {
    const window = this.#window;
    const address = project === undefined ? WINDOW_ADDRESS : sessionsAddress(project);
    if (window === undefined) {
      this.#window = this.#make(address);
      return;
    }
    // A page that is there sees what is new behind the `#`, and is not loaded again.
    if (project !== undefined) void loadPage(window, address);
    else if (window.webContents.isCrashed()) window.webContents.reload();
    if (!this.#isDrawn) return; // shown when it is ready
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /**
   * The application is ending: now a close is a close. Comes back when the page has kept what was
   * typed there.
   */
  async close(): Promise<void> {
    this.#mayClose = true;
    this.#keepPlace();
    const window = this.#window;
    if (window === undefined || window.isDestroyed()) return;
    const closed = new Promise<void>((resolve) => window.once('closed', resolve));
    window.close();
    await Promise.race([closed, sleep(CLOSE_WITHIN_MS)]);
  }

  #make(address: string): BrowserWindow {
    const { places, preload, onPage } = this.#options;
    const kept = readWindowPlace(places);
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
    const window = new BrowserWindow({
      ...visibleBounds(kept.bounds, screens),
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      title: 'Memory Keeper',
      icon: join(import.meta.dirname, 'icon.png'), // macOS and Windows take it from the package
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#141518' : '#fcfcfb',
      autoHideMenuBar: true,
      webPreferences: safePreferences(preload),
    });
    onPage(window.webContents);
    const hide = restWhileHidden(window);
    window.once('ready-to-show', () => {
      this.#isDrawn = true;
      if (kept.isMaximized === true) window.maximize();
      window.show();
    });
    window.on('page-title-updated', (event) => event.preventDefault());
    window.on('resize', () => this.#keepSoon()).on('move', () => this.#keepSoon());
    window.on('close', (event) => {
      if (this.#mayClose) return;
      event.preventDefault();
      hide();
    });
    window.on('closed', () => {
      this.#window = undefined;
      this.#isDrawn = false;
    });
    void loadPage(window, address);
    return window;
  }

  #keepSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keepPlace(), KEEP_AFTER_MS);
  }

  #keepPlace(): void {
    clearTimeout(this.#timer);
    const window = this.#window;
    if (window === undefined || window.isDestroyed()) return;
    saveWindowPlace(this.#options.places, {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
    });
  }
}
