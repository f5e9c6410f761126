/**
 * Tells what may be a secret from what only stands where one could: references, masks, stand-ins,
 * types, names of code, words of prose (M18, L1c).
 */

/** `$1`, `@env(…)`, `%s` and `%NAME%` are references; `$1234`, `@1234` and `%40…` begin passwords. */
const REFERENCE =
  /^[\s<{[(]|^\$(?!\d{3})|^@(?!\d)|^%(?![0-9A-F]{2}.{3})|^%\w+%$|^\*[a-z_-]+$|^&[a-z_]\w*$|^#[0-9a-f]{3,8};?$|^!(?:secret|vault|ref|sub|env|include|encrypted)\b|^(?:process\.env|os\.|env\.|import\.meta|settings\.|config\.|self\.|this\.|secrets\.|vars\.|var\.|local\.|data\.|getenv|request\.|req\.|user\.|args\.|options\.|opts\.|props\.|form\.)|^(?:vault|ssm|arn|op|env|file|aws|gcp|azure|sops|enc|kms|keyvault|awssm|secretsmanager|doppler):|^ref\+|^projects\/|^ENC\(|\{\{|\$\{|\$\(|#\{/i;
const MASK = /^(.)\1+$|x{4,}|X{4,}|\*{3,}|•{3,}|●{3,}|\.{3}|…|^-+$|^_+$/;
const STAND_IN =
  /^(?:await|new|function|return|null|none|nil|undefined|true|false|string|str|number|boolean|bool|bytes|text|varchar|required|optional|redacted|hidden|masked|secret|password|passwd|token|bearer|basic)\b(?![!@#$%^&*]+\d)|your[_-]|^your[A-Z]|[_-]here\b|change[_-]?me|replace[_-]?(?:me|this|with)|insert[_-]|placeholder|example|dummy|redacted|^s[e3]cr[e3]t\d{0,3}$|^(?:my|super|top)[-_]?secret|^(?:changeit|foobar|tbd|todo|n\/a|secretpassword|passw0rd|p@ssw0rd|topsecret|hidden|none|empty)$/i;

/** Meant for everybody: keys for browsers, addresses of wallets. */
const PUBLISHED =
  /^0x[0-9a-fA-F]{40}$|^(?:pk_(?:live|test)_|phc_|sb_publishable_|live_ck_|test_ck_)/;

export function isPlaceholder(value: string): boolean {
  return PUBLISHED.test(value) || REFERENCE.test(value) || MASK.test(value) || STAND_IN.test(value);
}

/** Keys for trials and documents: nobody draws these by lot. */
const SEQUENCE =
  /abcdefg|bcdefgh|cdefghi|qwerty|0123456|1234567|2345678|3456789|4567890|7654321|deadbeef|cafebabe|(.)\1{6}|example|placeholder|redacted/i;
const YOUR = /your|Your|YOUR/;
const WORD_OF_TRIALS =
  /^(?:the|some)[-_.:]|(?:^|[-_.:])(?:fake|mock|tests?|testing|sample|demo|foo|bar|baz|invalid|wrong|my|old|new|expired|revoked|FAKE|MOCK|TEST|SAMPLE|DEMO)(?=[-_.:]|\d{0,4}$)/;

export function isMadeUp(value: string): boolean {
  return isMadeUpKey(value) || WORD_OF_TRIALS.test(value) || isPlaceholder(value);
}

/** For keys known by their form, in which a short word may stand by chance. */
export function isMadeUpKey(value: string): boolean {
  return (
    SEQUENCE.test(withoutZeros(value)) || YOUR.test(value) || /\*{3}|\.{3}|…|x{6}|X{6}/.test(value)
  );
}

/** Zero bytes are a run of `A` in base64, as some tokens have it in their middle. */
function withoutZeros(value: string): string {
  const others = value.includes('AAAAAA') ? value.replace(/A{6,}/g, 'A') : value;
  return others.length >= MIN_BESIDE_ZEROS ? others : value;
}

const MIN_BESIDE_ZEROS = 32;

/** `0000` is a mask for a key, but a common first password. */
export function isDigits(value: string): boolean {
  return /^\d{4,}$/.test(value);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

const MAX_LOOK = 128;

/** What a look at each character tells about a value. */
export interface Letters {
  digits: number;
  lower: number;
  upper: number;
  /** Everything but letters, digits and `_`. */
  signs: number;
  /** How often letters and digits, or small and capital letters, take turns. */
  turns: number;
  /** The longest run of small letters. */
  longestWord: number;
  isHex: boolean;
}

export function lettersOf(value: string): Letters {
  const counts = [0, 0, 0, 0, 0];
  let turns = 0;
  let longestWord = 0;
  let word = 0;
  let isHex = true;
  let last = SIGN;
  for (let at = 0; at < value.length && at < MAX_LOOK; at++) {
    const code = value.charCodeAt(at);
    const kind = kindOfLetter(code);
    counts[kind] = (counts[kind] as number) + 1;
    isHex &&= kind === DIGIT || isHexLetter(code);
    word = kind === LOWER ? word + 1 : 0;
    longestWord = Math.max(longestWord, word);
    if (isTurn(last, kind)) turns++;
    last = kind;
  }
  const [digits = 0, lower = 0, upper = 0, signs = 0] = counts;
  return { digits, lower, upper, signs, turns, longestWord, isHex };
}

const DIGIT = 0;
const LOWER = 1;
const UPPER = 2;
const SIGN = 3;
const UNDERSCORE = 4;

function kindOfLetter(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code === 95 ? UNDERSCORE : SIGN;
}

/** A capital that begins a word is no turn. */
function isTurn(last: number, kind: number): boolean {
  if (last === kind || last >= SIGN || kind >= SIGN) return false;
  return !(last === UPPER && kind === LOWER);
}

function isHexLetter(code: number): boolean {
  return (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

const SEPARATOR = /[-_.:/+~=]/;
const WORD = /^(?:v?\d{1,4}|(?:[A-Z]?[a-z]+|[A-Z]+)(?:[A-Z][a-z]+|\d{1,3}[A-Z][a-z]{3,})*\d{0,4})$/;

/** `app-secrets-7f9b`, as clusters name things. */
const RESOURCE = /^[a-z]+(?:-[a-z]+)+-(?=[a-z]*\d)[a-z0-9]{2,10}(?:-[a-z0-9]{5})?$/;

/** Words with numbers between them, as people make up names: `node-cache-linux-x64`. */
export function isWordy(value: string): boolean {
  if (value.length > MAX_LOOK) return false;
  if (RESOURCE.test(value)) return true;
  return value.split(SEPARATOR).every((part) => part === '' || WORD.test(part));
}

const TURNS_EVERY = 7;
const LONG_WORD = 12;
const MANY_TURNS = 7;

/** Whether it was drawn by lot: letters of all kinds take turns, and no words are in it. */
export function isRandom(value: string): boolean {
  const { digits, lower, upper, turns, longestWord, isHex } = lettersOf(value);
  const length = Math.min(value.length, MAX_LOOK);
  if (isHex) return digits >= 3 && lower + upper >= 2 && (lower === 0 || upper === 0);
  if (isWordy(value) || isUuid(value)) return false;
  if (digits === 0) return upper >= 5 && lower >= 4 && isJumbled(value);
  if (longestWord >= LONG_WORD && turns < MANY_TURNS) return false;
  if (turns < Math.max(3, length / TURNS_EVERY)) return false;
  return lower + upper > 0 && wordSegments(value) < 3;
}

/** Capitals that are neither the first letter of a word nor all of its letters. */
function isJumbled(value: string): boolean {
  return (value.slice(0, MAX_LOOK).match(/[A-Z]{2}|[A-Z][a-z](?=[A-Z])/g)?.length ?? 0) >= 4;
}

/** How many parts of a value, between its signs, are plain words. */
function wordSegments(value: string): number {
  let words = 0;
  for (const part of value.slice(0, MAX_LOOK).split(SEPARATOR))
    if (/^(?:[A-Z]?[a-z]{3,}|[A-Z]{4,})$/.test(part)) words++;
  return words;
}

const PATH_OR_URL = /^(?:[~.]{0,2}\/|[A-Za-z]:\\|https?:|\/\/)|:\/\//;
const FILE =
  /\.(?:json|ts|js|mjs|cjs|tsx|jsx|py|go|rs|md|ya?ml|env|toml|txt|sh|sql|lock|log|html|css|java|kt|rb|php|c|h|cpp|cs|pem|key|crt|enc|png|jpe?g|gif|webp|pdf|csv|zip|gz|tgz|tar|jar|svg|xml|ini|conf|cfg|test|spec)(?::\d[\d:-]{0,20})?$/i;
const VERSION = /^[v^~=<>]*\d+(?:\.\d+)+(?:[-+][\w.]+)?$/;

/** A path, a file, a version, an address, a call: never a password. */
export function isPlaceOrCode(value: string): boolean {
  return (
    PATH_OR_URL.test(value) ||
    FILE.test(value) ||
    VERSION.test(value) ||
    /^\d{4}-\d{2}-\d{2}T\d|\.[a-z]{1,5}:\d{1,6}:|[(){}[\]]|=>|->|::|&&|\|\||==|!=|\+=|\?\.|^[\w.-]+@[\w-]+(?:\.[\w-]+)+$|\\[nrt]/.test(
      value,
    )
  );
}

/** "The password is" is followed by a word as often as by a value. */
const ORDINARY_WORD =
  /^(?:a|an|the|not|no|too|also|never|always|now|only|being|been|still|just|wrong|right|correct|incorrect|invalid|valid|weak|strong|short|long|empty|blank|missing|required|optional|hash|hashed|encrypted|stored|saved|sent|set|reset|checked|expired|changed|unchanged|rejected|accepted|hidden|shown|masked|visible|protected|generated|rotated|case|typed|passed|read|part|in|on|at|from|for|to|of|by|as|with|what|when|where|how|why|it|this|that|these|there|one|used|needed|mandatory|longer|shorter|least|more|less|plain|plaintext|safe|secure|fine|ok|okay|unknown|undefined|null|true|false|string|input|base64|bcrypt|scrypt|argon2(?:id?|d)?|pbkdf2|md5|sha-?\d{1,3}(?:-\d{3})?|aes(?:-?\d{3})?(?:-[a-z]{3})?|rsa(?:-?\d{4})?|good|bad|stale|public|itself|private|same|different|about|after|before|because|if|unless|until|while|which|who|whatever|anything|something|nothing|everything|someone|probably|actually|already|really|simply|indeed|likely|maybe|often|usually|going|coming|getting|having|doing|available|possible|necessary|sensitive|secret|unique|random|simple|complex|static|dynamic|global|local|temporary|default|new|old|current|previous|next|first|last|all|any|both|each|every|some|most|many|few|and|or|but|then|than|so|up|out|off|over|under|here|via|per|can|could|should|would|must|may|might|will|shall|does|did|do|is|are|was|were|be|has|have|had|your|my|our|his|her|its|their)[.,!?]?$/i;
/** What ends so says something about the password. */
const SAYS_SOMETHING = /(?:ed|ing|ly|able|ible|ive|ful|less|ous|ent|ant|ary|ory|tion|ment|ness)$/;

export function isOrdinaryWord(value: string): boolean {
  return ORDINARY_WORD.test(value);
}

/** A word of prose rather than one somebody chose as a password. */
export function isProse(value: string): boolean {
  const word = value.replace(/[.,!?:;]+$/, '');
  return ORDINARY_WORD.test(word) || SAYS_SOMETHING.test(word);
}

export function isFile(value: string): boolean {
  return FILE.test(value);
}

/** A word, a file, a constant's name, a call. */
export function isNoValue(text: string): boolean {
  return (
    (isPlaceholder(text) && !isDigits(text)) ||
    ORDINARY_WORD.test(text) ||
    FILE.test(text) ||
    /^[A-Z_]+$|^\.[a-z]/.test(text) ||
    /[(){}]/.test(text)
  );
}

const ABOUT_SECRETS =
  /(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)?|pwd?|secrets?|tokens?|keys?|auth|credentials?|user(?:name)?|login|hash|salt|email|value|field|input|form|env|config|type|param|arg|str|string|flag|option|required|error|invalid)(?:[^a-z]|$)/i;

/** Names of standards and sizes have digits too. */
const TECHNICAL =
  /^(?:(?:hashed|argon2|bcrypt|scrypt|pbkdf2|hmac|sha|md5|base\d|aes|rsa|ecdsa|ed25519|x25519|[hrep]s(?:256|384|512)|es20\d\d|oauth|utf|u?int\d|float\d|i18n|k8s|http[s\d]?|ipv|x86|x64|arm64|win32)(?:[-_/. ]?\w{0,8}\d{0,4}){0,3}|(?:python|node|java|postgres|mysql|redis|mongo|stage|phase|step|level|version|v\d|test|user|option|field|case|line|page|item|part|type|key|arg|col|row)s?(?:[-_/. ]\w{0,8}|\d{1,4}[a-z]{0,3}){0,3})$/i;

/** As Apple makes them: `wqkr-htzv-mbnc-xlpd`. */
const APP_PASSWORD = /^[a-z]{4}(?:-[a-z]{4}){3}$/;

/**
 * A password somebody chose, judged by itself: long enough, with a digit, a sign or a capital
 * inside, and no name, path or code.
 */
export function isChosen(value: string): boolean {
  if (value.length < 6 || value.length > MAX_LOOK || TECHNICAL.test(value)) return false;
  if (isPlaceholder(value) || isAboutSecrets(value) || isPlaceOrCode(value) || isUuid(value))
    return false;
  const { digits, lower, upper, signs } = lettersOf(value);
  if (lower + upper === 0) return false;
  if (/^[A-Z][A-Z0-9_]*$/.test(value)) return value.length >= 16 && isRandom(value);
  if (/^[a-z]+(?:_[a-z]+)+$/.test(value)) return false;
  if (/^[a-z]+(?:-[a-z]+)+$/.test(value)) return APP_PASSWORD.test(value);
  if (/^[*&][A-Za-z]|^\*\*|[a-z]\*\*$|^\w+=|\/.*\/.*\//.test(value)) return false;
  if (digits > 0) return !/^\d+[a-z]{0,3}(?:[-./:]\d+[a-z]{0,3})*$/i.test(value);
  if (/^[a-z]+_.*[A-Z]/.test(value)) return lower > 4;
  return signs > 0 && (upper > 0 || /[!@#$%^&*+~]/.test(value)) && /[A-Za-z]{2}/.test(value);
}

/** A password where much else may stand: two digits, or signs, or capitals among small letters. */
export function isAssuredPassword(value: string): boolean {
  if (isJumble(value)) return true;
  if (/^[a-z]{0,10}pass(?:word|wd|phrase)?\d{0,2}$/i.test(value)) return false;
  if (!isChosen(value) || isMember(value)) return false;
  const { digits, lower, upper } = lettersOf(value);
  if (/^[+=&|~]/.test(value)) return false; // an expression goes on
  if (/[!@#$%^&*]/.test(value) && digits > 0) return true;
  if (/[!#$^*]\w/.test(value) && upper > 0) return true;
  if (/^[A-Za-z]{1,16}[013457][a-z]{3,16}\W?$/.test(value)) return true; // a digit for a letter
  return digits >= 2 || (digits === 1 && upper > 0 && lower > 0);
}

/** What a generator of passwords makes: letters of both cases, digits and signs, and no words. */
function isJumble(value: string): boolean {
  if (value.length < 8 || value.length > 40 || isPlaceholder(value)) return false;
  const { digits, lower, upper, longestWord } = lettersOf(value);
  if (digits === 0 || lower === 0 || upper === 0 || longestWord > 3) return false;
  return (value.match(/[^\w./:-]/g)?.length ?? 0) >= 2 && !/[A-Z]{4}/.test(value);
}

/** A member of something, as code calls it. */
export function isMember(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !/\d.*\.[a-z]/.test(value);
}

/** `current-password`, `helper-secret`: what such a value is called. */
export function isAboutSecrets(value: string): boolean {
  return value === value.toLowerCase() && ABOUT_SECRETS.test(value);
}
