/**
 * Places that hold little else than secrets: headers, URLs, flags of commands, cookies, some lines
 * of configuration (M18, L1c). Each pattern is tried only where its word was found, and reads only
 * so far: `front` stays, `secret` goes.
 */
import { isEncodedPair } from './assignments.ts';
import type { Judge, Rule, Scan } from './scan.ts';
import {
  isAssuredPassword,
  isChosen,
  isDigits,
  isFile,
  isMadeUp,
  isMember,
  isOrdinaryWord,
  isPlaceholder,
  isRandom,
  isUuid,
  isWordy,
} from './values.ts';

export type Test = (secret: string, front: string) => boolean;

const isAny: Test = (secret) => !isPlaceholder(secret);
const isDrawn: Test = (secret) => !isMadeUp(secret) && isRandom(secret);

const LEAST_SECRET = 4;
const MIN_GIVEN = 16;

/** A pattern of `(front)(secret)`, tried where one of the words begins. */
export function place(words: string, pattern: RegExp, test: Test = isAny, cost = 40): Rule {
  const judge: Judge = (scan, at) => {
    pattern.lastIndex = at;
    const found = pattern.exec(scan.text);
    if (found === null) return;
    const [, front = '', match = ''] = found;
    const secret = match.split('`', 1)[0] as string; // where a command in a sentence ends
    if (secret.length < Math.min(match.length, LEAST_SECRET) || secret === '') return;
    if (test(secret, front)) scan.withhold(at + front.length, at + front.length + secret.length);
  };
  return { words: words.split('|'), judge, cost };
}

export const placeRules = (): Rule[] => [
  { words: ['://'], judge: judgeUrl, cost: 10 },
  { words: ['bearer ', 'basic '], judge: judgeScheme, cost: 30 },
  { words: ['authorization'], judge: judgeAuthorization, cost: 80 },
  { words: ['cookie', "-b '", '-b "'], judge: judgeCookies, cost: 30 },
  { words: ['"value"', "value: '", 'value: "'], judge: judgeNamedValue, cost: 60 },
  { words: ['kind: secret'], judge: judgeManifest, cost: 100 },
  { words: ['pgpass'], judge: judgePgpass, cost: 600 },
  { words: [':5432:', ':5433:', ':6432:'], judge: judgePgpassLine, cost: 60 },
  {
    words: [
      'mnemonic',
      'seed',
      'phrase',
      '12 words',
      '24 words',
      'twelve words',
      'wallet',
      '니모닉',
      '시드 ',
      '시드는',
      '복구 ',
    ],
    judge: judgeSeedPhrase,
    cost: 60,
  },
  {
    words: CODE_WORDS,
    judge: judgeCodes,
    cost: 600,
  },
  ...COOKIES(),
  ...COMMANDS(),
  ...CONFIGURATION(),
];

// ---- URLs ----

const MAX_USERINFO = 256;

function judgeUrl(scan: Scan, at: number, end: number): void {
  const { text } = scan;
  const { colon, last, to } = userinfoAt(text, end);
  scan.spend(to - end);
  if (last < 0) return;
  const behind = colon < 0 ? '' : text.slice(colon + 1, last);
  const isUserAlone = colon >= 0 && colon < last && /^(?:x|x-oauth-basic)?$/.test(behind);
  if (colon >= 0 && colon < last && !isUserAlone) {
    if (isUrlPassword(behind, text.slice(end, colon), text, colon + 1))
      scan.settle(colon + 1, last);
    return;
  }
  const userEnd = isUserAlone ? colon : last;
  const token = text.slice(end, userEnd);
  const isWeb = text.slice(Math.max(0, at - 5), at).endsWith('http') || text.charAt(at - 1) === 's';
  if (isWeb && /^[\w-]{20,}$/.test(token) && isDrawn(token, '') && !SENTRY.test(text.slice(last)))
    scan.settle(end, userEnd);
}

/** Its keys only let one report errors, and are in every browser. */
const SENTRY = /^.{0,40}sentry/;

interface Userinfo {
  colon: number;
  /** The @ before the host: the last, but for one in the query if there is an earlier one. */
  last: number;
  to: number;
}

function userinfoAt(text: string, from: number): Userinfo {
  const limit = Math.min(text.length, from + MAX_USERINFO);
  const found = { colon: -1, last: -1, to: from };
  let inQuery = -1;
  let isQuery = false;
  for (; found.to < limit; found.to++) {
    const sign = text.charAt(found.to);
    if (ENDS_USERINFO.includes(sign)) break;
    if (sign === ':' && found.colon < 0) found.colon = found.to;
    isQuery ||= sign === '?' || sign === '#';
    if (sign !== '@' || !isHost(text.charAt(found.to + 1))) continue;
    if (isQuery) inQuery = found.to;
    else found.last = found.to;
  }
  if (found.last < 0) found.last = inQuery;
  return found;
}

