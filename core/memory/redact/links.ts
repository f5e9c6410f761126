/**
 * The value that belongs to a name without being assigned to it: the next cell of a table, the
 * `value` beside a `name`, a default, the argument of a call, a word behind "is", a line below, or
 * what stood before (M18, L1c). Much else stands in these places, so only a value that nobody would
 * take for a word or a name counts.
 */
import type { Scan } from './scan.ts';
import {
  isAboutSecrets,
  isAssuredPassword,
  isChosen,
  isMadeUp,
  isMember,
  isPlaceOrCode,
  isRandom,
  isUuid,
  isWordy,
} from './values.ts';

export interface Named {
  name: string;
  start: number;
  end: number;
  isPassword: boolean;
}

/** How a value follows its name; `before` must fit what stands before the name. */
interface Link {
  /** The first characters it can have behind the name: most links fail here. */
  first: string;
  pattern: RegExp;
  before?: RegExp;
  /** What must follow the value. */
  after?: RegExp;
  /** For names that are no words of a sentence, like `API_KEY` or `dbPassword`. */
  isForIdentifiers?: boolean;
  /** A text in code: a secret may be made of words. */
  isLiteral?: boolean;
  /** Nothing but the value can stand there: it may be short, or a word with a digit. */
  isOnly?: boolean;
}

const QUOTE = '["\'`]';
/** What the values of configuration are called where names are values too. */
const VALUE_NAME = '(?:[A-Za-z]{0,12}[Vv]alue|default|string|body)';

