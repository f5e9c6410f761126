/**
 * The tray item (G1): the state of all sessions comes in, the icon, the tooltip and the menu follow
 * it, redrawn only where something has changed. What the user chooses in the menu goes out as an
 * act.
 */
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import type { LiveState } from '../core/usecases/contract.ts';
import type { Say } from './texts.ts';
import { trayImage } from './tray-icon.ts';
import { trayLook } from './tray-look.ts';
import { type TrayAct, type TrayLine, tooltip, trayLines } from './tray-menu.ts';

const NOTHING_YET: LiveState = { sessions: [], problems: [], clears: [], isPaused: false };

export class TrayItem {
  readonly #tray: Tray;
  readonly #onAct: (act: TrayAct) => void;
  #state = NOTHING_YET;
  #say: Say;
  #shown = { look: '', tooltip: '', lines: '' };

  constructor(say: Say, onAct: (act: TrayAct) => void) {
    this.#say = say;
    this.#onAct = onAct;
    this.#tray = new Tray(trayImage(trayLook(NOTHING_YET)));
    // On macOS a click shows the menu.
    if (process.platform !== 'darwin') this.#tray.on('click', () => onAct({ do: 'open' }));
    nativeTheme.on('updated', this.#redraw);
    this.#redraw();
  }

  show(state: LiveState): void {
    this.#state = state;
    this.#redraw();
  }

  speak(say: Say): void {
    this.#say = say;
    this.#redraw();
  }

  remove(): void {
    nativeTheme.off('updated', this.#redraw);
    this.#tray.destroy();
  }

  readonly #redraw = (): void => {
    if (this.#tray.isDestroyed()) return; // what was asked before the end is answered behind it
    const look = trayLook(this.#state);
    const lines = trayLines(this.#state, this.#say);
    const now = {
      look: JSON.stringify([look, nativeTheme.shouldUseDarkColors]),
      tooltip: tooltip(this.#state, this.#say),
      lines: JSON.stringify(lines),
    };
    if (now.look !== this.#shown.look) this.#tray.setImage(trayImage(look));
    if (now.tooltip !== this.#shown.tooltip) this.#tray.setToolTip(now.tooltip);
    if (now.lines !== this.#shown.lines)
      this.#tray.setContextMenu(Menu.buildFromTemplate(lines.map((line) => this.#item(line))));
    this.#shown = now;
  };

  #item(line: TrayLine): MenuItemConstructorOptions {
    if ('separator' in line) return { type: 'separator' };
    const { act, lines } = line;
    const label = line.label.replaceAll('&', '&&'); // one alone would mark a shortcut
    if (lines !== undefined) return { label, submenu: lines.map((inner) => this.#item(inner)) };
    return act === undefined ? { label, enabled: false } : { label, click: () => this.#onAct(act) };
  }
}
