/**
 * Writes a number of tokens as people read it at a glance, the same in both languages: 9.1k, 712k,
 * 1M, 1.05M.
 */
export function shortTokens(value: number): string {
  if (value < 1000) return String(value);
  if (value < 10_000) return `${Math.round(value / 100) / 10}k`;
  // What would be rounded to 1,000k is a million.
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${Math.round(value / 10_000) / 100}M`;
}
