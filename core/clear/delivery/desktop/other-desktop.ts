/** The desktop of macOS and Windows. Not run on a real one yet (docs/platforms.md). */
import { setTimeout as sleep } from 'node:timers/promises';
import { clipboard } from '@nut-tree/nut-js';
import { message } from '../../../messages/message.ts';
import type { Clipboard, Desktop } from './typist-protocol.ts';

/** The system does not say when a program has read the clipboard. */
const PASTE_TAKES_MS = 500;

/** x-win is loaded only here: its native part is not built for every processor of Linux. */
export async function connectOtherDesktop(): Promise<Desktop> {
  const xWin = await import('@miniben90/x-win');
  const active = async () => xWin.activeWindow().id;
  return {
    clipboard: otherClipboard,
    active,

    async windowsOf(pids) {
      const windows = xWin.openWindows().map(({ id, info, position }) => {
        const isMinimised = position.width === 0 || position.height === 0;
        return { id, pid: info.processId, isMinimised };
      });
      return windows.filter(({ pid }) => pids.includes(pid));
    },

    async canFocus(window) {
      return xWin.openWindows().some(({ id }) => id === window);
    },

    async refusal(window) {
      return (await active()) === window ? undefined : message('driver.otherWindowActive');
    },

    async saveState() {
      const text = await clipboard.getContent().catch(() => '');
      const data = Buffer.from(text).toString('base64');
      const form = { target: 'text', type: 'text', format: 8, data };
      return {
        active: await active(),
        selections: [{ name: 'CLIPBOARD', forms: [form] }],
        ...(text === '' && { pasteRefusal: message('driver.clipboardNoText') }),
      };
    },
  };
}

const otherClipboard: Clipboard = {
  offer: (text) => otherClipboard.copy(text),

  async fetched() {
    await sleep(PASTE_TAKES_MS);
    return true;
  },

  async restore(selections, offered) {
    const [form] = selections[0]?.forms ?? [];
    if (form !== undefined && (await clipboard.getContent()) === offered)
      await otherClipboard.copy(Buffer.from(form.data, 'base64').toString());
  },

  async copy(text) {
    await clipboard.setContent(text);
  },

  async released() {
    // The system keeps the clipboard itself.
  },
};
