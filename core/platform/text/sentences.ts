/** Shortens texts without a model. */

/** Up to the first full stop, in English or Korean, or the first line. */
export function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return /^.*?[.!?。](?=\s|$)/.exec(line)?.[0] ?? line;
}

/** At most `limit` characters, cut at a word if one ends nearby. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  const blank = cut.lastIndexOf(' ');
  return `${blank > limit * 0.8 ? cut.slice(0, blank) : cut}…`;
}
