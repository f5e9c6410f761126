/**
 * Finds a word in the other script (M17): people write 로그인 and login, 레디스 and Redis as they like.
 * Known words are looked up in the bilingual glossary; a name that is unknown is compared by its
 * consonants, which is what a transliteration keeps.
 */
import groups from '../../../resources/glossary.json' with { type: 'json' };
import type { Vocabulary } from './vocabulary.ts';

const HANGUL = /^[가-힣]+$/;
const LATIN = /^[a-z]+$/;
/** Fewer consonants are alike by chance. */
const FEWEST_CONSONANTS = 3;
const FIRST_SYLLABLE = 0xac00;
const SYLLABLES_PER_INITIAL = 588;
const FINALS = 28;
/** ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ: what transliterations do not tell apart is one sound. */
const INITIALS = 'KKNTTLMPPSS-SSSKTPH';
/** By final consonant; ㅅ stands for t (봇) and ㅇ for ng, clusters for nothing. */
const FINAL_SOUNDS = '-KK-N--TL-------MP-TTN--KTP-';
const SILENT = '-';
/** ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ; ㅡ only fills the gap between two consonants. */
const VOWELS = 'aeaeaeaeoaeeouaeiu-ii';
/** How each vowel of the alphabet is heard. */
const HEARD: Record<string, string> = { a: 'ae', e: 'eia', i: 'ia', o: 'oa', u: 'uao', y: 'ia' };
/** In this order: an earlier one has taken its letters. */
const LATIN_SOUNDS: readonly [letters: RegExp, sound: string][] = [
  [/ph/g, 'P'],
  [/tch|[cst]h/g, 'S'],
  [/ng(?![aeiouy])/g, 'N'],
  [/c(?=[eiy])/g, 'S'],
  [/x/g, 'KS'],
  [/ck|[gkcq]/g, 'K'],
  [/[dt]/g, 'T'],
  [/[bfpv]/g, 'P'],
  [/[sjz]/g, 'S'],
  [/l|r(?=[aeiouy])/g, 'L'],
  [/m/g, 'M'],
  [/n/g, 'N'],
  [/(?<![a-zA-Z])h/g, 'H'],
];
const DOUBLED = /([A-Z])\1+/g;
const SOFT_G = /g(?=[eiy])/g;

/** How the letters are called. */
const LETTERS =
  '에이 비 씨 디 이 에프 지 에이치 아이 제이 케이 엘 엠 엔 오 피 큐 알 에스 티 유 브이 더블유 엑스 와이 제트'.split(
    ' ',
  );
const NAMES = [...LETTERS].sort((one, other) => other.length - one.length).join('|');
const A_LETTER = new RegExp(NAMES, 'g');
const SPELLED = new RegExp(`^(?:${NAMES}){2,}$`);
const FIRST_LETTER = 'a'.charCodeAt(0);
const LONGEST_SPELLED = 5;

let translations: Map<string, string[]> | undefined;

/** Words of the same meaning in the other script. */
export function translationsOf(word: string): readonly string[] {
  translations ??= readTranslations();
  const known = translations.get(word) ?? [];
  const spelled = spelledOut(word);
  return spelled === undefined ? known : [...known, spelled];
}

/** 이엠알 → emr and back. */
function spelledOut(word: string): string | undefined {
  if (LATIN.test(word))
    return word.length > LONGEST_SPELLED
      ? undefined
      : word.replace(/./g, (letter) => LETTERS[letter.charCodeAt(0) - FIRST_LETTER] as string);
  return SPELLED.test(word)
    ? word.replace(A_LETTER, (name) => String.fromCharCode(FIRST_LETTER + LETTERS.indexOf(name)))
    : undefined;
}

function readTranslations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const group of groups) {
    const hangul = group.filter((text) => HANGUL.test(text));
    const latin = group.filter((text) => LATIN.test(text));
    const add = (word: string, others: readonly string[]) =>
      found.set(word, [...(found.get(word) ?? []), ...others]);
    // English forms of a word have their stem in common; 싱크 and 동기화 have nothing.
    for (const word of latin) add(word, hangul);
    for (const word of hangul) add(word, [...latin, ...hangul.filter((other) => other !== word)]);
  }
  return found;
}

/** Terms in the other script that sound like the word. */
export function soundingLike(word: string, vocabulary: Vocabulary): number[] {
  const isHangul = HANGUL.test(word);
  if (!isHangul && !LATIN.test(word)) return [];
  const wanted = soundsOf(word);
  if (wanted.length === 0) return [];
  const others = isHangul ? LATIN : HANGUL;
  // The cheap question first: this walks over all terms.
  const sounds = (term: string) =>
    others.test(term) &&
    (isHangul ? beginAlike(word, term) : beginAlike(term, word)) &&
    soundsOf(term).some((sound) => wanted.includes(sound));
  return vocabulary.all.flatMap((term, number) => (sounds(term) ? [number] : []));
}

/** Whether their first vowels may be the same. */
function beginAlike(hangul: string, latin: string): boolean {
  const vowels = [...hangul].map((syllable) =>
    VOWELS.charAt(Math.floor((codeOf(syllable) % SYLLABLES_PER_INITIAL) / FINALS)),
  );
  const first = vowels.find((vowel) => vowel !== SILENT);
  const [letter = ''] = /[aeiouy]/.exec(latin) ?? [];
  return first !== undefined && (HEARD[letter]?.includes(first) ?? false);
}

function codeOf(syllable: string): number {
  return syllable.charCodeAt(0) - FIRST_SYLLABLE;
}

/** The consonants of a word, in one or two ways to speak it; none if they are too few. */
function soundsOf(word: string): string[] {
  const all = HANGUL.test(word)
    ? [hangulSounds(word)]
    : [latinSounds(word), latinSounds(word.replace(SOFT_G, 'j'))];
  return all.filter((sounds) => sounds.length >= FEWEST_CONSONANTS);
}

function hangulSounds(word: string): string {
  let sounds = '';
  for (const syllable of word) {
    const code = codeOf(syllable);
    const initial = INITIALS.charAt(Math.floor(code / SYLLABLES_PER_INITIAL));
    // 플러 has its one l twice.
    sounds += initial === sounds.at(-1) && initial === 'L' ? '' : initial;
    sounds += FINAL_SOUNDS.charAt(code % FINALS);
  }
  return sounds.replaceAll(SILENT, '');
}

function latinSounds(word: string): string {
  let sounds = word;
  for (const [letters, sound] of LATIN_SOUNDS) sounds = sounds.replace(letters, sound);
  return sounds.replace(DOUBLED, '$1').replace(/[^A-Z]/g, '');
}
