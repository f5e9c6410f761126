/** What a user sees of one live session (C3): the same in the terminal, `--json` and the window. */
import { basename } from 'node:path';
import type { SessionKind } from '../../settings/setting-definitions.ts';
import { type Threshold, type Thresholds, thresholdTokens } from '../../settings/thresholds.ts';
import type { ClaudeSettingsFile } from '../context/claude-settings.ts';
import {
  type CompactionSource,
  compactionPoint,
  idleCompactionFrom,
  type SetBy,
  variableOf,
} from '../context/compaction-point.ts';
import type { LearntWindow } from '../context/learnt-windows.ts';
import {
  type ContextLevel,
  type ContextReading,
  contextReading,
  type ForecastTarget,
} from '../context/reading.ts';
import type { ReportedWindow } from '../context/reported.ts';
import {
  claudeWindow,
  contextWindow,
  isSwitchedOn,
  modelName,
  type WindowSettings,
  type WindowSource,
} from '../context/window.ts';
import type { LiveSession } from '../sessions/live-sessions.ts';
import type { SessionState } from '../sessions/registry.ts';
import { sessionKind } from '../sessions/session-kind.ts';
import type { Terminal } from '../sessions/terminal.ts';
import type { ContextPoint } from '../transcript/context-history.ts';
import type { Keeping } from './keeping.ts';

/**
 * `null` is "not known yet": a session has no tokens and no model before its first reply, and no
 * window if nobody knows that of its model.
 */
export interface SessionStatus {
  sessionId: string;
  pid: number;
  /** Tells this process from a later one with the same pid; in the system's own form. */
  processStart: string;
  cwd: string;
  project: string;
  projectRoot: string;
  /** Claude Code's own short name for the session. */
  name: string | null;
  kind: string | null;
  /** What started it, in Claude Code's own words: `cli`, `sdk-ts`, `claude-vscode`, … */
  entrypoint: string | null;
  /** The same in ours: automatic clears ask for it (autoClear.kinds). */
  sessionKind: SessionKind;
  version: string | null;
  state: SessionState;
  waitingFor: string | null;
  model: string | null;
  modelName: string | null;
  tokens: number | null;
  window: number | null;
  percent: number | null;
  /** Where the window comes from: `unknown` if the model is known and its window is not. */
  percentSource: WindowSource | null;
  /** The least that any of its replies had in context, as far as is known. */
  lowestTokens: number | null;
  level: ContextLevel | null;
  /** At the hard limit: Claude Code takes nothing more before a clear or a compaction. */
  isFull: boolean;
  warnAtTokens: number | null;
  criticalAtTokens: number | null;
  growthPerTurn: number | null;
  turnsLeft: number | null;
  turnsLeftTo: ForecastTarget | null;
  /** Where Claude Code compacts by itself (K5); null if it does not, or nobody knows. */
  compactsAtTokens: number | null;
  compactsAtSource: CompactionSource | null;
  /** The settings key or variable that says so. */
  compactsAtFrom: SetBy | null;
  /** From here on it may also compact while nobody uses the session; null if it does not. */
  idleCompactsFromTokens: number | null;
  terminal: Terminal;
  transcript: string | null;
  startedAt: string | null;
  lastReplyAt: string | null;
  /** Whether what is said in it is being saved (T6). */
  keeping: Keeping;
}

interface SessionInput {
  session: LiveSession;
  projectRoot: string;
  turns: readonly ContextPoint[];
  transcript?: string | undefined;
  /** Of its very first reply. */
  firstTokens?: number | undefined;
  entrypoint?: string | undefined;
  reported: ReportedWindow | undefined;
  /** Of Claude Code, that are in force for it. */
  files: readonly ClaudeSettingsFile[];
  /** Variables of its process, as far as they matter here. */
  env: Readonly<Record<string, string | undefined>>;
  /** By the user. */
  windowsSet: WindowSettings;
  learnt: (model: string) => LearntWindow | undefined;
  thresholds: Thresholds;
  terminal: Terminal;
  keeping: Keeping;
}

