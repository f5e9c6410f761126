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

export function timeText({ ends }: Pick<CountdownLine, 'ends'>, now: number): string {
  if (ends === null) return say('countdownAsked');
  return ends <= now ? say('countdownNow') : say('countdownNear', { clock: clock(ends - now) });
}

export function whatHappens({
  percent,
  window,
}: Pick<CountdownLine, 'percent' | 'window'>): string {
  if (percent === null || window === null) return say('countdownWhatUnknown');
  return say('countdownWhat', { percent: Math.round(percent), window: tokens(window) });
}

export function announced(line: CountdownLine): string {
  const key = line.ends === null ? 'countdownAskedAnnounced' : 'countdownAnnounced';
  return say(key, { project: line.name, what: whatHappens(line) });
}

/**
 * For the title of a page, which is all that is seen of it behind others; undefined: nothing is
 * near.
 */
export function nearText([first]: readonly CountdownLine[]): string | undefined {
  return first && say(first.ends === null ? 'asked' : 'near', { project: first.name });
}
