/**
 * WezTerm, by its command line: the pane is the one that reports the session's tty. WezTerm does
 * not report the cursor's row, so the driver types only if there is exactly one prompt box (A3).
 */
import * as v from 'valibot';
import { message } from '../../messages/message.ts';
import type { MakeDriver } from './driver.ts';
import { parseAs } from './parse-as.ts';
import { notIn, programOf, terminalDriver } from './terminal-driver.ts';

const Panes = v.array(
  v.object({ pane_id: v.number(), tty_name: v.optional(v.nullable(v.string())) }),
);

export const weztermDriver: MakeDriver = (tools) =>
  terminalDriver('wezterm', tools, async ({ pid, tty }) => {
    const names = ['WEZTERM_PANE', 'WEZTERM_UNIX_SOCKET'];
    const { WEZTERM_PANE: claimed, ...socket } = await tools.processes.environment(pid, names);
    if (claimed === undefined) return notIn('wezterm');
    const env = { ...tools.env, ...socket };
    // Without --no-auto-start it would start a server that nobody asked for.
    const wezterm = programOf('wezterm', tools, ['cli', '--no-auto-start'], { env });
    const listed = await wezterm('list', '--format', 'json');
    if (!listed.ok) return { why: listed.reason };
    const panes = parseAs(Panes, listed.stdout) ?? [];
    const [pane, another] = panes.filter(({ tty_name }) => tty_name === tty);
    if (pane === undefined || another !== undefined)
      return { why: message('driver.weztermNoPane') };
    const id = ['--pane-id', String(pane.pane_id)];
    return {
      how: message('driver.weztermHow', { pane: String(pane.pane_id) }),
      terminal: {
        async read() {
          const text = await wezterm('get-text', ...id, '--escapes');
          return text.ok
            ? { lines: text.stdout.split(/\r?\n/), isStyled: true }
            : { unreadable: text.reason };
        },

        send: (keys) => wezterm('send-text', ...id, '--no-paste', '--', keys),
      },
    };
  });
