/**
 * Takes a model's answer to the request for a hand-over (K3). Models wrap it in fences, tags, JSON
 * or a table, greet before it and ask behind it: whatever its form, its lines are kept. Only an
 * answer that holds no hand-over is refused, with the reason.
 */
import { type Message, message } from '../../messages/message.ts';
import { escapeMarkers } from '../../platform/text/escape-markers.ts';
import { shorten } from '../../platform/text/sentences.ts';
import {
  handOverParts,
  handOverWithin,
  openFence,
  withoutHeadings,
} from '../log/hand-over-parts.ts';
import { redact } from '../redact/redact.ts';
import { asLines } from './hand-over-forms.ts';
import { withoutTalk } from './hand-over-talk.ts';

/** 1,500 words are asked for; with paths and commands they take up to 11,000 characters. */
export const MAX_HAND_OVER_CHARS = 12_000;
/** No model writes more at once. */
const MAX_ANSWER_CHARS = 200_000;

const MIN_LETTERS = 20;
/** A word of these scripts has a letter or two. */
const DENSE_LETTER = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const LETTERS_OF_DENSE = 3;

export type HandOverAnswer = { text: string } | { reason: Message };

export function readHandOver(answer: string): HandOverAnswer {
  const said = answer.slice(0, MAX_ANSWER_CHARS).replace(/\r\n?/g, '\n').trim();
  if (lettersIn(said) === 0) return { reason: message('memory.handOverEmpty') };
  const lines = asLines(said);
  const reason = unusable(said, lines);
  if (reason !== undefined) return { reason };
  // The model has read the conversation itself and not L1, which has no secrets.
  const clean = escapeMarkers(redact(withoutHeadings(withoutTalk(lines)))).trim();
  if (lettersIn(clean) < MIN_LETTERS) return { reason: message('memory.handOverEmpty') };
  return { text: handOverWithin(withClosedFence(clean), MAX_HAND_OVER_CHARS) };
}

function lettersIn(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const dense = text.match(DENSE_LETTER)?.length ?? 0;
  return letters + dense * (LETTERS_OF_DENSE - 1);
}

/** What comes behind it must not be taken for code. */
function withClosedFence(text: string): string {
  const fence = openFence(text);
  return fence === undefined ? text : `${text}\n${fence}`;
}

const MAX_REFUSAL_CHARS = 700;
const MAX_NOTICE_CHARS = 400;

function unusable(said: string, lines: string): Message | undefined {
  if (said.length <= MAX_NOTICE_CHARS && NOTICE.test(said))
    return message('system.words', { words: redact(shorten(said, 200)) });
  if (lines === '') return message('memory.handOverTools');
  const isStructured = handOverParts(withoutHeadings(lines)).length > 2;
  if (isStructured || lines.length > MAX_REFUSAL_CHARS) return undefined;
  const text = lines.replaceAll('’', "'");
  if (isRefusal(text)) return message('memory.handOverRefused');
  if (NOTHING.test(text) && !namesWork(text)) return message('memory.handOverNothing');
  return isOnlyAnnounced(text) ? message('memory.handOverTools') : undefined;
}

