/**
 * Passwords, tokens and keys in Korean sentences: "비밀번호는 … 입니다", "비번: …". Most sentences
 * about passwords contain none (M18, L1c): how long they must be, how often one may be wrong, where
 * they are stored.
 */
import { judgeLinks } from './links.ts';
import { judgeColumn } from './outputs.ts';
import type { Rule, Scan } from './scan.ts';

import { isChosen, isDigits, isNoValue, isPlaceholder, isRandom } from './values.ts';

/** Words of two syllables are followed by a particle, a sign or a blank. */
const FOLLOWED = [...' :=([*"\'`/→-는은이가를을로도야입'];
const followed = (word: string): string[] => FOLLOWED.map((next) => `${word}${next}`);
const PARTICLES = ['는', '은', '가', '이', '를', '을'];
const passwordWords = (): string[] => [
  '비밀번호',
  '비밀 번호',
  '패스워드',
  ...followed('비번'),
  ...followed('암호'),
];
const PASSWORD = `(?:(?:비밀\\s?번호|비번|패스워드|암호)\\]?(?:\\([가-힣 ]{1,12}\\))?|(?<!\\w)(?:PW|pw)(?=[\\s:=→*([]|는|은|가|이|를|을|로)|(?<!\\w)[Pp]assw(?:or)?d(?=는|은|가|이|를|을))`;
const KEY =
  '(?:토큰|(?:API|접근|액세스|시크릿|비밀|인증|서비스|보안)\\s{0,4}키|인증키|시크릿키|시크릿|키)';
// Between name and value. No two of these can match the same blanks.
/** Markdown's `**비밀번호:**`. */
const BOLD = '\\*{0,2}';
const BLANKS = '\\s{0,8}';
const PARTICLE = `(?:(?:는요|은요|는|은|이|가|를|을|로는|로|에는)${BLANKS})`;
const SIGN = `(?:[:=→]${BOLD}${BLANKS})`;
const OPEN = '["\'`‘“「\\[(]';
const CLOSE = '["\'`’”」\\])]';
const IS =
  '입니다|이에요|예요|에요|이야|야|이다|임(?=[\\s.,)]|$)|이었|였|이래|이거든|거든|이니|이지|이죠|이네';
const AND_SO_ON =
  '이고|인데|이며|으로|로|을|를|라고|이라고|라서|이라서|이면|라면|이라면|입력|치|이걸|요[.\\s]|다[.\\s]|면[\\s,]|이랑|랑\\s';
/** What may follow a value; a number with a unit has none of it behind it. */
const AFTER = `(?=${CLOSE}[가이은는]|${CLOSE}{0,4}${BLANKS}(?:${IS}|${AND_SO_ON}|\\.\\s|[,;<|]|\\s|$))`;

interface Found {
  front: string;
  value: string;
  /** Where the value begins. */
  from: number;
  text: string;
}

/** The part of the value that is secret, and where it begins. */
type Secret = readonly [offset: number, length: number] | undefined;
type JudgeValue = (found: Found) => Secret;

/** Patterns of (what stays)(what may be a secret), each with the function that judges a match. */
const sentences = (): [pattern: RegExp, JudgeValue][] => [
  sentence(
    `((?:${PASSWORD}|${KEY})${BOLD}${BLANKS}${PARTICLE}?(?:(?:물으면|물어보면)${BLANKS})?(?:["']?${SIGN})?${OPEN}?)([!-&*-\\\\^-~]{4,160}?)${AFTER}`,
    stated,
  ),
  sentence(
    `(${PASSWORD}${BOLD}${BLANKS}(?:${PARTICLE}${SIGN}?|${SIGN})?${OPEN}?)(?!${PASSWORD})([^\\s"'\`’”」\\])]{2,128})`,
    hangul,
  ),
  sentence(
    `(${PASSWORD}${BOLD}${BLANKS}(?:[은는]${BLANKS}|${SIGN})["'\`‘“「])([^\\n"'\`’”」]{2,64})(?=["'\`’”」])`,
    quoted,
  ),
];

/* @__NO_SIDE_EFFECTS__ */
function sentence(pattern: string, judge: JudgeValue): [RegExp, JudgeValue] {
  return [new RegExp(pattern, 'my'), judge];
}

