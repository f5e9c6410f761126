/**
 * Removes passwords, tokens and keys from Korean sentences: "비밀번호는 … 입니다", "비번: …". Most
 * sentences about passwords contain none (M18): how long they must be, how often one may be wrong,
 * where they are stored.
 */
import { GONE, isNoValue, isPlaceholder } from './placeholder.ts';
import { type RedactionRule, rule } from './word-finder.ts';

const KOREAN_WORDS = '비밀번호|비밀 번호|비번|패스워드|암호|토큰';

const PASSWORD =
  '(?:비밀\\s?번호|비번|패스워드|암호|\\b(?:PW|pw)(?=[\\s:=→*([]|는|은|가|이|를|을|로)|\\b[Pp]assword(?=는|은|가|이|를|을))';
const KEY = '(?:토큰|(?:API|접근|액세스|시크릿|비밀|인증|서비스|보안)\\s{0,4}키|인증키|시크릿키)';
// Between name and value. No two of these can match the same blanks, or a long run of blanks would
// be tried in every division.
/** Markdown's `**비밀번호:**`. */
const BOLD = '\\*{0,2}';
const PARTICLE = '(?:(?:는|은|이|가|를|을|로는|로|에는)\\s*)';
const SIGN = `(?:[:=→]${BOLD}\\s*)`;
const OPEN = '["\'`‘“「\\[(]';
const CLOSE = '["\'`’”」\\])]';
const IS =
  '입니다|이에요|예요|에요|이야|야|이다|임(?=[\\s.,)]|$)|이었|였|이래|이거든|거든|이니|이지|이죠|이네';
const AND_SO_ON =
  '이고|인데|이며|으로|로|을|를|라고|이라고|라서|이라서|이면|라면|이라면|입력|치|이걸|요[.\\s]|다[.\\s]|면[\\s,]|이랑|랑\\s';
/** What may follow a value; a number with a unit has none of it behind it. */
const AFTER = `(?=${CLOSE}{0,4}\\s*(?:${IS}|${AND_SO_ON}|\\.\\s|[,;<|]|\\s|$))`;

type Replace = (found: string, front: string, value: string, at: number, text: string) => string;

const WORDS = `${KOREAN_WORDS}|pw|password`;

/** Patterns of (what stays)(what may be a secret), each with the function that judges a match. */
export const KOREAN_SENTENCES: readonly [RedactionRule, Replace][] = [
  sentence(
    `((?:아이디|계정)\\s?/\\s?${PASSWORD}\\s*(?:[은는]\\s*)?${SIGN}?[!-.0-~]{1,64}\\s?/\\s?)([!-~]{4,128}?)${AFTER}`,
    WORDS,
    redactStated,
  ),
  sentence(
    `((?:${PASSWORD}|${KEY})${BOLD}\\s*${PARTICLE}?(?:(?:물으면|물어보면)\\s*)?${SIGN}?${OPEN}?)([!-&*-\\\\^-~]{4,512}?)${AFTER}`,
    `${WORDS}|키`,
    redactStated,
  ),
  sentence(
    `(${PASSWORD}${BOLD}\\s*(?:${PARTICLE}${SIGN}?|${SIGN})?${OPEN}?)(?!${PASSWORD})([^\\s"'\`’”」\\])]{2,128})`,
    WORDS,
    redactHangul,
  ),
  sentence(
    `(${PASSWORD}${BOLD}\\s*(?:[은는]\\s*|${SIGN})["'\`‘“「])([^\\n"'\`’”」]{2,64})(?=["'\`’”」])`,
    WORDS,
    redactQuoted,
  ),
  sentence(
    `(^|[\\s"'\`])(\\d{4,200}|[!-~]{6,200}?)(?=["'\`]?\\s*(?:가|이|을|를|은|는)\\s*(?:비밀\\s?번호|비번|패스워드|암호|토큰)(?:이?야|입니다|이에요|예요|로|이?다|라고|임))`,
    KOREAN_WORDS,
    redactStated,
  ),
];

/* @__NO_SIDE_EFFECTS__ */
function sentence(pattern: string, words: string, replace: Replace): [RedactionRule, Replace] {
  return [rule(new RegExp(pattern, 'gm'), words), replace];
}

/** How many characters after a value are taken into account. */
const BEHIND_CHARS = 24;
const IS_BEHIND = new RegExp(`^${CLOSE}*\\s*(?:${IS})`);
const UNIT =
  '자리|자|글자|문자|번|회|개월|개|일|주|달|월|년|분|초|시간|시|단계|차|비트|바이트|명|건|원|점|줄|행|가지|종';

function behindOf(text: string, end: number): string {
  return text.slice(end, end + BEHIND_CHARS);
}

/** Names of code: `accessToken`, `_null_`. */
const IDENTIFIER = /^(?:[a-z]+(?:[A-Z][a-z]+)+|_.*)$/;

