/**
 * Splits a statement into tokens (M11): words with their stem, numbers and marks, in order. This is
 * not a grammar: it only has to cut both statements in the same way.
 */

export interface Token {
  /** Lower case. */
  text: string;
  /** A Latin word without its ending, a Korean verb as dictionaries have it. */
  stem: string;
  /** The Korean particle on a Latin word: "Redis로". */
  tail: string;
  script: 'latin' | 'hangul' | 'number' | 'mark';
  /** Follows the token before without a space. */
  isGlued: boolean;
  /** Has a capital letter. */
  isCapital: boolean;
}

const DATE_FORMAT = `(?<![a-z])(?:y{2,4}|m{2,3}|d{1,2})(?:[-./]?(?:y{2,4}|m{2,3}|d{1,2})){2}(?![a-z])`;
const LATIN = `[.@]?[a-z][a-z0-9]*(?:[.'+#_][a-z0-9]+)*[+#]{0,2}`;
const TOKEN = new RegExp(
  String.raw`(${DATE_FORMAT}|${LATIN})|(\d+(?:[.,:]\d+)*)|([가-힣]+)|[;.!?,:()%→\n"]`,
  'gi',
);

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [raw, latin, number, hangul] = match;
    const isGlued = match.index > 0 && /^\S?$/.test(text.slice(end, match.index));
    end = match.index + raw.length;
    const lower = raw.toLowerCase().replace(/'s$/, '');
    const last = tokens.at(-1);
    const token = { text: lower, stem: lower, tail: '', isGlued, isCapital: raw !== lower };
    if (latin !== undefined) tokens.push({ ...token, stem: englishStem(lower), script: 'latin' });
    else if (number !== undefined) tokens.push({ ...token, script: 'number' });
    else if (hangul === undefined) tokens.push({ ...token, script: 'mark' });
    else if (last?.script === 'latin' && isGlued && isTail(raw)) last.tail = raw;
    else tokens.push({ ...token, stem: dictionaryForm(raw), script: 'hangul' });
  }
  return tokens;
}

/** 겼 → 기, 꿨 → 꾸, 봤 → 보, 했 → 하, 됐 → 되: the vowels as NFD writes them. */
const UNCONTRACTED = new Map(
  ['\u1167\u1175', '\u116f\u116e', '\u116a\u1169', '\u1162\u1161', '\u116b\u116c'].map(
    ([contracted, vowel]) => [contracted, vowel],
  ),
);

/** 남긴다 → 남기다, 보냅니다 → 보내다, 바꿨다 → 바꾸다. */
function dictionaryForm(word: string): string {
  if (!/[^있없]다$/.test(word)) return word;
  const stem = word
    .slice(0, -1)
    .replace(/(?:는|[었았]?습니|었|았)$/, '')
    .normalize('NFD')
    .replace(/\u11ab$|\u11b8\u1102\u1175$/, '')
    .replace(/(.)\u11bb$/, (_, vowel: string) => UNCONTRACTED.get(vowel) ?? vowel);
  return `${stem.normalize('NFC')}다`;
}

const CASE =
  '에서|에게|에게서|께|으로|로|에|와|과|랑|이랑|까지|부터|마다|보다|처럼|대로|만큼|로서|으로서|밖에|씩|당|별|쯤|뿐|만|이나|나';
const FOCUS = '은|는|이|가|을|를|도|만|의|부터|까지|이라도|라도';
const COPULA =
  '이다|다|였다|이었다|입니다|이에요|예요|인|이라|이라고|라고|이라면|이어야|여야|이므로|이면|이며|며|이고|이란|란';
const NOUN_TAIL = new RegExp(`^(?:들?(?:${CASE})?(?:${FOCUS})?|${COPULA})$`);
/** 하다, 되다 and 시키다 make a verb of the noun before them. */
const VERB_OF_NOUN = /^(?:[하한할함합했해되된될됨됩됐돼]|시키|시킨|시킬|시켜|시킵)[가-힣]{0,4}$/;
const VERB_ENDING =
  /^(?:는?다면?|습니다|고|며|면서?|지만?|지[는도]|기[로만]?|[아어]야|도록|으?려면|려고|거나|으며|으면|으니|으므로|자|라|게|던|음|[었았](?:다|고|던|으며|습니다)|[어아](?:서|도)?|는지|을|[는은]데|은지|으?세요|으?십시오|읍시다)$/;
/** After one syllable only these are endings and not part of the word. */
const SURE_ENDING = /^(?:는다|습니다|[아어]야|[았었]다|지만|도록|으며|으면|거나|는지|으려면)$/;
const LONGEST_TAIL = 7;

/** 배포한다 → 배포 + 한다, 서버에서는 → 서버 + 에서는. A known word is cut off first. */
export function splitTail(
  word: string,
  isKnown: (stem: string) => boolean,
): { stem: string; tail: string } {
  const cuts = Array.from({ length: Math.min(LONGEST_TAIL + 1, word.length) }, (_, length) => ({
    stem: word.slice(0, word.length - length),
    tail: word.slice(word.length - length),
  }));
  const isEnding = ({ stem, tail }: { stem: string; tail: string }) =>
    tail !== '' && (stem.length === 1 ? SURE_ENDING.test(tail) : isTail(tail));
  return (
    cuts.find(({ stem, tail }) => isKnown(stem) && isTail(tail)) ??
    cuts.findLast(isEnding) ?? { stem: word, tail: '' }
  );
}

function isTail(tail: string): boolean {
  return NOUN_TAIL.test(tail) || isVerbTail(tail);
}

export function isVerbTail(tail: string): boolean {
  return (
    tail === '다' || VERB_OF_NOUN.test(tail) || (VERB_ENDING.test(tail) && !NOUN_TAIL.test(tail))
  );
}

/** Cuts plural, past, progressive and the commonest noun endings, and what they leave behind. */
function englishStem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const single = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<![su])s$/, '');
  return withoutEnding(single)
    .replace(/(?<=...)e$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
    .replace(/(?<=...)y$/, 'i');
}

function withoutEnding(word: string): string {
  // "production" is not "product", nor "reaction" React, nor "hourly" an hour.
  if (/^(?:production|reaction|(?:hour|dai|week|month|year|night|quarter)ly)$/.test(word))
    return word;
  const stem = word.replace(/(?:ments?|ion|ing|ed|(?<=....)ly)$/, '');
  const shortest = /(?:ion|ments?)$/.test(word) ? 5 : 3;
  return stem.length >= shortest && /[aeiouy]/.test(stem) ? stem : word;
}