export function koreanRules(): Rule[] {
  const patterns = sentences();
  const judge = (scan: Scan, at: number, end: number) => {
    if (!IN_A_PAIR.test(scan.text.slice(Math.max(0, at - 6), at)))
      if (!judgeSentences(scan, at, patterns)) judgeLinked(scan, at);
    judgeColumn(scan, at, end);
  };
  return [
    {
      words: [
        ...passwordWords(),
        ...followed('토큰'),
        ...followed('pw'),
        ...PARTICLES.flatMap((next) => [`password${next}`, `passwd${next}`]),
      ],
      judge,
      cost: 80,
    },
    {
      words: [
        ...followed('키').map((word) => ` ${word}`),
        'api키',
        ...followed('시크릿'),
        '인증키',
        '시크릿키',
        '비밀키',
        '서비스키',
        '보안키',
        '접근키',
        '액세스키',
      ],
      judge: (scan, at) => judgeKey(scan, at, patterns),
      cost: 80,
    },
    { words: [...passwordWords(), ...followed('토큰')], judge: judgeBefore, cost: 20 },
    { words: ['로 접속', '로접속', '로 로그인', '로로그인'], judge: judgeSlash, cost: 40 },
  ];
}

/** `아이디/비번: …`: the name comes first, and another rule knows it. */
const IN_A_PAIR = /(?:id|user|아이디|계정)\s?\/\s?$/i;

function judgeSentences(
  scan: Scan,
  at: number,
  patterns: readonly [RegExp, JudgeValue][],
): boolean {
  const { text } = scan;
  if (text.charCodeAt(at) < 128 && !isBesideHangul(text, at)) return false;
  for (const [pattern, judge] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const [, front = '', value = ''] = found;
    const from = at + front.length;
    const [offset, length] = judge({ front, value, from, text }) ?? [0, 0];
    if (length > 0) {
      scan.withhold(from + offset, from + offset + length);
      return true;
    }
  }
  return false;
}

const KOREAN_NAME = /비밀\s?번호|비번|패스워드|암호|(?:토큰|키)/y;

/** The same, told by a table, a note in brackets, what is said behind it. */
function judgeLinked(scan: Scan, start: number): boolean {
  KOREAN_NAME.lastIndex = start;
  if (!KOREAN_NAME.test(scan.text)) return false;
  const end = KOREAN_NAME.lastIndex;
  const isKey = /[큰키]$/.test(scan.text.slice(start, end));
  return judgeLinks(scan, { name: isKey ? 'token' : 'password', start, end, isPassword: !isKey });
}

