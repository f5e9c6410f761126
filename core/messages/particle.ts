/**
 * Korean particles take their form from the syllable before them: 파일을, 폴더를. For letters and
 * digits we guess how Koreans read them aloud.
 */
const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const FINALS = 28;
const FINAL_RIEUL = 8;
/** 영, 일, 이, 삼, 사, 오, 육, 칠, 팔, 구: of these 일, 칠 and 팔 end in ㄹ, as L (엘) does. */
const READ_WITH_RIEUL = '178l';
const READ_WITH_OTHER_FINAL = '036bcdgkmnpqt';

type Final = 'none' | 'rieul' | 'other';

/** `pair` is 을/를, 이/가, 은/는, 과/와, 으로/로 or the like: first the form after a consonant. */
export function withParticle(word: string, pair: string): string {
  const [afterConsonant = '', afterVowel = ''] = pair.split('/');
  const final = finalOf(word);
  const isVowel = final === 'none' || (final === 'rieul' && afterConsonant === '으로');
  return word + (isVowel ? afterVowel : afterConsonant);
}

function finalOf(word: string): Final {
  const last = [...word].findLast((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '';
  const code = last.codePointAt(0) ?? 0;
  if (code >= HANGUL_FIRST && code <= HANGUL_LAST) {
    const final = (code - HANGUL_FIRST) % FINALS;
    return final === 0 ? 'none' : final === FINAL_RIEUL ? 'rieul' : 'other';
  }
  const letter = last.toLowerCase();
  if (letter === '') return 'none';
  if (READ_WITH_RIEUL.includes(letter)) return 'rieul';
  return READ_WITH_OTHER_FINAL.includes(letter) ? 'other' : 'none';
}
