/**
 * A clear that is near, in words (A6): the tray's texts, in the language that the window has (G6).
 */
import en from '../../resources/locales/en/tray.json';
import ko from '../../resources/locales/ko/tray.json';
import { clock, fill, language, tokens, type Values } from '../locale/locale.ts';
import type { CountdownLine } from './countdown-lines.ts';

const TEXTS = { en, ko };

export function say(key: keyof typeof en, values: Values = {}): string {
  return fill(TEXTS[language()][key], values);
}

const CLEAR_WORDS = {
  time: { asked: 'countdownAsked', now: 'countdownNow', near: 'countdownNear' },
  announced: { asked: 'countdownAskedAnnounced', near: 'countdownAnnounced' },
  short: { asked: 'asked', near: 'near' },
  act: { asked: 'yes', near: 'clearNow' },
} as const;

const COMPACTION_WORDS = {
  time: {
    asked: 'compactCountdownAsked',
    now: 'compactCountdownNow',
    near: 'compactCountdownNear',
  },
  announced: { asked: 'compactCountdownAskedAnnounced', near: 'compactCountdownAnnounced' },
  short: { asked: 'compactAsked', near: 'compactNear' },
  act: { asked: 'compactYes', near: 'compactNow' },
} as const;

const wordsFor = ({ isCompaction }: Pick<CountdownLine, 'isCompaction'>) =>
  isCompaction ? COMPACTION_WORDS : CLEAR_WORDS;

type Line = Pick<CountdownLine, 'ends' | 'isCompaction'>;

export function timeText(line: Line, now: number): string {
  const { time } = wordsFor(line);
  if (line.ends === null) return say(time.asked);
  return line.ends <= now ? say(time.now) : say(time.near, { clock: clock(line.ends - now) });
}

/** On the button that has it done now. */
export function actText(line: Line): string {
  return say(wordsFor(line).act[line.ends === null ? 'asked' : 'near']);
}

export function whatHappens({
  percent,
  window,
}: Pick<CountdownLine, 'percent' | 'window'>): string {
  if (percent === null || window === null) return say('countdownWhatUnknown');
  return say('countdownWhat', { percent: Math.round(percent), window: tokens(window) });
}

export function announced(line: CountdownLine): string {
  const key = wordsFor(line).announced[line.ends === null ? 'asked' : 'near'];
  return say(key, { project: line.name, what: whatHappens(line) });
}

/**
 * For the title of a page, which is all that is seen of it behind others; undefined: nothing is
 * near.
 */
export function nearText([first]: readonly CountdownLine[]): string | undefined {
  if (first === undefined) return undefined;
  return say(wordsFor(first).short[first.ends === null ? 'asked' : 'near'], {
    project: first.name,
  });
}
