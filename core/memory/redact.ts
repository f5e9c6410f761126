/**
 * Secrets on their way into memory (M18): text comes in, the same text without keys, tokens, passwords and private keys goes out.
 * What stands between <private> and </private> is never stored. Names around a secret stay, so that one can still see what was
 * talked about; things that only look like secrets (hashes, placeholders, types, prose about passwords) stay too.
 */
import { PRIVATE_KEY_BLOCK, SECRET_FORMATS } from './secret-formats.ts';

const GONE = '[redacted]';
const PRIVATE_TAG = /<private>[\s\S]*?(?:<\/private>|$)/gi;

export function redact(text: string): string {
  let clean = text.replace(PRIVATE_TAG, '').replace(PRIVATE_KEY_BLOCK, GONE);
  for (const format of SECRET_FORMATS) clean = clean.replace(format, (found) => (isPlaceholder(found) ? found : GONE));
  for (const place of FIXED_PLACES) clean = clean.replace(place, keepFront);
  clean = redactTables(clean);
  for (const assignment of ASSIGNMENTS) clean = clean.replace(assignment, redactAssignment);
  for (const sentence of SENTENCES) clean = clean.replace(sentence, redactSaid);
  return clean.replace(NEAR_A_NAME, redactRandom);
}

// ---- Places where only a secret can stand: (what stays)(the secret) ----

const COOKIE_NAME = '[\\w.-]*(?:sess|sid\\b|auth|token|access|logged_in|csrf|xsrf|remember)[\\w.-]*';
const TOOLS_WITH_P = 'mysql|mysqldump|mysqladmin|mariadb|7z|7za';
const TOOLS_WITH_FLAG =
  'sshpass|redis-cli|twine|mongo|mongosh|smbclient|ldapsearch|ldapadd|docker login|az login|zip|openssl|ssh-keygen';

