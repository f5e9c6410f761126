/**
 * zellij 0.44 and later, which can address a pane. It does not report a pane's tty, but gives each
 * pane a lasting number when it starts it: we take the number from the process that the zellij
 * server started on the session's tty, and that tty must read the keys (A3).
 */
import * as v from 'valibot';
import { message } from '../../messages/message.ts';
import type { MakeDriver } from './driver.ts';
import { parseAs } from './parse-as.ts';
import { multiplexerOf, programOf, terminalDriver } from './terminal-driver.ts';
import { withTtyCheck } from './tty-check.ts';

const Panes = v.array(
  v.object({ id: v.number(), is_plugin: v.boolean(), exited: v.boolean(), tab_id: v.number() }),
);
const Tabs = v.array(v.object({ tab_id: v.number(), is_sync_panes_active: v.boolean() }));

export const zellijDriver: MakeDriver = (tools) =>
  terminalDriver('zellij', tools, async (process) => {
    const found = await multiplexerOf('zellij', tools, process, /^zellij/);
    if ('why' in found) return found;
    const { tty } = process;
    const names = ['ZELLIJ_SESSION_NAME', 'ZELLIJ_PANE_ID'];
    const { ZELLIJ_SESSION_NAME: session, ZELLIJ_PANE_ID: number = '' } =
      await tools.processes.environment(found.child.pid, names);
    if (found.child.tty !== tty || session === undefined || !/^\d+$/.test(number))
      return { why: message('driver.zellijNotOwn') };
    const zellij = programOf('zellij', tools, ['--session', session, 'action']);
    /** The tab of the pane, or why there is none. */
    const findTab = async () => {
      const panes = await zellij('list-panes', '--json', '--all');
      const tabs = await zellij('list-tabs', '--json', '--all');
      if (!panes.ok) return panes.reason;
      if (!tabs.ok) return tabs.reason;
      const pane = parseAs(Panes, panes.stdout)?.find(
        ({ id, is_plugin }) => !is_plugin && String(id) === number,
      );
      const tab = parseAs(Tabs, tabs.stdout)?.find(({ tab_id }) => tab_id === pane?.tab_id);
      return tab === undefined || pane?.exited !== false ? message('driver.zellijNoPane') : tab;
    };
    const tab = await findTab();
    if ('code' in tab) return { why: tab };
    const address = ['--pane-id', `terminal_${number}`];
    return {
      how: message('driver.zellijHow', { pane: number, session }),
      terminal: withTtyCheck(tty, {
        async read() {
          const now = await findTab();
          if ('code' in now) return { unreadable: now };
          if (now.is_sync_panes_active) return { unreadable: message('driver.zellijSynchronized') };
          const text = await zellij('dump-screen', ...address, '--ansi');
          return text.ok
            ? { lines: text.stdout.split(/\r?\n/), isStyled: true }
            : { unreadable: text.reason };
        },

        send: (keys) => zellij('write', ...address, ...[...Buffer.from(keys)].map(String)),
      }),
    };
  });
