/**
 * A redaction pattern, and the words without which it cannot match: a text without any of them need
 * not be searched.
 */
export interface RedactionRule {
  pattern: RegExp;
  /** In small letters; a blank is any white space. */
  words: readonly string[];
  /** A character that must stand there besides, for words that are common. */
  sign?: string;
}

export function rule(pattern: RegExp, ...words: string[]): RedactionRule {
  return { pattern, words };
}
