/**
 * kitty, by its remote control: the window is the one whose foreground processes, as kitty reports
 * them, include the session's. In tmux or ssh inside kitty the variables are inherited, but the
 * process is not in the list (A3).
 */
import * as v from 'valibot';
import { message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { driverName, type MakeDriver } from './driver.ts';
import { ANSWER_WITHIN_MS, programFailed, sentBy, terminalDriver } from './terminal-driver.ts';

const Windows = v.array(
  v.object({
    tabs: v.array(
      v.object({
        windows: v.array(
          v.object({
            id: v.number(),
            pid: v.optional(v.nullable(v.number())),
            foreground_processes: v.optional(v.array(v.object({ pid: v.number() })), []),
          }),
        ),
      }),
    ),
  }),
);

/** Follows an escape on the last line. */
const CURSOR = /^\[(\d+);(\d+)H/;

export const kittyDriver: MakeDriver = ({ processes, run, ...tools }) =>
  terminalDriver('kitty', { processes, run, ...tools }, async ({ pid }) => {
    const env = await processes.environment(pid, ['KITTY_LISTEN_ON', 'KITTY_WINDOW_ID']);
    const { KITTY_LISTEN_ON: address, KITTY_WINDOW_ID: claimed } = env;
    if (claimed === undefined)
      return { why: message('driver.notIn', { driver: driverName('kitty') }) };
    if (address === undefined) return { why: message('driver.kittyRemoteOff') };
    const kitty = (...args: string[]) =>
      run('kitty', ['@', '--to', address, ...args], { timeoutMs: ANSWER_WITHIN_MS });
    const listed = await kitty('ls');
    if (!listed.ok) return { why: programFailed('kitty', listed) };
    const ids = windowsOf(listed.stdout, pid);
    if (ids.length !== 1 || String(ids[0]) !== claimed)
      return { why: message('driver.kittyNoWindow') };
    const match = ['--match', `id:${claimed}`];
    return {
      how: message('driver.kittyHow', { window: claimed }),
      terminal: {
        async read() {
          const text = await kitty(
            'get-text',
            ...match,
            '--ansi',
            '--add-cursor',
            '--add-wrap-markers',
          );
          if (!text.ok) return { unreadable: programFailed('kitty', text) };
          const [, row, column] =
            text.stdout
              .split('\x1b')
              .map((part) => CURSOR.exec(part))
              .find(Boolean) ?? [];
          if (row === undefined || column === undefined)
            return { unreadable: message('driver.kittyNoCursor') };
          const lines = text.stdout.split(/\r\n|\r|\n/);
          return {
            lines,
            isStyled: true,
            cursor: { row: Number(row) - 1, column: Number(column) - 1 },
          };
        },
        // kitty reads backslashes in the text as Python does.
        async send(keys) {
          const codes = [...keys].map((key) => `\\x${hex(key)}`).join('');
          return sentBy('kitty', await kitty('send-text', ...match, codes));
        },
      },
    };
  });

/** The windows in whose foreground this process is. */
function windowsOf(listed: string, pid: number): number[] {
  const parsed = v.safeParse(Windows, parseJson(listed));
  const windows = parsed.success
    ? parsed.output.flatMap(({ tabs }) => tabs.flatMap((tab) => tab.windows))
    : [];
  return windows.flatMap(({ id, pid: first, foreground_processes: others }) =>
    first === pid || others.some((other) => other.pid === pid) ? [id] : [],
  );
}

function hex(key: string): string {
  return key.charCodeAt(0).toString(16).padStart(2, '0');
}