const FIXED_PLACES: RegExp[] = [
  /(\b(?:Bearer|Basic)\s+)([0-9A-Za-z._~+/=-]{8,})/gi,
  /(\bauthorization["']?\s*[:=]\s*["']?(?:token|apikey|api-key|key|splunk)\s+)([0-9A-Za-z._~+/=-]{8,})/gi,
  /(\bDigest\b[^\n]*?\bresponse=["']?)([0-9a-fA-F]{16,})/g,
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"<>]*:)([^\s/'"<>]+?)(?=@[\w[])/gi,
  /(\bhttps?:\/\/)([0-9A-Za-z_-]{20,})(?=@)/g,
  new RegExp(`(\\b${COOKIE_NAME}=)([^\\s;,'"&]{12,})`, 'gi'),
  new RegExp(`("?(?:name|key)"?\\s*:\\s*["']${COOKIE_NAME}["']\\s*,[^{}]*?"?value"?\\s*:\\s*["'])([^"']{8,})(?=["'])`, 'gi'),
  new RegExp(`("?value"?\\s*:\\s*["'])([^"']{8,})(?=["'][^{}]*?"?(?:name|key)"?\\s*:\\s*["']${COOKIE_NAME}["'])`, 'gi'),
  new RegExp(`(["']${COOKIE_NAME}["']\\s*:\\s*["'])((?=[^"']*\\d)[^"'\\s]{16,})(?=["'])`, 'gi'),
  /(^\S+\t(?:TRUE|FALSE)\t\S+\t(?:TRUE|FALSE)\t\d+\t\S+\t)(\S{8,})/gm, // cookie jars
  /(--?(?:password|passwd|pass|pwd|token|secret|api-key|apikey|auth-token)(?:=|\s+)["'])([^"']{4,})(?=["'])/gi,
  /(--(?:password|passwd|pass|pwd|token|secret|api-key|apikey|auth-token)(?:=|\s+))([^\s"'$<{-][^\s"']{3,})/gi,
  new RegExp(`(\\b(?:${TOOLS_WITH_P})\\b[^\\n|;]*?\\s-p)([^\\s'"]{4,})`, 'g'),
  new RegExp(`(\\b(?:${TOOLS_WITH_FLAG})\\b[^\\n|;]*?\\s-(?:p|a|w|P|k|N)\\s*["'])([^'"$]{4,})(?=["'])`, 'g'),
  new RegExp(`(\\b(?:${TOOLS_WITH_FLAG})\\b[^\\n|;]*?\\s-(?:p|a|w|P|k|N)\\s+)((?!\\d+\\s)[^\\s'"$-][^\\s'"]{3,})`, 'g'),
  /(\b-pass(?:in|out)\s+pass:|-passin\s+pass:|-passout\s+pass:)([^\s'"]{4,})/g,
  /(\bcurl\b[^\n|;]*?\s(?:-u|--user)\s*["'][^:'"]+:)([^'"]{4,})(?=["'])/g,
  /(\bcurl\b[^\n|;]*?\s(?:-u|--user)\s*[^\s:'"]+:)([^\s'"$@]{4,})/g,
  /(\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+)(\S{4,})/g,
  /(\bnet user\s+\S+\s+)([^\s/*]{4,})/gi,
  /(\becho\s+["']?)([^"'\s|]{4,})(?=["']?\s*\|[^\n]*--password-stdin)/g,
  /(\b(?:gh secret set|vault kv put)\b[^\n]*?--body\s+["']?)([^"'\n]{4,})(?=["']|$)/gm,
  /(\bexpect\s+"[^"]*assword[^"]*"\s*\n\s*send\s+")([^"\\]{4,})/g,
  /(\b(?:aws configure set|configure set)\s+aws_secret_access_key\s+)(\S{20,})/g,
  /(\bsecret access key(?:\s*\[[^\]]*\])?\s*[:=]\s*)([0-9A-Za-z+/]{40})\b/gi,
  /(^[+-]?\s*(?:export\s+)?\w*(?:password|passwd|pwd)=)([^\s"'`]{4,})$/gim,
  /(\bIDENTIFIED(?:\s+WITH\s+\S+)?\s+BY\s+')((?:[^']|''){4,}?)(?='(?!'))/gi,
  /(\bPASSWORD(?:\s+FOR\s+\S+\s*=)?\s+')((?:[^']|''){4,}?)(?='(?!'))/gi,
  /(\bConvertTo-SecureString\s+["'])([^"']{4,})/gi,
  /(\{PLAIN\})(\S{4,})/g,
  /(\bBuffer\.from\(\s*['"`][^:'"`]+:)([^'"`]{4,})(?=['"`]\s*\)\.toString\(\s*['"]base64)/g,
  /("auth"\s*:\s*")([0-9A-Za-z+/=]{12,})(?=")/g,
  /(:_auth(?:Token)?\s*=\s*["']?)([0-9A-Za-z+/=_-]{8,})/g,
  /(<(?:\w*:)?\w*(?:password|passwd|secret|token|apikey|passphrase)>)([^<\s][^<]{2,})(?=<\/)/gi,
  /(\b(?:key|name)=["']\w*(?:password|passwd|pwd|secret|token|apikey)["']\s+value=["'])([^"']{4,})/gi,
  /(\bdefine\(\s*['"]\w*(?:PASSWORD|PASS|SECRET|KEY|SALT|TOKEN)['"]\s*,\s*['"])([^'"]{4,})/g,
  /(^\s*(?:ENV|ARG)\s+\w*(?:PASSWORD|PASSWD|PASS|PWD|PW|SECRET|TOKEN|KEY)\s+)(\S{4,})/gm,
  /(\b(?:password|passwd)\s+)((?=\S*\d)(?=\S*[A-Za-z])[^\s'",;:.]{8,})(?=\s|$)/g,
  /(\w*pass(?:word|wd)?\w*\s*:\s*(?:[|>][+-]?\s*\n\s+|&\w+\s+["']?))([^\s"'][^\n"']{3,})/gi, // YAML blocks and anchors
  /(\bconst\s+\w*(?:PASSWORD|SECRET|TOKEN|KEY)\w*\s*:\s*&?'?\w*\s*\w*\s*=\s*["'])([^"']{4,})/gi,
];

function keepFront(all: string, front: string, secret: string): string {
  return isPlaceholder(secret) || secret.includes(GONE) ? all : `${front}${GONE}`;
}

// ---- `name = value`, in all the ways people write it ----

const VALUE = "(?:(\\\\*[\"'`])((?:(?!\\3)[^\\n]|\\'\\'){3,}?)\\3(?!\\3)|([^\\s\"'`,;&|)\\]}<>]{3,}))";
const NAME = '([\\w$.-]*(?:pass|pwd|pw|secret|token|key|credential|salt|pepper|auth)[\\w$-]*)';

const ASSIGNMENTS: RegExp[] = [
  new RegExp(`${NAME}(\\\\*["'\`]?\\]?\\s*(?::=|=>|[:=])\\s*b?)${VALUE}`, 'gi'),
  new RegExp(`${NAME}(\\s*(?:\\[[^\\]]*\\])?\\s*:\\s+)${VALUE}`, 'gi'),
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

function redactAssignment(all: string, name: string, middle: string, quote?: string, quoted = '', bare = ''): string {
  const value = quote === undefined ? bare : quoted;
  const sort = sortOf(name);
  if (sort === undefined || value.includes(GONE) || isPlaceholder(value)) return all;
  if (!isCredible(sort, value, quote !== undefined, /^[A-Z0-9_]+$/.test(name))) return all;
  return `${name}${middle}${quote ?? ''}${GONE}${quote ?? ''}`;
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

const SENTENCES: RegExp[] = [
  /(\b(?:password|passwd|passphrase|passcode|pass|pw|pin)\s+(?:is|was|=|:|→)\s*["'“`]?)([^\s"'”`,;]{4,})/gi,
  /(\bpw\s*[:=→]\s*["'`]?)([^\s"'`,;]{4,})/gi,
  /(\b(?:log ?in|sign in|login)\s+(?:with|as)\s+\S+\s*\/\s*)(\S{4,})/gi,
  /(\b(?:id|user|아이디)\s*\/\s*(?:pw|pass|password|비번|비밀번호)\s*[:=]?\s*\S+\s*\/\s*)(\S{4,})/gi,
  /(\buse\s+["'“`]?)([^\s"'”`]{6,})(?=["'”`]?\s+as\s+(?:the|your|my)\s+(?:password|passphrase|token|key))/gi,
  new RegExp(
    `(${KO_NAME}\\s*(?:는|은|이|가|를|을|로는|로|에는)?\\s*(?:물으면|물어보면)?\\s*[:=→]?\\s*["'\`‘「\\[(]?)([!-&*-\\\\^-~]{4,}?)${KO_AFTER}`,
    'g',
  ),
  new RegExp(
    `(${KO_NAME}\\s*[:=→]\\s*["'\`‘「\\[(]?)([^\\s"'\`’」\\])]*[가-힣][^\\s"'\`’」\\])]*[0-9!@#$%^&*_-][^\\s"'\`’」\\])]*)`,
    'g',
  ),
  /(^|[\s"'`])([!-~]{6,}?)(?=["'`]?\s*(?:가|이|을|를|은|는)\s*(?:비밀번호|비번|패스워드|암호|토큰)(?:야|입니다|이에요|예요|로|다|라고))/gm,
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
function redactTables(text: string): string {
  if (!/^\s*\|.*(?:비밀번호|비번|패스워드|암호|password|passwd|secret|token|\bpw\b)/im.test(text)) return text;
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
const NEAR_A_NAME =
  /((?:\bkey\b|\btoken\b|\bsecret\b|_key\b|_token\b|_secret\b|-key\b|api key|키|토큰)[^\n]{0,48}?[\s:="'([「])([0-9A-Za-z+/_%=-]{24,})(?=[\s"')\]」,.;]|$)/gi;
const NOT_A_SECRET = /sha\d|integrity|digest|commit|etag|uuid|checksum|fingerprint|public|publishable|ssh-/i;

function redactRandom(all: string, front: string, value: string): string {
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
  const changes = value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  const longestWord = Math.max(0, ...value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.length));
  const isRandom = changes >= 4 && longestWord < 12 && !/^(?:sha|h1)/.test(value);
  return isUuid || !isRandom || NOT_A_SECRET.test(front) || isPlaceholder(value) ? all : `${front}${GONE}`;
}
