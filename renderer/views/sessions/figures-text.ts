/**
 * A session's figures in words (C3): every number comes from the engine's data, none is known here.
 */
import type { SessionView } from '../../../core/usecases/contract.ts';
import { compactionBy } from '../../../core/usecases/messages.ts';
import { number, percent, t, tokens } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';

/** "80 %" where a threshold is a whole share of the window, else its tokens. */
export function thresholdText(atTokens: number, window: number | null): string {
  const share = window === null || window === 0 ? Number.NaN : (atTokens / window) * 100;
  return Math.abs(share - Math.round(share)) < 0.01 ? percent(Math.round(share)) : tokens(atTokens);
}

/** "145k / 200k"; a window that nobody knows is said to be unknown (C2). */
export function tokensText({
  tokens: used,
  window,
}: Pick<SessionView, 'tokens' | 'window'>): string {
  if (used === null) return t('sessions.noFigures');
  return window === null
    ? t('sessions.tokensOnly', { tokens: tokens(used) })
    : t('sessions.ofWindow', { tokens: tokens(used), window: tokens(window) });
}

type Forecast = Pick<
  SessionView,
  | 'turnsLeft'
  | 'turnsLeftTo'
  | 'warnAtTokens'
  | 'criticalAtTokens'
  | 'growthPerTurn'
  | 'window'
  | 'level'
>;

export function forecastText(session: Forecast): string {
  const { turnsLeft, turnsLeftTo, warnAtTokens, criticalAtTokens, growthPerTurn, window, level } =
    session;
  if (turnsLeft !== null && turnsLeftTo === 'compaction')
    return t('sessions.forecastCompaction', { count: turnsLeft });
  const at = turnsLeftTo === 'critical' ? criticalAtTokens : warnAtTokens;
  if (turnsLeft !== null && turnsLeftTo !== null && at !== null)
    return t('sessions.forecast', { count: turnsLeft, threshold: thresholdText(at, window) });
  if (growthPerTurn === null) return t('sessions.noForecast');
  return level === 'critical' ? t('sessions.aboveAll') : t('sessions.notGrowing');
}

/** Where Claude Code itself acts, and what sets it (K5); empty if nobody knows. */
export function compactionText({
  compactsAtTokens: at,
  compactsAtSource: source,
  compactsAtFrom: from,
}: Compaction): string {
  if (source === null || source === 'unknown') return '';
  if (source === 'limit') return t('sessions.compactsWhenFull');
  const by = messageText(compactionBy(source, from));
  return at === null
    ? t('sessions.compactsNever', { by })
    : t('sessions.compactsAt', { tokens: tokens(at), by });
}

type Compaction = Pick<SessionView, 'compactsAtTokens' | 'compactsAtSource' | 'compactsAtFrom'>;

/** Said of a session that is large enough for it; empty for others. */
export function idleCompactionText({
  tokens: used,
  idleCompactsFromTokens: from,
}: Pick<SessionView, 'tokens' | 'idleCompactsFromTokens'>): string {
  if (used === null || from === null || used < from) return '';
  return t('sessions.compactsIdle', { tokens: tokens(from) });
}

/** "+9.1k a turn" */
export function growthText(growthPerTurn: number): string {
  const sign = growthPerTurn > 0 ? '+' : growthPerTurn < 0 ? '−' : '±';
  return t('sessions.growth', { tokens: `${sign}${tokens(Math.abs(growthPerTurn))}` });
}

export function terminalText({ terminal }: Pick<SessionView, 'terminal'>): string {
  if (terminal.tmux !== undefined)
    return t('sessions.terminalTmux', { place: terminal.tmux.place });
  if (terminal.window !== undefined)
    return t('sessions.terminalWindow', { name: terminal.window.name });
  return terminal.tty === undefined
    ? t('sessions.terminalNone')
    : t('sessions.terminalTty', { tty: terminal.tty });
}

/** The chart in a sentence, for whoever cannot see it. */
export function growthSummary({
  project,
  growth,
  growthPerTurn,
  clearAtTokens,
  window,
}: SessionView): string {
  const all = growth.map((point) => point.tokens);
  const cleared = growth.filter(({ isFresh }) => isFresh).length;
  return t('sessions.chartAlt', {
    project,
    turns: growth.length,
    first: tokens(all[0] ?? 0),
    last: tokens(all.at(-1) ?? 0),
    most: tokens(Math.max(0, ...all)),
    growth: growthPerTurn === null ? t('sessions.noForecast') : growthText(growthPerTurn),
    cleared: t('sessions.chartCleared', { count: cleared }),
    threshold: clearAtTokens === null ? '–' : thresholdText(clearAtTokens, window),
  });
}

export function shareText(value: number, window: number | null): string {
  return window === null
    ? number(value)
    : `${tokens(value)} · ${percent(Math.round((value / window) * 100))}`;
}
