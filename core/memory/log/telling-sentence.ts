/**
 * Finds the most telling sentence of a prompt or a reply (V2), in English and Korean, for summaries
 * without a model: what was asked, or what came of it. "ok.", "Perfect!" and "Let me look" tell
 * nothing.
 */
import { shorten } from '../../platform/text/sentences.ts';
import { ownSentences, sentencesIn } from './own-words.ts';

const MAX_SENTENCE_CHARS = 240;
const MIN_LETTERS = 10;
/** Shorter ones are taken only where there is no other: "That is a big change." */
const LONG_LETTERS = 25;
const MAX_HEAD_CHARS = 2000;
const MIN_REPLY_WORDS = 3;
const MAX_REPLY_CHARS = 20_000;

/** Answers and thanks; what is left without them may be telling. */
const ACKNOWLEDGES =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|sure|right(?! now)|perfect|great|excellent|good|nice|cool|awesome|thanks?(?: you)?|done|alright|got it|sounds good|looks good|makes sense|exactly|correct|all (?:good|set)|you(?:['’]re| are) (?:absolutely )?right|good (?:catch|point|question|idea)|네|넵|넹|예|응|ㅇㅇ|ㅇㅋ|ㄱㄱ|오케이|좋아요?|좋습니다|알겠습니다|알겠어요?|완벽(?:합니다|해요?)|감사합니다|감사해요|고마워요?|고맙습니다|굿|맞아요?|맞습니다|그래요?|수고했어요?)(?![\p{L}\p{N}])[\s,.!~:;–—👍✅🎉-]*)+/iu;
/** "Go on", "do both", "commit and push": of the moment, and the same in every session. */
const GO_ON =
  /^(?:please |then |and |let['’]?s |just )*(?:continue|go (?:on|ahead)|proceed|do (?:it|both|that|this|so|all)|try again|commit|push|merge|run (?:it|the tests?)|keep going|option|start|implement)(?:[\s,]+(?:it|this|that|all|both|and|then|push|commit|please|the|changes|them|now|\d+|[a-e]))*[\s.!]*$|^(?:계속|진행|커밋|푸시|그렇게|이대로|그대로)(?:해| ?진행)?(?:[가-힣]{0,3})? ?(?:해줘|해주세요|하자|가요|해)?[.!~\s]*$/i;
/** Says what comes next, or nothing at all. */
const ANNOUNCES =
  /^(?:now,? |first,? |next,? |so,? |then,? |also,? |ok(?:ay)?,? )*(?:let me|let['’]?s|i(?:['’]ll| will| am going to|['’]m going to|['’]m now| need to| should| can see)|here(?:['’]s| is| are)|would you|do you|should i|want me|shall i|looking|checking|reading|running|starting|no response)\b|\blet me\b|[:：]$|[?？]$|(?:보겠습니다|하겠습니다|드리겠습니다|할게요|볼게요|할까요)[.!]?$/i;
const TELLS_RESULT =
  /\b(?:fixed|added|updated|created|removed|renamed|implemented|changed|replaced|moved|refactored|merged|committed|pushed|works?|pass(?:es|ed|ing)?|fail(?:s|ed|ing)?|root cause|the (?:issue|problem|bug|reason) (?:is|was)|now (?:uses?|has|shows?|returns?|handles?)|no longer|is (?:complete|done|ready)|because)\b|했습니다|됐습니다|되었습니다|완료|통과|실패|원인은|문제는|고쳤|추가했|수정했/i;
/** True at the end of most sessions. */
const SAYS_DONE =
  /^(?:all |the )?(?:\d+ )?(?:unit |integration )?(?:tests?|lint\w*|checks?|build|work|changes?|fix|refactoring|implementation|everything)\b[^.]{0,40}\b(?:pass\w*|clean|complete|done|ready|green)\b|^(?:working tree|branch is|committed|pushed|i have all|all (?:changes|replies|done))\b|^(?:모든 )?(?:테스트|린트|빌드)[가-힣]* ?(?:모두 )?(?:통과|성공)/i;
/** Only announces what follows, or speaks of what stands before. */
const LEANS = /[:：]$|^(?:it|this|that|these|those|they)(?:['’]s)?\b/i;
const SLASH_COMMAND = /^\/[\w:-]+\s+/;
/** How the heading of a pasted plan begins. */
const HEADING = /^\s*#{1,6}\s+(.+)$/m;

/** Undefined if the prompt only says yes, thanks or go on. */
export function tellingRequest(prompt: string): string | undefined {
  if (prompt.startsWith('!')) return undefined;
  const own = ownSentences(prompt).map(({ text }) => text);
  const [, title] = own.length === 0 ? (HEADING.exec(prompt.slice(0, MAX_HEAD_CHARS)) ?? []) : [];
  const lines = own.length > 0 ? own : [title ?? prompt.trim().split('\n')[0] ?? ''];
  const telling = lines.map(withoutAcknowledging).filter(isTelling);
  return best(telling, (text) => Number(isLong(text)) - Number(LEANS.test(text)));
}

/**
 * What came of it: a sentence that tells a result, else one that tells anything; "All tests pass"
 * only where nothing else is left (`isDoneEnough`).
 */
export function tellingReply(
  reply: string,
  { isDoneEnough = false }: { isDoneEnough?: boolean } = {},
): string | undefined {
  const lines = reply
    .slice(0, MAX_REPLY_CHARS)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => !/^\s*(?:#{1,6}\s|\||>|<|\d+→)/.test(line));
  const items = new Set<string>();
  const telling = lines.flatMap((line) => {
    const isItem = /^\s*(?:[-*•✅✓]|\d+[.)])\s/u.test(line);
    const sentences = sentencesIn(line.replace(/\*\*/g, '')).map(withoutAcknowledging);
    const found = sentences.filter(
      (text) =>
        isTelling(text) &&
        text.split(' ').length >= MIN_REPLY_WORDS &&
        !ANNOUNCES.test(text) &&
        (isDoneEnough || !SAYS_DONE.test(text)),
    );
    if (isItem) for (const text of found) items.add(text);
    return found;
  });
  const worth = (text: string) =>
    2 * Number(TELLS_RESULT.test(text)) + Number(!items.has(text)) + Number(isLong(text));
  return best(telling, worth);
}

/** Whether a sentence of a reply tells anything by itself. */
export function isTellingReply(sentence: string): boolean {
  return isTelling(sentence) && !ANNOUNCES.test(sentence);
}

/** Of those with the same worth the first. */
function best(texts: readonly string[], worth: (text: string) => number): string | undefined {
  const [chosen] = texts.toSorted((one, other) => worth(other) - worth(one));
  return chosen === undefined ? undefined : oneLine(chosen);
}

function withoutAcknowledging(sentence: string): string {
  return sentence.replace(SLASH_COMMAND, '').replace(ACKNOWLEDGES, '').trim();
}

function isLong(text: string): boolean {
  return width(text) >= LONG_LETTERS;
}

function isTelling(text: string): boolean {
  return width(text) >= MIN_LETTERS && !GO_ON.test(text) && !/^[/!]\S*$/.test(text);
}

/** A syllable of Hangul counts as two letters. */
function width(text: string): number {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters + (text.match(/\p{Script=Hangul}/gu)?.length ?? 0);
}

function oneLine(text: string): string {
  return shorten(text.replace(/\s+/g, ' '), MAX_SENTENCE_CHARS);
}
