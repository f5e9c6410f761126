/**
 * Tells in Korean what the user does with a sentence (V2), plain or polite: what stands at its end
 * says whether it is a choice, a rule, a constraint, a problem, or an order for the moment.
 */
import type { SpeechAct } from './speech-acts.ts';

const MIN_SYLLABLES = 6;
const MIN_WORDS = 3;

const QUESTION =
  /[?？]\s*$|(?:나요|(?:인|은|는|한|던|된|운)가요?|는지|은지|건지|을지|냐|실래요|어때요?)[.\s]*$|^(?:왜|어떻게|어디|언제|누가|뭐|무슨|어느|몇)\s/;
/** `할까`, `쓸까`: a syllable that ends in ㄹ, and 까. */
const SHALL_WE = /[가-힣]까(?:요)?[.~ㅋㅎ\s]*$/;
const HEDGE =
  /아마|혹시|글쎄|(?:것|거|건|듯) ?같|듯 ?하|지도 ?(?:모르|몰라)|모르겠|고민|싶기도|려나|어쩌면|생각해 ?(?:보|봐|볼)|가능하면/;
/** For the moment only. */
const MOMENTARY =
  /지금(?:은|만)?\s|일단|우선은|이번(?:에|엔|만)|오늘(?:은)?\s|내일|잠깐|잠시|방금|아까|여기까지|원래대로|한 ?번만/;
/** Of the moment unless a rule is said with it. */
const PERHAPS_MOMENTARY = /다시\s|먼저\s|한번\s/;
const POINTS_ELSEWHERE =
  /^(?:아니|음|어|네|응|ㅇㅇ|그럼|근데|그리고|그냥|아|오)*[,\s]*(?:이거|그거|저거|이걸|그걸|이건|그건|이게|그게|요거|이렇게|그렇게|저렇게|얘|걔|여기|거기)|(?:위|아래|앞)(?:의|에서 말한)|^[1-9] ?번(?:으로|이|은|을)/;
/** A request: what somebody does once, unless it is said to hold for ever. */
const REQUEST =
  /(?:해|아|어|여|려|춰|겨|꿔|워|라|봐|켜|혀|쳐|러|내|둬|놔) ?(?:줘(?!서|야)|주세요|주라|줄래|주실|줘요|주시|달라)|(?:해|봐|돌려|고쳐|찾아|보여|알려|올려|바꿔|지워|추가해|시켜|띄워|실행해|커밋해|푸시해|진행해|계속해)(?:요|라|봐|보세요|봐요)?[.!~\s]*$|부탁/;
/** Said to hold for ever. */
const LASTING =
  /앞으로|항상|언제나|매번|절대|반드시|무조건|(?:^|\s)꼭\s|하지 ?(?:마|말)|지 ?(?:마세요|마요|말아|말고|마라|마$|마\.)|금지|규칙|원칙|컨벤션|(?:^|\s)기억해/;

const PROBLEMS =
  /문제는|버그(?:가|는|야|입니다|임)|(?:[가-힣]면|때|때마다|에서는?)\s.{0,60}(?:실패|깨[져지집]|죽[어는습]|에러|오류|멈[춰추춥]|터[져지집]|안 ?(?:돼|됨|됩|되|떠|뜸|나와)|느려|꼬여|날아가|사라)/;
const FORBIDS =
  /지 ?(?:마(?:세요|요|라|십시오)?|말(?:아(?:줘|주세요|요)?|자|고|죠|것))(?:\s*[.!,~]|\s*$|\s)|(?:면|서는) ?(?:절대 ?)?안 ?(?:돼|됨|됩|되|된)|금지|안 ?됩니다/;
const OBLIGES =
  /[가-힣]야 ?(?:만 ?)?(?:해|합|함|한|하[고는니지]|돼|됩|됨|된|되[고는니지]|지[.\s]*$)|(?:만|까지만|로만|에서만|밖에) ?(?:써|쓰|쓴|씁|사용|허용|가능|지원|받|돼|됩|됨|안|하고|해야|합니다|한다)|(?:[가-힣]면|서는) 안 ?되/;
const CHOOSES =
  /(?:으로|로) ?(?:하자|합시다|하죠|할게|할래|하기로|가자|가죠|갑시다|갈게|가기로|통일|고정|정했|결정|바꾸자|바꾸기로)|(?:쓰자|쓰죠|씁시다|쓸게|쓰기로|사용하자|사용하기로|두자|두기로|맞추자|맞추기로|저장하자|남기자|빼자|유지하자)|기로 ?(?:했|함|하자|합의|결정|정|해)|(?:걸로|것으로) ?(?:하자|하죠|합시다|가자|가죠|했|정|결정|통일)|(?:이|가) 아니라 .{1,40}(?:로|으로|를|을) ?(?:해|써|쓰|씁|합|사용|가)|(?:결정|합의|확정)(?:했|함|됐|됨|한)|(?:말고|대신|보다는?) .{1,40}(?:써|쓰|씁|쓴|사용|가자|하자|로 해|선호|낫|좋)/;
const HABIT =
  /(?:우리|저희)(?:는|가|팀은|앱은|쪽은|는요)?\s.{2,60}(?:씁니다|써요|쓴다|씀|쓰고 있|사용합니다|사용함|합니다|해요|입니다|예요|이에요|임|없[어습음])/;
const PREFERS = /(?:좋겠|선호|싫어|마음에 (?:안|들)|편[해이]|원[해합])/;
const CANNOT =
  /(?:할|쓸|될|갈|둘|넣을|바꿀|올릴|지울|돌릴) 수 ?(?:가 )?없|(?:불가능|제한(?:이|은|돼|됩|되어)|한도|예산|마감)/;

const ACTS: readonly [SpeechAct, RegExp][] = [
  ['rule', FORBIDS],
  ['issue', PROBLEMS],
  ['rule', OBLIGES],
  ['decision', CHOOSES],
  ['rule', LASTING],
  ['rule', CANNOT],
  ['decision', HABIT],
  ['preference', PREFERS],
];

export function koreanAct(sentence: string): SpeechAct | undefined {
  const syllables = sentence.match(/[가-힣A-Za-z0-9]/g)?.length ?? 0;
  const isRejected = [QUESTION, SHALL_WE, HEDGE, MOMENTARY, POINTS_ELSEWHERE].some((pattern) =>
    pattern.test(sentence),
  );
  if (syllables < MIN_SYLLABLES || sentence.split(/\s+/).length < MIN_WORDS || isRejected)
    return undefined;
  const isOrder = REQUEST.test(sentence) || PERHAPS_MOMENTARY.test(sentence);
  if (isOrder && !LASTING.test(sentence) && !OBLIGES.test(sentence)) return undefined;
  return ACTS.find(([, pattern]) => pattern.test(sentence))?.[0];
}
