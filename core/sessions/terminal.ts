/**
 * The terminal a session lives in: its tty, the tmux pane that shows that tty, or the process that owns the window. Only
 * what is certain is told; later the automatic clear types there, so a guess would be worse than nothing (A3).
 */
import { ancestry, type ProcessInfo, type ProcessTable } from '../process/process-table.ts';
import type { RunProgram } from '../process/run-program.ts';

export interface TmuxPane {
  socket: string;
  /** tmux's own id of the pane, e.g. `%3`. */
  pane: string;
  /** As a person would name it: session:window.pane. */
  place: string;
}

export interface WindowOwner {
  pid: number;
  name: string;
  /** X11 ids of the windows that this process owns; more than one is ambiguous. */
  windows: string[];
}

export interface Terminal {
  tty?: string;
  tmux?: TmuxPane;
  window?: WindowOwner;
}

const PANE_FORMAT = ['#{pane_tty}', '#{pane_id}', '#{session_name}:#{window_index}.#{pane_index}'].join('\t');

export async function findTerminal(session: ProcessInfo, processes: ProcessTable, run: RunProgram): Promise<Terminal> {
  const { tty } = session;
  if (tty === undefined) return {};
  const env = await processes.environment(session.pid, ['TMUX', 'DISPLAY', 'XAUTHORITY']);
  const tmux = env.TMUX === undefined ? undefined : await findPane(env.TMUX, tty, run);
  if (tmux !== undefined) return { tty, tmux };
  const window = env.DISPLAY === undefined ? undefined : await findWindowOwner(session.pid, env, processes, run);
  return { tty, ...(window !== undefined && { window }) };
}

/** A session's TMUX variable may be inherited from elsewhere; the pane is certain only if it shows the session's tty. */
async function findPane(tmuxVariable: string, tty: string, run: RunProgram): Promise<TmuxPane | undefined> {
  const socket = tmuxVariable.split(',')[0] ?? '';
  const { ok, stdout } = await run('tmux', ['-S', socket, 'list-panes', '-a', '-F', PANE_FORMAT]);
  if (!ok) return undefined;
  for (const line of stdout.split('\n')) {
    const [paneTty, pane, place] = line.split('\t');
    if (paneTty === tty && pane !== undefined && place !== undefined) return { socket, pane, place };
  }
  return undefined;
}

/** The nearest parent that has windows of its own, as far as xdotool can tell. */
async function findWindowOwner(
  pid: number,
  env: Record<string, string>,
  processes: ProcessTable,
  run: RunProgram,
): Promise<WindowOwner | undefined> {
  const [, ...parents] = await ancestry(processes, pid);
  for (const parent of parents) {
    const { ok, stdout } = await run('xdotool', ['search', '--onlyvisible', '--pid', String(parent.pid)], {
      env: { ...process.env, ...env },
    });
    const windows = stdout.split('\n').filter((line) => /^\d+$/.test(line));
    if (ok && windows.length > 0) return { pid: parent.pid, name: parent.name, windows };
  }
  return undefined;
}
