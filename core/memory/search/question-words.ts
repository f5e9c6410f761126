/**
 * Words of a question that say little of what it is about (M17). Those of grammar are not looked
 * for at all, unless there is nothing else; those that only frame a question ("what did we say
 * about …", 어떻게 … 알려줘) count for less, and an entry may lack them.
 */
const GRAMMAR = new Set(
  [
    'a about above after again all also am an and any are as at be because been before being below',
    'between both but by can could did do does doing done down during each few for from further',
    'had has have having he her here hers him his how i if in into is it its just let me more most',
    'my no nor not of off on once only or other our out over own same she should so some such than',
    'that the their them then there these they this those through to too under until up us very was',
    'we were what when where which while who whom whose why will with would you your',
    'd don ll m re s t ve',
    '안 못',
  ].flatMap((line) => line.split(' ')),
);

export const FRAME_WORTH = 0.3;
const FRAME = new Set(
  [
    'anything came come describe described discuss discussed discussing discussion everything',
    'explain explained first gave get give go going good got kind know like lot made make many',
    'mention mentioned much now ok okay one opinion opinions people please really reason reasons',
    'right said say saying says something sort summarize summary take talk talked talking tell',
    'thing things think thinks thought told took two use used view want wanted way well yeah yes',
    '알려줘 알려주세요 말해줘 설명해줘 찾아줘 보여줘 대해 대해서 대한 관련 관해 관해서',
    '하다 되다 있다 없다 이다 아니 말다 싶다 같다 보다 주다 알다 알리 모르 정하 하기로 걸로 거로',
    '첫 처음 새 각 두 세 네 이 그 저 우리 내가 그때 그거 그게 그걸 지금 좀 결국 거 게 것 걸 건 수 때 중',
  ].flatMap((line) => line.split(' ')),
);

const KOREAN_ASKS = /^(?:뭐|뭘|뭔|무엇|무슨|어떤|어떻|어느|어디|언제|누구|누가|얼마|몇|왜$)/;

/** What a word of a query is worth, from 0 to 1, by itself or by one of its stems. */
export function worthOfWord(word: string, stems: readonly string[] = []): number {
  const lower = word.toLowerCase();
  if (GRAMMAR.has(lower)) return 0;
  return [lower, ...stems].some((form) => FRAME.has(form)) || KOREAN_ASKS.test(word)
    ? FRAME_WORTH
    : 1;
}
