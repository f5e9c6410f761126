/**
 * Finds the shorter forms of a Korean word, from 세션들에서는 to 세션 (M17). There is no dictionary:
 * if it removes too much (고양이 gives 고양), it does so in documents and queries alike.
 */

/** Particles such as 은/는 depend on the final consonant before them, so 평가 and 가을 stay whole. */
type After = 'consonant' | 'vowel' | 'vowel or ㄹ' | 'any';

const PARTICLES = new Map<string, After>([
  ...attach(
    'consonant',
    '은 을 이 과 이나 이라도 이랑 이라고 이라는 이라면 이란 이든지 이며 이고 이다 이었다 이에요 으로 으로서 으로써',
  ),
  ...attach('vowel', '는 를 가 와 라도 랑 라고 라는 라면 란 든지 며 였다 예요'),
  ...attach('vowel or ㄹ', '로 로서 로써'),
  ...attach(
    'any',
    '에 에서 에게 에게서 한테 한테서 께 께서 의 도 만 들 뿐 까지 부터 처럼 보다 마다 밖에 조차 마저 만큼 대로 커녕',
  ),
  ...attach('any', '입니다 입니까 인데 인지 이라 하고 으로부터 로부터 씩 쯤 짜리'),
]);
const LONGEST_PARTICLE = Math.max(...[...PARTICLES.keys()].map(({ length }) => length));

/** Forms of 하다, 되다, 시키다, 있다 and 없다, which make verbs of nouns: 저장했다, 저장되는, 저장시킨, 문제없다. */
const LIGHT_VERBS = new Set('하해했한할합함되돼됐된될됩됨시있없');
const VERB_ENDINGS = new Set(
  '다고는은서면지여였었습니까요려도록게야던든네데며거나기자세십라죠군구만음을를것걸키켜켰킨킬킵셔셨신실어',
);
const LONGEST_VERB = 7;
/** 지원안해도. */
const NOT = /(?<=..)[안못]$/;

const MAX_STEPS = 4;
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const FINALS = 28;
const FINAL_RIEUL = 8;

/** Every shorter form, the shortest last. */
export function koreanStems(word: string): string[] {
  const stems: string[] = [];
  let rest = word;
  while (stems.length < MAX_STEPS) {
    const shorter = withoutLightVerb(rest) ?? withoutParticle(rest);
    if (shorter === undefined) break;
    stems.push(shorter);
    rest = shorter;
  }
  return stems;
}

/** Means nothing when it stands alone. Some are words all the same (이란, 라면): never drop them. */
export function isEnding(word: string): boolean {
  return PARTICLES.has(word) || isLightVerb(word, 0);
}

/** Like 에서는 in `API에서는`, 했다 in `commit했다`. */
export function isOnlyEndings(word: string): boolean {
  if (isEnding(word)) return true;
  const longest = Math.min(LONGEST_PARTICLE, word.length - 1);
  for (let length = longest; length > 0; length--)
    if (PARTICLES.has(word.slice(-length)) && PARTICLES.has(word.slice(0, -length))) return true;
  return false;
}

function withoutLightVerb(word: string): string | undefined {
  for (let at = Math.max(2, word.length - LONGEST_VERB); at < word.length; at++)
    if (isLightVerb(word, at)) return word.slice(0, at).replace(NOT, '');
  return undefined;
}

function isLightVerb(word: string, at: number): boolean {
  if (!LIGHT_VERBS.has(word.charAt(at)) || word.length - at > LONGEST_VERB) return false;
  for (let rest = at + 1; rest < word.length; rest++) {
    const syllable = word.charAt(rest);
    if (!VERB_ENDINGS.has(syllable) && !LIGHT_VERBS.has(syllable)) return false;
  }
  return word.charAt(at) !== '시' || '키켜켰킨킬킵'.includes(word.charAt(at + 1) || ' ');
}

function withoutParticle(word: string): string | undefined {
  for (let length = Math.min(LONGEST_PARTICLE, word.length - 1); length > 0; length--) {
    const after = PARTICLES.get(word.slice(-length));
    if (after === undefined) continue;
    const stem = word.slice(0, -length);
    const isTooShort = after === 'any' && length === 1 && stem.length === 1;
    if (!isTooShort && mayFollow(after, stem)) return stem;
  }
  return undefined;
}

function mayFollow(after: After, stem: string): boolean {
  if (after === 'any') return true;
  const code = stem.charCodeAt(stem.length - 1);
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return false;
  const final = (code - FIRST_SYLLABLE) % FINALS;
  if (after === 'consonant') return final !== 0;
  return final === 0 || (after === 'vowel or ㄹ' && final === FINAL_RIEUL);
}

function attach(after: After, particles: string): [string, After][] {
  return particles.split(' ').map((particle) => [particle, after]);
}
