/**
 * Removes the value of `name = value`, in all the ways people write it in configuration, code or a
 * chat, if the name suggests a secret and the value may be one (M18).
 */
import { GONE, isDigits, isOrdinaryWord, isPlaceholder } from './placeholder.ts';
import { type RedactionRule, rule } from './word-finder.ts';

const VALUE =
  "(?:(\\\\*[\"'`])((?:(?!\\3)[^\\n]|\\'\\'){3,}?)\\3(?!\\3)|([^\\s\"'`,;&|)\\]}<>]{3,}))";
const NAME_WORDS = 'pass|pwd|pw|secret|token|key|credential|salt|pepper|auth';
/**
 * From the word that suggests a secret; `startOfName` finds what precedes it. Bounded, or in a long
 * run of such words each would be followed to the end.
 */
const NAME = `((?:${NAME_WORDS})[\\w$-]{0,64})`;
const NAME_CHAR = /[\w$.-]/;
/** Markdown's `**Password:** value` and `**Password**: value`. */
const BOLD = '\\*{0,2}';

export const ASSIGNMENTS: readonly RedactionRule[] = [
  rule(
    `${NAME}(\\\\*["'\`]?\\]?${BOLD}\\s*(?::=|=>|[:=])${BOLD}\\s*(?:b(?=["'\`]))?)${VALUE}`,
    NAME_WORDS,
  ),
  rule(`${NAME}(\\s*(?:\\[[^\\]\\n]{0,100}\\]\\s*)?:\\s+)${VALUE}`, NAME_WORDS),
];

const PASSWORD_WORD = /(?:password|passwd)$|^(?:passphrase|passcode|pass|pwd|pw|passw)$/;
const SECRET_WORD = /(?:secret|token|apikey)$|^(?:credentials?|salt|pepper|authkey|secretkey)$/;
const KEY_OWNERS =
  /(?:api|access|account|secret|private|auth|signing|encryption|deploy|license|app|subscription|shared|master|service|session|webhook|client|crypt|hmac|jwt)$/i;
/** Names that mention a secret without holding one: `password_hash`, `max_tokens`. */
const HARMLESS_LAST_WORD =
  /^(?:hash|hashes|length|len|timeout|ttl|count|limit|type|name|names|url|uri|path|file|fields?|input|label|policy|expires?|expiry|expiration|generator|manager|reset|min|max|tokens|tokenizer|id|ids|regex|pattern|duration|budget|usage|set|store|storage|title|hint|error|message|required|enabled|strength|prompt|form|page|test|tests|rules?|column|index|provider|service|handler|factory|class)$/i;

/** `end` is the name from the word on that suggests a secret. */
export function redactAssignment(
  all: string,
  end: string,
  middle: string,
  quote: string | undefined,
  quoted: string,
  bare: string,
  at: number,
  text: string,
): string {
  const value = quote === undefined ? bare : quoted;
  const start = startOfName(text, at);
  const name = `${text.slice(start, at)}${end}`;
  const words = wordsOf(name);
  const kind = kindOf(words);
  if (kind === undefined || value.includes(GONE)) return all;
  if (isPlaceholder(value) && !(kind === 'password' && isDigits(value))) return all;
  const isCredible =
    looksLikeSecret(kind, value, quote !== undefined, /^[A-Z0-9_]+$/.test(name)) ||
    (kind === 'password' &&
      PASSWORD_WORD.test(words.at(-1) ?? '') &&
      isPlainPassword(value, {
        link: middle,
        before: text.slice(Math.max(0, start - AROUND_CHARS), start),
        after: text.slice(at + all.length, at + all.length + AROUND_CHARS),
        isVague: words.at(-1) === 'pass',
      }));
  return isCredible ? `${end}${middle}${quote ?? ''}${GONE}${quote ?? ''}` : all;
}

