/**
 * Secrets on their way into memory (M18): text comes in, the same text without keys, tokens, passwords and private keys goes out.
 * What stands between <private> and </private> is never stored. Names around a secret stay, so that one can still see what was
 * talked about; things that only look like secrets (hashes, placeholders, types, prose about passwords) stay too.
 */
import { type RedactionRule, rule } from './redaction-rule.ts';
import { DISCORD_TOKEN, PRIVATE_KEY_BLOCK, SECRET_FORMATS } from './secret-formats.ts';
import { SECRET_PLACES } from './secret-places.ts';
import { WordFinder } from './word-finder.ts';

const GONE = '[redacted]';
const PRIVATE_TAG = rule(/<private>[\s\S]*?(?:<\/private>|$)/gi, '<private>');

export function redact(text: string): string {
  redaction ??= new Redaction();
  return redaction.clean(text);
}

/** Prepared when it is needed first: hooks that redact nothing need not wait for it. */
let redaction: Redaction | undefined;

type Step = [RedactionRule, (text: string, pattern: RegExp) => string];

class Redaction {
  readonly #steps: Step[] = [
    [PRIVATE_TAG, (text, pattern) => text.replace(pattern, '')],
    [PRIVATE_KEY_BLOCK, (text, pattern) => text.replace(pattern, GONE)],
    ...SECRET_FORMATS.map((format): Step => [format, (text, pattern) => text.replace(pattern, wholeMatch)]),
    ...SECRET_PLACES.map((place): Step => [place, (text, pattern) => text.replace(pattern, keepFront)]),
    [TABLE, (text, pattern) => (pattern.test(text) ? redactTables(text) : text)],
    ...ASSIGNMENTS.map((assignment): Step => [assignment, (text, pattern) => text.replace(pattern, redactAssignment)]),
    ...SENTENCES.map((sentence): Step => [sentence, (text, pattern) => text.replace(pattern, redactSaid)]),
    [NEAR_A_NAME, (text, pattern) => text.replace(pattern, redactRandom)],
  ];
  readonly #finder = new WordFinder(this.#steps.map(([{ words }]) => words));

  clean(text: string): string {
    const found = this.#finder.find(text);
    if (found?.[0] !== 1) return this.#redacted(text, found);
    // What is redacted leaves no word that was not there before; but what is taken out may join two halves of one.
    const open = applied(text, this.#steps[0] as Step);
    return this.#redacted(open, this.#finder.find(open));
  }

  #redacted(text: string, found: Uint8Array | undefined): string {
    let clean = DISCORD_TOKEN.part.test(text) ? text.replace(DISCORD_TOKEN.pattern, wholeMatch) : text;
    if (found !== undefined)
      for (let index = 1; index < this.#steps.length; index++)
        if (found[index] === 1) clean = applied(clean, this.#steps[index] as Step);
    return clean;
  }
}

function applied(text: string, [{ pattern, sign }, replace]: Step): string {
  return sign === undefined || text.includes(sign) ? replace(text, pattern) : text;
}

function wholeMatch(found: string): string {
  return isPlaceholder(found) ? found : GONE;
}

// ---- Where it stands gives it away ----

function keepFront(all: string, front: string, secret: string): string {
  return isPlaceholder(secret) || secret.includes(GONE) ? all : `${front}${GONE}`;
}

// ---- `name = value`, in all the ways people write it ----

const VALUE = "(?:(\\\\*[\"'`])((?:(?!\\3)[^\\n]|\\'\\'){3,}?)\\3(?!\\3)|([^\\s\"'`,;&|)\\]}<>]{3,}))";
const NAME_WORDS = ['pass', 'pwd', 'pw', 'secret', 'token', 'key', 'credential', 'salt', 'pepper', 'auth'];
/** From the word that speaks of a secret on; what stands before it belongs to the name too, but is no place to search from. */
const NAME = `((?:${NAME_WORDS.join('|')})[\\w$-]*)`;
const NAME_CHAR = /[\w$.-]/;

const ASSIGNMENTS: readonly RedactionRule[] = [
  rule(new RegExp(`${NAME}(\\\\*["'\`]?\\]?\\s*(?::=|=>|[:=])\\s*b?)${VALUE}`, 'gi'), ...NAME_WORDS),
  rule(new RegExp(`${NAME}(\\s*(?:\\[[^\\]]*\\])?\\s*:\\s+)${VALUE}`, 'gi'), ...NAME_WORDS),
];

const PASSWORD_WORDS = new Set(['password', 'passwd', 'passphrase', 'passcode', 'pass', 'pwd', 'pw', 'passw']);
const SECRET_WORDS = new Set([
  'secret',
  'token',
  'credential',
  'credentials',
  'apikey',
  'salt',
  'pepper',
  'authkey',
  'secretkey',
]);
const KEY_OWNERS =
  /(?:api|access|account|secret|private|auth|signing|encryption|deploy|license|app|subscription|shared|master|service|session|webhook|client|crypt|hmac|jwt)$/i;
/** Names that speak of a secret without holding one: `password_hash`, `PASSWORD_MIN_LENGTH`, `max_tokens`. */
const HARMLESS_LAST_WORD =
  /^(?:hash|hashes|length|len|timeout|ttl|count|limit|type|name|names|url|uri|path|file|field|fields|input|label|policy|expires?|expiry|expiration|generator|manager|reset|min|max|tokens|tokenizer|id|ids|regex|pattern|duration|budget|usage|set|store|storage|title|hint|error|message|required|enabled|strength|prompt|form|page|test|tests|rules?|column|index|provider|service|handler|factory|class)$/i;

function redactAssignment(all: string, end: string, middle: string, ...rest: unknown[]): string {
  const [quote, quoted, bare, at, text] = rest as [string | undefined, string, string, number, string];
  const value = quote === undefined ? bare : quoted;
  const name = `${nameBefore(text, at)}${end}`;
  const sort = sortOf(name);
  if (sort === undefined || value.includes(GONE) || isPlaceholder(value)) return all;
  if (!isCredible(sort, value, quote !== undefined, /^[A-Z0-9_]+$/.test(name))) return all;
  return `${end}${middle}${quote ?? ''}${GONE}${quote ?? ''}`;
}

function nameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && NAME_CHAR.test(text.charAt(start - 1))) start--;
  return text.slice(start, end);
}