/** Of Claude Code, in place of an answer. */
const NOTICE =
  /^(?:API Error\b|Prompt is too long|Credit balance is too low|Invalid API key|Not logged in|Please run \/login|Claude (?:AI |Code )?usage limit|You've (?:hit|reached) your|\[Request interrupted|No response requested|Request timed out|Failed to authenticate|OAuth token)/i;

/** "I'm sorry, but I can't help with that." */
function refusal(verbs: string): RegExp {
  return new RegExp(
    String.raw`^(?:(?:I(?:'m| am)[^.]{0,20} sorry|Sorry|I apologi[sz]e|Unfortunately|I appreciate[^.]{0,90}|I understand[^.]{0,90}|Thank(?:s| you)[^.]{0,90}|As an AI[^.]{0,60})[,.;:—–-]*\s*(?:but |however,? )?)?(?:I|we)(?: really| also)?(?:'m| am)?\s*(?:can't|cannot|can not|won't|will not|not able to|not going to|unable to|must decline to|have to decline to|decline to)\s+(?:${verbs})\b`,
    'i',
  );
}

const PLAIN_REFUSAL = refusal(
  'help|assist|do (?:that|this)|comply|fulfill?|summari[sz]e|discuss|engage|participate|answer',
);
const REFUSALS: readonly RegExp[] = [
  refusal(
    'write|provide|produce|create|generate|continue|share|reproduce|complete|proceed|process',
  ),
  /^(?:Es tut mir (?:sehr )?leid|Entschuldig|Leider)[^.]{0,90}(?:nicht|unmöglich)/i,
  /^(?:죄송|미안|유감)[^.]{0,120}(?:수 없|어렵|못하|불가)/,
  /^(?:申し訳|すみません|恐れ入り|ごめん)[\s\S]{0,120}(?:できません|できかね|いたしかね|できない)/,
  /^(?:很|非常)?(?:抱歉|对不起|對不起|遗憾)[^。]{0,90}(?:不能|无法|無法|没法)/,
  /^(?:Je suis (?:vraiment )?désolé|Désolé|Je regrette)[^.]{0,90}(?:ne peux|ne suis pas|ne puis)/i,
  /^(?:Lo siento|Perdón|Disculp|Lamento)[^.]{0,90}no (?:puedo|me es)/i,
  /^(?:Desculp|Sinto muito|Lamento)[^.]{0,90}não (?:posso|consigo)/i,
  /^(?:Mi dispiace|Spiacente)[^.]{0,90}non posso/i,
  /^(?:Извините|К сожалению|Простите|Мне (?:очень )?жаль)[^.]{0,90}не (?:могу|смогу)/i,
];

/** A report may begin like a refusal: "I cannot reproduce the crash". */
function isRefusal(text: string): boolean {
  if (PLAIN_REFUSAL.test(text)) return true;
  return !namesWork(text) && REFUSALS.some((pattern) => pattern.test(text));
}

/** A file, a command or a name of code: "I cannot run `make`" is a report. */
function namesWork(text: string): boolean {
  return /`[^`\n]+`|\w\/\w+[./]\w|\b\w+\.[a-z]{1,5}\b(?!\s*$)|\w_\w|::|\w\(\)/.test(text);
}

const NOTHING =
  /\b(?:no|any) (?:previous|prior|earlier|actual) (?:conversation|context|work|session|history|messages)|nothing (?:to|that (?:I|we) (?:can|could)) hand over|no (?:conversation|work) (?:has|to)|(?:start|beginning) of (?:our|the|a|this) (?:conversation|session)|don't have (?:any )?(?:context|access to (?:the|any|our))|(?:이전 대화|대화 내용|인계할)[^.]{0,30}없|引き継ぐ(?:内容|こと)[^。]{0,10}(?:ありません|ない)|没有[^。]{0,12}(?:对话|内容|上下文)|kein(?:e|en)? (?:vorherige|bisherige|frühere)/i;

const MAX_ANNOUNCED = 5;
const ANNOUNCED =
  /^(?:(?:okay|ok|sure|alright|great|good|first|now|then|next)[,.!:]*\s+|before [^,]{1,60},\s+){0,4}(?:let me|let's|let us|i'll|i will|i'm going to|i am going to|i need to|i should|i want to|ich (?:werde|schaue|sehe|prüfe|lese|führe)|lass(?:en sie)? mich|je vais|voy a|vou)(?![\p{L}])/iu;
const ANNOUNCED_AT_END =
  /(?:보겠습니다|하겠습니다|볼게요|할게요|してみます|確認します|実行します|見てみます)[.。]?$/;
/** It has no tools while it is asked. */
const SAVED_TO_FILE =
  /^(?:(?:done|okay|sure)[,.!]+\s+)?(?:i've|i have|the hand-?(?:over|off)(?: \w+)? (?:has been|is|was)|it has been)\s+(?:now |just )?(?:written|saved|created|added|stored|put)\b/i;
const MAX_SAVED_CHARS = 300;

/** Says what it would do, or that it has written it elsewhere, and nothing of the work. */
function isOnlyAnnounced(text: string): boolean {
  if (SAVED_TO_FILE.test(text) && text.length <= MAX_SAVED_CHARS) return true;
  const sentences = text
    .split(/(?<=[.!?:…])\s+|(?<=[。！？])|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
  return (
    sentences.length <= MAX_ANNOUNCED &&
    sentences.every((sentence) => ANNOUNCED.test(sentence) || ANNOUNCED_AT_END.test(sentence))
  );
}
