/**
 * Looks at all live sessions and remembers what did not change, so that looking again costs a few system calls per session
 * and reads only what was appended. Files and processes come in, a `StatusReport` goes out.
 */
import { stat } from 'node:fs/promises';
import { readReportedWindow } from '../context/reported.ts';
import type { ProcessTable } from '../process/process-table.ts';
import type { RunProgram } from '../process/run-program.ts';
import { type LiveSession, SessionFinder } from '../sessions/live-sessions.ts';
import { findTerminal, type Terminal } from '../sessions/terminal.ts';
import { readSettings, type SettingsReading } from '../settings/settings.ts';
import { type Places, projectRoot } from '../store/places.ts';
import { type ContextHistory, followContextHistory, readContextHistory } from '../transcript/context-history.ts';
import { expectedTranscript, searchTranscript } from '../transcript/locate.ts';
import { type SessionStatus, sessionStatus } from './session-status.ts';

export interface StatusReport {
  sessions: SessionStatus[];
  /** What could not be read or used, in words for the user. */
  problems: string[];
}

export interface TrackerOptions {
  places: Places;
  env: NodeJS.ProcessEnv;
  processes: ProcessTable;
  run: RunProgram;
}

/** A pane may be moved or renamed; asking for it costs a child process. */
const TERMINAL_KEEP_MS = 30_000;
/** A session that has not written anything yet is looked for in other folders only this often. */
const SEARCH_EVERY_MS = 5000;

/** What is remembered of one session between two looks. */
interface Remembered {
  projectRoot: string;
  isExtendedDisabled: boolean;
  terminal?: { seenAt: number; value: Terminal };
  transcript?: string;
  searchedAt: number;
  fileMark?: string;
  history?: ContextHistory | undefined;
}

export class StatusTracker {
  readonly finder: SessionFinder;
  readonly #options: TrackerOptions;
  #remembered = new Map<string, Remembered>();

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.finder = new SessionFinder({ claudeFolder: options.places.claude, ...options });
  }

  async look(): Promise<StatusReport> {
    const { sessions: live, problems } = await this.finder.find();
    const stillThere = new Map<string, Remembered>();
    for (const session of live) {
      const key = `${session.pid} ${session.sessionId}`;
      stillThere.set(key, this.#remembered.get(key) ?? (await this.#meet(session)));
    }
    this.#remembered = stillThere;
    const settings = await this.#readSettingsOf([...stillThere.values()]);
    const sessions = await Promise.all(
      live.map((session) =>
        this.#describe(session, stillThere.get(`${session.pid} ${session.sessionId}`) as Remembered, settings),
      ),
    );
    const told = new Set([...problems, ...[...settings.values()].flatMap((reading) => reading.problems)]);
    return { sessions, problems: [...told] };
  }

  async #meet(session: LiveSession): Promise<Remembered> {
    const { processes, env } = this.#options;
    const variables = await processes.environment(session.pid, ['CLAUDE_CODE_DISABLE_1M_CONTEXT']);
    const disabled = variables.CLAUDE_CODE_DISABLE_1M_CONTEXT ?? '';
    return {
      projectRoot: await projectRoot(session.cwd, env),
      isExtendedDisabled: !['', '0', 'false', 'no', 'off'].includes(disabled.toLowerCase()),
      searchedAt: 0,
    };
  }

  async #readSettingsOf(remembered: readonly Remembered[]): Promise<Map<string, SettingsReading>> {
    const roots = [...new Set(remembered.map((session) => session.projectRoot))];
    return new Map(await Promise.all(roots.map(async (root) => [root, await readSettings(this.#options.places, root)] as const)));
  }

  async #describe(session: LiveSession, remembered: Remembered, settings: Map<string, SettingsReading>): Promise<SessionStatus> {
    const [reported, terminal] = await Promise.all([
      readReportedWindow(this.#options.places.home, session.sessionId),
      this.#terminalOf(session, remembered),
      this.#bringUpToDate(session, remembered),
    ]);
    return sessionStatus({
      session,
      projectRoot: remembered.projectRoot,
      turns: remembered.history?.turns ?? [],
      transcript: remembered.transcript,
      reported,
      isExtendedDisabled: remembered.isExtendedDisabled,
      thresholds: (settings.get(remembered.projectRoot) as SettingsReading).settings.thresholds,
      terminal,
    });
  }

  async #terminalOf(session: LiveSession, remembered: Remembered): Promise<Terminal> {
    const known = remembered.terminal;
    if (known !== undefined && Date.now() - known.seenAt < TERMINAL_KEEP_MS) return known.value;
    const value = await findTerminal(session.process, this.#options.processes, this.#options.run);
    remembered.terminal = { seenAt: Date.now(), value };
    return value;
  }

  async #bringUpToDate(session: LiveSession, remembered: Remembered): Promise<void> {
    const path = remembered.transcript ?? (await this.#locate(session, remembered));
    if (path === undefined) return;
    remembered.transcript = path;
    const info = await stat(path).catch(() => undefined); // gone for the moment: what was known stays shown
    if (info === undefined) return;
    const mark = `${info.ino} ${info.size} ${info.mtimeMs}`;
    if (mark === remembered.fileMark) return;
    const { history } = remembered;
    const followed = history && (await followContextHistory(path, history));
    // Touched but not grown: somebody may have put another file of the same length there.
    remembered.history = followed === history ? await readContextHistory(path) : followed;
    remembered.fileMark = mark;
  }

  async #locate(session: LiveSession, remembered: Remembered): Promise<string | undefined> {
    const { claude } = this.#options.places;
    const expected = await expectedTranscript(claude, session.cwd, session.sessionId);
    if (expected !== undefined || Date.now() - remembered.searchedAt < SEARCH_EVERY_MS) return expected;
    remembered.searchedAt = Date.now();
    return searchTranscript(claude, session.sessionId);
  }
}
