/**
 * The desktop under X: which windows a process has, which one is active, and whether a key would
 * arrive there unchanged. It asks the X server and the window manager directly, so that no other
 * program has to be installed.
 */
import { hostname } from 'node:os';
import { ExpectedError } from '../../../messages/expected-error.ts';
import { type Message, message } from '../../../messages/message.ts';
import type { Desktop, DesktopWindow, KeyName, Memory, Selection } from './typist-words.ts';
import { X } from './x-client.ts';
import { Selections } from './x-selections.ts';

const ALREADY_GRABBED = 1;
const ASYNCHRONOUS = 1;
/** In the state of the pointer, these bits tell which of the user's layouts is in use. */
const LAYOUT_SHIFT = 13;
const LAYOUT_BITS = 3;
const LATIN_OF: Partial<Record<KeyName, string>> = {
  stash: 's',
  c: 'c',
  l: 'l',
  e: 'e',
  a: 'a',
  r: 'r',
};

export class XDesktop implements Desktop {
  readonly #x: X;
  readonly #selections: Selections;

  static async connect(): Promise<XDesktop> {
    const x = await X.connect();
    return new XDesktop(x, await Selections.of(x));
  }

  private constructor(x: X, selections: Selections) {
    this.#x = x;
    this.#selections = selections;
  }

  async windowsOf(pids: readonly number[]): Promise<DesktopWindow[]> {
    const ids = await this.#x.numbers(this.#x.root, '_NET_CLIENT_LIST');
    const windows = await Promise.all(ids.map((id) => this.#window(id)));
    return windows.filter(
      (window) => window !== undefined && pids.includes(window.pid),
    ) as DesktopWindow[];
  }

  async #window(id: number): Promise<DesktopWindow | undefined> {
    const [pid = 0] = await this.#x.numbers(id, '_NET_WM_PID');
    // What a window says of itself may be meant for another machine or a container; the server
    // knows who made it.
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
    const held = await this.#x.call<Buffer>((client, reply) => client.QueryKeymap(reply));
    if (held.some((byte) => byte !== 0)) return message('driver.keyHeld');
    const latin = key === undefined ? undefined : LATIN_OF[key];
    if (latin !== undefined && !(await this.#yields(latin)))
      return message('driver.keyMissing', { key: latin });
    if ((await this.active()) !== window) return message('driver.otherWindowActive');
    return (await this.#hasKeyboard(window)) ? undefined : message('driver.keyboardElsewhere');
  }

  /** The window manager's word and the server's own can differ for a moment. */
  async #hasKeyboard(window: number): Promise<boolean> {
    let { focus } = await this.#x.call<{ focus: number }>((client, reply) =>
      client.GetInputFocus(reply),
    );
    while (focus > 1 && focus !== window) {
      const asked = focus;
      const tree = await this.#x
        .call<{ parent: number }>((client, reply) => client.QueryTree(asked, reply))
        .catch(() => undefined);
      focus = tree?.parent ?? 0;
    }
    return focus === window;
  }

  /**
   * The key is looked up by the letter in all layouts, but pressing it gives what it means in the
   * one in use.
   */
  async #yields(letter: string): Promise<boolean> {
    const { min_keycode: first, max_keycode: last } = this.#x.display;
    const keys = await this.#x.call<number[][]>((client, reply) =>
      client.GetKeyboardMapping(first, last - first + 1, reply),
    );
    const { keyMask } = await this.#x.call<{ keyMask: number }>((client, reply) =>
      client.QueryPointer(this.#x.root, reply),
    );
    const layout = (keyMask >> LAYOUT_SHIFT) & LAYOUT_BITS;
    const symbol = letter.charCodeAt(0);
    const key = keys.find((symbols) => symbols.includes(symbol));
    return key !== undefined && layout <= 1 && (key[layout * 2] || key[0]) === symbol;
  }

  async remember(): Promise<Memory> {
    if (await this.#isKeyboardTaken()) throw new ExpectedError(message('driver.keyboardTaken'));
    const saved = await this.#selections.save();
    return { active: await this.active(), ...saved };
  }

  /** Every screen lock under X takes the whole keyboard; whoever asks for it then is told so. */
  async #isKeyboardTaken(): Promise<boolean> {
    const status = await this.#x.call<number>((client, reply) =>
      client.GrabKeyboard(this.#x.root, 1, 0, ASYNCHRONOUS, ASYNCHRONOUS, reply),
    );
    this.#x.client.UngrabKeyboard(0);
    return status === ALREADY_GRABBED;
  }

  offer(text: string): Promise<void> {
    return this.#selections.offer(text);
  }

  fetched(window: number): Promise<boolean> {
    return this.#selections.fetched(window);
  }

  giveBack(selections: readonly Selection[], offered: string): Promise<void> {
    return this.#selections.giveBack(selections, offered);
  }

  hand(text: string): Promise<void> {
    return this.#selections.hand(text);
  }

  released(): Promise<void> {
    return this.#selections.released();
  }
}
