/**
 * A status report as people read it in a terminal: two lines a session, the percentage first to be
 * found, one for where Claude Code compacts (K5), and more where a session is left alone (T5) or is
 * not being saved (T6).
 */
import type { ContextLevel } from '../core/claude/context/reading.ts';
import type { WindowSource } from '../core/claude/context/window.ts';
import type { Terminal } from '../core/claude/sessions/terminal.ts';
import type { SessionStatus } from '../core/claude/status/session-status.ts';
import { compactionBy, type Message, renderMessage } from '../core/usecases/messages.ts';
import type { WatchedReport } from '../core/usecases/watched-status.ts';
import { breakerText } from './clear-text.ts';
import { columns, type Paint, plain, type Style, shorten, thousands } from './text.ts';

const BAR_WIDTH = 24;
const NARROW_BAR_WIDTH = 10;
const NARROW = 78;
const MAX_NAME_WIDTH = 32;
const SEPARATOR = ' · ';

const LEVEL_STYLE: Record<ContextLevel, 'cyan' | 'yellow' | 'red'> = {
  ok: 'cyan',
  warn: 'yellow',
  critical: 'red',
};
/** Colour alone does not reach everybody. */
const LEVEL_WORD: Record<ContextLevel, string> = { ok: '', warn: 'warning', critical: 'critical' };
const SOURCE_TEXT: Record<WindowSource, string> = {
  'claude-code': 'window from Claude Code',
  'model-table': 'window from the model table',
  setting: 'window from your settings',
  'model-id': "window from the model's id",
  'limit-error': 'window from an API error',
  compaction: 'window estimated from a compaction',
  unknown: 'window unknown',
};

/**
 * The lines of each session. `width` is the room in columns; what does not fit is left out, the
 * least important first.
 */
