/**
 * Finds a session's terminal: its tty, and the tmux pane that shows it or the process that owns the
 * window. The tmux driver types into that pane, so it must be certain (A3).
 */
import {
  ancestry,
  type ProcessInfo,
  type ProcessTable,
} from '../../platform/process/process-table.ts';
import type { RunProgram } from '../../platform/process/run-program.ts';

export interface TmuxPane {
  socket: string;
  /** tmux's own id of the pane, e.g. `%3`. */
  pane: string;
  /** As a person would name it: session:window.pane. */
  place: string;
}

interface WindowOwner {
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

/** Without a UTF-8 locale tmux prints a tab as `_`. A session's name cannot contain a colon. */
const PANE_FORMAT =
  '#{pane_tty} #{pane_id} #{window_index}.#{pane_index} #{session_name}:#{socket_path}';
const PANE_LINE = /^(\S+) (%\d+) (\d+\.\d+) ([^:]*):(.*)$/;

/** Many sessions live in one tmux: its list of panes serves all who ask within this time. */
const PANES_KEEP_MS = 1000;
const ANSWER_TIMEOUT_MS = 5000;

export class TerminalFinder {
  readonly #processes: ProcessTable;
  readonly #run: RunProgram;
  readonly #panes = new Map<string, { askedAt: number; list: Promise<Map<string, TmuxPane>> }>();

  constructor(processes: ProcessTable, run: RunProgram) {
    this.#processes = processes;
    this.#run = run;
  }

  async find(session: ProcessInfo): Promise<Terminal> {
    const { tty } = session;
    if (tty === undefined) return {};
    const tmux = await this.tmuxPane(session);
    if (tmux !== undefined) return { tty, tmux };
    const env = await this.#processes.environment(session.pid, ['DISPLAY', 'XAUTHORITY']);
    const [, ...parents] = await ancestry(this.#processes, session.pid);
    const window =
      env.DISPLAY === undefined ? undefined : await findWindowOwner(parents, env, this.#run);
    return { tty, ...(window !== undefined && { window }) };
  }

  /** TMUX may be missing or inherited; a pane is certain only if it shows the session's tty. */
  async tmuxPane(session: ProcessInfo): Promise<TmuxPane | undefined> {
    if (session.tty === undefined) return undefined;
    const { TMUX } = await this.#processes.environment(session.pid, ['TMUX']);
    const [, ...parents] = await ancestry(this.#processes, session.pid);
    if (TMUX === undefined && !parents.some(({ name }) => name.startsWith('tmux')))
      return undefined;
    return (await this.#panesOf(TMUX?.split(',')[0] ?? '')).get(session.tty);
  }

  /** By tty. An empty socket is the user's default server. */
  #panesOf(socket: string): Promise<Map<string, TmuxPane>> {
    const known = this.#panes.get(socket);
    if (known !== undefined && Date.now() - known.askedAt < PANES_KEEP_MS) return known.list;
    const list = listPanes(socket, this.#run);
    this.#panes.set(socket, { askedAt: Date.now(), list });
    return list;
  }
}

async function listPanes(server: string, run: RunProgram): Promise<Map<string, TmuxPane>> {
  const args = [...(server === '' ? [] : ['-S', server]), 'list-panes', '-a', '-F', PANE_FORMAT];
  const { stdout } = await run('tmux', args, { timeoutMs: ANSWER_TIMEOUT_MS });
  const panes = new Map<string, TmuxPane>();
  for (const line of stdout.split('\n')) {
    const [, tty = '', pane = '', place, session, socket = ''] = PANE_LINE.exec(line) ?? [];
    if (tty !== '') panes.set(tty, { socket, pane, place: `${session}:${place}` });
  }
  return panes;
}

/** The nearest parent that has windows of its own, as far as xdotool can tell. */
async function findWindowOwner(
  parents: readonly ProcessInfo[],
  env: Record<string, string>,
  run: RunProgram,
): Promise<WindowOwner | undefined> {
  const options = { env: { ...process.env, ...env }, timeoutMs: ANSWER_TIMEOUT_MS };
  for (const { pid, name } of parents) {
    const args = ['search', '--onlyvisible', '--pid', String(pid)];
    const { ok, stdout, reason } = await run('xdotool', args, options);
    const windows = stdout.split('\n').filter((line) => /^\d+$/.test(line));
    if (ok && windows.length > 0) return { pid, name, windows };
    if (!ok && typeof reason !== 'string') return undefined; // not installed, or not answering
  }
  return undefined;
}
