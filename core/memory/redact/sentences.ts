/**
 * Passwords and keys in sentences: "the password is …", "log in as mina with …", a long random
 * value soon after the word "key", a column of passwords in a table (M18, L1c). Most sentences
 * about passwords contain none.
 */
import { judgeColumn } from './outputs.ts';
import type { Rule, Scan } from './scan.ts';
import {
  isAboutSecrets,
  isAssuredPassword,
  isChosen,
  isDigits,
  isMadeUp,
  isMember,
  isNoValue,
  isPlaceOrCode,
  isProse,
  isRandom,
  isUuid,
  isWordy,
} from './values.ts';

/** Codes that people type at doors and devices. */
const PINS = ['door', 'gate', 'alarm', 'lock', 'entry', 'safe']
  .map((what) => `${what} code`)
  .concat('pin is', 'pin for', 'pin:', 'pin code', ' pin ')
  .concat('verification code', 'security code', 'one-time code', 'login code', 'unlock code');
const AS = ['pass', 'pw', 'token', 'key', 'secret', 'api', 'the ', 'your ', 'my ', 'its '].map(
  (what) => ` as ${what}`,
);

export const sentenceRules = (): Rule[] => [
  {
    words: [
      'login:',
      'log in ',
      'login ',
      'sign in ',
      'logging in ',
      'signing in ',
      'account',
      'creds',
      'credentials',
      '/pw',
      '/ pw',
      '/pass',
      '/ pass',
      '아이디/',
      '계정:',
      '계정은',
      '계정 ',
      '로그인 ',
      '접속 ',
      '접속정보',
      '계정/',
      '계정:',
      '계정은',
      '계정 ',
    ],
    judge: judgePair,
    cost: 60,
  },
  {
    words: [...AS, ...PINS],
    judge: judgeOdd,
    cost: 30,
  },
  {
    words: [
      'key',
      'token',
      'secret',
      '토큰 ',
      '토큰:',
      '토큰은',
      '토큰이',
      '토큰값',
      '토큰 값',
      '앱키 ',
      '앱키:',
      '앱키는',
      '앱 키',
      '키(인',
      '키(디',
      '키값 ',
      '키값은',
      '키값:',
      '키 값',
      '시크릿',
      '키로 ',
      '토큰으로 ',
      '키는 ',
      '키가 ',
      '키: ',
    ],
    judge: judgeNear,
    cost: 10,
  },
  { words: ['authenticator', 'totp', '2fa', 'otp'], judge: judgeGroups, cost: 60 },
  { words: [' / ', ' // ', 'root:', 'admin:', 'root/', 'admin/'], judge: judgeUser, cost: 20 },
  { words: FOREIGN, judge: judgeForeign, cost: 30 },
  {
    words: [
      'app pass',
      '앱 비밀번호',
      '앱비밀번호',
      '인증번호',
      '인증 번호',
      '인증코드',
      'ord from ',
      'nged from ',
      ' p: ',
    ],
    judge: judgeGiven,
    cost: 30,
  },
];

// ---- "the password for the zip is …" ----

const BEFORE_CHARS = 48;
const BEHIND_CHARS = 12;
const BESIDE_A_NAME = /(?:user(?:name)?|login|account|id|e-?mail)\b.{0,40}$/i;

