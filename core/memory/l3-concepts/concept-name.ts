/** Names a new concept after a few words of its first fact, when no model gave a name (M10). */
import { type ConceptFact, termsOf } from './terms.ts';
import { latinWords, withoutExtension } from './words.ts';

const MAX_NAME_CHARS = 40;

export function conceptName(fact: ConceptFact): string {
  return shorten(tellingKeyword(fact) ?? fileWords(fact) ?? firstClause(fact.text));
}

/** The one that says most, the earlier of two that say the same. */
function tellingKeyword({ kind, keywords }: ConceptFact): string | undefined {
  const told = keywords.map((keyword) => ({
    keyword,
    weight: total(termsOf({ kind, text: '', files: [], keywords: [keyword] })),
  }));
  return told.sort((a, b) => b.weight - a.weight)[0]?.keyword;
}

function total(terms: ReadonlyMap<string, number>): number {
  return [...terms.values()].reduce((sum, weight) => sum + weight, 0);
}

function fileWords({ files }: ConceptFact): string | undefined {
  const name = files[0]?.slice(files[0].lastIndexOf('/') + 1);
  const words = latinWords(withoutExtension(name ?? '')).join(' ');
  return words === '' ? undefined : words;
}

function firstClause(text: string): string {
  return text.trim().split(/[.;:!?\n]/)[0] ?? '';
}

function shorten(name: string): string {
  const clean = name.trim();
  if (clean.length <= MAX_NAME_CHARS) return clean;
  const cut = clean.slice(0, MAX_NAME_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_NAME_CHARS / 2)).trimEnd()}…`;
}