function redactStated(all: string, front: string, match: string, at: number, text: string): string {
  const value = match.replace(/[.,!?]+$/, '');
  if (isNoValue(value)) return all;
  if (/["'`]$/.test(front) && value.startsWith('+')) return all; // "비밀번호: "+typed: the quote ended a string
  if (
    !/[A-Za-z가-힣]/.test(value) &&
    !isNumberStated(front, match, behindOf(text, at + all.length))
  )
    return all;
  // In Korean sentences "password" names a field as often as a password.
  if (/assword/.test(front) && !/[\d!@#$%^&*_-]/.test(value)) return all;
  if (/토큰|키/.test(front) && IDENTIFIER.test(value)) return all;
  return `${front}${GONE}${match.slice(value.length)}`;
}

// ---- Numbers: a password, or how many characters, times, days? ----

const DATE_OR_COUNT =
  /^(?:\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[-./]\d{1,2}|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+)+|[\d.,]+%|#\d+|\d{1,3}[~-]\d{1,3}|\d+~\d+)$/;
const COUNTED = new RegExp(
  `^${CLOSE}*[ \\t]*(?:(?:${UNIT}|에러|오류|코드|포트)(?=[^가-힣]|$|이|가|를|을|로|으로|은|는|의|에|마다|만|씩|째|간|까지|부터|짜리)|이상(?!하)|이하|이내|초과|미만|정도|쯤|까지|부터|에서|~|(?:으?로\\s*)?(?:문의|전화|연락)|bits?\\b|bytes?\\b|char)`,
);
const IS_STATED = new RegExp(`[는은이가를을로면:=→/]${BOLD}\\s*${OPEN}?$`);
const ENDS_THERE = new RegExp(
  `^(?:${CLOSE}*\\s*(?:${IS}|으로|로|라고|이고|인데|$)|[ \\t]*[\\n.,;)\\](<|/*])`,
);
const MIN_MIXED_CHARS = 6;

function isNumberStated(front: string, match: string, behind: string): boolean {
  const value = match.replace(/[.,]+$/, '');
  // A number of tokens is a count, one of keys tells which.
  if (/토큰|키/.test(front) || /^\S{0,2}\s*토큰/.test(behind)) return false;
  if (!/\d/.test(value)) return IS_BEHIND.test(behind);
  if (DATE_OR_COUNT.test(value) || COUNTED.test(behind)) return false;
  if (front.trim() === '' || IS_STATED.test(front)) return true;
  return (/\D/.test(value) && value.length >= MIN_MIXED_CHARS) || ENDS_THERE.test(behind);
}

// ---- Values in Korean: only a digit or a sign sets them apart from other talk of passwords ----

const REQUIREMENT = new RegExp(
  `^(?:최소|최대|적어도|길이|숫자|영문|문자|특수|대문자|소문자|대소문자|필수|선택|없음)|\\d(?:${UNIT})(?:이상|이하|이내|까지|마다|[^가-힣]|$)`,
);
/** The word, then how the sentence ends. */
const WORD_AND_ENDING =
  /^(.+?)((?:입니다|이에요|예요|에요|이야|야|이다|다|임|이고|인데|이며|라고|이라고|라서|이라서|이면|라면|을|를|요)?)((?:으로|로)?)([.,!?~]*)$/;
const SET_TO =
  /^\s*(?:바꾸|바꿔|바꿨|바뀌|변경|설정|재설정|초기화|지정|해|했|하|접속|로그인|들어|입력|맞|정했|만들|되|돼|됐)/;
const GOES_ON = new RegExp(
  `^${CLOSE}*(?:[ \\t]*\\n|\\s*(?:이고|인데|이며|라고|이라고|라서|이라서|$))`,
);
const HAS_SIGN = new RegExp(`[:=→]${BOLD}\\s*${OPEN}?$`);
const AFTER_A_BLANK = new RegExp(`\\s${OPEN}?$`);

function redactHangul(all: string, front: string, match: string, at: number, text: string): string {
  if (!/[가-힣].*[0-9!@#$%^&*_-]/.test(match) || isNoPassword(match)) return all;
  if (HAS_SIGN.test(front)) return `${front}${GONE}`;
  const [, word = '', ending = '', to = '', stop = ''] = WORD_AND_ENDING.exec(match) ?? [];
  if (!AFTER_A_BLANK.test(front) || !/^[A-Za-z가-힣].*\S$/.test(word)) return all;
  const isValue = /\d/.test(word)
    ? isStated(ending, to, IS_STATED.test(front), behindOf(text, at + all.length))
    : ending !== '' && /[!@#$%^&*_-]$/.test(word); // a sign at the end belongs to the sentence
  return isValue ? `${front}${GONE}${ending}${to}${stop}` : all;
}

/** Whether the sentence states the value, rather than go on about something else. */
function isStated(ending: string, to: string, isSubject: boolean, behind: string): boolean {
  if (to !== '') return SET_TO.test(behind);
  if (ending !== '' || IS_BEHIND.test(behind)) return true;
  const set = /^\s*(?:으로|로)/.exec(behind);
  if (set !== null) return SET_TO.test(behind.slice(set[0].length));
  return isSubject && GOES_ON.test(behind);
}

function redactQuoted(all: string, front: string, match: string): string {
  const isSentence = /[다요][.!]?$/.test(match);
  const isValue = /[가-힣]/.test(match) && /\d/.test(match) && !isSentence && !isNoPassword(match);
  return isValue ? `${front}${GONE}` : all;
}

function isNoPassword(match: string): boolean {
  return isPlaceholder(match) || REQUIREMENT.test(match);
}
