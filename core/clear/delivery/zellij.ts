/**
 * zellij 0.44 and later, which can address a pane. It does not report a pane's tty, but gives each
 * pane a lasting number when it starts it: we take the number from the process that the zellij
 * server started on the session's tty, and that tty must read the keys (A3).
 */
import * as v from 'valibot';
import { message } from '../../messages/message.ts';
import { ancestry } from '../../platform/process/process-table.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { driverName, type MakeDriver } from './driver.ts';
import { heardBy } from './heard-keys.ts';
import { ANSWER_WITHIN_MS, programFailed, sentBy, terminalDriver } from './terminal-driver.ts';

const Panes = v.array(
  v.object({
    id: v.number(),
    is_plugin: v.boolean(),
    exited: v.boolean(),
    tab_id: v.number(),
  }),
);
const Tabs = v.array(v.object({ tab_id: v.number(), is_sync_panes_active: v.boolean() }));

export const zellijDriver: MakeDriver = (tools) =>
  terminalDriver('zellij', tools, async ({ pid, tty }) => {
    const chain = await ancestry(tools.processes, pid);
    const server = chain.findIndex(
      ({ name, tty: other }) => name.startsWith('zellij') && other !== tty,
    );
    const started = chain[server - 1];
    if (started === undefined)
      return { why: message('driver.notIn', { driver: driverName('zellij') }) };
    const env = await tools.processes.environment(started.pid, [
      'ZELLIJ_SESSION_NAME',
      'ZELLIJ_PANE_ID',
    ]);
    const { ZELLIJ_SESSION_NAME: session, ZELLIJ_PANE_ID: number } = env;
    if (
      started.tty !== tty ||
      session === undefined ||
      number === undefined ||
      !/^\d+$/.test(number)
    ) {
      return { why: message('driver.zellijNotOwn') };
    }
    const zellij = (...args: string[]) =>
      tools.run('zellij', ['--session', session, 'action', ...args], {
        timeoutMs: ANSWER_WITHIN_MS,
      });
    const paneAndTab = async () => {
      const panes = await zellij('list-panes', '--json', '--all');
      const tabs = await zellij('list-tabs', '--json', '--all');
      if (!panes.ok || !tabs.ok) return programFailed('zellij', panes.ok ? tabs : panes);
      const pane = parsedAs(Panes, panes.stdout).find(
        ({ id, is_plugin }) => !is_plugin && String(id) === number,
      );
      const tab = parsedAs(Tabs, tabs.stdout).find(({ tab_id }) => tab_id === pane?.tab_id);
      if (pane === undefined || tab === undefined || pane.exited)
        return message('driver.zellijNoPane');
      return { pane, tab };
    };
    const found = await paneAndTab();
    if ('code' in found) return { why: found };
    const address = ['--pane-id', `terminal_${number}`];
    return {
      how: message('driver.zellijHow', { pane: number, session }),
      terminal: heardBy(tty, {
        async read() {
          const now = await paneAndTab();
          if ('code' in now) return { unreadable: now };
          if (now.tab.is_sync_panes_active)
            return { unreadable: message('driver.zellijSynchronized') };
          const text = await zellij('dump-screen', ...address, '--ansi');
          if (!text.ok) return { unreadable: programFailed('zellij', text) };
          return { lines: text.stdout.split(/\r?\n/), isStyled: true };
        },
        async send(keys) {
          const codes = [...keys].map((key) => String(key.charCodeAt(0)));
          return sentBy('zellij', await zellij('write', ...address, ...codes));
        },
      }),
    };
  });

function parsedAs<T>(kind: v.GenericSchema<unknown, T[]>, json: string): T[] {
  const parsed = v.safeParse(kind, parseJson(json));
  return parsed.success ? parsed.output : [];
}