export function sessionStatus(input: SessionInput): SessionStatus {
  const { session } = input;
  return {
    sessionId: session.sessionId,
    pid: session.pid,
    processStart: session.process.startTime,
    cwd: session.cwd,
    project: basename(input.projectRoot) || input.projectRoot,
    projectRoot: input.projectRoot,
    name: session.name ?? null,
    kind: session.kind ?? null,
    entrypoint: input.entrypoint ?? null,
    sessionKind: sessionKind({ kind: session.kind, entrypoint: input.entrypoint }),
    version: session.version ?? null,
    state: session.state,
    waitingFor: session.waitingFor ?? null,
    ...contextFigures(input),
    lowestTokens: lowestTokens(input),
    terminal: input.terminal,
    transcript: input.transcript ?? null,
    startedAt: isoTime(session.startedAt),
    lastReplyAt: input.turns.at(-1)?.at ?? null,
    keeping: input.keeping,
  };
}

function contextFigures(input: SessionInput) {
  const { turns, reported, thresholds } = input;
  const now = turns.at(-1);
  const model = now?.model ?? reported?.model ?? null;
  const { window, compaction, idleFrom } = model === null ? NO_MODEL : limitsOf(input, model);
  const reading = window && contextReading(turns, window, thresholds, compaction.tokens);
  const inTokens = (threshold: Threshold) => {
    const at = window && thresholdTokens(threshold, window.tokens);
    return at == null ? null : Math.round(at);
  };
  return {
    model,
    modelName: model && modelName(model),
    window: window?.tokens ?? null,
    percentSource: window?.source ?? null,
    warnAtTokens: inTokens(thresholds.warn),
    criticalAtTokens: inTokens(thresholds.critical),
    ...readingFigures(reading),
    isFull: now?.isFull === true || (window?.tokens != null && (now?.tokens ?? 0) >= window.tokens),
    compactsAtTokens: compaction.tokens,
    compactsAtSource: compaction.source,
    compactsAtFrom: compaction.from,
    idleCompactsFromTokens: idleFrom,
  };
}

function readingFigures(reading: ContextReading | undefined) {
  return {
    tokens: reading?.tokens ?? null,
    percent: reading?.percent ?? null,
    level: reading?.level ?? null,
    growthPerTurn: reading?.growthPerTurn ?? null,
    turnsLeft: reading?.forecast?.turns ?? null,
    turnsLeftTo: reading?.forecast?.threshold ?? null,
  };
}

const NO_MODEL = {
  window: undefined,
  compaction: { tokens: null, source: null, from: null },
  idleFrom: null,
};

/** What the session holds, and where Claude Code makes room by itself. */
function limitsOf(input: SessionInput, model: string) {
  const { session, turns, files, env, windowsSet: set, learnt } = input;
  const { version } = session;
  const reported = input.reported?.model === model ? input.reported : undefined;
  const isExtendedDisabled = isSwitchedOn(
    variableOf({ files, env }, 'CLAUDE_CODE_DISABLE_1M_CONTEXT')?.text,
  );
  const facts = { model, tokensInUse: turns.at(-1)?.tokens ?? 0, isExtendedDisabled, reported };
  const window = contextWindow({ ...facts, set, learnt });
  const compacting = {
    model,
    version,
    window: window.tokens,
    claudeWindow: claudeWindow({ ...facts, version }),
    files,
    env,
    reported: reported?.compaction,
  };
  const compaction = compactionPoint(compacting);
  return { window, compaction, idleFrom: idleCompactionFrom(compacting) };
}

function lowestTokens({ turns, firstTokens }: SessionInput): number | null {
  const first = firstTokens ?? turns[0]?.tokens;
  return first === undefined ? null : Math.min(first, ...turns.map(({ tokens }) => tokens));
}

/** A number from a file may be no time at all. */
function isoTime(epochMs: number | undefined): string | null {
  const date = new Date(epochMs ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