function sortOf(name: string): 'password' | 'secret' | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  if (HARMLESS_LAST_WORD.test(last)) return undefined;
  if (words.some((word) => PASSWORD_WORDS.has(word) || word.endsWith('password') || word.endsWith('passwd'))) return 'password';
  if (
    words.some((word) => SECRET_WORDS.has(word) || word.endsWith('secret') || word.endsWith('token') || word.endsWith('apikey'))
  )
    return 'secret';
  if (last === 'auth' && words.length > 1) return 'secret';
  return last.endsWith('key') && KEY_OWNERS.test(`${words.slice(0, -1).join('')}${last.slice(0, -3)}`) ? 'secret' : undefined;
}

/** Is it a value, rather than a type, a word of prose or a piece of code? */
function isCredible(sort: 'password' | 'secret', value: string, isQuoted: boolean, isConstant: boolean): boolean {
  if (!isQuoted && /[()[\]{}]/.test(value)) return false;
  const isMixed = /\d/.test(value) && /[A-Za-z가-힣]/.test(value);
  if (sort === 'password') return isQuoted || isConstant || isMixed || /[!@#$%^&*_+-]/.test(value);
  if (isQuoted && /\s/.test(value)) return false;
  return value.length >= 16
    ? isMixed || value.length >= 24
    : isMixed && value.length >= 8 && !/^[a-z]+([A-Z][a-z]+)+\d?$/.test(value);
}

/** A reference, a mask or a stand-in, not the thing itself. */
const PLACEHOLDER =
  /^[\s$<{%[(@]|^(?:process\.env|os\.|env\.|import\.meta|settings\.|config\.|self\.|this\.|secrets\.|vars\.|var\.|local\.|data\.|getenv|request\.|req\.|user\.|args\.|options\.|opts\.|props\.|form\.)|^(.)\1+$|x{4,}|\*{3,}|•{3,}|\.{3}|…|^(?:await|new|function|return|null|none|nil|undefined|true|false|string|str|number|boolean|bool|bytes|text|varchar|required|optional|redacted|hidden|masked|secret|password|passwd|token|bearer|basic)\b|your[_-]|[_-]here\b|changeme|change[_-]me|placeholder|example|dummy|redacted|\{\{|\$\{/i;

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

// ---- What people say to each other, in English and Korean ----

const KO_NAME =
  '(?:비밀번호|비번|패스워드|암호|토큰|(?:API|접근|액세스|시크릿|비밀|인증|서비스|보안)\\s*키|인증키|시크릿키|\\b(?:PW|pw)\\b)';
const KO_AFTER =
  '(?=["\'`’」\\])]?\\s*(?:입니다|이에요|예요|요[.\\s]|이고|이야|야|인데|이며|로|으로|을|를|라고|이라고|라서|입력|치|이걸|\\.\\s|,|\\s|$))';

const KO_WORDS = ['비밀번호', '비번', '패스워드', '암호', '토큰'];

const SENTENCES: readonly RedactionRule[] = [
  rule(
    /(\b(?:password|passwd|passphrase|passcode|pass|pw|pin)\s+(?:is|was|=|:|→)\s*["'“`]?)([^\s"'”`,;]{4,})/gi,
    'pass',
    'pw',
    'pin ',
  ),
  rule(/(\bpw\s*[:=→]\s*["'`]?)([^\s"'`,;]{4,})/gi, 'pw'),
  rule(/(\b(?:log ?in|sign in|login)\s+(?:with|as)\s+\S+\s*\/\s*)(\S{4,})/gi, 'login ', 'log in ', 'sign in '),
  rule(
    /(\b(?:id|user|아이디)\s*\/\s*(?:pw|pass|password|비번|비밀번호)\s*[:=]?\s*\S+\s*\/\s*)(\S{4,})/gi,
    'pw',
    'pass',
    '비번',
    '비밀번호',
  ),
  rule(
    /(\buse\s+["'“`]?)([^\s"'”`]{6,})(?=["'”`]?\s+as\s+(?:the|your|my)\s+(?:password|passphrase|token|key))/gi,
    'pass',
    'token',
    'key',
  ),
  rule(
    new RegExp(
      `(${KO_NAME}\\s*(?:는|은|이|가|를|을|로는|로|에는)?\\s*(?:물으면|물어보면)?\\s*[:=→]?\\s*["'\`‘「\\[(]?)([!-&*-\\\\^-~]{4,}?)${KO_AFTER}`,
      'g',
    ),
    ...KO_WORDS,
    '키',
    'pw',
  ),
  rule(
    new RegExp(
      `(${KO_NAME}\\s*[:=→]\\s*["'\`‘「\\[(]?)([^\\s"'\`’」\\])]*[가-힣][^\\s"'\`’」\\])]*[0-9!@#$%^&*_-][^\\s"'\`’」\\])]*)`,
      'g',
    ),
    ...KO_WORDS,
    '키',
    'pw',
  ),
  rule(
    /(^|[\s"'`])([!-~]{6,}?)(?=["'`]?\s*(?:가|이|을|를|은|는)\s*(?:비밀번호|비번|패스워드|암호|토큰)(?:야|입니다|이에요|예요|로|다|라고))/gm,
    ...KO_WORDS,
  ),
];

/** After "the password is" come as many words as values. */
const ORDINARY_WORD =
  /^(?:a|an|the|not|no|too|also|never|always|now|only|being|been|still|just|wrong|right|correct|incorrect|invalid|valid|weak|strong|short|long|empty|blank|missing|required|optional|hashed|encrypted|stored|saved|sent|set|reset|checked|expired|changed|unchanged|rejected|accepted|hidden|shown|masked|visible|protected|generated|rotated|case|typed|passed|read|part|in|on|at|from|for|to|of|by|as|with|what|when|where|how|why|it|this|that|these|there|one|used|needed|mandatory|longer|shorter|at|least|more|less|plain|safe|secure|fine|ok|okay|unknown|undefined|null|true|false|string|incorrect\.|wrong\.)[.,!?]?$/i;

function redactSaid(all: string, front: string, said: string): string {
  const value = said.replace(/[.,!?]+$/, '');
  if (isPlaceholder(value) || value.includes(GONE) || ORDINARY_WORD.test(value)) return all;
  const isKorean = /[가-힣]/.test(front) || /[가-힣]/.test(all);
  if (isKorean && !/[A-Za-z가-힣]/.test(value)) return all;
  if (/^[\w-]+\.(?:json|ts|js|tsx|py|go|rs|md|ya?ml|env|toml|txt)$/.test(value) || /^[A-Z_]+$/.test(value)) return all;
  if (/[(){}]/.test(value)) return all;
  return `${front}${GONE}${said.slice(value.length)}`;
}

/** A column of passwords in a Markdown table. */
const TABLE = rule(
  /^\s*\|.*(?:비밀번호|비번|패스워드|암호|password|passwd|secret|token|\bpw\b)/im,
  ...KO_WORDS,
  'passw',
  'secret',
  'token',
  'pw',
);

function redactTables(text: string): string {
  let secretColumns: number[] = [];
  return text
    .split('\n')
    .map((line) => {
      if (!line.trim().startsWith('|')) {
        secretColumns = [];
        return line;
      }
      const cells = line.split('|');
      const isHeader = secretColumns.length === 0;
      if (isHeader)
        secretColumns = cells.flatMap((cell, at) =>
          /^\s*(?:비밀번호|비번|패스워드|암호|password|passwd|secret|token|pw)\s*$/i.test(cell) ? [at] : [],
        );
      if (isHeader || /^[\s|:-]+$/.test(line)) return line;
      return cells
        .map((cell, at) => (secretColumns.includes(at) && cell.trim() !== '' && !isPlaceholder(cell.trim()) ? ` ${GONE} ` : cell))
        .join('|');
    })
    .join('\n');
}

/** A long random value in a line that has just spoken of a key. */
const NEAR_A_NAME = rule(
  /((?:\bkey\b|\btoken\b|\bsecret\b|_key\b|_token\b|_secret\b|-key\b|api key|키|토큰)[^\n]{0,48}?[\s:="'([「])([0-9A-Za-z+/_%=-]{24,})(?=[\s"')\]」,.;]|$)/gi,
  'key',
  'token',
  'secret',
  '키',
  '토큰',
);
const NOT_A_SECRET = /sha\d|integrity|digest|commit|etag|uuid|checksum|fingerprint|public|publishable|ssh-/i;

function redactRandom(all: string, front: string, value: string): string {
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
  const changes = value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  const longestWord = Math.max(0, ...value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.length));
  const isRandom = changes >= 4 && longestWord < 12 && !/^(?:sha|h1)/.test(value);
  return isUuid || !isRandom || NOT_A_SECRET.test(front) || isPlaceholder(value) ? all : `${front}${GONE}`;
}
