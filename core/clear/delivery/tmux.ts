/**
 * tmux: the pane is the one that shows the session's tty, whatever variables say. One command sends
 * the keys only while the pane still has this tty, its cursor is where it was read, and it is in no
 * mode and not in `synchronize-panes`, which would give the keys to its neighbours as well (A3).
 */
import { TerminalFinder, type TmuxPane } from '../../claude/sessions/terminal.ts';
import { message } from '../../messages/message.ts';
import type { DeliveryTools, MakeDriver } from './driver.ts';
import { programOf, terminalDriver } from './terminal-driver.ts';
import type { ReadableTerminal } from './typed-delivery.ts';

const STATE_FORMAT = '#{pane_tty} #{pane_in_mode} #{pane_synchronized} #{pane_input_off}';
const CURSOR_FORMAT = '#{cursor_x} #{cursor_y}';
const STATE_LINE = /^(\S+) (\d+) (\d) (\d) (\d+) (\d+)$/;
const NOT_SENT = 'not sent';

export const tmuxDriver: MakeDriver = (tools) => {
  const finder = new TerminalFinder(tools.processes, tools.run);
  return terminalDriver('tmux', tools, async (process) => {
    const pane = await finder.tmuxPane(process);
    if (pane === undefined) return { why: message('driver.tmuxNoPane') };
    const how = message('driver.tmuxHow', { place: pane.place });
    return { how, terminal: tmuxTerminal(pane, process.tty, tools) };
  });
};

function tmuxTerminal(
  { socket, pane }: TmuxPane,
  tty: string,
  tools: DeliveryTools,
): ReadableTerminal {
  // -u: without a UTF-8 locale tmux would write `_` for the signs that make up the box.
  const tmux = programOf('tmux', tools, ['-u', '-S', socket]);
  const showState = ['display-message', '-p', '-t', pane, `${STATE_FORMAT} ${CURSOR_FORMAT}`];
  const showScreen = ['capture-pane', '-p', '-e', '-t', pane];
  return {
    async read() {
      const shown = await tmux(...showState, ';', ...showScreen);
      if (!shown.ok) return { unreadable: shown.reason };
      const [first = '', ...lines] = shown.stdout.split('\n');
      const [, shownTty, inMode, isSynchronized, isInputOff, column, row] =
        STATE_LINE.exec(first) ?? [];
      if (shownTty !== tty) return { unreadable: message('driver.tmuxPaneGone') };
      if (inMode !== '0') return { unreadable: message('driver.tmuxCopyMode') };
      if (isSynchronized !== '0') return { unreadable: message('driver.tmuxSynchronized') };
      if (isInputOff !== '0') return { unreadable: message('driver.tmuxInputOff') };
      return { lines, isStyled: true, cursor: { row: Number(row), column: Number(column) } };
    },

    async send(keys, cursor) {
      const codes = [...Buffer.from(keys)].map((code) => code.toString(16)).join(' ');
      const isUnchanged =
        cursor === undefined
          ? `#{==:${STATE_FORMAT},${tty} 0 0 0}`
          : `#{==:${STATE_FORMAT} ${CURSOR_FORMAT},${tty} 0 0 0 ${cursor.column} ${cursor.row}}`;
      const send = `send-keys -t ${pane} -H ${codes}`;
      const refuse = `display-message -p '${NOT_SENT}'`;
      const result = await tmux('if-shell', '-F', '-t', pane, isUnchanged, send, refuse);
      return result.ok && result.stdout.includes(NOT_SENT)
        ? { ok: false, reason: message('driver.tmuxChanged'), isUnsent: true }
        : result;
    },
  };
}
