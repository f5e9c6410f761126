/**
 * zellij 0.44 and later, which can address a pane: it tells no tty of a pane, but gives each its
 * number for good when it starts it. So the number is taken from the process that the zellij server
 * itself started on the session's tty, and it must be heard there (A3).
 */
import * as v from 'valibot';
import { ancestry } from '../../process/process-table.ts';
import { parseJson } from '../../store/attempt.ts';
import type { MakeDriver } from './driver.ts';
import { heardBy } from './heard-keys.ts';
import { ANSWER_WITHIN_MS, terminalDriver } from './terminal-driver.ts';

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
    if (started === undefined) return { why: 'it does not run in zellij' };
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
      return { why: 'zellij did not start it in a pane of its own' };
    }
    const zellij = (...args: string[]) =>
      tools.run('zellij', ['--session', session, 'action', ...args], {
        timeoutMs: ANSWER_WITHIN_MS,
      });
    const paneAndTab = async () => {
      const panes = await zellij('list-panes', '--json', '--all');
      const tabs = await zellij('list-tabs', '--json', '--all');
      if (!panes.ok || !tabs.ok) return `zellij: ${panes.reason || tabs.reason}`;
      const pane = parsedAs(Panes, panes.stdout).find(
        ({ id, is_plugin }) => !is_plugin && String(id) === number,
      );
      const tab = parsedAs(Tabs, tabs.stdout).find(({ tab_id }) => tab_id === pane?.tab_id);
      if (pane === undefined || tab === undefined || pane.exited)
        return 'its pane in zellij is not there';
      return { pane, tab };
    };
    const found = await paneAndTab();
    if (typeof found === 'string') return { why: found };
    const address = ['--pane-id', `terminal_${number}`];
    return {
      how: `zellij pane ${number} of ${session}`,
      terminal: heardBy(tty, {
        async read() {
          const now = await paneAndTab();
          if (typeof now === 'string') return { unreadable: now };
          if (now.tab.is_sync_panes_active)
            return { unreadable: 'its pane in zellij shares its keys with others (sync)' };
          const text = await zellij('dump-screen', ...address, '--ansi');
          if (!text.ok) return { unreadable: `zellij: ${text.reason}` };
          return { lines: text.stdout.split(/\r?\n/), isStyled: true };
        },
        send: (keys) =>
          zellij('write', ...address, ...[...keys].map((key) => String(key.charCodeAt(0)))),
      }),
    };
  });

function parsedAs<T>(kind: v.GenericSchema<unknown, T[]>, json: string): T[] {
  const parsed = v.safeParse(kind, parseJson(json));
  return parsed.success ? parsed.output : [];
}