/** `PW는 …`, `password는 …`, `PW: …`: English words in a Korean sentence. */
function isBesideHangul(text: string, at: number): boolean {
  if (!/[가-힣]/.test(text.slice(Math.max(0, at - 40), at + 60))) return false;
  return /^(?:password|pw)(?:[은는이가을를로]|\s{0,4}(?:[:=→([]|\*\*))/i.test(
    text.slice(at, at + 16),
  );
}

const KEY_BEFORE =
  /(?:API|REST|Admin|접근|액세스|시크릿|비밀|인증|서비스|보안|발급|받은|앱|암호화|서명|배포|라이선스|네이티브|어드민|클라이언트)$/;

function judgeKey(scan: Scan, at: number, patterns: readonly [RegExp, JudgeValue][]): void {
  const { text } = scan;
  const isNamed =
    /[a-z가-힣]/i.test(text.charAt(at)) || KEY_BEFORE.test(text.slice(Math.max(0, at - 6), at));
  if (!isNamed) return;
  const secret = /시크릿(?! ?키)/y;
  secret.lastIndex = at;
  const key = secret.test(text) ? at : text.indexOf('키', at);
  if (!judgeSentences(scan, key, patterns)) judgeLinked(scan, key);
}

/** How many characters after a value are taken into account. */
const BEHIND_CHARS = 24;
const IS_BEHIND = new RegExp(`^${CLOSE}{0,4}\\s{0,8}(?:${IS})`);
const UNIT =
  '자리|자|글자|문자|번|회|개월|개|일|주|달|월|년|분|초|시간|시|단계|차|비트|바이트|명|건|원|점|줄|행|가지|종';

function behind({ text, from, value }: Found): string {
  return text.slice(from + value.length, from + value.length + BEHIND_CHARS);
}

/** Names of code: `accessToken`, `_null_`. */
const IDENTIFIER = /^(?:[a-z]+(?:[A-Z][a-z]+)+|_\D*)$/;

function stated(found: Found): Secret {
  const { front, value: match } = found;
  const value = match.replace(/[.,!?]+$/, '');
  if (isNoValue(value)) return undefined;
  if (/["'`]$/.test(front) && value.startsWith('+')) return undefined; // "비밀번호: "+typed: the quote ended a string
  if (!/[A-Za-z가-힣]/.test(value) && !isNumberStated(front, match, behind(found)))
    return undefined;
  // In Korean sentences "password" names a field as often as a password.
  if (/assword/.test(front) && !/[\d!@#$%^&*_-]/.test(value)) return undefined;
  if (/토큰|키|시크릿/.test(front) && (IDENTIFIER.test(value) || !isKeyStated(value)))
    return undefined;
  if (/^[A-Za-z]+(?:[-_.][a-z]+)*$/.test(value) && !isSaid(found)) return undefined;
  return [0, value.length];
}

const MIN_KEY = 10;

function isKeyStated(value: string): boolean {
  return value.length >= MIN_KEY && /\d/.test(value) && /[A-Za-z]/.test(value);
}

const GOES_WITH_A_VALUE =
  /^\s{0,4}(?:입력|치고|쳐|이고|인데|으?로\s{0,4}(?:설정|바꿨|바꿔|변경|재설정|초기화|지정))/;

/** A word is part of a name as often as a password: the sentence must state it. */
function isSaid(found: Found): boolean {
  return (
    IS_BEHIND.test(behind(found)) ||
    GOES_WITH_A_VALUE.test(behind(found)) ||
    /[:=→(「['"`]\s*$/.test(found.front)
  );
}

// ---- Numbers: a password, or how many characters, times, days? ----

const DATE_OR_COUNT =
  /^(?:\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?|\d{1,2}[-./]\d{1,2}|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:\.\d+)+|[\d.,]+%|#\d+|\d{1,3}[~-]\d{1,3}|\d+~\d+)$/;
const COUNTED = new RegExp(
  `^${CLOSE}{0,4}[ \\t]{0,8}(?:(?:${UNIT}|에러|오류|코드|포트)(?=[^가-힣]|$|이|가|를|을|로|으로|은|는|의|에|마다|만|씩|째|간|까지|부터|짜리)|이상(?!하)|이하|이내|초과|미만|정도|쯤|까지|부터|에서|~|(?:으?로\\s{0,4})?(?:문의|전화|연락)|bits?\\b|bytes?\\b|char)`,
);
const IS_STATED = new RegExp(`[는은이가를을로면:=→/]${BOLD}\\s{0,8}${OPEN}?$`);
const ENDS_THERE = new RegExp(
  `^(?:${CLOSE}{0,4}\\s{0,8}(?:${IS}|으로|로|라고|이고|인데|$)|[ \\t]{0,8}[\\n.,;)\\](<|/*])`,
);
const MIN_MIXED_CHARS = 6;

function isNumberStated(front: string, match: string, behindIt: string): boolean {
  const value = match.replace(/[.,]+$/, '');
  // A number of tokens is a count, one of keys tells which.
  if (/토큰|키/.test(front) || /^\S{0,2}\s{0,8}토큰/.test(behindIt)) return false;
  if (!/\d/.test(value)) return IS_BEHIND.test(behindIt);
  if (DATE_OR_COUNT.test(value) || COUNTED.test(behindIt)) return false;
  if (front.trim() === '' || IS_STATED.test(front)) return true;
  return (/\D/.test(value) && value.length >= MIN_MIXED_CHARS) || ENDS_THERE.test(behindIt);
}

// ---- Values in Korean: only a digit or a sign sets them apart from other talk of passwords ----

const REQUIREMENT = new RegExp(
  `^(?:최소|최대|적어도|길이|숫자|영문|문자|특수|대문자|소문자|대소문자|필수|선택|없음)|\\d(?:${UNIT})(?:이상|이하|이내|까지|마다|[^가-힣]|$)`,
);
/** The word, then how the sentence ends. */
const WORD_AND_ENDING =
  /^(.+?)((?:입니다|이에요|예요|에요|이야|야|이다|다|임|이고|인데|이며|라고|이라고|라서|이라서|이면|라면|을|를|요)?)((?:으로|로)?)([.,!?~]*)$/;
const WAS_SET =
  /^\s{0,8}(?:바꾸|바꿔|바꿨|바뀌|변경|설정|재설정|초기화|지정|해|했|하|접속|로그인|들어|입력|맞|정했|만들|되|돼|됐)/;
const GOES_ON = new RegExp(
  `^${CLOSE}{0,4}(?:[ \\t]{0,8}\\n|\\s{0,8}(?:이고|인데|이며|라고|이라고|라서|이라서|$))`,
);
const HAS_SIGN = new RegExp(`[:=→]${BOLD}\\s{0,8}${OPEN}?$`);
const AFTER_A_BLANK = new RegExp(`\\s${OPEN}?$`);

function hangul(found: Found): Secret {
  const { front, value: match } = found;
  if (!/[가-힣].*[0-9!@#$%^&*_-]/.test(match) || isNoPassword(match)) return undefined;
  if (HAS_SIGN.test(front)) return [0, match.length];
  const [, word = '', ending = '', to = ''] = WORD_AND_ENDING.exec(match) ?? [];
  if (!AFTER_A_BLANK.test(front) || !/^[A-Za-z가-힣].*\S$/.test(word)) return undefined;
  const isValue = /\d/.test(word)
    ? isStatedIn(ending, to, IS_STATED.test(front), behind(found))
    : ending !== '' && /[!@#$%^&*_-]$/.test(word); // a sign at the end belongs to the sentence
  return isValue ? [0, word.length] : undefined;
}

/** Whether the sentence states the value, rather than go on about something else. */
function isStatedIn(ending: string, to: string, isSubject: boolean, behindIt: string): boolean {
  if (to !== '') return WAS_SET.test(behindIt);
  if (ending !== '' || IS_BEHIND.test(behindIt)) return true;
  const set = /^\s{0,8}(?:으로|로)/.exec(behindIt);
  if (set !== null) return WAS_SET.test(behindIt.slice(set[0].length));
  return isSubject && GOES_ON.test(behindIt);
}

function quoted({ value: match }: Found): Secret {
  const isSentence = /[다요][.!]?$/.test(match);
  const isValue = /[가-힣]/.test(match) && /\d/.test(match) && !isSentence && !isNoPassword(match);
  return isValue ? [0, match.length] : undefined;
}

function isNoPassword(match: string): boolean {
  return isPlaceholder(match) || REQUIREMENT.test(match);
}

// ---- "… 가 비밀번호야", "admin/… 로 접속하세요" ----

const VALUE_BEFORE =
  /(?:^|[\s"'`])(\d{4,64}|[!#-&(-_a-~]{6,64})["'`]?\s{0,4}(?:가|이|을|를|은|는|로|으로)\s{0,4}(?:[A-Za-z가-힣]{1,8} ){0,2}$/;
const SAYS_SO =
  /(?:비밀\s?번호|비번|패스워드|암호|토큰|시크릿|키|password|pw)(?:이?야|입니다|이에요|예요|로|이?다|라고|임|를\s?(?:바꿨|바꾸었|변경|설정|재설정))/y;

function judgeBefore(scan: Scan, at: number): void {
  const { text } = scan;
  SAYS_SO.lastIndex = at;
  if (!SAYS_SO.test(text)) return;
  const before = text.slice(Math.max(0, at - 80), at);
  const value = VALUE_BEFORE.exec(before)?.[1] ?? '';
  const isPlain = !isDigits(value) && !isChosen(value) && !isRandom(value);
  if (value === '' || isNoValue(value) || (isPlain && !/["'`가이을를은는로]\s{0,4}$/.test(before)))
    return;
  const from = at - before.length + before.lastIndexOf(value);
  scan.withhold(from, from + value.length);
}

const PAIR_BEFORE = /(?:^|[\s"'`(])[\w.@+-]{1,60}\s?\/\s?([!#-&(-.0-_a-~]{4,64})["'`]?\s{0,2}으?$/;

function judgeSlash(scan: Scan, at: number): void {
  const before = scan.text.slice(Math.max(0, at - 80), at);
  const value = PAIR_BEFORE.exec(before)?.[1] ?? '';
  if (!isChosen(value)) return;
  const from = at - before.length + before.lastIndexOf(value);
  scan.withhold(from, from + value.length);
}