const ENDS_USERINFO = ' \t\r\n/\'"<>';

function isHost(letter: string): boolean {
  return /[\w[${]/.test(letter);
}

/** Stands in documents where a password would. */
const NO_URL_PASSWORD =
  /^(?:pass|password|passwd|pwd|pw|secret|token|key|postgres|root|admin|user|username|mysql|redis|guest|test|p|pass?word|db_?pass(?:word)?|x-oauth-basic|[A-Z_]+)$/;

function isUrlPassword(password: string, user: string, text: string, at: number): boolean {
  if (/^\d{2,5}[?#(),;가-힣]/.test(text.slice(at, at + 6))) return false; // a port
  if (password === '' || NO_URL_PASSWORD.test(password) || password === user) return false;
  return !isPlaceholder(password);
}

// ---- Headers ----

const SCHEME_VALUE = /(?:bearer|basic)\s{1,8}["'“`]?([\w.~+/=:-]{8,4096})/iy;

function judgeScheme(scan: Scan, at: number): void {
  SCHEME_VALUE.lastIndex = at;
  const found = SCHEME_VALUE.exec(scan.text);
  if (found === null) return;
  const value = (found[1] as string).replace(/\.+$/, '');
  const from = at + found[0].length - (found[1] as string).length;
  const isBasic = scan.text.charAt(at + 1).toLowerCase() === 'a';
  const isHeader = IN_HEADER.test(scan.text.slice(Math.max(0, at - 24), at));
  const isPair = isBasic && isEncodedPair(value);
  if (isBasic && !isPair && value === PUBLIC_PAIR) return;
  if (isPair || (isHeader || !isBasic ? isBearer(value, isHeader) : false))
    scan.settle(from, from + value.length);
}

/** `user:pass`, as documents have it. */
const PUBLIC_PAIR = 'dXNlcjpwYXNz';
const MIN_BEARER = 16;

const IN_HEADER = /authorization\W{1,8}$/i;

function isBearer(value: string, isHeader: boolean): boolean {
  if (isMadeUp(value)) return false;
  if (isHeader && value.length >= 12 && !isWordy(value)) return true;
  if (value.length < MIN_BEARER) return false;
  return isRandom(value) || isUuid(value);
}

const AUTHORIZATION =
  /authorization\\{0,4}["']?\]?\s{0,8}[:=,]\s{0,8}\\{0,4}["'`]?(?:(?!bearer|basic)([a-z][\w-]{0,20})(?:\s{1,8}|=)(?:token=|response=|key=)?["']?)?([\w.~+/=:-]{8,4096})/iy;
const DIGEST =
  /authorization["']?\s{0,8}[:=]\s{0,8}["']?digest\b[^\n]{0,300}?\bresponse=["']?([0-9a-f]{16,128})/iy;

function judgeAuthorization(scan: Scan, at: number): void {
  for (const pattern of [AUTHORIZATION, DIGEST]) {
    pattern.lastIndex = at;
    const found = pattern.exec(scan.text);
    if (found === null) continue;
    const value = found.at(-1) as string;
    const from = at + found[0].length - value.length;
    const isKey = value.length >= 10 && !isMadeUp(value) && !isWordy(value);
    if (isKey) scan.withhold(from, from + value.length);
  }
}

// ---- Cookies ----

const COOKIE_NAME =
  /(?:sess|sid$|auth|token|access|logged_in|csrf|xsrf|remember|jwt|login)[\w.-]{0,64}$/i;
const COOKIE = /([\w.-]{1,80})=([^\s;,'"&]{12,4096})/y;
const MAX_COOKIES = 8192;
const MAX_OTHERS = 64;

const COOKIES_FOLLOW = /s?\\{0,2}["']?\s{0,4}(?:[:=]|\s)\s{0,4}\\{0,2}["']?/y;
const NEXT_COOKIE = /[^\s;]{0,256}[ \t;]{1,8}/y;

/** All that a cookie header or `document.cookie` has on its line. */
function judgeCookies(scan: Scan, _at: number, end: number): void {
  const { text } = scan;
  // Behind `-b '` they begin at once.
  COOKIES_FOLLOW.lastIndex = end;
  const isBegun = /["']/.test(text.charAt(end - 1));
  if (!isBegun && !COOKIES_FOLLOW.test(text)) return;
  let from = isBegun ? end : COOKIES_FOLLOW.lastIndex;
  judgePairs(scan, from);
  for (let others = 0; others < MAX_OTHERS && from - end < MAX_COOKIES; others++) {
    scan.spend(30);
    COOKIE.lastIndex = from;
    const [all = '', name = '', value = ''] = COOKIE.exec(text) ?? [];
    if (all !== '' && (COOKIE_NAME.test(name) ? isCookie(value) : isLongRandom(value)))
      scan.withhold(from + all.length - value.length, from + all.length);
    NEXT_COOKIE.lastIndex = from + all.length;
    if (!NEXT_COOKIE.test(text)) return;
    from = NEXT_COOKIE.lastIndex;
  }
}

const MIN_UNNAMED = 32;

/** A cookie of an unknown name. */
function isLongRandom(value: string): boolean {
  return value.length >= MIN_UNNAMED && !HAS_ID.test(value) && isDrawn(value, '');
}

const NAMED_COOKIE = /["']([\w.-]{1,64})["']\s{0,4}:\s{0,4}["']([^"'\n]{12,512})["']/g;
const PAIRS_BEHIND = 300;

/** `cookies={"sid": "…"}` */
function judgePairs(scan: Scan, from: number): void {
  if (scan.text.charAt(from) !== '{') return;
  scan.spend(PAIRS_BEHIND);
  const pairs = scan.text.slice(from, from + PAIRS_BEHIND);
  for (const { 0: all, 1: name = '', 2: value = '', index } of pairs.matchAll(NAMED_COOKIE)) {
    const at = from + index + all.length - value.length - 1;
    if (COOKIE_NAME.test(name) && isCookie(value)) scan.withhold(at, at + value.length);
  }
}

const MIN_COOKIE = 12;
const LETTERS = /^[a-z]{20,}$|^[A-Z]{20,}$/;

function isCookie(value: string): boolean {
  const plain = value.replace(/^s%3A|^\w+%7C\d+%7C/i, '').replace(/%[0-9A-F]{2}/gi, '');
  if (isUuid(value)) return true;
  return plain.length >= MIN_COOKIE && !isMadeUp(plain) && (!isWordy(plain) || LETTERS.test(plain));
}

const COOKIES = (): Rule[] => [
  place(
    'ssid=|ionid=|.sid=|_session=|ess=|ion-token=|logged_in',
    /([\w.-]{1,32}=)([^\s;,'"&]{16,4096})/y,
    (secret, front) => isCookie(secret) && !isSessionId(secret, front),
  ),
  place('sid=', /((?<![A-Za-z_])sid=)([^\s;,'"&]{16,4096})/y, isCookie),
  place(
    ' true | false ',
    /(\s(?:TRUE|FALSE)\t\S{1,200}\t(?:TRUE|FALSE)\t\d{1,12}\t\S{1,80}\t)(\S{8,4096})/y,
  ), // jars
  place(
    // The ends of sessionid, session_id, session, phpsessid, remember_me: rarer than their beginnings.
    ['ionid', 'ion_id', 'ion', 'ssid', 'sid', 'mber_me', 'member']
      .flatMap((name) => [`${name}"`, `${name}'`])
      .join('|'),
    /((?:(?<=[sS]ess|SESS)ion(?:_?id)?|[\w.]{0,3}sid|m\w{3,8})["']:?\s{0,4}[:,]\s{0,4}["'])([\w.%+/=-]{20,512})(?=["'])/iy,
    (secret, front) =>
      isCookie(secret) &&
      isRandom(secret) &&
      !HAS_ID.test(secret) &&
      !(/^ion(?:_id)?["']/i.test(front) && /^[0-9a-f]+$/.test(secret)),
  ),
];

/** `sessionId=`, `session=` with what logs have as an id. */
function isSessionId(secret: string, front: string): boolean {
  if (isUuid(secret)) return /^_?session=|^ionid=|^ionId=/.test(front);
  return front.startsWith('ionId=') && /^[0-9a-f]+$|^[0-9A-Z]{26}$/.test(secret);
}

/** A date or part of a UUID: an id, as every log has them. */
const HAS_ID = /\d{4}-\d{2}-\d{2}|[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}/;
const NAMED_BEFORE =
  /["']?(?:name|key)["']?\s{0,4}:\s{0,4}["']([\w.-]{1,64})["']\s{0,4},[^{}]{0,120}$/;
const NAMED_BEHIND =
  /^["'][^{}]{0,120}?["']?(?:name|key)["']?\s{0,4}:\s{0,4}["']([\w.-]{1,64})["']/;
const VALUE = /["']?value["']?\s{0,4}:\s{0,4}["']([^"'\n]{8,4096})(?=["'])/y;

/** `{ name: 'session', value: '…' }`, in any order. */
function judgeNamedValue(scan: Scan, at: number): void {
  const { text } = scan;
  VALUE.lastIndex = at;
  const found = VALUE.exec(text);
  if (found === null || !isCookie(found[1] as string)) return;
  const to = at + found[0].length;
  const name =
    NAMED_BEFORE.exec(text.slice(Math.max(0, at - 200), at)) ??
    NAMED_BEHIND.exec(text.slice(to, to + 240));
  if (COOKIE_NAME.test(name?.[1] ?? '') && !NO_COOKIE.test(name?.[1] ?? ''))
    scan.withhold(to - (found[1] as string).length, to);
}

/** `token_type`, `author`: no cookie of a session. */
const NO_COOKIE =
  /author|(?:type|hash|count|name|arn|at|expir\w*|scope|uri|url|ttl|(?<!sess|session|session_)id)$/i;

// ---- Commands ----

const isFlagged: Test = (secret) =>
  !isPlaceholder(secret) && !isOrdinaryWord(secret) && !/^(?:\d{1,5}|-.*|\/.*)$/.test(secret);

const TOOLS =
  'sshpass|sqlcmd|bcp |unzip |mosquitto_|cqlsh|rdesktop|evil-winrm|isql|redis-cli|twine |mongo|smbclient|ldapsearch|ldapadd|docker login|podman login|acr login|registry login|skopeo login|az login|zip |openssl |ssh-keygen|doctl|vercel ';
/** `-t` is followed by all kinds of things. */
const isToolFlag: Test = (secret, front) =>
  isFlagged(secret, front) &&
  !isFile(secret) &&
  (!/-t\s*["']?$/.test(front) || (secret.length > 15 && isRandom(secret)));

const COMMANDS = (): Rule[] => [
  place(
    'mysql|mariadb|7z |7za ',
    /((?<![\w/])(?:mysql|mysqldump|mysqladmin|mariadb|7z|7za)[ \t](?:[^\n|;]{0,200}?\s)?-p)([^\s'"]{4,200})/y,
    isFlagged,
    150,
  ),
  place(
    TOOLS,
    /((?<![\w/-])[\w-]{2,16}(?: login)?[ \t](?:[^\n|;]{0,200}?\s)?-[pawPkNt]\s{1,4}["'])([^'"$\n]{4,200})(?=["'])/y,
    isToolFlag,
    150,
  ),
  place(
    TOOLS,
    /((?<![\w/-])[\w-]{2,16}(?: login)?[ \t](?:[^\n|;]{0,200}?\s)?-[pawPkNt]\s{1,4})(?!\d{1,5}\s)([^\s'"$<-][^\s'"]{3,400})/y,
    isToolFlag,
    150,
  ),
  place('-passin|-passout', /(-pass(?:in|out)\s{1,4}pass:)([^\s'"]{4,200})/y),
  place(
    'curl ',
    /(curl[ \t](?:[^\n|;]{0,300}?\s)?(?:-u|--user)[ \t=]{0,4}["'][^\s:'"]{0,120}:)([^'"\n]{4,300})(?=["'])/y,
    isFlagged,
    150,
  ),
  place(
    'curl ',
    /(curl[ \t](?:[^\n|;]{0,300}?\s)?(?:-u|--user)[ \t=]{0,4}[^\s:'"]{0,120}:)([^\s'"$@]{4,300})/y,
    isFlagged,
    150,
  ),
  place(
    'htpasswd',
    /(htpasswd\s{1,4}-(?:\w{0,8}b\w{0,8}\s{1,4}\S{1,200}|(?=\w{0,8}n)\w{0,8}b\w{0,8})\s{1,4}\S{1,80}\s{1,4})(\S{4,200})/y,
  ),
  place('net user', /(net user\s{1,4}\S{1,80}\s{1,4})([^\s/*"']{4,200})/iy, isFlagged),
  place(
    'echo ',
    /(echo\s{1,4}(?:-n\s{1,4})?["']?)([^"'\s|]{4,300})(?=["']?\s{0,4}\|[^\n]{0,200}?(?:--password-stdin|sudo -S|--with-token|chpasswd|cryptsetup|secrets? (?:set|put|create)|env add|versions add))/y,
    isAny,
    60,
  ),
  place('login(', /(login\(["'][^"'\n]{1,60}["'],\s{0,4}["'])([^"'\n]{4,200})(?=["'])/y, (secret) =>
    isChosen(secret),
  ),
  place(
    'auth=(|auth=[|auth: [|auth(|login(|credentials(|credential(|authenticate(|signin(|sign_in(',
    /((?:auth(?:=\(|=\[|: \[|\()|login\(|credentials?\(|authenticate\(|sign_?in\()(?:\w{1,24},\s{0,4})?["'][^"'\n]{1,80}["'],\s{0,4}(?:Some\()?["'])([^"'\n]{4,200})(?=["'])/iy,
    (secret) => isChosen(secret) || (secret.length >= 16 && isDrawn(secret, '')),
  ),
  place(
    ['client', 'bot', 'api', 'login', 'sdk', 'auth']
      .flatMap((name) => [`${name}("`, `${name}('`])
      .join('|'),
    /(\w{3,6}\(["'])([\w+/=-]{24,200})(?=["'])/iy,
    (secret) => isDrawn(secret, '') && !/^[0-9a-f]{40}$|^[0-9a-f]{64}$/.test(secret),
  ),
  place(
    'net use',
    /(net use\s{1,4}(?:\S{1,4}:\s{1,4})?[\\\n]{1,4}\S{1,120}\s{1,4}(?:\/user:\S{1,80}(?:[\r\n]\S{1,40})?\s{1,4})?)([^\s/*"']{4,200})/iy,
    isFlagged,
  ),
  place('add_user', /(add_user\s{1,4}[\w.@-]{1,60}\s{1,4}["']?)([^\s"']{4,200})/y, (secret) =>
    isChosen(secret),
  ),
  place(
    'alias set',
    /(alias set\s{1,4}\S{1,60}\s{1,4}\S{1,200}\s{1,4}\S{1,80}\s{1,4})(\S{8,200})/y,
  ),
  place(
    'sqlplus',
    /(sqlplus\s{1,4}(?:-\w{1,4}\s{1,4}){0,3}["']?[\w.]{1,40}\/)([^\s"'@]{4,64})(?=@|["'\s]|$)/y,
  ),
  place('oracle:thin:', /(oracle:thin:[\w.]{1,40}\/)([^\s"'@]{4,64})(?=@)/iy),
  place(
    'xfreerdp|cmdkey',
    /((?:xfreerdp|cmdkey)[^\n]{0,200}?\/p(?:ass)?:["']?)([^\s"']{4,64})/y,
    isFlagged,
    150,
  ),
  place(
    'lftp ',
    /(lftp\s[^\n]{0,80}?-u\s{1,4}["']?[\w.@-]{1,60},)([^\s"']{4,64})/y,
    isFlagged,
    100,
  ),
  place('ttp -a ', /(ttp -a\s{1,4}["']?[\w.@-]{1,60}:)([^\s"']{4,64})/y, isFlagged),
  place('proxy-user', /(proxy-user[\s=]{1,4}["']?[^\s:"']{1,60}:)([^\s"']{4,64})/y, isFlagged),
  place(
    'wpa_passphrase ',
    /(wpa_passphrase\s{1,4}(?:"[^"\n]{1,40}"|\S{1,40})\s{1,4}["']?)([^\s"']{8,64})/y,
  ),
  place('smbclient', /(smbclient[ \t][^\n|;]{0,200}?-U[ \t]?["']?[\w.-]{1,40}%)([^\s'"]{4,200})/y),
  place('<<< ', /(<<<\s{1,4}["']?)([\w.-]{20,300})/y, isDrawn),
  place('storepass |keypass ', /(\w{3,5}pass\s{1,4}["']?)([^\s'"$<]{4,200})/y, isFlagged),
  place(
    '<(echo |<(printf |$(echo |$(printf ',
    /([<$]\((?:echo|printf)\s{1,4}(?:-n\s{1,4}|["']?%s["']?\s{1,4})?["']?)([^\s"'$)]{6,300})(?=["']?\))/y,
    (secret) => isAssuredPassword(secret) || (secret.length >= MIN_GIVEN && isDrawn(secret, '')),
  ),
  place(
    ' on >| on nopass >',
    /( on (?:[a-z]{1,12} ){0,3}>)([^\s"']{4,200})(?=\s{1,4}[~+%-]|\s{1,4}[a-z]|$)/y,
    isFlagged,
  ),
  place('-token ', /(-token\s{1,4}(?:[\w-]{1,20}\s{1,4})?)([0-9a-f-]{36})(?![\w-])/y, isUuid),
  place(
    'wifi|wi-fi|ssid|와이파이',
    /([^\n]{0,60}?(?:[Kk]ey|[Pp]ass(?:word|phrase|code)?|PW|[Pp]w|비번|비밀번호|암호|키)(?:는|은|가|이)?[\s:=/]{1,4}["'`]?)([^\s"'`,;]{8,64})/y,
    (secret) => isChosen(secret) && !isMember(secret) && /[a-z]{3}/.test(secret),
    80,
  ),
  place(
    'secret set|kv put',
    /((?:secret set|kv put)[^\n]{0,200}?(?:--body|-b)[ =]["']?)([^"'\n]{4,300})(?=["']|$)/my,
    isAny,
    150,
  ),
  place('assword', /(assword[^"\n]{0,20}"\s{0,4}\n\s{0,8}send\s{1,4}")([^"\\\n]{4,200})/y),
  place('aws_secret_access_key ', /(aws_secret_access_key\s{1,4})([\w+/]{20,100})/y, isDrawn),
  place(
    'secret access key',
    /(secret access key(?:\s{0,4}\[[^\]\n]{0,40}\])?\s{0,4}[:=]\s{0,4})([\w+/]{40})(?!\w)/iy,
  ),
];

// ---- Configuration ----

const isQuotedOne: Test = (secret) => !isPlaceholder(secret) || isDigits(secret);

const CONFIGURATION = (): Rule[] => [
  place(
    'identified ',
    /(identified(?:\s{1,4}with\s{1,4}\S{1,60})?\s{1,4}by\s{1,4}')((?:[^'\n]|''){4,200}?)(?='(?!'))/iy,
    isQuotedOne,
  ),
  place(
    'password ',
    /(password(?:\s{1,4}for\s{1,4}\S{1,80}\s{0,4}=)?\s{1,4}')((?:[^'\n]|''){4,200}?)(?='(?!'))/iy,
    (secret) => isQuotedOne(secret, '') && !/\s(?:is|must|and|or)\s/.test(secret),
  ),
  place('securestring', /(securestring\s{1,4}(?:-string\s{1,4})?["'])([^"'\n]{4,200})/iy),
  place('{plain}', /(\{plain\})(\S{4,200})/iy),
  place(
    'buffer.from(',
    /(buffer\.from\(\s{0,4}['"`][^:'"`\n]{1,80}:)([^'"`\n]{4,200})(?=['"`]\s{0,4}\)\.toString\(\s{0,4}['"]base64)/iy,
  ),
  place(
    '_auth',
    /(_auth\s{0,4}=\s{0,4}["']?)([\w+/=-]{8,300})/y,
    (secret) => isEncodedPair(secret) || isDrawn(secret, ''),
  ),
  place(
    'password>|passwd>|secret>|token>|apikey>|passphrase>',
    /((?:password|passwd|secret|token|apikey|passphrase)>)([^<\s][^<\n]{2,300})(?=<\/)/iy,
    (secret) => !/\s/.test(secret) && isFlagged(secret, '') && !/^[A-Z]?[a-z]{1,7}$/.test(secret),
  ),
  place(
    'key="|key=\'|ame="|ame=\'',
    /((?:key|ame)=["']\w{0,40}(?:password|passwd|pwd|secret|token|apikey)["']\s{1,4}value=["'])([^"'\n]{4,300})/iy,
  ),
  place(
    'define(',
    /(define\(\s{0,4}['"]\w{0,40}(?:PASSWORD|PASS|SECRET|KEY|SALT|TOKEN)['"]\s{0,4},\s{0,24}['"])([^'"\n]{4,300})/y,
  ),
  place(
    'env |arg ',
    /((?:ENV|ARG)\s{1,4}\w{0,40}(?:PASSWORD|PASSWD|PASS|PWD|PW|SECRET|TOKEN|KEY)\s{1,4})([^\s=$]\S{3,200})/y,
  ),
  place('private-key |private_key ', /(private[-_]key\s{1,4})((?:0x)?[0-9a-f]{64})(?!\w)/iy),
  place(
    'magic|/verify|/reset|/invite|/confirm|/join/|/activate',
    /((?:magic|\/verify|\/reset|\/invite|\/confirm|\/join|\/activate)[\w-]{0,24}\/(?:[\w-]{1,20}\/)?)([\w.-]{20,512})/iy,
    isDrawn,
  ),
  place(
    'wallet(|accounts: [',
    /((?:wallet\(|accounts: \[)\s{0,8}["'])((?:0x)?[0-9a-f]{64})(?=["'])/iy,
  ),
  place('ticket=|otp=', /(\w{3,6}=)([\w.%/-]{20,512})/y, isDrawn),
  place('wg genkey', /(wg genkey[^\n]{0,60}\n[ \t]{0,8})([\w+/]{43}=)/y),
  place(
    ['code', 'oobcode', 'invite', 'invitation', 'confirmation', 'verification', 'activation']
      .concat('signature', 'x-amz-signature', 'x-goog-signature', 'hmac')
      .flatMap((name) => [`?${name}=`, `&${name}=`])
      .join('|'),
    /([?&][\w-]{4,20}=)([\w.%/~+-]{24,1024})/y,
    isDrawn,
  ),
  place('signature=', /(signature=)([\w%+/=-]{40,512})/iy, isDrawn),
  place(
    'license|licence|serial|tivation |product key|ows key|라이선스|시리얼',
    /([^\n]{0,60}?[ :=>"'`])((?:[A-Z0-9]{4,6}-){3,7}[A-Z0-9]{4,6})(?![\w-])/y,
    (secret) => /\d/.test(secret) && /[A-Z].*-.*[A-Z]/.test(secret),
  ),
  place('bw_session=', /(bw_session=["']?)([\w+/=]{40,200})/iy, isDrawn),
  place('unseal key', /(unseal key(?: \d)?\s{0,2}[:=]\s{0,4})([\w+/=]{24,100})/iy),
  place('wifi:', /(wifi:(?:[^\n;]{0,60};){1,4}p:)([^;\n]{4,64})(?=;)/iy),
  place('"d"', /("d"\s{0,2}:\s{0,2}")([\w-]{40,1024})(?=")/y, isDrawn),
  place(
    'keypair|secretkey|secret_key|secret key|privatekey|private_key|private key',
    /((?:keypair|(?:secret|private)[ _]?key)[^\n[\d]{0,24}\[\s{0,8})((?:\d{1,3},\s{0,8}){31,63}\d{1,3})(?=\s{0,8}\])/iy,
  ),
  place(
    'private-lines:',
    /(private-lines: \d{1,4}\r?\n[ \t#>]{0,8})((?:[ \t#>]{0,8}[\w+/=]{1,64}(?:\r?\n|$)){1,120})/iy,
  ),
  place('private-mac:', /(private-mac:\s{0,4})([0-9a-f]{40,64})/iy),
];

const PGPASS_LINE =
  /^(?:[ \t]*(?:\d{1,6}[→:\t])?[ \t]*)([\w.*-]{1,120}:(?:\d{1,5}|\*):[\w*-]{1,80}:[\w*.-]{1,80}:)(\S{3,200})$/gm;

function judgePgpass(scan: Scan, _at: number, end: number): void {
  const lines = scan.text.slice(end, end + 600);
  for (const { 0: all, 2: secret = '', index } of lines.matchAll(PGPASS_LINE))
    if (!isPlaceholder(secret))
      scan.withhold(end + index + all.length - secret.length, end + index + all.length);
}

const PGPASS_REST = /:\d{4}:[\w*-]{1,80}:[\w*.-]{1,80}:(\S{3,200})(?=\s|$)/y;

/** The same, told by the port: `host:5432:database:user:…`. */
function judgePgpassLine(scan: Scan, at: number): void {
  const before = scan.text.slice(Math.max(0, at - 120), at);
  PGPASS_REST.lastIndex = at;
  const secret = PGPASS_REST.exec(scan.text)?.[1] ?? '';
  if (secret === '' || isPlaceholder(secret) || !/(?:^|[\s"'`→])[\w.*-]{1,100}$/.test(before))
    return;
  scan.withhold(PGPASS_REST.lastIndex - secret.length, PGPASS_REST.lastIndex);
}

// ---- Words and codes that stand for a whole account ----

const SEED_WORD = /[a-z]{3,8}(?![\w-])/y;
const BETWEEN_SEED_WORDS =
  /(?:,? |,?\r?\n[ \t]{0,8}|["'],[ \t]{0,4}["'])(?:\d{1,2}[.):][ \t]{0,2})?/y;
const NO_SEED_WORD =
  /^(?:the|and|for|from|but|not|are|was|were|has|had|its|your|which|than|because|please|should|would|could|does|did|them|their|these|those|been|being|how|who|why|words|wallet|recovery|mnemonic|backup|may|using|stored|store|restore)$/;
/** In the list of words too, but a phrase has few of them and a sentence many. */
const WORD_OF_SENTENCES =
  /^(?:with|that|this|have|when|then|into|will|they|there|only|also|where|what|phrase|word|seed|secret|must|can|use|used|keep|never|share|write)$/;
const MOST_OF_SENTENCES = 2;
const SEED_WORDS = [24, 21, 18, 15, 12];
const SEED_BEHIND = 120;

/** Twelve words or more of small letters, none of which only holds a sentence together. */
function judgeSeedPhrase(scan: Scan, _at: number, end: number): void {
  const { text } = scan;
  const limit = Math.min(text.length, end + SEED_BEHIND);
  for (let from = end; from < limit; from++) {
    if (!isLower(text.charCodeAt(from)) || isLower(text.charCodeAt(from - 1))) continue;
    const ends = seedWords(text, from);
    scan.spend(10 + ends.length * 10);
    const count = SEED_WORDS.find((words) => words <= ends.length);
    if (count === undefined) continue;
    scan.settle(from, ends[count - 1] as number);
    return;
  }
}

function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

/** Where each word of a run ends. */
function seedWords(text: string, from: number): number[] {
  const ends: number[] = [];
  let ofSentences = 0;
  for (let at = from; ends.length < 24; ) {
    SEED_WORD.lastIndex = at;
    const word = SEED_WORD.exec(text)?.[0];
    if (word === undefined || NO_SEED_WORD.test(word)) break;
    if (WORD_OF_SENTENCES.test(word) && ++ofSentences > MOST_OF_SENTENCES) break;
    ends.push(at + word.length);
    BETWEEN_SEED_WORDS.lastIndex = at + word.length;
    if (!BETWEEN_SEED_WORDS.test(text)) break;
    at = BETWEEN_SEED_WORDS.lastIndex;
  }
  return ends;
}

/** The ends of recovery, backup and scratch, which are rarer with this behind them. */
const CODE_WORDS = ['ery', 'kup', 'tch', '복구', '백업', '비상']
  .flatMap((kind) => [' ', '', '_', '-'].map((link) => `${kind}${link}`))
  .flatMap((kind) => (/[a-z]/.test(kind) ? [`${kind}code`] : [`${kind}코드`]))
  .concat('2fa code', '2fa backup', 'one-time code', '복구용 코드');
const CODE =
  /(?<![\w-])(?:[0-9a-zA-Z]{4,6}(?:-[0-9a-zA-Z]{4,6}){1,3}|\d{4} \d{4}|\d{6,10}|[0-9a-z]{8,16}|[0-9A-Z]{8,16})(?![\w-])/g;
const CODES_BEHIND = 600;
/** "The recovery code is …": only groups, since a word may follow too. */
const IS_ONE_CODE =
  /^(?: (?:is|was)|[은는])?[: ]{1,3}["'`]?[0-9A-Za-z]{4,6}(?:-[0-9A-Za-z]{4,6}){1,5}/;

/** Two codes or more behind the word, of which some have a digit. */
function judgeCodes(scan: Scan, _at: number, end: number): void {
  const behind = scan.text.slice(end, end + CODES_BEHIND);
  let last = 60;
  const codes: [number, number][] = [];
  let withDigit = 0;
  for (const { 0: code, index } of behind.matchAll(CODE)) {
    if (!/\d/.test(code) && !code.includes('-')) continue;
    if (index > last + 40) break;
    if (/\d/.test(code)) withDigit++;
    last = index + code.length;
    codes.push([end + index, end + last]);
  }
  const isStated = codes.length === 1 && IS_ONE_CODE.test(behind);
  if (withDigit > 1 || (withDigit === 1 && isStated))
    for (const [from, to] of codes) scan.withhold(from, to);
}

// ---- Manifests of Kubernetes: what stands under `data` of a Secret ----

const DATA = /\n(?:string)?data:[ \t]*\r?\n/gi;
const DATA_LINE =
  /[ \t]{1,16}([\w.-]{1,64}):[ \t]{1,8}["']?([^\s"'#]{6,4096})["']?[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const NO_SECRET_NAME =
  /user|host|port|name$|mail|type|database|^db$|region|crt$|cert|url$|uri$|endpoint/i;

function judgeManifest(scan: Scan, _at: number, end: number): void {
  const { text } = scan;
  DATA.lastIndex = 0;
  const data = DATA.exec(text.slice(end, end + 400));
  if (data === null) return;
  DATA_LINE.lastIndex = end + data.index + data[0].length;
  for (let lines = 0; lines < 40; lines++) {
    const start = DATA_LINE.lastIndex;
    const found = DATA_LINE.exec(text);
    if (found === null) return;
    scan.spend(60);
    const [all, name = '', value = ''] = found;
    if (NO_SECRET_NAME.test(name) || isPlaceholder(value)) continue;
    const from = start + all.indexOf(value, name.length);
    scan.withhold(from, from + value.length);
  }
}
