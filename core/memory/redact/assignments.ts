/**
 * The value of `name = value`, in all the ways people write it in configuration, code, commands or
 * a chat, if the name speaks of a secret and the value may be one (M18, L1c).
 */
import { judgeLinks } from './links.ts';
import { judgeDump, judgeLabel, judgeOutput } from './outputs.ts';
import type { Rule, Scan } from './scan.ts';
import { judgeStated } from './sentences.ts';
import {
  isAssuredPassword,
  isChosen,
  isDigits,
  isMadeUp,
  isOrdinaryWord,
  isPlaceholder,
  isPlaceOrCode,
  isProse,
  isRandom,
  isUuid,
  isWordy,
  lettersOf,
} from './values.ts';

const NAME_WORDS =
  'pass|pwd|pw:|pw=|pw |pw"|pw\'|pw*|_pw|secret|token|key|credential|salt|pepper|auth|_pat|pat=|pat:|pat |creds|psk|_bearer'.split(
    '|',
  );
const MAX_NAME = 64;

export const assignmentRules = (): Rule[] => [{ words: NAME_WORDS, judge: judgeName, cost: 15 }];

/** A `key` may be any key: only a value that was surely drawn by lot counts. */
type Kind = 'password' | 'secret' | 'auth' | 'key';

const PASSWORD_WORD =
  /(?:password|passwd|passphrase)$|^(?:passcode|pass|pwd|pw|passw|(?:ssh|db|user|root|admin|my|require|smtp|mail|ftp|login|key|store|auth|redis|master|proxy|sa|wifi|vpn|ldap|bind|rpc|svc|mysql|postgres|mongo|mqtt|imap|pop3?|sftp|smb|samba|http|basic|web|api|app|sys|system|service|account)pass|psk|masterauth)$|pwd?$/;
const SECRET_WORD =
  /(?:secret|token|apikey)$|^(?:credentials?|creds|salt|pepper|authkey|secretkey|pat|bearer)$/;
const KEY_OWNERS =
  /(?:api|access|account|secret|private|auth|signing|encryption|deploy|licen[cs]e|app|application|subscription|shared|master|service|role|session|webhook|client|crypt|hmac|jwt|admin|maps|consumer|rest|security|storage|age|cookie|routing|integration|ingest|write|server|sdk|instrumentation|provisioning|enrollment|unseal|wallet|deployer|vapid|merchant|gateway|partner)$/;
/** Names that mention a secret without holding one: `password_hash`, `max_tokens`. */
const HARMLESS_LAST_WORD =
  /^(?:hash|hashes|hashed|digest|length|len|timeout|ttl|count|counts|limit|type|types|name|names|url|uri|urls|path|paths|file|files|fields?|input|inputs|label|policy|expires?|expiry|expiration|generator|manager|reset|min|max|tokens|tokenizer|id|ids|regex|pattern|duration|budget|usage|set|store|storage|title|hint|error|errors|message|messages|required|enabled|disabled|strength|prompt|form|page|test|tests|rules?|column|index|provider|service|handler|factory|class|prefix|suffix|ref|refs|arn|version|location|dir|folder|source|kind|mode|text|html|algorithm|alg|scopes?|endpoint|at|by|user|username|host|list|map|size|chars?|bits|bytes|schema|model|view|screen|route|component|button|icon|info|status|state|data|attempts|retries|age|date|time|header|headers|fn|func|function|callback|mismatch|changed|stdin|flow|present|valid|invalid|match|matches|manager|env|var|variable|format|example|placeholder|description|desc|selector|colors?|colours?)$/;

function judgeName(scan: Scan, at: number): void {
  const { text } = scan;
  if (at < scan.namedUntil) return;
  const nameEnd = endOfName(text, at);
  scan.namedUntil = nameEnd;
  if (nameEnd < text.length && !MAY_FOLLOW.has(text.charCodeAt(nameEnd))) return;
  const start = startOfName(text, at);
  const name = text.slice(start, nameEnd);
  const kind = kindOfName(name);
  if (kind === undefined) {
    if (/^[Kk]ey$/.test(name)) judgeKeyOf(scan, start, nameEnd);
    return;
  }
  if (judgeAssigned(scan, kind, name, start) || kind === 'auth') return;
  const isPassword = kind === 'password';
  if (!isVague(name) && judgeLinks(scan, { name, start, end: nameEnd, isPassword })) return;
  scan.spend(60);
  judgeDump(scan, start, nameEnd);
  judgeOutput(scan, start, nameEnd);
  judgeLabel(scan, nameEnd, isPassword);
  judgeStated(scan, start, nameEnd, kind);
}

