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

const PANE_FORMAT = ['#{pane_tty}', '#{pane_id}', '#{session_name}:#{window_index}.#{pane_index}', '#{socket_path}'].join('\t');

export async function findTerminal(session: ProcessInfo, processes: ProcessTable, run: RunProgram): Promise<Terminal> {
  const { tty } = session;
  if (tty === undefined) return {};
  const env = await processes.environment(session.pid, ['TMUX', 'DISPLAY', 'XAUTHORITY']);
  const [, ...parents] = await ancestry(processes, session.pid);
  const isInTmux = env.TMUX !== undefined || parents.some(({ name }) => name.startsWith('tmux'));
  const tmux = isInTmux ? await findPane(env.TMUX, tty, run) : undefined;
  if (tmux !== undefined) return { tty, tmux };
  const window = env.DISPLAY === undefined ? undefined : await findWindowOwner(parents, env, run);
  return { tty, ...(window !== undefined && { window }) };
}

/** The TMUX variable may be missing or inherited from elsewhere; a pane is certain only if it shows the session's tty. */
async function findPane(tmuxVariable: string | undefined, tty: string, run: RunProgram): Promise<TmuxPane | undefined> {
  const server = tmuxVariable === undefined ? [] : ['-S', tmuxVariable.split(',')[0] ?? ''];
  const { ok, stdout } = await run('tmux', [...server, 'list-panes', '-a', '-F', PANE_FORMAT]);
  if (!ok) return undefined;
  for (const line of stdout.split('\n')) {
    const [paneTty, pane, place, socket] = line.split('\t');
    if (paneTty === tty && pane !== undefined && place !== undefined && socket !== undefined) return { socket, pane, place };
  }
  return undefined;
}

/** The nearest parent that has windows of its own, as far as xdotool can tell. */
async function findWindowOwner(
  parents: readonly ProcessInfo[],
  env: Record<string, string>,
  run: RunProgram,
): Promise<WindowOwner | undefined> {
  for (const { pid, name } of parents) {
    const { ok, stdout } = await run('xdotool', ['search', '--onlyvisible', '--pid', String(pid)], {
      env: { ...process.env, ...env },
    });
    const windows = stdout.split('\n').filter((line) => /^\d+$/.test(line));
    if (ok && windows.length > 0) return { pid, name, windows };
  }
  return undefined;
}