const LINKS: readonly Link[] = [
  // | name | value |
  {
    first: ' \t|`*"',
    pattern: /["'`*]{0,3}[ \t]{0,40}\|[ \t]{0,40}["'`*]{0,3}/y,
    before: /(?:^|\n|\|)[ \t`*"']{0,40}(?:[\w()/가-힣 -]{0,30} )?$/,
    after: /^["'`*]{0,3}[ \t]{0,40}(?:\||$|\n)/,
  },
  // name: N, value: V; <name>N</name><value>V</value>; variable "N" { default = "V" }; --value V
  {
    first: ' \t\r\n,"\'`<',
    pattern: new RegExp(
      `${QUOTE}?(?:</\\w{1,16}>)?[\\s,{]{0,80}(?:type\\s{0,4}=\\s{0,4}\\w{1,12}\\s{1,40})?(?:--|${QUOTE}|<)?${VALUE_NAME}(?:${QUOTE}?\\s{0,4}[:=]|>|[ \\t])\\s{0,4}${QUOTE}?`,
      'y',
    ),
    before: /(?:name|key|variable|var|param\w{0,8}|config\w{0,8}|env)\W{1,6}(?:\/[\w./-]{0,80})?$/i,
    isOnly: true,
  },
  // process.env.N || 'V'
  {
    first: ' \t"\'`])',
    pattern: /["'`]?[\])]{0,2}\s{0,4}(?:\|\||\?\?|\?:|or)\s{0,4}["'`]/y,
    isLiteral: true,
  },
  // {N=[V]}, as Java prints the parameters of a request
  { first: '=', pattern: /=\[/y, after: /^\]/ },
  // ${N:-V}
  { first: ':', pattern: /:[-=]?/y, before: /\$\{$/, after: /^\}/, isOnly: true },
  // N = new Secret("V"), []byte("V"), r"""V"""
  {
    first: ' \t:=',
    pattern:
      /[ \t]{0,4}(?::=|=|:)[ \t]{0,4}(?:(?:new )?(?![\w.]{0,40}(?:get|env|ENV|fetch|read|load|prompt|input|ask|find|quer|param|conf|requ|resolve|decrypt|label|hash|Error|print|log))[\w.:<>[\]&]{1,40}\(\s{0,4})?[frbu]{0,2}["'`]{1,3}/y,
    isLiteral: true,
  },
  { first: ' ', pattern: / \{ {0,2}get;[^}\n]{0,24}\} {0,2}= {0,2}"/y },
  { first: ' \t?', pattern: /[ \t]{0,4}\?=[ \t]{0,4}["']?/y },
  // <N>V</N>, <string name="N">V</string>
  { first: '"\'>', pattern: /["']?>/y, before: /[<"']$/, after: /^<\//, isOnly: true },
  // page.fill('#N', 'V'), getByLabel('N').fill('V'), (By.ID, "N").send_keys("V")
  {
    first: '"\'`])',
    pattern: /["'`]?\]?["'`]?(?:\)\.\w{2,16}\(|,)[ \t]{0,4}["'`]/y,
    before: /["'`#=.[]$/,
    isOnly: true,
  },
  // type(screen.getByLabelText(/N/i), 'V')
  { first: '/', pattern: /\/[a-z]{0,3}\)?,[ \t]{0,4}["'`]/y, before: /\(\/\W{0,2}$/ },
  // N is V; N for the server is V; N (of the server): V
  {
    first: ' "\'`*)’?,.;',
    pattern:
      /["'`*)]{0,3}(?:['’]s|(?: \([\w .-]{1,24}\)| (?:for|of|on|in|to|at) [\w.'@-]{1,40}(?: [\w.'-]{1,24}){0,2}?)?(?:\s{1,4}(?:is|was|are|to|becomes|->|=>|[-–—]|would be|should be|will be)(?: now)?:?|,?(?: then)? (?:type|enter|use|put|try)|(?: (?:has |was |got )?(?:changed|rotated|reset|updated|renewed))?[,.;]? (?:it|which|that)(?:['’]s| is| was)(?: now)?|\s{0,2}[:?]))(?:\s|<\/?\w{1,8}>|&nbsp;){1,4}["'`*“(]{0,3}/y,
  },
  // N는 V, N 값은 V
  {
    first: ' "\'`*(값은는이가을를로',
    pattern:
      /["'`*]{0,2}\s{0,2}(?:\([^)\n]{1,16}\)\s{0,2}[:=]?|(?:값\s?)?(?:[:=]|은|는|이|가|을|를|로)|여기 ?있어요?|이걸로 ?\S{1,4}|이거\S{0,2}|여기요?)[:,]?\s{1,4}["'`]?/y,
  },
  // Password:&nbsp;V
  { first: ':：', pattern: /(?::|：)(?:\*\*|<\/?\w{1,8}>|&nbsp;|\s){0,4}["'`]?/y },
  // export-like commands: setx N V
  { first: ' \t', pattern: /[ \t]{1,40}["'`(]?/y, isForIdentifiers: true },
  // N, and on the next line V
  {
    first: ' \t\r\n',
    pattern:
      /(?: below| here)?[ \t.:]{0,8}\r?\n[ \t]{0,8}(?:\r?\n[ \t]{0,8})?["'`]?(?!(?:[0-9a-f]{40}|[0-9a-f]{64})(?!\w))/y,
    before: /(?:^|\n)[ \t#>*-]{0,8}(?:[\w/가-힣-]{1,16} ){0,3}$/,
    after: /^["'`]?[ \t]{0,8}(?:\r?\n|$)/,
  },
];

/** `Login_password__x7` is a class. */
const ENDS_AS_SECRET =
  /(?:pass(?:word|wd|phrase|code)?|pwd?|passw|secret|token|key|pat|auth|credentials?|creds|salt|pepper|psk|bearer|secret_?id)\d{0,2}$/i;
const VALUE = /[^\s"'`<>|,]{6,512}/y;
const BEFORE_CHARS = 100;
const AFTER_CHARS = 48;

/** Whether a value was found, which then is withheld. */
export function judgeLinks(scan: Scan, named: Named): boolean {
  const { text } = scan;
  if (!ENDS_AS_SECRET.test(named.name)) return false;
  const first = text.charAt(named.end);
  for (const link of LINKS) {
    if (first === '' || !link.first.includes(first)) continue;
    if (link.isForIdentifiers && !isIdentifier(named.name)) continue;
    if (judgeLink(scan, named, link)) return true;
  }
  return judgeBefore(scan, named);
}

function judgeLink(scan: Scan, named: Named, link: Link): boolean {
  const { pattern, before, after, isLiteral = false, isOnly = false } = link;
  const { text } = scan;
  scan.spend(12);
  const from = endAt(pattern, text, named.end);
  const to = from < 0 ? -1 : endAt(VALUE, text, from);
  if (to < 0) return false;
  const value = trimmed(text.slice(from, to));
  scan.spend(40 + value.length);
  const end = from + value.length;
  const front = text.slice(Math.max(0, named.start - BEFORE_CHARS), named.start);
  if (before !== undefined && !before.test(front)) return false;
  if (after !== undefined && !after.test(text.slice(end, end + AFTER_CHARS))) return false;
  const isIt =
    isSure(value, named) ||
    (isLiteral && isOfWords(value, named)) ||
    (isOnly && isValue(value, named));
  if (!isIt) return false;
  scan.settle(from, end);
  return true;
}

function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** What ends a sentence or an expression is no part of the value. */
function trimmed(value: string): string {
  const ascii = /^[!-~]*/.exec(value)?.[0] ?? '';
  return ascii.replace(/[.,;:!?)}\]*\\]+$/, (end) => (end.startsWith('!') ? '!' : ''));
}

const SAYS_IT =
  /(?:^|[\s"'`(])([^\s"'`()]{6,200})["'`]?(?: (?:is|was|=|as|[–—-]) | {1,2}<- ?| \()(?:(?:the|my|our|your|a)\s)?(?:[\w.'-]{1,16} ){0,2}$/;

/** `Client('V') # our API key` */
const COMMENTED =
  /["'`]([^\s"'`]{16,200})["'`][\s);,\]}]{0,6}(?:#|\/\/|--|\/\*)[ \t]{0,2}(?:[\w.'-]{1,20} ){0,4}$/;

const TYPE_IT =
  /(?:enter|type|use|try|with|put) ["'`]?([^\s"'`()]{6,200})["'`]? (?:when|whenever|if|at|for|as|into|in|to) (?:[\w',]{1,16} ){0,6}$/i;

/** "V is the password", "V (API_KEY)", "type V when it asks for the password". */
function judgeBefore(scan: Scan, named: Named): boolean {
  const last = scan.text.charAt(named.start - 1);
  if (last !== ' ' && last !== '(') return false;
  scan.spend(120);
  const before = scan.text.slice(Math.max(0, named.start - BEFORE_CHARS - 100), named.start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const value = (SAYS_IT.exec(line) ?? TYPE_IT.exec(line) ?? COMMENTED.exec(line))?.[1] ?? '';
  if (value === '' || !isSure(value, named)) return false;
  const from = named.start - before.length + before.lastIndexOf(value);
  scan.withhold(from, from + value.length);
  return true;
}

/** `API_KEY`, `dbPassword`, `auth-token`: no word of a sentence. */
function isIdentifier(name: string): boolean {
  return /\w[_.-]\w|[a-z][A-Z]|^[A-Z][A-Z0-9]{5,}$|^[a-z]{2,}(?:pass|pwd?|passwd|password|secret|apikey|authtoken)$/.test(
    name,
  );
}

/** `moss-covered-3-stones`, for a name that says plainly what it is. */
function isOfWords(value: string, { name, isPassword }: Named): boolean {
  if (isPassword || value.length < MIN_OF_WORDS || !/(?:secret|salt|pepper)$/i.test(name))
    return false;
  if (/^[A-Z0-9_]+$/.test(value)) return false; // the name of a variable
  return /[-_ ].*\d/.test(value) && isWordy(value) && !isMadeUp(value) && !isAboutSecrets(value);
}

/** Where a value must stand: a password with a digit, a key that is shorter than most. */
function isValue(value: string, { isPassword }: Named): boolean {
  if (isPassword)
    return /\d/.test(value) && !/^pass/i.test(value) && isChosen(value) && !isMember(value);
  return value.length >= MIN_VALUE && !isMadeUp(value) && isRandom(value) && !isPlaceOrCode(value);
}

const MIN_VALUE = 10;
const MIN_OF_WORDS = 12;
const MIN_DRAWN = 16;
/** These hold ids. */
const HOLDS_ID = /session|idempot|cache|request|trace|csrf|nonce|page/i;

function isSure(value: string, { name, isPassword }: Named): boolean {
  if (isPassword) return isAssuredPassword(value);
  if (isUuid(value)) return isIdentifier(name) && !HOLDS_ID.test(name);
  if (/[-_:/][0-9a-f]{32,}$/.test(value)) return false; // the key of a cache
  return value.length >= MIN_DRAWN && !isMadeUp(value) && isRandom(value) && !isPlaceOrCode(value);
}
