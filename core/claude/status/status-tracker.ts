/**
 * Reports the status of all live sessions. Remembers what did not change, so that the next report
 * costs a few system calls per session and reads only what was appended.
 */
import { distinctMessages, type Message } from '../../messages/message.ts';
import { projectRoot } from '../../platform/project/project-place.ts';
import { fileMark, NO_FILE } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import type { SettingsReading } from '../../settings/settings.ts';
import { SettingsCache } from '../../settings/settings-cache.ts';
import { ClaudeSettings, type ClaudeSettingsFile } from '../context/claude-settings.ts';
import { COMPACTION_VARIABLES } from '../context/compaction-point.ts';
import { readLearntWindow } from '../context/learnt-windows.ts';
import { type ReportedWindow, readReportedWindow, reportedAt } from '../context/reported.ts';
import { learnFromHistory } from '../context/window-evidence.ts';
import {
  type LiveSession,
  type LiveSessionsOptions,
  SessionFinder,
} from '../sessions/live-sessions.ts';
import { type Terminal, TerminalFinder } from '../sessions/terminal.ts';
import {
  type ContextHistory,
  type ContextPoint,
  followContextHistory,
  readContextHistory,
  readFirstTokens,
} from '../transcript/context-history.ts';
import { expectedTranscript, searchTranscript } from '../transcript/locate.ts';
import { keepingOf } from './keeping.ts';
import { type SessionStatus, sessionStatus } from './session-status.ts';

export interface StatusReport {
  sessions: SessionStatus[];
  /** What could not be read or used. */
  problems: Message[];
}

export interface TrackerOptions extends Omit<LiveSessionsOptions, 'claudeFolder'> {
  places: Places;
}

/** A pane may be moved or renamed; asking for it costs a child process. */
const TERMINAL_KEEP_MS = 30_000;
/** How often to search other folders for a session that has not written anything yet. */
const SEARCH_EVERY_MS = 5000;

const VARIABLES = [
  'CLAUDE_CODE_DISABLE_1M_CONTEXT',
  'CLAUDE_CODE_ENTRYPOINT',
  ...COMPACTION_VARIABLES,
];

const NO_TURNS: readonly ContextPoint[] = [];

/** What is remembered of one session between two reports. */
interface Remembered {
  projectRoot: string;
  /** Of its process, as far as they matter here. */
  env: Readonly<Record<string, string | undefined>>;
  entrypoint: string | undefined;
  terminal?: { seenAt: number; value: Terminal };
  transcript?: string | undefined;
  searchedAt: number;
  fileMark?: string;
  history?: ContextHistory;
  firstTokens?: number | undefined;
}

