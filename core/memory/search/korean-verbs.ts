/**
 * Finds the stem of a Korean verb, from 늘렸지, 늘린 and 안늘려줘 to 늘리 (M17): a question asks in another
 * tense and tone than the answer was said in. There is no dictionary: what looks like a verb is taken
 * for one, in documents and queries alike. Words are taken apart into letters (NFD), since endings
 * begin inside syllables.
 */

/** In compatibility letters what joins the syllable before it: ㄴ다 is the end of 간다. */
const FINAL_ENDINGS = [
  '다 다고 다는 다면 다가 다며 단 지 지요 죠 지만 더라 더라고 더라고요 더라구 더라구요 네 네요 니 니까 거든 거든요 잖아 잖아요',
  '구나 군 군요 고 고요 고서 게 게요 게끔 는데 는데요 는지 는가 도록 자 자고 자는 나 나요 냐 냐고 던 던데 던가 던지 든지 거나',
  '기 기로 기에 기도 기만 기는 길 긴 는 는다 는다고 는다는 음 으니 으니까 으면 으면서 으려고 으려면 으려다 으려다가 려고 려면 려다 려다가 면 면서 면은 며 으며',
  '어 어요 어서 어도 어야 어야지 아 아요 아서 아도 아야 아야지 서 도 야 야지 요 습니다 습니까 은 은데 을 을까 을까요 을게 을게요 을지 을래',
  '세요 으세요 십시오 으십시오 래 래요 라고 라는 으라고 자마자 느라 느라고',
  'ㄴ다 ㄴ다고 ㄴ다는 ㄴ다면 ㄴ데 ㄴ데요 ㄴ지 ㄴ가 ㄹ까 ㄹ까요 ㄹ게 ㄹ게요 ㄹ래 ㄹ래요 ㄹ지 ㄹ려고 ㄹ수록 ㅂ니다 ㅂ니까 ㅂ시다',
].flatMap((line) => line.split(' '));
/** Nouns that people write together with the verb before them: 보낼때, 쓰는거야. */
const BOUND = [
  ['는 은 을 던 ㄴ ㄹ', '거 것 게 걸 건 데 대로 만큼 정도 경우'],
  ['을 ㄹ', '때 수 줄'],
  ['은 ㄴ', '적 후 뒤 다음'],
  ['는', '중 동안'],
];
const FINALS: Record<string, string> = { ㄴ: 'ᆫ', ㄹ: 'ᆯ', ㅁ: 'ᆷ', ㅂ: 'ᆸ', ㅆ: 'ᆻ' };
const SYLLABLE = '[ᄀ-ᄒ][ᅡ-ᅵ][ᆨ-ᇂ]?';

const letters = (text: string) =>
  text.replace(/^[ㄱ-ㅎ]/, (final) => FINALS[final] ?? final).normalize('NFD');
const anyOf = (texts: readonly string[]) =>
  [...texts]
    .sort((one, other) => other.length - one.length)
    .map(letters)
    .join('|');
const bound = BOUND.map((group) => group.map((words) => `(?:${anyOf(words.split(' '))})`).join(''));
const ENDING = new RegExp(
  `(?:(?:${bound.join('|')})(?:${SYLLABLE}){0,3}|${anyOf(FINAL_ENDINGS)}|(?<=[ᄅᄌᄎᄏ]ᅵ|ᅳ|[ᄁᄋ]ᅮ)ᆫ|(?<=[ᄅᄌᄎᄏ]ᅵ)ᆯ)$`,
);
const TENSE = new RegExp(`(?:${letters('겠')}|(?:ᄋ[ᅡᅥᅧ]|(?<=[ᅡᅥᅢᅦᅧᅪᅯᅫ]))ᆻ)$`);
/** 막아 and 먹어, where the vowel has a syllable of its own. */
const LINK = /(?<=[ᆨ-ᇂ])ᄋ[ᅡᅥ]$/;
/** Verbs that only add how something is done, after 아 and 어: 빼버리다, 올려두다, 돌고있다. */
const HELPER = new RegExp(
  `(?:(?<=[ᅡᅥᅢᅧᅪᅯᅫ])(?:${anyOf(['버리', '드리'])})|(?<=[ᅡ-ᅵ].*[ᅡᅥᅢᅧᅪᅯᅫ]|[ᄁᄄᄊᄏᄐ]ᅥ|[ᅢᅧ])(?:${anyOf(['놓', '노', '두', '주', '보', '있', '달'])})|${anyOf(['고있', '고싶'])})$`,
);
const NOT = new RegExp(`^(?:${anyOf(['안', '못'])})(?=.)`);
/** What 아 and 어 and the sounds around them make of the end of a stem. */
const JOINED: readonly [RegExp, string][] = [
  [/(?<=ᄒ)ᅢ$/, 'ᅡ'],
  [/ᆯᄅ[ᅡᅥ]$/, letters('르')],
  [/(?<=[ᄁᄄᄊᄏᄐ])ᅥ$/, 'ᅳ'],
  [/ᅧ$/, 'ᅵ'],
  [/ᅪ$/, 'ᅩ'],
  [/ᅯ$/, 'ᅮ'],
  [/ᅫ$/, 'ᅬ'],
];
/** Consonants that some endings drop or turn into a vowel: 무겁고, 무거워; 만들고, 만든. */
const LOST: readonly [RegExp, string][] = [
  [/ᆸ$/, letters('우')],
  [/(?<=[ᅡ-ᅵ].*[ᅡ-ᅵ])ᆯ$/, ''],
];

/** Undefined if it does not look like a verb. A single syllable gets 다, to be no noun. */
export function verbStem(word: string): string | undefined {
  const whole = word.normalize('NFD');
  const inflected = whole.replace(ENDING, '');
  const base = baseOf(baseOf(inflected).replace(HELPER, ''));
  if (base === '' || base === whole) return undefined;
  const stem = replaceAll(base, LOST).replace(NOT, '').normalize('NFC');
  return stem.length === 1 ? `${stem}다` : stem;
}

function baseOf(inflected: string): string {
  return replaceAll(inflected.replace(TENSE, '').replace(TENSE, '').replace(LINK, ''), JOINED);
}

function replaceAll(text: string, rules: readonly [RegExp, string][]): string {
  return rules.reduce((rest, [end, instead]) => rest.replace(end, instead), text);
}
