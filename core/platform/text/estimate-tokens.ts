/** Guesses how many tokens a text takes: for budgets, never for a percentage that is shown. */

const TOKENS_PER_HANGUL = 1.5;
const OTHER_CHARS_PER_TOKEN = 2.4;

export function estimateTokens(text: string): number {
  const hangul = text.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  return Math.ceil(hangul * TOKENS_PER_HANGUL + (text.length - hangul) / OTHER_CHARS_PER_TOKEN);
}
