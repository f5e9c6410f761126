/**
 * Figures by name as the engine gives them, in words of the user's language; what has no words yet
 * is shown by its name.
 */
import { number, t } from '../../../locale/locale.ts';

const KNOWN = [
  'entries',
  'facts',
  'concepts',
  'sessions',
  'transcripts',
  'summaries',
  'events',
] as const;

export function figureWords(figures: Readonly<Record<string, number>>): string {
  const words = Object.entries(figures)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => {
      const known = KNOWN.find((figure) => figure === name);
      return known === undefined
        ? `${name}: ${number(value)}`
        : t(`memory.figure_${known}`, { count: value });
    });
  return words.length === 0 ? '' : `${words.join(', ')}.`;
}