function judgeAssigned(scan: Scan, kind: Kind, name: string, start: number): boolean {
  const { text } = scan;
  scan.spend(60);
  const found = valueBehind(text, start, start + name.length);
  if (found === undefined) return false;
  scan.spend(100 + (found.to - found.from) / 2);
  const isIt = isSecret(kind, name, found, text, start);
  if (!isIt && !(name === 'secret' && isSessionPhrase(found, text, start))) return false;
  // NEO4J_AUTH=user/…
  const user = name.endsWith('_AUTH')
    ? /^[a-z]\w{0,19}\/(?=.{4})/.exec(text.slice(found.from, found.to))
    : null;
  scan.settle(
    found.from + (user?.[0].length ?? 0),
    found.quote === '' ? endOfBare(text, found.to) : found.to,
  );
  if (isCall(found.link)) judgeSecond(scan, found.to);
  return true;
}

const WORD_BEFORE = /([A-Za-z]{2,20}) $/;
const OTHER_KEYS =
  /^(?:public|site|anon|anonymous|cache|primary|foreign|partition|sort|index|object|row|group|the|an?|from|to|for|in|on|under|using|via|this|that|each|every|any|right|left|up|down|arrow|enter|map|dict|json|hash|lookup|unique|composite|natural|surrogate|storage|idempotency|query|translation|config|registry|host|same|wrong|missing|first|last|of|by|with|and|or|as|is|no|which|is|shortcut|hot|function|delete|escape|tab|shift|control|ctrl|alt|build|commit|file|image|routing|message|event|dedup\w*|candidate|rsa|gpg|pgp|ssh|ecdsa|ed)$/i;

/** "API key", "OpenAI key": which key it is stands before it. */
function judgeKeyOf(scan: Scan, start: number, end: number): void {
  const owner = WORD_BEFORE.exec(scan.text.slice(Math.max(0, start - 22), start))?.[1] ?? '';
  if (owner === '' || OTHER_KEYS.test(owner)) return;
  const isClear = KEY_OWNERS.test(owner.toLowerCase());
  const name = isClear ? `${owner}_key` : 'key';
  scan.spend(40);
  const named = { name, start: start - owner.length - 1, end, isPassword: false };
  if (!judgeLinks(scan, named) && isClear) judgeLabel(scan, end, false);
}

const SECOND = /["'`],\s{0,8}["'`]([\w+/=-]{16,200})(?=["'`])/y;

/** `Credentials('id', '…')`: the other half of a pair. */
function judgeSecond(scan: Scan, at: number): void {
  SECOND.lastIndex = at;
  const value = SECOND.exec(scan.text)?.[1] ?? '';
  if (value !== '' && isDrawn(value))
    scan.withhold(SECOND.lastIndex - value.length, SECOND.lastIndex);
}

/** A value may be longer than what is read of it at once. */
function endOfBare(text: string, from: number): number {
  let end = from;
  for (let next = end; next >= 0; next = matchAt(BARE, text, end)) end = next;
  return end;
}

/** What can stand between a name and a value: most mentions of a name end here. */
const MAY_FOLLOW = new Set(
  [...' \t\r\n:="\'`\\]*→(>)|,.?</：은는이가을를로'].map((sign) => sign.charCodeAt(0)),
);

function endOfName(text: string, at: number): number {
  let end = at;
  while (end - at < MAX_NAME && isNameCode(text.charCodeAt(end))) end++;
  return end;
}

/** Letters, digits, `_`, `$`, `-`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code === 45
  );
}

function startOfName(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < MAX_NAME) {
    const code = text.charCodeAt(start - 1);
    if (!isNameCode(code) && code !== 46) break;
    start--;
  }
  return start;
}

/** A text says the same few names again and again. */
const kinds = new Map<string, Kind | undefined>();
const MOST_KINDS = 500;

