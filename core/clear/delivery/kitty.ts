/**
 * kitty, by its remote control: the window is the one that lists the session's process in its
 * foreground. In tmux or ssh the variables are inherited, but the process is not in the list (A3).
 */
import * as v from 'valibot';
import { message } from '../../messages/message.ts';
import type { MakeDriver } from './driver.ts';
import { parseAs } from './parse-as.ts';
import { notIn, programOf, terminalDriver } from './terminal-driver.ts';

const Window = v.object({
  id: v.number(),
  pid: v.optional(v.nullable(v.number())),
  foreground_processes: v.optional(v.array(v.object({ pid: v.number() })), []),
});
const OsWindows = v.array(v.object({ tabs: v.array(v.object({ windows: v.array(Window) })) }));

/** Follows an escape on the last line. */
const CURSOR = /^\[(\d+);(\d+)H/;

export const kittyDriver: MakeDriver = (tools) =>
  terminalDriver('kitty', tools, async ({ pid }) => {
    const names = ['KITTY_LISTEN_ON', 'KITTY_WINDOW_ID'];
    const { KITTY_LISTEN_ON: address, KITTY_WINDOW_ID: claimed } =
      await tools.processes.environment(pid, names);
    if (claimed === undefined) return notIn('kitty');
    if (address === undefined) return { why: message('driver.kittyRemoteOff') };
    const kitty = programOf('kitty', tools, ['@', '--to', address]);
    const listed = await kitty('ls');
    if (!listed.ok) return { why: listed.reason };
    const ids = windowsOf(listed.stdout, pid);
    if (ids.length !== 1 || String(ids[0]) !== claimed)
      return { why: message('driver.kittyNoWindow') };
    const match = ['--match', `id:${claimed}`];
    const getText = ['get-text', ...match, '--ansi', '--add-cursor', '--add-wrap-markers'];
    return {
      how: message('driver.kittyHow', { window: claimed }),
      terminal: {
        async read() {
          const text = await kitty(...getText);
          if (!text.ok) return { unreadable: text.reason };
          const sequences = text.stdout.split('\x1b').map((part) => CURSOR.exec(part));
          const [, row, column] = sequences.find(Boolean) ?? [];
          if (row === undefined || column === undefined)
            return { unreadable: message('driver.kittyNoCursor') };
          const cursor = { row: Number(row) - 1, column: Number(column) - 1 };
          return { lines: text.stdout.split(/\r\n|\r|\n/), isStyled: true, cursor };
        },

        // kitty reads backslashes in the text as Python does.
        send: (keys) =>
          kitty('send-text', ...match, Buffer.from(keys).toString('hex').replace(/../g, '\\x$&')),
      },
    };
  });

/** The windows with this process in the foreground. */
function windowsOf(listed: string, pid: number): number[] {
  const windows = (parseAs(OsWindows, listed) ?? [])
    .flatMap(({ tabs }) => tabs)
    .flatMap((tab) => tab.windows);
  return windows
    .filter((window) => [window, ...window.foreground_processes].some((one) => one.pid === pid))
    .map(({ id }) => id);
}