export class StatusTracker {
  readonly finder: SessionFinder;
  readonly settings: SettingsCache;
  readonly #options: TrackerOptions;
  readonly #terminals: TerminalFinder;
  readonly #claudeSettings: ClaudeSettings;
  #remembered = new Map<string, Remembered>();

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.settings = new SettingsCache(options.places);
    this.finder = new SessionFinder({ claudeFolder: options.places.claude, ...options });
    this.#claudeSettings = new ClaudeSettings(options.places);
    this.#terminals = new TerminalFinder(options.processes, options.run);
  }

  async report(): Promise<StatusReport> {
    const { sessions: live, problems } = await this.finder.find();
    const met = await Promise.all(
      live.map(async (session) => {
        const remembered = this.#remembered.get(keyOf(session)) ?? (await this.#meet(session));
        return { session, remembered };
      }),
    );
    this.#remembered = new Map(met.map(({ session, remembered }) => [keyOf(session), remembered]));
    const roots = [...new Set(met.map(({ remembered }) => remembered.projectRoot))];
    const settings = this.settings.readAll(roots);
    const sessions = await Promise.all(
      met.map(({ session, remembered }) => {
        const reading = settings.get(remembered.projectRoot) as SettingsReading;
        return this.#describe(session, remembered, reading);
      }),
    );
    const readings = (roots.length > 0 ? settings : this.settings.readAll([undefined])).values();
    const all = [...problems, ...[...readings].flatMap((reading) => reading.problems)];
    return { sessions, problems: distinctMessages(all) };
  }

  /** The recent turns as of the last report; the very same list if nothing was added. */
  turnsOf(session: Pick<LiveSession, 'pid' | 'sessionId'>): readonly ContextPoint[] {
    return this.#remembered.get(keyOf(session))?.history?.turns ?? NO_TURNS;
  }

  async #meet(session: LiveSession): Promise<Remembered> {
    const { processes, env, places } = this.#options;
    const variables = await processes.environment(session.pid, VARIABLES);
    return {
      projectRoot: projectRoot(places, session.cwd, env),
      env: variables,
      // `claude agents --json` does not tell it; a program that starts Claude Code sets the variable.
      entrypoint: session.entrypoint ?? variables.CLAUDE_CODE_ENTRYPOINT,
      searchedAt: 0,
    };
  }

  async #describe(
    session: LiveSession,
    remembered: Remembered,
    { settings }: SettingsReading,
  ): Promise<SessionStatus> {
    const terminal = await this.#terminalOf(session, remembered);
    this.#bringUpToDate(session, remembered);
    const turns = remembered.history?.turns ?? NO_TURNS;
    const files = this.#claudeSettings.filesFor(session.cwd);
    const reported = this.#reportedOf(session, files);
    const { thresholds, models } = settings;
    const { places, env } = this.#options;
    const keeping = keepingOf({ sessionId: session.sessionId, places, env });
    return sessionStatus({
      ...remembered,
      session,
      turns,
      files,
      reported,
      thresholds,
      windowsSet: models.windows,
      learnt: (model) => readLearntWindow(places.home, model),
      terminal,
      keeping,
    });
  }

  /** What Claude Code said of its compaction before its settings changed is out of date (K5). */
  #reportedOf(
    { sessionId }: LiveSession,
    files: readonly ClaudeSettingsFile[],
  ): ReportedWindow | undefined {
    const { home } = this.#options.places;
    const reported = readReportedWindow(home, sessionId);
    if (reported?.compaction === undefined) return reported;
    const own = files.filter(({ scope }) => scope !== 'global');
    const isOutdated =
      Math.max(0, ...own.map((file) => file.changedAt)) > reportedAt(home, sessionId);
    return isOutdated ? { ...reported, compaction: undefined } : reported;
  }

  /** An old answer is shown while a new one is fetched: other programs may be slow. */
  async #terminalOf(session: LiveSession, remembered: Remembered): Promise<Terminal> {
    const known = remembered.terminal;
    if (known !== undefined && Date.now() - known.seenAt < TERMINAL_KEEP_MS) return known.value;
    if (known !== undefined) known.seenAt = Date.now();
    const answer = this.#terminals.find(session.process).then((value) => {
      remembered.terminal = { seenAt: Date.now(), value };
      return value;
    });
    return known?.value ?? (await answer);
  }

  #bringUpToDate(session: LiveSession, remembered: Remembered): void {
    remembered.transcript ??= this.#locate(session, remembered);
    const path = remembered.transcript;
    if (path === undefined) return;
    const mark = fileMark(path);
    if (mark === NO_FILE) {
      // moved or gone: the last figures stay, and it is searched for again
      remembered.transcript = undefined;
      return;
    }
    if (mark === remembered.fileMark) return;
    const { history } = remembered;
    const followed = history && followContextHistory(path, history);
    // Touched but not grown: it may be another file of the same length.
    const current = followed === history ? readContextHistory(path) : followed;
    if (current === undefined) return;
    remembered.history = current;
    learnFromHistory(this.#options.places.home, current);
    if (current.turns.length > 0) remembered.firstTokens ??= readFirstTokens(path);
    remembered.fileMark = mark;
  }

  #locate(session: LiveSession, remembered: Remembered): string | undefined {
    const { claude } = this.#options.places;
    const expected = expectedTranscript(claude, session.cwd, session.sessionId);
    if (expected !== undefined || Date.now() - remembered.searchedAt < SEARCH_EVERY_MS)
      return expected;
    remembered.searchedAt = Date.now();
    return searchTranscript(claude, session.sessionId);
  }
}

/** A `/clear` keeps the process and changes the session: nothing remembered holds for it. */
function keyOf({ pid, sessionId }: Pick<LiveSession, 'pid' | 'sessionId'>): string {
  return `${pid} ${sessionId}`;
}