function kindOfName(name: string): Kind | undefined {
  if (kinds.has(name)) return kinds.get(name);
  const words = wordsOf(name);
  const kind = isSecretId(words)
    ? 'secret'
    : (kindOf(words) ?? (isConstantKey(name) ? 'key' : undefined));
  if (kinds.size >= MOST_KINDS) kinds.clear();
  kinds.set(name, kind);
  return kind;
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Consul and Vault call one half of a pair so; the other half is an id. */
function isSecretId(words: readonly string[]): boolean {
  return words.length < 4 && words.at(-1) === 'id' && words.at(-2) === 'secret';
}

function isPasswordName(words: readonly string[]): boolean {
  if (words.some((word) => PASSWORD_WORD.test(word) && !NO_PASSWORD_WORD.test(word))) return true;
  return /wpa|(?:^| )psk|pre ?shared key$/.test(words.join(' '));
}

function kindOf(words: readonly string[]): Kind | undefined {
  const last = words.at(-1) ?? '';
  if (HARMLESS_LAST_WORD.test(last) || FOR_TRIALS.test(words[0] ?? '')) return undefined;
  if (words.includes('public') || words.includes('publishable')) return undefined;
  if (last === 'key' && words.includes('password')) return undefined; // under which it is stored
  if (isPasswordName(words)) return 'password';
  if (words.some((word) => SECRET_WORD.test(word))) return 'secret';
  if (last === 'auth') return words.length > 1 ? 'secret' : 'auth';
  return last.endsWith('key') &&
    KEY_OWNERS.test(`${words.slice(0, -1).join('')}${last.slice(0, -3)}`)
    ? 'secret'
    : undefined;
}

/** `wantPass`, `expectedToken`: what a test compares with. */
const FOR_TRIALS =
  /^(?:want|wanted|expected|expect|got|actual|fake|mock|dummy|wrong|bad|invalid|existing)$/;
const NO_KEY_HEADER =
  /cache|idempot|surrogate|public|host|primary|sort|partition|object|request|row|group/i;

/** `STRIPE_KEY`, `Fastly-Key`, but not `CACHE_KEY`. */
function isConstantKey(name: string): boolean {
  if (name === '--key') return true;
  if (/^(?:[Xx](?:-[A-Za-z]+)+|[A-Z][a-z]+)-[Kk]ey$/.test(name)) return !NO_KEY_HEADER.test(name);
  return (
    /(?:^|\.)[A-Z0-9_]+_KEY$/.test(name) &&
    !/PUBLI|CACHE|PRIMARY|PARTITION|SORT|FOREIGN|INDEX|OBJECT|ROW|GROUP|HOST|IDEMP|STORAGE_KEY|CONFIG|QUERY|LOCAL|SITE|SEARCH/.test(
      name,
    )
  );
}

const NO_PASSWORD_WORD = /^(?:by|com|tres|over|sur|under|sp)pass$/;

// ---- Reading the value ----

interface Value {
  from: number;
  to: number;
  quote: string;
  /** Between name and value. */
  link: string;
  /** Nothing else stands on its line but the name. */
  isWholeLine: boolean;
  /** Of a URL. */
  isParameter?: boolean;
}

const LINK =
  /\\{0,4}["'`]?\]?\*{0,2}[ \t]{0,40}(?:\[[^\]\n]{0,60}\][ \t]{0,4})?(?::=|=>|=(?![=>~])|:(?![:=])|→|<-)\*{0,2}[ \t]{0,40}(?:[bBfFnNrRuU]{1,2}(?=["'`]))?/y;
const CALL_LINK = /\([ \t]{0,4}(?=["'`])/y;
/** `setItem('token', '…')` */
const NEXT_LINK = /["'`](?:,[ \t]{0,4}(?=["'`])|>(?=\w))/y;
const FLAG_LINK = /[ \t]{1,4}(?=[^\s-])/y;
const TYPED = /(?:&?(?:'static )?[\w.]{1,32}(?:<[\w, ]{0,32}>)?\??)[ \t]{0,4}=[ \t]{0,4}(?=["'`])/y;
/** The value stands on the next line, perhaps in a block of code. */
const BELOW = /(?:\r?\n[ \t]{0,16}(?:```\w{0,10}|>|[-*•])?[ \t]{0,4}){1,3}(?=\S)/y;
/** YAML: a block, an anchor. */
const BLOCK = /(?:[|>][+-]?[ \t]{0,8}\r?\n[ \t]{1,40}|&\w{1,32}[ \t]{1,8}|!!\w{1,16}[ \t]{1,8})/y;
const OPENING = /\\{0,4}["'`]/y;
const BARE = /(?:[^\s"'`,;&|)\]}<>\\]|\\(?![nrt"'])){1,512}/y;
/** Outside of a URL a single & is part of the value. */
const BARE_BEHIND_BLANK = /(?:[^\s"'`,;&|)\]}<>\\]|&(?=[\w!-])(?!\w{1,20}=)|\\(?![nrt"'])){1,512}/y;
const REST_OF_LINE = /(?:[^\s"'`\\]|\\(?![nrt"'])){1,256}(?=[ \t]{0,8}(?:\r?\n|$|[ \t]#))/y;
const PHRASE_OF_LINE = /[a-z]{2,16}(?: [a-z]{2,16}){2,7}(?=[ \t]{0,8}(?:\r?\n|$))/y;
const LINE_BEGINS =
  /(?:^|\n)[ \t]{0,40}(?:(?:[+>#*-]|\/\/)[ \t]{0,40}|\d{1,6}[→:\t][ \t]{0,40})?(?:export[ \t]+|- )?$/;
const MAX_QUOTED = 4096;
/** The beginning of a value tells enough about it. */
const MAX_JUDGED = 512;
const LINE_BEFORE = 90;

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function valueBehind(text: string, start: number, nameEnd: number): Value | undefined {
  let from = matchAt(LINK, text, nameEnd);
  if (from < 0 && text.charAt(start) === '-') from = matchAt(FLAG_LINK, text, nameEnd);
  if (from < 0)
    from = Math.max(matchAt(CALL_LINK, text, nameEnd), matchAt(NEXT_LINK, text, nameEnd));
  if (from < 0) return undefined;
  const below = matchAt(BELOW, text, from);
  if (below > 0) from = below;
  const typed = matchAt(TYPED, text, from);
  if (typed > 0) from = typed;
  const block = matchAt(BLOCK, text, from);
  if (block > 0) from = block;
  const link = text.slice(nameEnd, from);
  const opened = matchAt(OPENING, text, from);
  if (opened > 0) {
    const quote = text.slice(from, opened);
    const to = closing(text, opened, quote);
    return to < 0 ? undefined : { from: opened, to, quote, link, isWholeLine: false };
  }
  const before = text.slice(Math.max(0, start - LINE_BEFORE), start);
  const isAlone = LINE_BEGINS.test(before);
  const line = isAlone
    ? Math.max(matchAt(REST_OF_LINE, text, from), matchAt(PHRASE_OF_LINE, text, from))
    : -1;
  if (line > 0 && !/[,;]$|&\w{1,20}=|;\s?\w{1,30}=/.test(text.slice(from, line)))
    return { from, to: line, quote: '', link, isWholeLine: true };
  const isParameter = /[?&;]/.test(text.charAt(start - 1));
  const to = matchAt(isParameter ? BARE : BARE_BEHIND_BLANK, text, from);
  return to < 0 ? undefined : { from, to, quote: '', link, isWholeLine: false, isParameter };
}

/** The quote that ends the value; in SQL and YAML two of them stand for one. */
function closing(text: string, from: number, quote: string): number {
  const sign = quote.charCodeAt(quote.length - 1);
  const slashes = quote.length - 1;
  const end = Math.min(text.length, from + MAX_QUOTED);
  let escapes = 0;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 10) return -1;
    if (code === sign && escapes <= slashes) {
      if (sign === 39 && at > from && text.charCodeAt(at + 1) === 39) at++;
      else return at - escapes;
    }
    escapes = code === 92 ? escapes + 1 : 0;
  }
  return -1;
}

// ---- Judging it ----

function isSecret(kind: Kind, name: string, value: Value, text: string, start: number): boolean {
  const found = text.slice(value.from, Math.min(value.to, value.from + MAX_JUDGED));
  if (found.length < 4 || found.includes('[redacted]')) return false;
  if (kind === 'auth') return isEncodedPair(found) || (/^--|^auth$/.test(name) && isDrawn(found));
  if (value.link.includes('\n') && !isBelow(kind, found, text.slice(value.to, value.to + 4)))
    return false;
  if (kind === 'password' && /^["'`]>/.test(value.link)) return false;
  if (kind === 'key') return found.length >= MIN_KEY && isDrawn(found);
  if (kind === 'secret') return isSecretValue(found, value, name);
  if (isPlaceholder(found) && !isDigits(found)) return false;
  const around = {
    link: value.link,
    before: text.slice(Math.max(0, start - AROUND_CHARS), start),
    after: text.slice(value.to, value.to + AROUND_CHARS),
    isVague: isVague(name),
  };
  return value.quote === ''
    ? isBarePassword(found, value, name, around)
    : isQuotedPassword(found, around);
}

/** Below a name stands much else: only what surely is a secret, alone on its line. */
function isBelow(kind: Kind, found: string, after: string): boolean {
  if (!/^["'`,;]{0,2}(?:\s|$)/.test(after) || /:$|^[^=]{0,19}=$|[:_].*=$/.test(found)) return false;
  return kind === 'password' ? isChosen(found) : isDrawn(found);
}

/** `pass` names much else: tests that passed, steps of rendering. */
function isVague(name: string): boolean {
  const words = wordsOf(name);
  return words.at(-1) === 'pass' && (words.length === 1 || !/[_-]|[a-z]P/.test(name));
}

/** `name:password` in base64, as headers and Docker have it. */
export function isEncodedPair(value: string): boolean {
  if (!/^[0-9A-Za-z+/_-]{8,}={0,2}$/.test(value)) return false;
  const plain = Buffer.from(value.slice(0, 400), 'base64').toString('latin1');
  const pair = /^[ -~]{0,100}?:([ -~]{1,200})$/.exec(plain);
  return pair !== null && !isPlaceholder(pair[1] as string) && pair[1] !== 'pass';
}

/** `session({ secret: 'some words' })` */
function isSessionPhrase({ from, to, quote }: Value, text: string, start: number): boolean {
  if (quote === '' || to - from > MAX_JUDGED) return false;
  if (!/^[a-z]{3,}(?: [a-z]{2,}){1,7}$/.test(text.slice(from, to))) return false;
  return /session\w{0,12}\(\s{0,4}\{\s{0,40}$/i.test(text.slice(Math.max(0, start - 80), start));
}

const MIN_SECRET = 8;
const MIN_SURE = 16;
const MIN_KEY = 20;
const MIN_MIXED_KEY = 10;
const MIN_WORDS = 24;
/** These are ids. */
const HOLDS_ID = /session|idempot|cache|request|trace/i;

function isSecretValue(found: string, value: Value, name: string): boolean {
  if (isCall(value.link)) return isDrawn(found);
  const secret = found.replace(/^(?:base64:|Token token=|A{10,})/, '');
  if (secret.length < MIN_SECRET || /\s/.test(secret)) return false;
  if (isMadeUp(secret) || isPath(secret)) return false;
  if (isUuid(secret)) return !HOLDS_ID.test(name);
  if (value.quote === '' && MAY_BE_CODE.test(secret)) return isFormatted(secret);
  if (/^[A-Z]{20,}$/.test(secret)) return true; // base32, and no name: those have a _
  if (isRandom(secret)) return secret.length >= MIN_SURE || isSettled(secret, value, name);
  return isMixed(secret, value, name);
}

const MAY_BE_CODE = /[()[\]{}]|^[\w$]+(?:\.[A-Za-z_$][\w$]*)+$|::|->|=>/;

function isMixed(secret: string, value: Value, name: string): boolean {
  if (value.isParameter && isAssuredPassword(secret)) return true;
  const { digits, lower, upper } = lettersOf(secret);
  if (lower + upper === 0) return false;
  if (digits === 0) return secret.length >= MIN_WORDS && isSecretOfWords(secret, value, name);
  if (isWordy(secret)) return isSecretOfWords(secret, value, name);
  if (/key$/i.test(name) && secret.length < MIN_MIXED_KEY) return false;
  return isSettled(secret, value, name);
}

/** `otter-brass-77-hum`: a name as often as a secret, unless the name says plainly what it is. */
function isSecretOfWords(_secret: string, value: Value, name: string): boolean {
  if (!/secret|salt|pepper/i.test(name)) return false;
  return /^[A-Z0-9_]+$/.test(name) || value.isWholeLine || value.quote !== '';
}

/** Two or three long parts: a token, and no call of a method. */
function isFormatted(value: string): boolean {
  if (!/^[\w-]{6,}(?:\.[\w-]{6,}){1,2}$|^\w{40,}::\w+:\w{16,}$/.test(value)) return false;
  return value.split(/[.:]/).some((part) => part.length >= MIN_SURE && isRandom(part));
}

function isDrawn(value: string): boolean {
  return value.length >= MIN_SURE && !isMadeUp(value) && isRandom(value);
}

/** Short or with words in it: only where a value must stand, not a name of code. */
function isSettled(secret: string, value: Value, name: string): boolean {
  const isConstant = /^[A-Z0-9_]+$/.test(name);
  if (/^-|^[Xx]-/.test(name) || value.isParameter) return true;
  return value.quote !== '' || isConstant || value.isWholeLine || secret.length >= 24;
}

function isPath(value: string): boolean {
  if (
    /^(?:~\/|\.{1,2}\/|[A-Za-z]:\\|https?:)|:\/\/|\.(?:json|ya?ml|pem|key|txt|ts|js|go|py|md|env)$/.test(
      value,
    )
  )
    return true;
  // Base64 may begin with a slash too.
  return value.startsWith('/') && value.split('/').some((part) => part.length > 2 && isWordy(part));
}

const UI_WORDS =
  /(?:^|[^a-z])(?:must|should|your|is|are|enter|passwords?|passwd|required|not|least|please|cannot|can't|confirm|forgot|reset|show|hide|invalid|incorrect|wrong|choose|field|has|have|was|were|will|mot de passe|failed|expected|error|new|old|token|secret|string)(?:[^a-z]|$)|[?:.]$|[가-힣]\s+[가-힣]|%[sdvq]|\$\{|[<>{}()=|]/i;

function isCall(link: string): boolean {
  return /^\(|^["'`][,>]/.test(link);
}

function isQuotedPassword(value: string, around: Surroundings): boolean {
  if (/^\s|\s$|^[+.,;:)]|\\[nt]/.test(value)) return false;
  if (around.isVague && !isChosen(value) && !BESIDE_A_USER.test(around.before)) return false;
  if (isCall(around.link)) return isAssuredPassword(value);
  if (/\s/.test(value))
    return (
      !UI_WORDS.test(value) &&
      !/^[A-Z][a-z]+ [a-z]+ [a-z]+/.test(value) &&
      value.split(/\s+/).length <= 8
    );
  if (isPath(value) || /^[\w.-]+\.(?:spec|test)\b/.test(value)) return false;
  if (isDigits(value)) return true;
  if (EVERYBODYS.test(value)) return false;
  if (/^[A-Z][a-zà-ÿ]+$/.test(value) || /^[가-힣]+$/.test(value))
    return BESIDE_A_USER.test(around.before) && !isOrdinaryWord(value);
  if (/^[a-z]+$/i.test(value)) return !NO_PASSWORD.test(value) && !isOrdinaryWord(value);
  return !ABOUT_PASSWORDS.test(value);
}

/** What everybody writes where a password is needed for a trial. */
const EVERYBODYS = /^(?:tests?|testing|demo|sample|foo|bar|abc|password1?2?3?4?)$/i;

/** `current-password`, `test_password`, `userPassword`: what such a value is called. */
const ABOUT_PASSWORDS =
  /^(?:[a-z]+[-_.])*(?:password|passwd|pass|pwd|passphrase|token|secret)(?:[-_.][a-z]+)*$|^[a-z]+(?:Password|Passwd|Token|Secret)[A-Za-z]*$|^[A-Z][A-Z_]*$|^[a-z]+(?:_[a-z]+)*_(?:password|pw|pass)\d?$/;

function isBarePassword(
  value: string,
  { isWholeLine, link }: Value,
  name: string,
  around: Surroundings,
): boolean {
  if (/\s/.test(value)) return isPhrase(value, name, around);
  if (isNoPassword(value, isWholeLine, name, around)) return false;
  const isConstant = /^[A-Z0-9_]+$/.test(name) && link.trim() === '=';
  if (isConstant && !around.isVague) return !isOrdinaryWord(value) || isWholeLine;
  if (isChosen(value) && (!isName(value) || !isNamed(link, around))) return true;
  if (isWholeLine && isSetInFile(value, link, around)) return true;
  if (name.startsWith('--') && isFlagged(value, link, around)) return true;
  return isPlainPassword(value, around);
}

/** As Google makes them: four groups of four letters. */
const APP_PASSWORD = /^[a-z]{4}(?: [a-z]{4}){3}$/;

/** Several words on a line of their own: most are a sentence about the password. */
function isPhrase(value: string, name: string, around: Surroundings): boolean {
  if (UI_WORDS.test(value)) return false;
  if (BESIDE_A_USER.test(around.before) || APP_PASSWORD.test(value)) return true;
  return /phrase$/i.test(name) && value.split(' ').length > 3 && !value.split(' ').some(isProse);
}

function isNoPassword(
  value: string,
  isWholeLine: boolean,
  name: string,
  { after, isVague, link }: Surroundings,
): boolean {
  if (ABOUT_PASSWORDS.test(value) || isCommand(value, after)) return true;
  if (isVague && ((name === 'PASS' && link !== '=') || /^(?:Test|Example|Benchmark)/.test(value)))
    return true;
  return isPlaceOrCode(value) && !(isWholeLine && mayBeWholeLine(value));
}

/** `password=hunter` or `password: some_words` on a line of its own, in a file that is no code. */
function isSetInFile(value: string, link: string, around: Surroundings): boolean {
  if (around.isVague || /[,;]$/.test(value) || isCode(around.before, around.after)) return false;
  if (/^[A-Z]{4,}\d{3,}$/.test(value)) return true;
  const word = value.replace(/[.!?]+$/, '');
  if (isOrdinaryWord(word) || NO_PASSWORD.test(word) || /^[A-Z_]+$/.test(value)) return false;
  if (BESIDE_A_USER.test(around.before)) return true;
  if (/[A-Z]/.test(value) && isName(value)) return link === '=';
  return link === '=' || /^:\s/.test(link);
}

const FLAG_WORDS = /^(?:flags?|options?|arguments?|switch|instead|stdin|prompt)$/;

/** `--password=hunter`: nothing but a password stands there. */
function isFlagged(value: string, link: string, { after }: Surroundings): boolean {
  if (!/^[a-z]{5,}$/i.test(value) || FLAG_WORDS.test(value)) return false;
  if (link !== '=' && !/^(?:[ \t]*\\?(?:\n|$)|[ \t]+-)/.test(after)) return false;
  return !isOrdinaryWord(value) && !NO_PASSWORD.test(value);
}

/** `ConvertTo-SecureString "…"` */
function isCommand(value: string, after: string): boolean {
  return /^[A-Z][A-Za-z]+-[A-Z][A-Za-z]+$/.test(value) && /^[ \t]+["'$(]/.test(after);
}

function mayBeWholeLine(value: string): boolean {
  return !/[(){}[\]]|^[\w.-]+@/.test(value) && !isPath(value);
}

/** Whether a name would be that of a variable here. */
function isNamed(link: string, { before, after }: Surroundings): boolean {
  return isCode(before, after) && !isInConnectionString(link, before, after);
}

/** What code would call something. */
function isName(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*;?$/.test(value);
}

// ---- `password: 12345678`, `password: hunter`: only the text around the value tells ----

interface Surroundings {
  /** Between name and value. */
  link: string;
  before: string;
  after: string;
  isVague: boolean;
}

/** How much text around the value counts: a line, not a whole file that is one line. */
const AROUND_CHARS = 160;
const MIN_VAGUE_DIGITS = 6;
const COUNTED =
  /^[ \t]*(?:(?:chars?|characters?|letters?|digits?|bits?|bytes?|ms|seconds?|minutes?|times|attempts?|users|rows|tests|items|entries)\b(?!\s*[:=])|%|글?자|개|회|번|[./]\d|,\s*\w+:\s*\d)/i;

function isPlainPassword(value: string, { link, before, after, isVague }: Surroundings): boolean {
  if (link.includes('\n')) return false; // a YAML key that has keys of its own
  if (isDigits(value))
    return !COUNTED.test(after) && (!isVague || value.length >= MIN_VAGUE_DIGITS);
  if (isVague) return false;
  const word = value.replace(/[.!?]+$/, '');
  if (!/^[A-Za-z]{4,32}$/.test(word) || isOrdinaryWord(word) || NO_PASSWORD.test(word))
    return false;
  if (!/:(?!=)/.test(link)) return isInConnectionString(link, before, after);
  // A word with capitals is an identifier, a type or a label, except beside a user's name.
  if (/[A-Z]/.test(word) && !BESIDE_A_USER.test(before)) return false;
  return ENDS_THERE.test(after) ? !isCode(before, after) : isInBrackets(before, after);
}

/** Types, states and references that follow `password:` too. */
const NO_PASSWORD =
  /^(?:chars?|int|integer|binary|blob|buffer|object|any|never|void|array|list|dict|map|record|enum|uuid|text|citext|n?varchar\w*|str|types|secret\w*|pass\w*|pwd\w*|pw\w*|fields?|values?|val|input|raw|params?|parameter|arg|argument|props?|data|payload|body|form|req|request|env|environment|vault|keychain|keyring|keystore|stdin|prompt|file|config|cleartext|encoded|decoded|salted|filtered|removed|provided|given|present|absent|match(?:es|ed)?|mismatch|fail(?:s|ed|ing)?|success|succeeded|skipped|pending|done|fix|fixed|works|working|broken|todo|none|defaults?|auto|automatic|manual|same|see|ask|use|enter|type|choose|pick|create|forgot|forgotten|lost|omit|omitted|enabled|disabled|added|updated|verified|confirmed|denied|deprecated|unused|random|authentication|auth|login|rules?|policy|min|max|minimum|maximum|length|must|should|cannot|does|did|will|can|may|has|have|are|were|and|but|or|if|then|else|your|my|our|his|her|their|email|username|string|digested|entered|address)$/i;

/** A user's name and its value right before: `user: admin`, `ID: tester /`. */
const BESIDE_A_USER =
  /(?:[Uu]ser(?:[ _-]?[Nn]ame)?|[Ll]ogin|[Ee]-?mail|[Aa]ccount|\b(?:id|ID)|아이디|계정|사용자)["'*]{0,2}\s{0,4}[:=]\s{0,4}["'*]{0,2}(?!str(?:ing)?\b|text\b|any\b)[a-z0-9][^\s"',;]{0,63}["']?[\s,/|·*-]{0,40}$/;
/** The end of the line, a comment, the next name: a sentence would go on. */
const ENDS_THERE =
  /^[ \t]*(?:\r?\n|$|`|<\/|<br|[/|·—–-][ \t]|[ \t](?:#|\/\/)|,[ \t]*[\w가-힣][\w가-힣 .-]{0,24}[:=]|(?<=[ \t])[\w가-힣][\w가-힣.-]{0,24}[ \t]*[:=])/;
const CODE_WORDS =
  /[{(`]|(?:^|[^-\w])(?:const|let|var|val|def|fn|func|function|type|interface|class|struct|public|private|protected|readonly|final|static|await|return|import|export)\b/;

/** In code, a word without quotes is a name or a type. */
function isCode(before: string, after: string): boolean {
  const lines = quotedLine(before).split('\n');
  if (CODE_WORDS.test(lines.at(-1) ?? '')) return true;
  if (/(?:[;{([]|^\s*[\w$.'"]+(?:\s*:[^,]*)?,)\s*$/.test(lines.at(-2) ?? '')) return true;
  return /^[^\n]*\n\s*[})\]]|^[ \t]*[;)]/.test(after);
}

/** What stands in quotes that are still open: a command in a sentence, a text in JSON. */
function quotedLine(before: string): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const quote = ['`', '"'].find((sign) => line.split(sign).length % 2 === 0);
  if (quote === undefined) return before;
  const quoted = line.slice(line.lastIndexOf(quote) + 1);
  // Directly before the name it is the quote of a name.
  return quoted === '' ? before : quoted;
}

/** `log in as admin (password: hunter)`, but not `login(user: name, password: entered)`. */
function isInBrackets(before: string, after: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const bracket = line.lastIndexOf('(');
  if (bracket < 1 || !/[ \t]$/.test(line.slice(0, bracket))) return false;
  return (
    /^\)(?!\s*(?:=>|[:{]))/.test(after) &&
    !CODE_WORDS.test(line.slice(0, bracket)) &&
    !/[{(`]/.test(line.slice(bracket + 1))
  );
}

/** `host=db password=hunter sslmode=require`, `Server=db;Password=hunter;`, `?password=hunter`. */
function isInConnectionString(link: string, before: string, after: string): boolean {
  if (link !== '=') return false;
  if (/[?&;]$/.test(before)) return /^(?:[;&\s"'`]|$)/.test(after);
  return (
    /(?:^|[\s"'`])$/.test(before) &&
    /^(?:;|&|[ \t]+[\w.-]{1,40}=|["'`])/.test(after) &&
    !/,[ \t]*$/.test(before)
  );
}