export function sessionLines(
  report: WatchedReport,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string[][] {
  return report.sessions.map((session) => {
    const isAlone =
      report.sessions.filter(({ project }) => project === session.project).length === 1;
    return [
      headLine(session, { isAlone, paint, width }),
      `  ${contextLine(session, paint, width - 2)}`,
      ...compactionLines(session, paint, width - 2),
      ...(session.breaker === null
        ? []
        : [`  ${breakerText(session.breaker, session.pid, paint)}`]),
      ...keepingLines(session, paint, width - 2),
    ];
  });
}

export function statusText(report: WatchedReport, paint: Paint, width?: number): string {
  if (report.sessions.length === 0)
    return 'No active Claude Code sessions.\nStart one with `claude` in a project folder, and it shows up here.\n';
  const blocks = sessionLines(report, paint, width).map((lines) => lines.join('\n'));
  return `${blocks.join('\n\n')}\n`;
}

interface Part {
  text: string;
  /** Left out first if small. */
  weight: number;
}

function fitting(parts: readonly Part[], width: number): string {
  const shown = parts.filter(({ text }) => text !== '');
  while (shown.length > 1 && columns(shown.map(({ text }) => text).join(SEPARATOR)) > width) {
    const least = Math.min(...shown.map(({ weight }) => weight));
    shown.splice(
      shown.findLastIndex(({ weight }) => weight === least),
      1,
    );
  }
  return shown.map(({ text }) => text).join(SEPARATOR);
}

function headLine(
  session: SessionStatus,
  { isAlone, paint, width }: { isAlone: boolean; paint: Paint; width: number },
): string {
  const project = shorten(
    plain(session.project.slice(0, 1000)),
    Math.min(MAX_NAME_WIDTH, Math.floor(width / 2)),
  );
  const parts = [
    { text: paint('bold', project), weight: 5 },
    {
      text:
        isAlone || session.name === null
          ? ''
          : shorten(plain(session.name.slice(0, 1000)), MAX_NAME_WIDTH),
      weight: 4,
    },
    { text: session.modelName === null ? 'no reply yet' : plain(session.modelName), weight: 3 },
    { text: stateText(session, paint), weight: 4 },
    { text: session.sessionKind === 'cli' ? '' : plain(session.entrypoint ?? 'other'), weight: 3 },
    { text: terminalText(session.terminal), weight: 2 },
    { text: `pid ${session.pid}`, weight: 1 },
  ];
  return fitting(parts, width);
}

function stateText({ state, waitingFor }: SessionStatus, paint: Paint): string {
  if (state === 'waiting')
    return paint('yellow', waitingFor === null ? 'waiting' : `waiting: ${plain(waitingFor)}`);
  if (state === 'unknown') return paint('yellow', 'state unknown');
  return state;
}

function terminalText({ tmux, window, tty }: Terminal): string {
  if (tmux !== undefined) return `tmux ${plain(tmux.place)}`;
  if (window !== undefined) return `${plain(window.name)} window`;
  return tty === undefined ? 'no terminal' : plain(tty);
}

function contextLine(session: SessionStatus, paint: Paint, width: number): string {
  const { tokens, window, percent, percentSource, level } = session;
  if (tokens !== null && percentSource === 'unknown')
    return unknownWindowLine(session, paint, width);
  if (
    tokens === null ||
    window === null ||
    percent === null ||
    percentSource === null ||
    level === null
  )
    return paint('dim', shorten('context shown after the first reply', width));
  const style: Style = ['bold', LEVEL_STYLE[level]];
  const front = `${paint(LEVEL_STYLE[level], gauge(percent, width < NARROW ? NARROW_BAR_WIDTH : BAR_WIDTH))} ${paint(style, `${percent}%`.padStart(4))}  `;
  const parts = [
    { text: paint(LEVEL_STYLE[level], LEVEL_WORD[level]), weight: level === 'ok' ? 0 : 5 },
    { text: `${thousands(tokens)} of ${thousands(window)}`, weight: 4 },
    { text: growthText(session), weight: 2 },
    { text: forecastText(session), weight: 3 },
    { text: paint('dim', SOURCE_TEXT[percentSource]), weight: 1 },
  ];
  return (
    front +
    fitting(
      parts.filter(({ text }) => columns(text) > 0),
      width - columns(front),
    )
  );
}

/** A threshold in tokens still counts; one in percent waits. */
function unknownWindowLine(session: SessionStatus, paint: Paint, width: number): string {
  const { tokens, model, level } = session;
  const word = level === null ? '' : paint(LEVEL_STYLE[level], LEVEL_WORD[level]);
  const parts = [
    { text: word, weight: 5 },
    { text: `${thousands(tokens ?? 0)} tokens`, weight: 5 },
    { text: paint('yellow', SOURCE_TEXT.unknown), weight: 4 },
    { text: growthText(session), weight: 1 },
    {
      text: paint(
        'dim',
        `to set it: memory-keeper config set models.windows.${plain(model ?? '')} <tokens>`,
      ),
      weight: 3,
    },
  ];
  return fitting(
    parts.filter(({ text }) => columns(text) > 0),
    width,
  );
}

function keepingLines({ keeping }: SessionStatus, paint: Paint, width: number): string[] {
  if (keeping.ok) return [];
  const words = `not being saved: ${plain(renderMessage('en', keeping.reason))}`;
  return [`  ${paint('red', shorten(words, width))}`];
}

function gauge(percent: number, width: number): string {
  const filled = Math.max(0, Math.min(width, Math.round((percent / 100) * width)));
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

function growthText({ growthPerTurn }: SessionStatus): string {
  if (growthPerTurn === null) return '';
  return `${growthPerTurn < 0 ? '−' : '+'}${thousands(Math.abs(growthPerTurn))} per turn`;
}

function forecastText({
  turnsLeft,
  turnsLeftTo,
  warnAtTokens,
  criticalAtTokens,
  window,
}: SessionStatus): string {
  if (turnsLeft === null) return '';
  const turns = `~${thousands(turnsLeft)} ${turnsLeft === 1 ? 'turn' : 'turns'}`;
  if (turnsLeftTo === 'compaction') return `${turns} until Claude Code compacts`;
  const at = turnsLeftTo === 'warn' ? warnAtTokens : criticalAtTokens;
  if (at === null || window === null) return '';
  return `${turns} to ${Math.round((at / window) * 100)}%`;
}

/** In a colour where the critical threshold is never reached for it. */
function compactionLines(session: SessionStatus, paint: Paint, width: number): string[] {
  const { compactsAtTokens: at, criticalAtTokens: critical } = session;
  const isFirst = at !== null && critical !== null && at < critical;
  const words = shorten(compactionText(session), width);
  return words === '' ? [] : [`  ${paint(isFirst ? 'yellow' : 'dim', words)}`];
}

/** Where Claude Code itself acts, and what sets it (K5). */
function compactionText(session: SessionStatus): string {
  const { compactsAtTokens: at, compactsAtSource: source, compactsAtFrom: from } = session;
  if (source === null || source === 'unknown') return '';
  if (source === 'limit') return 'Claude Code compacts only when full';
  const by = renderMessage('en', compactionBy(source, from));
  return at === null
    ? `Claude Code does not compact (${by})`
    : `Claude Code compacts at ${thousands(at)} (${by})`;
}

export function problemsText(problems: readonly Message[], paint: Paint): string {
  return problems
    .map((problem) => `${paint('yellow', 'note:')} ${plain(renderMessage('en', problem))}\n`)
    .join('');
}