const PASSWORD_NAME = /^(?:password|passwd|passphrase|passcode|pass|pw|pwd)$/i;
/** What comes between the word and the verb. */
const IS =
  /(?: (?:for|to|in|of|on|at) (?:["'`][^"'`\n]{1,80}["'`]|(?:the |my |our |this )?[\w.'@/~-]{1,60}(?: [\w.'-]{1,24}){0,3}?))?(?: {1,4}(?:is now|is still|is ?:|is|was|=|→)| {0,4}:) {1,4}["'“`]?/iy;
/** With more words between; then only what nobody would take for one. */
const IS_FAR =
  /(?: [\w.'()@-]{1,40}){1,6}?(?: {1,4}(?:is|was|it's)(?: ?:)?| {0,4}[:=]) {1,4}["'“`]?/iy;
const SET_TO = /(?:[ \w.'-]{0,40}?) to ["'“`]?/iy;
const DIRECTLY = /[ \t]{1,8}["'“`(]?/y;
const VALUE = /(?:[^\s"'”`,;]|[,;](?=[\w!@#$%^&*-])){4,200}/y;
const QUOTED = /[^\n"'”`]{4,64}(?=["'”`])/y;

/** Behind the name of a password, in a sentence; for other secrets `judgeNear` does it. */
export function judgeStated(scan: Scan, start: number, end: number, kind: string): void {
  const { text } = scan;
  const name = text.slice(start, end).toLowerCase();
  if (name !== 'pass') judgeColumn(scan, start, end);
  if (kind === 'secret' && /(?:[_-]|api)(?:secret|token|key)$/.test(name)) judgeNamed(scan, end);
  if (name === 'secret') judgeShort(scan, end);
  if (kind !== 'password' || !/[ \t]/.test(text.charAt(end)) || !PASSWORD_NAME.test(name)) return;
  if (/[/\\@#]/.test(text.charAt(start - 1))) return;
  const before = text.slice(Math.max(0, start - BEFORE_CHARS), start);
  // "Pass" is a verb as well.
  const isVerb = name === 'pass' && !BESIDE_A_NAME.test(before);
  for (const [front, test] of isVerb ? STATED.slice(0, 1) : STATED) {
    const [from, value, isQuoted] = statedValue(text, end, front);
    const behind = text.slice(from + value.length, from + value.length + BEHIND_CHARS);
    if (value.length < 4 || !test(value, isQuoted, before, behind)) continue;
    scan.withhold(from, from + value.length);
    return;
  }
}

/** `API_SECRET …`, `api_token "…"`: a name that is no word of a sentence. */
function judgeNamed(scan: Scan, end: number): void {
  const [from, value] = statedValue(scan.text, end, DIRECTLY);
  if (value.length >= LEAST_RUN && isDrawn(value)) scan.withhold(from, from + value.length);
}

const MIN_SHORT = 10;

/** "client id …, secret …": short, but no word. */
function judgeShort(scan: Scan, end: number): void {
  const [from, value] = statedValue(scan.text, end, DIRECTLY);
  if (value.length < MIN_SHORT || isMadeUp(value) || !/^\w+$/.test(value)) return;
  if (isRandom(value) && /\d.*\d/.test(value) && /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(value))
    scan.withhold(from, from + value.length);
}

function statedValue(text: string, end: number, front: RegExp): [number, string, boolean] {
  front.lastIndex = end;
  if (!front.test(text)) return [end, '', false];
  const from = front.lastIndex;
  const quoted = /["'“`]/.test(text.charAt(from - 1)) ? lengthAt(QUOTED, text, from) : 0;
  const length = quoted > 0 ? quoted : lengthAt(VALUE, text, from);
  return [from, text.slice(from, from + length).replace(/[.,!?:)]+$/, ''), quoted > 0];
}

type StatedTest = (value: string, isQuoted: boolean, before: string, behind: string) => boolean;
type Stated = readonly [RegExp, StatedTest];

const STATED: readonly Stated[] = [
  [IS, (value, isQuoted, _, behind) => isStatedValue(value, isQuoted, behind)],
  [IS, (value, isQuoted) => isQuoted && isPhrase(value)],
  [IS_FAR, (value) => isChosen(value) && !isMember(value)],
  [SET_TO, (value) => isChosen(value) && !isMember(value)],
  // netrc: anything may follow `login name password`.
  [
    DIRECTLY,
    (value, _, before) =>
      (isChosen(value) && !isMember(value)) ||
      isRandom(value) ||
      (/login\s+\S+\s+$/.test(before) && !isNoValue(value)),
  ],
];

/** "four quiet words together", quoted, and none of them a word that holds a sentence together. */
function isPhrase(value: string): boolean {
  const words = value.split(' ');
  return words.length > 3 && words.length < 9 && /^[a-z ]+$/.test(value) && !words.some(isProse);
}

/** Behind a plain word that is a password the clause ends. */
const CLAUSE_ENDS = /^(?:[.,;!]|\s*$|\s+(?:for|on|at|now|btw)\b|\s*[—–-])/;

function isStatedValue(value: string, isQuoted: boolean, behind: string): boolean {
  if (isNoValue(value) || isPlaceOrCode(value) || isMember(value)) return false;
  if (isQuoted && /\s/.test(value))
    return /\d|[A-Z].*[A-Z]|[!@#$%^&*]/.test(value) && !/[a-z] (?:is|must|the) /.test(value);
  if (isQuoted) return !isProse(value) && !isAboutSecrets(value);
  if ((isChosen(value) && !/^[A-Z][a-z]+-[A-Z]?[a-z]+$/.test(value)) || isDigits(value))
    return true;
  if (
    /^[A-Za-z]{2,20}(?:[_-][A-Za-z]{2,20}){1,3}$/.test(value) &&
    /[a-z][_-]?[A-Z]|[A-Z][a-z]/.test(value)
  )
    return CLAUSE_ENDS.test(behind);
  return /^[a-z]{5,20}[A-Z]?$/.test(value) && !isProse(value) && CLAUSE_ENDS.test(behind);
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

// ---- Pairs of a user and a password ----

const PAIRS: readonly RegExp[] = [
  /((?:log(?:ging)? ?in|sign(?:ing)? in|login)\s{1,4}(?:with|as|using|to [\w ]{1,24} with)\s{1,4}\S{1,60}\s{0,4}(?:\/|:|and|with(?: pw| pass| password)?)\s{1,4})([^\s"'`]{4,64})/iy,
  /((?:log(?:ging)? ?in|sign(?:ing)? in|login)\s{1,4}(?:with|as|using)\s{1,4}[\w.@+-]{1,60}[/:])([^\s"'`]{4,64})/iy,
  /((?:accounts?|creds|credentials|log ?in|login)\b(?: (?:is|are|for [\w ]{1,24}))?[ \t]{0,4}(?:[:=-]>?)?[ \t]{1,4}["'`]?[\w.@+-]{1,60}["'`]?[ \t]{0,2}(?:\/{1,2}|[:|])[ \t]{0,2}["'`]?)([^\s"'`]{4,64})/iy,
  /((?:accounts?|creds|credentials|log ?in|login)\b(?: (?:is|are|for [\w ]{1,24}))?[ \t]{0,4}:?[ \t]{1,4}[\w.+-]{1,60}@[\w.-]{1,60}[ \t,]{1,4})([^\s"'`]{4,64})/iy,
  /((?:로그인|접속|계정) ?정보[^\n/]{0,10}?[는은:]\s{0,4}[\w.@+-]{1,60}\s?\/\s?)([!#-&(-_a-~]{4,64})/y,
  /((?:로그인|접속|계정)\s{1,4}[\w.@+-]{1,60}\s?\/\s?)([!#-&(-_a-~]{4,64})/y,
  /(계정[^\n/]{0,20}?[는은:]\s{0,4}[\w.@+-]{1,60}\s?\/\s?)([!#-&(-_a-~]{4,64})/y,
  /((?:id|user|아이디|계정)\s?\/\s?(?:pw|pass|password|비번|비밀번호|암호)(?![a-z])\s{0,4}(?:은|는)?\s{0,2}[:=]?\s{0,4}[^\s/]{1,60}\s{0,2}\/\s{0,2})([^\s"'`]{4,64}?)(?=[\s"'`]|$|입니다|이에요|예요|로 |으로)/iy,
];

/** `id/pw`: the word before the slash is too common to look for. */
const BEFORE_SLASH = /(?:id|user) ?$/i;

function judgePair(scan: Scan, found: number): void {
  const isSlash = scan.text.charAt(found) === '/';
  const name = isSlash ? BEFORE_SLASH.exec(scan.text.slice(Math.max(0, found - 5), found)) : null;
  if (isSlash && name === null) return;
  judgePairAt(scan, found - (name?.[0].length ?? 0));
}

function judgePairAt(scan: Scan, at: number): void {
  for (const pattern of PAIRS) {
    pattern.lastIndex = at;
    const found = pattern.exec(scan.text);
    if (found === null) continue;
    const [, front = '', match = ''] = found;
    const value = match.replace(/[.,!?)]+$/, '');
    if (isPaired(value, front)) {
      scan.withhold(at + front.length, at + front.length + value.length);
      return;
    }
  }
}

/** "Account page / settings2" is no pair: without a sign or a verb only what is surely a password. */
function isPaired(value: string, front: string): boolean {
  if (/pw|pass|비번|비밀번호|암호/i.test(front) && hasDigit(value)) return true;
  return /^account(?!.*(?:[:=]|\bis\b|\bare\b))/i.test(front)
    ? isAssuredPassword(value)
    : isChosen(value);
}

function hasDigit(value: string): boolean {
  return /\d/.test(value) && !isNoValue(value);
}

const USER =
  /(?:^|[^\w./@:-])(?:root|admin|administrator|guest|tester|operator|postgres|sa|ubuntu|[\w.+-]{1,40}@[\w-]{1,40}(?:\.[\w-]{2,20}){1,3})["'`]?$/i;
const USER_CHARS = 90;
const BEHIND_USER = /["'`]?([^\s"'`:/]{6,64})(?=["'`]?(?:[\s.,;!?)]|$))/y;

/** `root / …`, `admin:…`, `mina@site.test / …`: a user everybody knows, and what only a password is. */
function judgeUser(scan: Scan, at: number, end: number): void {
  const { text } = scan;
  BEHIND_USER.lastIndex = end;
  const value = (BEHIND_USER.exec(text)?.[1] ?? '').replace(/[.,;?)]+$/, '');
  if (!isAssuredPassword(value)) return;
  // Behind a slash also stands the rest of a path.
  if (text.charAt(end - 1) === '/' && !/[!@#$^&*]/.test(value)) return;
  const user = text.charAt(at) === ' ' ? at : end - 1;
  if (!USER.test(text.slice(Math.max(0, user - USER_CHARS), user))) return;
  const from = text.indexOf(value, end);
  scan.withhold(from, from + value.length);
}

/** "Password" in other languages. */
const FOREIGN = [
  ...['passwort', 'kennwort', 'mot de passe', 'traseña', 'trasena', 'senha', 'wachtwoord'],
  ...['parola', 'пароль', 'パスワード', '密码是', '密码:', '密码：', '密碼是', '密碼:'],
];
const FOREIGN_VALUE =
  /[ \t]{0,2}(?:(?:ist|lautet|est|es|é|is|è)[ \t]|[:=：是は])[ \t]{0,4}["'`「“]?([!#-&(-_a-~]{4,64})/iy;

function judgeForeign(scan: Scan, _at: number, end: number): void {
  const { text } = scan;
  FOREIGN_VALUE.lastIndex = /[:：是]/.test(text.charAt(end - 1)) ? end - 1 : end;
  const value = (FOREIGN_VALUE.exec(text)?.[1] ?? '').replace(/["'`.,;!?)]+$/, '');
  if (!isAssuredPassword(value) && !(isChosen(value) && /\d/.test(value))) return;
  const from = text.indexOf(value, end);
  scan.withhold(from, from + value.length);
}

const GIVEN: readonly RegExp[] = [
  // As Google makes them: four groups of four letters.
  /(app pass(?:word)?(?: is)?[:= ]{1,3}["'`]?)((?:[a-z]{4} ){3}[a-z]{4})(?!\w)/iy,
  /(앱 ?비밀번호[은는이가]?[:= ]{1,3}["'`]?)((?:[a-z]{4} ){3}[a-z]{4})(?!\w)/y,
  /(인증 ?(?:번호|코드)[은는이가]?[:= ]{0,3}["'`[(]?)(\d{4,8})(?![\d.자번회초분])/y,
  /((?:ord|nged) from ["'`]?)([^\s"'`]{6,64})(?=["'`]? to )/iy,
  /( p: )([^\s"'`]{6,64})/y,
];

/** "app password abcd …", "the password from … to …", "u: mina p: …". */
function judgeGiven(scan: Scan, at: number): void {
  for (const pattern of GIVEN) {
    pattern.lastIndex = at;
    const [, front = '', value = ''] = pattern.exec(scan.text) ?? [];
    if (value === '') continue;
    const before = scan.text.slice(Math.max(0, at - 50), at);
    if (front === ' p: ' && !/\bu: ?\S{1,40}$/.test(before)) continue;
    if (front.startsWith('nged') && !/pass|\bpw/i.test(before)) continue;
    if (/ |^\d+$/.test(value) || isAssuredPassword(value))
      scan.withhold(at + front.length, at + front.length + value.length);
  }
}

const AS_PASSWORD =
  / as (?:the |your |my |its )?(?:(?:[\w'-]{1,16} ){0,2}?(?:password|passphrase|passwd|pw)\b(?! (?:hash|manager|field|policy|input|format|type|reset|algo|column|valid|encod|store|provider|gener|strength))|(?:\w{1,24} )?[\w-]{0,32}(token|key|secret))/iy;
const WORD_BEFORE = /["'“`]?([^\s"'”`]{6,64})["'”`]?$/;
/** A phrase, with a digit in it. */
const QUOTED_BEFORE = /["“`](?=[^"“”`\n]{0,60}\d)([^"“”`\n]{6,60})["”`]$/;
const PIN =
  /(?:pin|code)(?: (?:for|of|on|to) (?:[\w'-]{1,16} ){1,3}?)?(?: ?(?:is|was))?[:= ]{1,3}(\d{4,8})(?![\w.,-]{0,8}\d)/iy;
const PIN_WORD_CHARS = 24;

/** "use … as the password", "my PIN is …". */
function judgeOdd(scan: Scan, at: number): void {
  const { text } = scan;
  if (text.charAt(at + 1).toLowerCase() === 'a') {
    AS_PASSWORD.lastIndex = at;
    const as = AS_PASSWORD.exec(text);
    if (as === null) return;
    const before = text.slice(Math.max(0, at - 70), at);
    const value = (QUOTED_BEFORE.exec(before) ?? WORD_BEFORE.exec(before))?.[1] ?? '';
    const end = text.lastIndexOf(value, at);
    const isUsed = /\buse ["'“`]?$/.test(text.slice(Math.max(0, end - 6), end));
    if (as[1] === undefined ? isChosen(value) || (isUsed && !isProse(value)) : isDrawn(value))
      scan.withhold(end, end + value.length);
    return;
  }
  judgePin(scan, at);
}

function judgePin(scan: Scan, at: number): void {
  const { text } = scan;
  if (text.charAt(at) !== ' ' && at > 0 && /\w/.test(text.charAt(at - 1))) return;
  PIN.lastIndex = at + text.slice(at, at + PIN_WORD_CHARS).search(/pin|code/i);
  const digits = PIN.exec(text)?.[1] ?? '';
  if (digits !== '') scan.withhold(PIN.lastIndex - digits.length, PIN.lastIndex);
}

function isDrawn(value: string): boolean {
  return value.length >= 16 && !isMadeUp(value) && isRandom(value);
}

// ---- A long random value soon after the word "key" ----

/** Words and the end of a clause, but nothing of code. */
const NEAR =
  /(?:s?["'’*]{0,2}[은는이가을를]?(?:[ \t][^\n(){}[\];<>=|"`]{0,60}?)?["'*]{0,2}(?:[:=][ \t]{0,4}|[ \t])\n?[ \t]{0,4}["'`“「(]?)([\w+/%=~.-]{20,200})(?=["'`”」),.;:!?]?(?:\s|$|[가-힣"'`)」,.;]))/y;
const NEAR_KOREAN =
  /(?:[가-힣]{0,6}\))?\*{0,2}(?:\s?값)?\s?(?:\([^)\n]{0,16}\))?(?:[는은이가를을]|로는|로 [가-힣 ]{1,20}?|\s?여기\s?(?:있습니다|있어요?|요|있음))?요?[.,!~]?\s{0,4}[:=→]?\s{0,4}["'`“「(]?([\w+/%=~.-]{20,200})/y;
const NO_SECRET =
  /gpg|rsa|sha\d|md5|\bsite\b|captcha|\banon\b|integrity|digest|commit|etag|uuid|checksum|fingerprint|public|publishable|ssh-|hash|cache|branch|file|path|session|request|trace|model|version|\bid\b|blob|tree|object|object|image|node|primary|foreign|partition|sort|index|column/i;

function judgeNear(scan: Scan, at: number, end: number): void {
  const { text } = scan;
  const isKorean = text.charCodeAt(at) > 127;
  if (at > 0 && !isKorean && /[\w.$/-]/.test(text.charAt(at - 1))) return;
  if (!hasLongRun(text, end)) return;
  scan.spend(80);
  const pattern = isKorean ? NEAR_KOREAN : NEAR;
  pattern.lastIndex = end;
  const found = pattern.exec(text);
  if (found === null) return;
  const value = (found[1] as string).replace(/[.:]+$/, '');
  const front = found[0].slice(0, -(found[1] as string).length);
  const before =
    text
      .slice(Math.max(0, at - NEAR_CHARS), at)
      .split(/[,;\n/]|\band\b/)
      .at(-1) ?? '';
  if (!isNearSecret(value, front, before, text.slice(at, end))) return;
  const from = end + found[0].lastIndexOf(found[1] as string);
  scan.withhold(from, from + value.length);
}

const NEAR_CHARS = 24;
const LOOK_FOR_RUN = 100;
const LEAST_RUN = 20;

/** Whether something as long as a key comes soon: most sentences about keys end here. */
function hasLongRun(text: string, from: number): boolean {
  const end = Math.min(text.length, from + LOOK_FOR_RUN);
  let run = 0;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 64 && code <= 90);
    // Letters, and from `+` to `9` without a comma, `_`, `~`, `%` and `=`.
    if (isLetter || (code >= 45 && code <= 57) || '+_~%='.includes(text.charAt(at))) run++;
    else if (code === 10 && at - from > 4) return false;
    else run = 0;
    if (run >= LEAST_RUN) return true;
  }
  return false;
}

/** Then even what has the form of an id is one. */
const CLEAR =
  /(?:api|access|auth|bearer|client|bot|refresh|signing|webhook|deploy|service|secret|licen[cs]e|encryption|app|private|personal) $|auth/i;
const CLEAR_KOREAN = /API|발급|인증|비밀|시크릿|액세스|접근|서비스|라이선스/;
const PRIVATE = /private|secret|개인|비밀|시크릿|wallet|signing/i;

function isNearSecret(value: string, front: string, before: string, word: string): boolean {
  if (isUuid(value))
    return (CLEAR.test(before) || CLEAR_KOREAN.test(before)) && !NO_SECRET.test(front);
  if (isMadeUp(value) || isPlaceOrCode(value) || !isRandom(value)) return false;
  if (NO_SECRET.test(front) || NO_SECRET.test(before)) return false;
  if (/[-_:/][0-9a-f]{32,}$/.test(value)) return false; // the key of a cache
  if (/^[a-z]{0,12}\//.test(value) || value.split(/[./]/).every(isWordy)) return false;
  // A hash is written the same way as a key: it must be said plainly that this is one.
  if (/^(?:0x)?(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value))
    return (
      (PRIVATE.test(before + word) && /(?:is|[:=])\s*["'`(]?$/.test(front)) ||
      /^\s*(?:is\s+|[:=]\s*)?["'`(]?$/.test(front) ||
      /api |access |auth|my |your |the |this |준 |api/i.test(before)
    );
  return true;
}

/** `4hz4 j4zp 277u …`, as authenticators show their keys. */
const GROUPS =
  /[^\n]{0,60}?[: ](?=[a-z2-7 ]{0,20}[2-7])((?:[a-z2-7]{4} ){3,15}[a-z2-7]{4})(?![\w])/iy;

function judgeGroups(scan: Scan, _at: number, end: number): void {
  GROUPS.lastIndex = end;
  const groups = GROUPS.exec(scan.text)?.[1] ?? '';
  if (/\d.*\d/.test(groups)) scan.withhold(GROUPS.lastIndex - groups.length, GROUPS.lastIndex);
}
