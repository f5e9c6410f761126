/**
 * The bilingual glossary of software terms (M10): maps words of the same meaning to one term, so
 * that 로그인, "sign in" and "login" meet. The groups of equal terms are data in
 * resources/glossary.json.
 */
import groups from '../../../resources/glossary.json' with { type: 'json' };
import plainWords from '../../../resources/plain-words.json' with { type: 'json' };

/** Words that say nothing of a topic. */
export const EMPTY_WORDS = new Set(Object.values(plainWords.empty).flatMap((l) => l.split(' ')));
/** Terms that any fact may use (error, user, fix …): they say little of its topic. */
export const PLAIN_TERMS = new Set(plainWords.plain.split(', '));
/** No term of the glossary has more words. */
export const MAX_TERM_WORDS = 4;

const HANGUL = /[가-힣]/;

let read: ReturnType<typeof readGlossary> | undefined;

/** Read when first asked: most commands never ask. */
export function glossary() {
  read ??= readGlossary();
  return read;
}

/** Hyphens and dots part words: "e-mail" and "e mail" are one. */
function wordsOfTerm(term: string): string[] {
  return term.split(/[^\p{L}\p{N}+#]+/u).filter((word) => word !== '');
}

function readGlossary() {
  /** Words joined by one blank → the first term of their group. */
  const meanings = new Map<string, string>();
  /** Every Korean word that stands in a term, so that it is found in front of its particles. */
  const koreanWords = new Set<string>();
  for (const group of groups) {
    const name = group[0] as string;
    for (const term of group) {
      const words = wordsOfTerm(term);
      meanings.set(words.join(' '), name);
      const korean = words.filter((word) => HANGUL.test(word));
      for (const word of korean) koreanWords.add(word);
      // Korean compounds are written with and without blanks.
      if (words.length > 1 && korean.length === words.length) {
        meanings.set(words.join(''), name);
        koreanWords.add(words.join(''));
      }
    }
  }
  return {
    meanings,
    terms: new Set(meanings.values()),
    koreanWords,
    longestKoreanWord: Math.max(...[...koreanWords].map((word) => word.length)),
  };
}