function startOfName(text: string, end: number): number {
  let start = end;
  while (start > 0 && NAME_CHAR.test(text.charAt(start - 1))) start--;
  return start;
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function kindOf(words: readonly string[]): 'password' | 'secret' | undefined {
  const last = words.at(-1) ?? '';
  if (HARMLESS_LAST_WORD.test(last)) return undefined;
  if (words.some((word) => PASSWORD_WORD.test(word))) return 'password';
  if (words.some((word) => SECRET_WORD.test(word))) return 'secret';
  if (last === 'auth' && words.length > 1) return 'secret';
  return last.endsWith('key') &&
    KEY_OWNERS.test(`${words.slice(0, -1).join('')}${last.slice(0, -3)}`)
    ? 'secret'
    : undefined;
}

/** Whether it looks like a value, rather than a type, a word of prose or a piece of code. */
function looksLikeSecret(
  kind: 'password' | 'secret',
  value: string,
  isQuoted: boolean,
  isConstant: boolean,
): boolean {
  if (!isQuoted && /[()[\]{}]/.test(value)) return false;
  const isMixed = /\d/.test(value) && /[A-Za-z가-힣]/.test(value);
  if (kind === 'password') return isQuoted || isConstant || isMixed || /[!@#$%^&*_+-]/.test(value);
  if (isQuoted && /\s/.test(value)) return false;
  return value.length >= 16
    ? isMixed || value.length >= 24
    : isMixed && value.length >= 8 && !/^[a-z]+([A-Z][a-z]+)+\d?$/.test(value);
}

// ---- `password: 12345678`, `password: hunter`: only the text around the value tells ----

interface Surroundings {
  /** Between name and value. */
  link: string;
  before: string;
  after: string;
  /** `pass` names much else: tests that passed, steps of rendering. */
  isVague: boolean;
}

/** How much text around the value counts: a line, not a whole file that is one line. */
const AROUND_CHARS = 160;
const MIN_VAGUE_DIGITS = 6;
const COUNTED =
  /^[ \t]*(?:(?:chars?|characters?|letters?|digits?|bits?|bytes?|ms|seconds?|minutes?|times|attempts?|users|rows|tests|items|entries)\b(?!\s*[:=])|%|글?자|개|회|번)/i;

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
  /^(?:chars?|int|integer|binary|blob|buffer|object|any|never|void|array|list|dict|map|record|enum|uuid|text|citext|n?varchar\w*|str|types|secret\w*|pass\w*|pwd\w*|pw\w*|fields?|values?|val|input|raw|params?|parameter|arg|argument|props?|data|payload|body|form|req|request|env|environment|vault|keychain|keyring|keystore|stdin|prompt|file|config|cleartext|encoded|decoded|salted|filtered|removed|provided|given|present|absent|match(?:es|ed)?|mismatch|fail(?:s|ed|ing)?|success|succeeded|skipped|pending|done|fix|fixed|works|working|broken|todo|none|defaults?|auto|automatic|manual|same|see|ask|use|enter|type|choose|pick|create|forgot|forgotten|lost|omit|omitted|enabled|disabled|added|updated|verified|confirmed|denied|deprecated|unused|random|authentication|auth|login|rules?|policy|min|max|minimum|maximum|length|must|should|cannot|does|did|will|can|may|has|have|are|were|and|but|or|if|then|else|your|my|our|his|her|their)$/i;

/** A user's name and its value right before: `user: admin`, `ID: tester /`. */
const BESIDE_A_USER =
  /(?:[Uu]ser(?:[ _-]?[Nn]ame)?|[Ll]ogin|[Ee]-?mail|[Aa]ccount|\b(?:id|ID)|아이디|계정|사용자)["'*]{0,2}\s{0,4}[:=]\s{0,4}["'*]{0,2}(?!str(?:ing)?\b|text\b|any\b)[a-z0-9][^\s"',;]{0,63}["']?[\s,/|·*-]{0,40}$/;
/** The end of the line, a comment, the next name: a sentence would go on. */
const ENDS_THERE =
  /^[ \t]*(?:\r?\n|$|<\/|<br|[/|·—–-][ \t]|[ \t](?:#|\/\/)|,[ \t]*[\w가-힣][\w가-힣 .-]{0,24}[:=]|(?<=[ \t])[\w가-힣][\w가-힣.-]{0,24}[ \t]*[:=])/;
const CODE_WORDS =
  /[{(`]|\b(?:const|let|var|val|def|fn|func|function|type|interface|class|struct|public|private|protected|readonly|final|static|await|return|import|export)\b/;

/** In code, a word without quotes is a name or a type. */
function isCode(before: string, after: string): boolean {
  const lines = before.split('\n');
  if (CODE_WORDS.test(lines.at(-1) ?? '')) return true;
  if (/(?:[;{([]|^\s*[\w$.'"]+(?:\s*:[^,]*)?,)\s*$/.test(lines.at(-2) ?? '')) return true;
  return /^[^\n]*\n\s*[})\]]/.test(after);
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
