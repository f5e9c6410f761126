/**
 * The tray in words (G1): the state of all sessions comes in, the tooltip and the lines of the menu
 * go out, as plain data that can be compared. Each line that does something says what;
 * electron/tray.ts does it.
 */
import type { LiveState, SessionView } from '../core/usecases/contract.ts';
import { shortTokens } from '../core/usecases/messages.ts';
import type { Say } from './texts.ts';
import { fullest } from './tray-look.ts';

type Clear = LiveState['clears'][number];

export type TrayAct =
  | { do: 'open' | 'quit' | 'pause' | 'resume' }
  | { do: 'openProject'; projectRoot: string }
  | { do: 'clear' | 'explain' | 'reset'; sessionId: string; pid: number }
  | { do: 'cancel' | 'snooze' | 'now'; sessionId: string };

export type TrayLine = { separator: true } | { label: string; act?: TrayAct; lines?: TrayLine[] };

const SEPARATOR: TrayLine = { separator: true };
/** A panel shows a menu as wide as its longest line. */
const LONGEST_NAME = 40;
const LONGEST_REASON = 120;

export function tooltip(state: LiveState, say: Say): string {
  return [headLine(state, say), ...notKeptTexts(state, say)].join('\n');
}

function headLine(state: LiveState, say: Say): string {
  const session = fullest(state);
  const line = session === undefined ? say('noSession') : sessionLine(session, say, 'line');
  return state.isPaused ? say('pausedSuffix', { line }) : line;
}

/** Every session that is not being saved, whichever is the fullest, with the reason (T6). */
function notKeptTexts({ sessions }: LiveState, say: Say): string[] {
  return sessions.flatMap(({ project, keeping }) => {
    if (keeping.ok) return [];
    const text = say('notKept', { project: shortName(project), reason: keeping.reason });
    return [shortened(text, LONGEST_REASON)];
  });
}

function sessionLine(session: SessionView, say: Say, form: 'line' | 'lineShort'): string {
  const project = shortName(session.project);
  const state = say(session.state);
  const { tokens, percent, window } = session;
  const line =
    percent === null || window === null
      ? tokens === null
        ? say('lineUnknown', { project, state })
        : say('lineNoWindow', { project, tokens: shortTokens(tokens), state })
      : say(form, { project, percent: Math.round(percent), window: shortTokens(window), state });
  return session.breaker == null ? line : say('leftAloneSuffix', { line });
}

export function trayLines(state: LiveState, say: Say): TrayLine[] {
  const notKept = notKeptTexts(state, say).map(
    (label): TrayLine => ({ label, act: { do: 'open' } }),
  );
  const clears = state.clears.flatMap((clear) => clearLines(clear, say));
  const sessions = state.sessions.map((session) => sessionMenu(session, say));
  return [
    { label: headLine(state, say) },
    ...notKept,
    SEPARATOR,
    ...(clears.length > 0 ? [...clears, SEPARATOR] : []),
    ...(sessions.length > 0 ? [...sessions, SEPARATOR] : []),
    state.isPaused
      ? { label: say('resume'), act: { do: 'resume' } }
      : { label: say('pause'), act: { do: 'pause' } },
    { label: say('open'), act: { do: 'open' } },
    { label: say('quit'), act: { do: 'quit' } },
  ];
}

const CLEAR_WORDS = {
  waiting: 'isWaiting',
  asked: ['asked', 'yes'],
  near: ['near', 'clearNow'],
} as const;

const COMPACTION_WORDS = {
  waiting: 'compactIsWaiting',
  asked: ['compactAsked', 'compactYes'],
  near: ['compactNear', 'compactNow'],
} as const;

/** A clear that can still be stopped. */
function clearLines(clear: Clear, say: Say): TrayLine[] {
  const { sessionId } = clear;
  const project = projectName(clear);
  const isAsked = clear.countdownEnds === undefined;
  const cancel: TrayLine = {
    label: say(isAsked ? 'no' : 'cancel'),
    act: { do: 'cancel', sessionId },
  };
  const snooze: TrayLine = { label: say('snooze'), act: { do: 'snooze', sessionId } };
  const words = clear.method === 'compact' ? COMPACTION_WORDS : CLEAR_WORDS;
  if (clear.state === 'waiting')
    return [{ label: say(words.waiting, { project }) }, cancel, snooze];
  if (clear.state !== 'countdown') return [];
  const { asked, near } = words;
  const [title, act] = isAsked ? asked : near;
  const now: TrayLine = { label: say(act), act: { do: 'now', sessionId } };
  return [{ label: say(title, { project }) }, cancel, snooze, now];
}

function sessionMenu(session: SessionView, say: Say): TrayLine {
  const { sessionId, pid } = session;
  return {
    label: sessionLine(session, say, 'lineShort'),
    lines: [
      ...breakerLines(session, say),
      { label: clearLabel(session, say), act: { do: 'clear', sessionId, pid } },
      { label: say('explain'), act: { do: 'explain', sessionId, pid } },
      { label: say('openSession'), act: { do: 'openProject', projectRoot: session.projectRoot } },
    ],
  };
}

/** What is not given back, or not expected by the program that runs it, is said before the click. */
function clearLabel({ hasPlugin, kindRefusal }: SessionView, say: Say): string {
  if (!hasPlugin) return say('clearBare');
  return say(kindRefusal == null ? 'clearNow' : 'clearOther');
}

/** Why it is left alone, and the way out (T5). */
function breakerLines({ breaker, sessionId, pid }: SessionView, say: Say): TrayLine[] {
  if (breaker == null) return [];
  return [
    { label: say(`leftAlone_${breaker.why}`) },
    { label: say('reset'), act: { do: 'reset', sessionId, pid } },
    SEPARATOR,
  ];
}

export function projectName({ projectRoot }: Pick<Clear, 'projectRoot'>): string {
  return shortName(projectRoot.split(/[\\/]/).findLast((part) => part !== '') ?? projectRoot);
}

/**
 * A folder's name may hold anything; a menu takes `&` for the mark of a shortcut, and `_` in some
 * places.
 */
function shortName(name: string): string {
  return shortened(name, LONGEST_NAME);
}

function shortened(text: string, longest: number): string {
  const plain = text.replace(/\p{Cc}/gu, ' ').trim();
  return plain.length > longest ? `${plain.slice(0, longest - 1)}…` : plain;
}
