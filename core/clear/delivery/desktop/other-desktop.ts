/**
 * The desktop of macOS and Windows: windows from x-win, the clipboard's text from nut-js. Not run
 * on a real one yet (docs/platforms.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clipboard } from '@nut-tree/nut-js';
import { type Message, message } from '../../../messages/message.ts';
import type { Desktop, DesktopWindow, Memory, Selection } from './typist-words.ts';

/** There is no word from the system when a program has read the clipboard. */
const READ_WITHIN_MS = 500;
const NAME = 'CLIPBOARD';

type Windows = typeof import('@miniben90/x-win');

export class OtherDesktop implements Desktop {
  readonly #windows: Windows;

  /**
   * Its native part is not made for every processor that Linux runs on, so it is loaded only where
   * it is used.
   */
  static async connect(): Promise<OtherDesktop> {
    return new OtherDesktop(await import('@miniben90/x-win'));
  }

  private constructor(windows: Windows) {
    this.#windows = windows;
  }

  async windowsOf(pids: readonly number[]): Promise<DesktopWindow[]> {
    const windows = this.#windows.openWindows().map(({ id, info, position }) => {
      return {
        id,
        pid: info.processId,
        isMinimised: position.width === 0 || position.height === 0,
      };
    });
    return windows.filter(({ pid }) => pids.includes(pid));
  }

  async active(): Promise<number> {
    return this.#windows.activeWindow().id;
  }

  async canFocus(window: number): Promise<boolean> {
    return this.#windows.openWindows().some(({ id }) => id === window);
  }

  async refusal(window: number): Promise<Message | undefined> {
    return (await this.active()) === window ? undefined : message('driver.otherWindowActive');
  }

  async remember(): Promise<Memory> {
    const text = await clipboard.getContent().catch(() => '');
    const form = {
      target: 'text',
      type: 'text',
      format: 8,
      data: Buffer.from(text).toString('base64'),
    };
    const notToUse = text === '' ? { notToUse: message('driver.clipboardNoText') } : {};
    return {
      active: await this.active(),
      selections: [{ name: NAME, forms: [form] }],
      ...notToUse,
    };
  }

  async offer(text: string): Promise<void> {
    await clipboard.setContent(text);
  }

  async fetched(): Promise<boolean> {
    await sleep(READ_WITHIN_MS);
    return true;
  }

  async giveBack(selections: readonly Selection[], offered: string): Promise<void> {
    const [form] = selections[0]?.forms ?? [];
    if (form !== undefined && (await clipboard.getContent()) === offered)
      await this.hand(Buffer.from(form.data, 'base64').toString());
  }

  async hand(text: string): Promise<void> {
    await clipboard.setContent(text);
  }

  async released(): Promise<void> {
    // The system keeps the clipboard itself.
  }
}
