/**
 * The desktop under X: a process's windows, the active one, and whether a key would arrive there
 * unchanged. Asks the X server and the window manager directly, so it needs no other program.
 */
import { hostname } from 'node:os';
import { ExpectedError } from '../../../messages/expected-error.ts';
import { type Message, message } from '../../../messages/message.ts';
import type { Desktop, DesktopState, DesktopWindow, KeyName } from './typist-protocol.ts';
import { X } from './x-client.ts';
import { XClipboard } from './x-clipboard.ts';

const ALREADY_GRABBED = 1;
const ASYNCHRONOUS = 1;
/** In the state of the pointer, these bits tell which of the user's layouts is in use. */
const LAYOUT_SHIFT = 13;
const LAYOUT_BITS = 3;

export class XDesktop implements Desktop {
  readonly #x: X;
  readonly clipboard: XClipboard;

  static async connect(): Promise<XDesktop> {
    return new XDesktop(await X.connect());
  }

  private constructor(x: X) {
    this.#x = x;
    this.clipboard = new XClipboard(x);
  }

  async windowsOf(pids: readonly number[]): Promise<DesktopWindow[]> {
    const ids = await this.#x.numbers(this.#x.root, '_NET_CLIENT_LIST');
    const windows = await Promise.all(ids.map((id) => this.#window(id)));
    return windows.flatMap((window) => (window && pids.includes(window.pid) ? window : []));
  }

  async #window(id: number): Promise<DesktopWindow | undefined> {
    const [pid = 0] = await this.#x.numbers(id, '_NET_WM_PID');
    // The pid may be one of another machine or container; the server knows who made the window.
    const machine = await this.#x.text(id, 'WM_CLIENT_MACHINE');
    if (machine !== '' && machine !== hostname() && machine !== 'localhost') return undefined;
    const maker = await this.#x.processOf(id);
    if (maker !== 0 && maker !== pid) return undefined;
    return { id, pid, isMinimised: await this.#isMinimised(id) };
  }

  async active(): Promise<number> {
    const [active = 0] = await this.#x.numbers(this.#x.root, '_NET_ACTIVE_WINDOW');
    return active;
  }

  async canFocus(window: number): Promise<boolean> {
    const isThere = (await this.#x.numbers(this.#x.root, '_NET_CLIENT_LIST')).includes(window);
    return isThere && !(await this.#isMinimised(window));
  }

  async #isMinimised(window: number): Promise<boolean> {
    const states = await this.#x.numbers(window, '_NET_WM_STATE');
    return states.includes(await this.#x.atom('_NET_WM_STATE_HIDDEN'));
  }

  async refusal(window: number, key?: KeyName): Promise<Message | undefined> {
    const held = await this.#x.call(this.#x.client.QueryKeymap);
    if (held.some((byte) => byte !== 0)) return message('driver.keyHeld');
    const letter = key === 'stash' ? 's' : key; // the others of one letter are named after it
    if (letter?.length === 1 && !(await this.#isOnKeyboard(letter)))
      return message('driver.keyMissing', { key: letter });
    if ((await this.active()) !== window) return message('driver.otherWindowActive');
    return (await this.#hasKeyboard(window)) ? undefined : message('driver.keyboardElsewhere');
  }

  /** For a moment, the X server may give the keyboard to another window than the active one. */
  async #hasKeyboard(window: number): Promise<boolean> {
    const { GetInputFocus, QueryTree } = this.#x.client;
    let { focus } = await this.#x.call(GetInputFocus);
    while (focus > 1 && focus !== window) {
      const tree = await this.#x.call(QueryTree, focus).catch(() => undefined);
      focus = tree?.parent ?? 0;
    }
    return focus === window;
  }

  /** nut-js finds a key by its letter in any layout; pressing it uses the current layout. */
  async #isOnKeyboard(letter: string): Promise<boolean> {
    const { client, display, root } = this.#x;
    const { min_keycode: first, max_keycode: last } = display;
    const keys = await this.#x.call(client.GetKeyboardMapping, first, last - first + 1);
    const { keyMask } = await this.#x.call(client.QueryPointer, root);
    const layout = (keyMask >> LAYOUT_SHIFT) & LAYOUT_BITS;
    const symbol = letter.charCodeAt(0);
    const key = keys.find((symbols) => symbols.includes(symbol));
    return key !== undefined && layout <= 1 && (key[layout * 2] || key[0]) === symbol;
  }

  async saveState(): Promise<DesktopState> {
    if (await this.#isKeyboardGrabbed()) throw new ExpectedError(message('driver.keyboardTaken'));
    const saved = await this.clipboard.save();
    return { active: await this.active(), ...saved };
  }

  /** Every screen lock under X grabs the whole keyboard; then nobody else can. */
  async #isKeyboardGrabbed(): Promise<boolean> {
    const { client, root } = this.#x;
    const status = await this.#x.call(client.GrabKeyboard, root, 1, 0, ASYNCHRONOUS, ASYNCHRONOUS);
    client.UngrabKeyboard(0);
    return status === ALREADY_GRABBED;
  }
}
