/**
 * Removes the endings of English words and Korean eojeols (M11), so that "deployed" and "deploys",
 * "배포한다" and "배포는" meet. This is not a grammar: it only has to cut both statements in the
 * same way.
 */

export interface Eojeol {
  stem: string;
  /** What was cut off: particle, verb ending, or both. */
  tail: string;
}

const PARTICLES =
  '은 는 이 가 을 를 에 에게 께 에서 로 으로 의 와 과 랑 이랑 이나 나 도 만 까지 부터 마다 보다 처럼 대로 씩 들 밖에 이란 란 라도 이라도 조차 뿐 만큼 이며 며 이고 이다 다 였다 이었다 입니다 이에요 예요 인 이라 이라고 라고 이라면 이어야 여야 이므로 이면 로서 으로서 로써 으로써 이든 든 당 별 쯤';
const STACKED =
  '에는 에도 에만 에서는 에서도 에서만 에서의 에게는 에게도 에게만 로는 으로는 로만 으로만 로도 으로도 까지는 까지만 까지도 부터는 들은 들이 들을 들의 들에 들도 만을 만이 만은 만의 와는 과는 와의 과의 마다의 에의 로의 으로의 로부터 으로부터 에게서 만으로 만으로도 에서부터 까지의 로까지 이어야만 여야만 에서라도 들에게 들에게는 들에게만 들과 들로';
const DO =
  '한다 합니다 했다 하였다 했습니다 하기로 하고 하며 하면 하면서 해서 해 해야 하여 하여야 하지 하지만 하지는 하지도 하는 하던 한 할 함 하기 하기만 하도록 하려면 하려고 하자 하라 하십시오 하세요 해도 해라 했고 했으며 하게 하거나 하므로 하니 한다면 한다고 해둔다 해놓는다 해주세요 해줘 하기로한다 하는지 했던 했을 하다 할지 한지 해서는 해야만 한다는 하려는 하면은 하는것';
const BECOME =
  '된다 됩니다 됐다 되었다 됐습니다 되고 되며 되면 되면서 되어서 돼서 되어 돼 돼야 되어야 되지 되지만 되는 된 될 됨 되기 되도록 되거나 되므로 되게 되어도 돼도 된다면 되다 됐고 되었고 되어야만 되었을 됐을 될지';
const MAKE =
  '시킨다 시킵니다 시켰다 시키고 시키며 시키면 시키지 시키는 시킨 시킬 시켜 시켜서 시켜야 시키도록';
const VERB =
  '는다 습니다 고 며 면 면서 지 지만 지는 지도 기 기로 기만 아야 어야 도록 려면 으려면 려고 거나 으며 으면 으니 으므로 자 라 게 던 음 었다 았다 었고 았고 어서 아서 어 아 어도 아도 는지 을 는데 은데 은지 세요 으세요 십시오 으십시오 ㅂ시다 읍시다 답니다 는다면 었던 았던 었으며 았으며 었습니다 았습니다';

const words = (text: string) => text.split(' ');
/** Endings that only a noun has: what stands before them is a name of something. */
const NOUN_TAILS = new Set([...words(PARTICLES), ...words(STACKED)]);
const TAILS = new Set([
  ...NOUN_TAILS,
  ...words(DO),
  ...words(BECOME),
  ...words(MAKE),
  ...words(VERB),
]);
/** After one syllable only these are endings and not part of the word. */
const SURE_VERB_TAILS = new Set(
  words('는다 습니다 아야 어야 았다 었다 지만 도록 으며 으면 거나 는지 으려면'),
);
const LONGEST_TAIL = 7;

const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const FINALS = 28;
const [FINAL_N, FINAL_L, FINAL_M, FINAL_B, FINAL_SS] = [4, 8, 16, 17, 20];
/** 옮겨 → 옮기, 봐 → 보, 줘 → 주: the vowel that was contracted with the ending. */
const CONTRACTED = new Map([
  [6, 20],
  [9, 8],
  [14, 13],
]);
const VOWELS = 21;

export function eojeol(word: string, isKnown: (stem: string) => boolean): Eojeol {
  for (let cut = word.length; cut >= 1 && word.length - cut <= LONGEST_TAIL; cut--) {
    const tail = word.slice(cut);
    if ((tail === '' || TAILS.has(tail)) && isKnown(word.slice(0, cut)))
      return { stem: word.slice(0, cut), tail };
  }
  for (let cut = Math.max(1, word.length - LONGEST_TAIL); cut < word.length; cut++) {
    const tail = word.slice(cut);
    if (cut === 1 ? SURE_VERB_TAILS.has(tail) : TAILS.has(tail) && tail !== '다')
      return { stem: word.slice(0, cut), tail };
  }
  return verbStem(word) ?? { stem: word, tail: '' };
}

/** 옮긴다 → 옮기, 보냅니다 → 보내, 옮겼다 → 옮기. */
function verbStem(word: string): Eojeol | undefined {
  const ending = /(?:니다|다|다면|고|던|으며|으면)$/.exec(word)?.[0] ?? '';
  const body = word.slice(0, word.length - ending.length);
  const last = body.charCodeAt(body.length - 1);
  if (body === '' || !(last >= HANGUL_FIRST && last <= HANGUL_LAST)) return undefined;
  const final = (last - HANGUL_FIRST) % FINALS;
  const bare = last - final;
  if (ending !== '' && final === FINAL_SS)
    return { stem: body.slice(0, -1) + uncontracted(bare), tail: `ㅆ${ending}` };
  const isVerb = (ending === '다' && final === FINAL_N) || (ending === '니다' && final === FINAL_B);
  const isAdnominal =
    ending === '' && body.length >= 3 && [FINAL_N, FINAL_L, FINAL_M].includes(final);
  if (isVerb) return { stem: body.slice(0, -1) + String.fromCharCode(bare), tail: ending };
  return isAdnominal || ending === '' ? undefined : { stem: body, tail: ending };
}

function uncontracted(syllable: number): string {
  const offset = syllable - HANGUL_FIRST;
  const vowel = Math.floor(offset / FINALS) % VOWELS;
  const original = CONTRACTED.get(vowel) ?? vowel;
  return String.fromCharCode(syllable + (original - vowel) * FINALS);
}

export function isNounTail(tail: string): boolean {
  return NOUN_TAILS.has(tail);
}

/**
 * Cuts plural, past, progressive and the commonest noun endings, then what they leave behind (e,
 * doubled letter, y).
 */
export function englishStem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  // Not "stats", nor "them".
  if (/^(?:state|theme)s?$/.test(word)) return word.replace(/s$/, '');
  let stem = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<![su])s$/, '');
  stem = cut(
    stem,
    /(?:ments?|ion|ing|ed|(?<=....)(?<!^(?:hour|dai|week|month|year|night|quarter))ly)$/,
  );
  return stem
    .replace(/(?<=...)e$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
    .replace(/(?<=...)y$/, 'i');
}

function cut(word: string, ending: RegExp): string {
  // "production" is not "product", nor "reaction" React.
  if (/^(?:product|react)ion$/.test(word)) return word;
  const stem = word.replace(ending, '');
  const shortest = /(?:ion|ments?)$/.test(word) ? 5 : 3;
  return stem.length >= shortest && /[aeiouy]/.test(stem) ? stem : word;
}
