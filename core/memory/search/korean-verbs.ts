/**
 * Finds the dictionary form of a Korean verb, from 늘렸지 and 늘려줘 to 늘리다 (M17): a question asks
 * in another tense and tone than the answer was said in. There is no dictionary: what looks like a
 * verb is taken for one, in documents and queries alike.
 */
const ENDINGS = [
  '지 지요 죠 더라 더라고 더라고요 다 다고 다는 다면 네 네요 니 니까 니깐 거든 거든요 잖아 잖아요 구나 군요',
  '면 면서 으면 으면서 으니 으니까 는데 는데요 는지 도록 게 려고 으려고 려면 으려면 자 자고 래 래요 기로',
  '줘 줘요 주세요 줄래 줄게 주면 줬 줬어 줬지 습니다 습니까 어 어요 어서 아 아요 아서 나요 었던 았던 던 었나 았나 나',
]
  .flatMap((line) => line.split(' '))
  .sort((one, other) => other.length - one.length);
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const FINALS = 28;
const PER_INITIAL = 21 * FINALS;
const FINAL_PIEUP = 17;
const FINAL_PAST = 20;
/** What a vowel was before 어 and 아 joined it: 려 is 리 and 어, 와 is 오 and 아. By vowel number. */
const JOINED = new Map([
  [6, 20],
  [9, 8],
  [14, 13],
  [10, 11],
]);
/** 해 is 하 and 여. */
const HAE = '해';
const PAST = new Set(['았', '었', '였']);
const PASSED_ON = new Set(['아', '어', '여']);

/** Undefined if it does not look like a verb. */
export function dictionaryForm(word: string): string | undefined {
  const polite = politeForm(word);
  if (polite !== undefined) return polite;
  for (const ending of ENDINGS) {
    if (!word.endsWith(ending) || word.length === ending.length) continue;
    const rest = word.slice(0, -ending.length);
    const { stem, isPast } = withoutTense(rest);
    // One syllable before one: 가지 and 화면 are rather nouns.
    if (stem === '' || (stem.length === 1 && ending.length === 1 && !isPast)) continue;
    return `${stem}다`;
  }
  return undefined;
}

/** 갑니다 → 가다. */
function politeForm(word: string): string | undefined {
  if (!/(?<!습)니[다까]$/.test(word) || word.length < 3) return undefined;
  const rest = word.slice(0, -2);
  const { final, code } = lastSyllable(rest);
  if (final !== FINAL_PIEUP) return undefined;
  return `${rest.slice(0, -1)}${String.fromCharCode(code - final)}다`;
}

/** 막았 → 막, 늘렸 and 늘려 → 늘리. */
function withoutTense(verb: string): { stem: string; isPast: boolean } {
  const last = verb.at(-1) ?? '';
  if (PAST.has(last)) return { stem: verb.slice(0, -1), isPast: true };
  if (PASSED_ON.has(last) && verb.length > 1) return { stem: verb.slice(0, -1), isPast: false };
  const { final, code } = lastSyllable(verb);
  const isPast = final === FINAL_PAST;
  if (!isPast && final !== 0) return { stem: verb, isPast };
  const open = String.fromCharCode(code - final);
  return { stem: `${verb.slice(0, -1)}${parted(open)}`, isPast };
}

function parted(syllable: string): string {
  if (syllable === HAE) return '하';
  const code = syllable.charCodeAt(0) - FIRST_SYLLABLE;
  if (code < 0 || syllable.charCodeAt(0) > LAST_SYLLABLE) return syllable;
  const vowel = Math.floor((code % PER_INITIAL) / FINALS);
  const before = JOINED.get(vowel) ?? vowel;
  return String.fromCharCode(FIRST_SYLLABLE + code + (before - vowel) * FINALS);
}

function lastSyllable(word: string): { final: number; code: number } {
  const code = word.charCodeAt(word.length - 1);
  const isSyllable = code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE;
  return { final: isSyllable ? (code - FIRST_SYLLABLE) % FINALS : 0, code };
}
