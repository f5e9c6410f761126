/**
 * Secrets that code hands over as an argument without a name: the key of a signature or a cipher,
 * the password of a connection (M18, L1c). What a call takes at which place is publicly known.
 */
import type { Rule, Scan } from './scan.ts';
import {
  isAboutSecrets,
  isAssuredPassword,
  isMadeUpKey,
  isPlaceholder,
  isPlaceOrCode,
  isRandom,
  isWordy,
} from './values.ts';

/** How a call ends whose key is the argument at that place, counted from 0. */
const KEY_CALLS: Record<string, readonly number[]> = {
  'jwt.sign(': [1],
  'jwt.verify(': [1],
  'jwt.encode(': [1],
  'jwt.decode(': [1],
  'token.sign(': [1],
  'token.verify(': [1],
  'signwith(': [0, 1],
  'setsigningkey(': [0],
  'createhmac(': [1],
  'hash_hmac(': [2],
  'hmac.new(': [0, 1],
  'hmac256(': [0],
  'hmac384(': [0],
  'hmac512(': [0],
  'hmacsha256(': [0, 1],
  'hmacshakeyfor(': [0],
  'secretkeyspec(': [0],
  'symmetricsecuritykey(': [0],
  'aes.encrypt(': [1],
  'aes.decrypt(': [1],
  'createcipheriv(': [1],
  'createdecipheriv(': [1],
  'openssl_encrypt(': [2],
  'openssl_decrypt(': [2],
  'fernet(': [0],
  'cookieparser(': [0],
  'signedstring(': [0],
  'algoliasearch(': [1],
  'minio(': [2],
  'github(': [0],
  'handler(': [0],
  'constructevent(': [2],
};
const PASSWORD_CALLS: Record<string, readonly number[]> = {
  'mysqli_connect(': [2],
  'mysqli(': [2],
  'mysql_connect(': [2],
  'pdo(': [2],
  '__construct(': [2],
  'getconnection(': [2],
  '.connect(': [2, 3],
  'oracle.connect(': [1],
  'oracledb.connect(': [1],
  'plainauth(': [2],
  'passwordauthentication(': [1],
  'credentials.basic(': [1],
  'basicauth(': [1],
  'basic_auth(': [1],
  'auth.basic(': [1],
  '.auth(': [0, 1],
  '->auth(': [0, 1],
  'opendatabase(': [1, 2],
  'sequelize(': [2],
  'setcredentials(': [1],
  'logon(': [1, 2],
  'ftp_login(': [2],
  'ldap_bind(': [2],
  'imap_open(': [2],
};

export const callRules = (): Rule[] => [
  { words: Object.keys(KEY_CALLS), judge: judgeCall(KEY_CALLS, isKey), cost: 60 },
  {
    words: Object.keys(PASSWORD_CALLS),
    judge: judgeCall(PASSWORD_CALLS, isAssuredPassword),
    cost: 60,
  },
];

function judgeCall(calls: Record<string, readonly number[]>, test: (value: string) => boolean) {
  return (scan: Scan, at: number, end: number) => {
    const places = calls[scan.text.slice(at, end).toLowerCase()] ?? [];
    const args = argumentsAt(scan.text, end);
    scan.spend(((args.at(-1)?.[1] ?? end + MAX_CALL) - end) / 2);
    for (const place of places) {
      const [from, to] = args[place] ?? [0, 0];
      const [start, value] = literalIn(scan.text, from, to);
      if (value !== '' && test(value)) scan.withhold(start, start + value.length);
    }
  };
}

const MAX_CALL = 400;
const MAX_ARGUMENTS = 5;

/** From where to where each argument goes, if the call ends soon. */
export function argumentsAt(text: string, from: number): [number, number][] {
  const args: [number, number][] = [];
  const end = Math.min(text.length, from + MAX_CALL);
  let depth = 0;
  let start = from;
  for (let at = from; at < end && args.length < MAX_ARGUMENTS; at++) {
    const sign = text.charAt(at);
    if (QUOTES.includes(sign)) at = endOfQuoted(text, at, end);
    else if (depth === 0 && (sign === ',' || sign === ')')) {
      args.push([start, at]);
      start = at + 1;
      if (sign === ')') break;
    } else depth += depthOf(sign);
  }
  return args;
}

const QUOTES = '"\'`';

function endOfQuoted(text: string, from: number, end: number): number {
  const quote = text.charAt(from);
  for (let at = from + 1; at < end; at++) {
    if (text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === quote) return at;
  }
  return end;
}

function depthOf(sign: string): number {
  if (sign === '(' || sign === '{' || sign === '[') return 1;
  return sign === ')' || sign === '}' || sign === ']' ? -1 : 0;
}

const LITERAL = /^\s{0,40}(?:[\w.[\]() ]{0,40}\(\s{0,4})?[bfru]{0,2}(["'`])([^"'`\n]{6,200})\1/;

/** `'…'`, `b"…"`, `"…".getBytes()`, `Buffer.from('…')`. */
function literalIn(text: string, from: number, to: number): [number, string] {
  const found = LITERAL.exec(text.slice(from, to));
  if (found === null) return [0, ''];
  const value = found[2] as string;
  return [from + found[0].length - value.length - 1, value];
}

const MIN_DRAWN = 16;
const MIN_WORDS = 16;
const FOR_TRIALS =
  /(?:^|[-_.])(?:tests?|fake|mock|demo|sample|dummy|invalid|wrong|expired|bad|other|another|local|dev)(?:[-_.\d]|$)/i;

/** Drawn by lot, or words that nobody uses as a name: a phrase with a number in it. */
function isKey(value: string): boolean {
  if (/\s/.test(value) || FOR_TRIALS.test(value) || isMadeUpKey(value) || isPlaceholder(value))
    return false;
  if (isPlaceOrCode(value) || isAboutSecrets(value)) return false;
  if (/^(?:[a-z]+-?\d{1,4}(?:-[a-z\d]{2,6}){0,2}|utf-?8|base64|latin1)$/i.test(value)) return false;
  if (value.length >= MIN_DRAWN && isRandom(value)) return true;
  if (isAssuredPassword(value)) return true;
  return value.length >= MIN_WORDS && isWordy(value) && /[-_.].*\d/.test(value);
}
