/** A status report as people read it in a terminal: two lines a session, the percentage first to be found. */
import type { ContextLevel } from '../core/context/reading.ts';
import type { WindowSource } from '../core/context/window.ts';
import type { Terminal } from '../core/sessions/terminal.ts';
import type { SessionStatus } from '../core/status/session-status.ts';
import type { StatusReport } from '../core/status/status-tracker.ts';
import { type Paint, plain, type Style, shorten, thousands } from './text.ts';

const BAR_WIDTH = 24;
const MAX_NAME_WIDTH = 32;

const LEVEL_STYLE: Record<ContextLevel, Style> = { ok: 'cyan', warn: 'yellow', critical: 'red' };
const SOURCE_TEXT: Record<WindowSource, string> = {
  'claude-code': 'window from Claude Code',
  'model-table': 'window from the model table',
  assumed: 'window assumed, the table does not know it',
};

export function statusText(report: StatusReport, paint: Paint): string {
  const { sessions } = report;
  if (sessions.length === 0)
    return 'No Claude Code session is running.\nStart one with `claude` in a project folder and it shows up here.\n';
  return `${sessions.map((session) => sessionText(session, paint)).join('\n\n')}\n`;
}

function sessionText(session: SessionStatus, paint: Paint): string {
  const project = shorten(plain(session.project.slice(0, 1000)), MAX_NAME_WIDTH);
  const model = session.modelName === null ? 'no reply yet' : plain(session.modelName);
  const head = [paint('bold', project), model, stateText(session, paint), terminalText(session.terminal), `pid ${session.pid}`];
  return `${head.filter((part) => part !== '').join(' · ')}\n  ${contextText(session, paint)}`;
}

function stateText({ state, waitingFor }: SessionStatus, paint: Paint): string {
  if (state === 'waiting') return paint('yellow', waitingFor === null ? 'waiting' : `waiting: ${plain(waitingFor)}`);
  if (state === 'unknown') return paint('yellow', 'state unknown');
  return state;
}

function terminalText({ tmux, window, tty }: Terminal): string {
  if (tmux !== undefined) return `tmux ${plain(tmux.place)}`;
  if (window !== undefined) return `${plain(window.name)} window`;
  return tty === undefined ? 'no terminal' : plain(tty);
}

function contextText(session: SessionStatus, paint: Paint): string {
  const { tokens, window, percent, percentSource, level } = session;
  if (tokens === null || window === null || percent === null || percentSource === null || level === null)
    return paint('dim', 'the context shows with the first reply');
  const bar = paint(LEVEL_STYLE[level], gauge(percent));
  const figure = paint(['bold', LEVEL_STYLE[level]].flat() as Style, `${percent} %`.padStart(5));
  const parts = [
    `${thousands(tokens)} of ${thousands(window)}`,
    ...growthText(session),
    paint('dim', SOURCE_TEXT[percentSource]),
  ];
  return `${bar} ${figure}  ${parts.join(' · ')}`;
}

function gauge(percent: number): string {
  const filled = Math.max(0, Math.min(BAR_WIDTH, Math.round((percent / 100) * BAR_WIDTH)));
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
}

function growthText({ growthPerTurn, turnsLeft, turnsLeftTo, warnAtTokens, criticalAtTokens, window }: SessionStatus): string[] {
  if (growthPerTurn === null) return [];
  const growth = `${growthPerTurn < 0 ? '−' : '+'}${thousands(Math.abs(growthPerTurn))} a turn`;
  const at = turnsLeftTo === 'warn' ? warnAtTokens : criticalAtTokens;
  if (turnsLeft === null || at === null || window === null) return [growth];
  return [growth, `~${turnsLeft} ${turnsLeft === 1 ? 'turn' : 'turns'} to ${Math.round((at / window) * 100)} %`];
}

export function problemsText(problems: readonly string[], paint: Paint): string {
  return problems.map((problem) => `${paint('yellow', 'note:')} ${plain(problem)}\n`).join('');
}
