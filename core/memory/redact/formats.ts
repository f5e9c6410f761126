/**
 * Secrets of a recognisable form, whatever is around them: how they begin, of which characters and
 * how many the rest is (M18, L1c). What the issuers document, and what public scanners know.
 */
import type { Judge, Rule, Scan } from './scan.ts';
import { isMadeUpKey, isRandom, isWordy } from './values.ts';

const HEX = 1;
const UPPER_OR_DIGIT = 2;
const LETTER_OR_DIGIT = 4;
const UNDERSCORE = 8;
const HYPHEN = 16;
const DOT = 32;
/** `+/=` of base64. */
const BASE64 = 64;

const SETS: Record<string, number> = {
  h: HEX,
  U: UPPER_OR_DIGIT,
  w: LETTER_OR_DIGIT,
  u: LETTER_OR_DIGIT | UNDERSCORE,
  k: LETTER_OR_DIGIT | HYPHEN,
  d: LETTER_OR_DIGIT | UNDERSCORE | HYPHEN,
  t: LETTER_OR_DIGIT | UNDERSCORE | HYPHEN | DOT,
  b: LETTER_OR_DIGIT | BASE64,
  a: LETTER_OR_DIGIT | BASE64 | UNDERSCORE | HYPHEN,
};

/** Beginning, set of the other characters, how many at least (`=`: exactly so many). */
const FORMATS = `
AKIA U 16=|ASIA U 16=|ABIA U 16=|ACCA U 16=|ABSK b 100|IQoJb3JpZ2lu a 80|FwoGZXIv a 80|bedrock-api-key- b 60|LTAI w 16|AKID w 28
ghp_ w 30|gho_ w 30|ghu_ w 30|ghs_ w 30|ghr_ w 30|github_pat_ u 30
glpat- t 16|gldt- d 16|glrt- t 16|glcbt- d 16|glptt- d 16|glsoat- d 16|glft- d 16|glimt- d 16|glagent- d 40|gloas- d 40|glffct- d 16|GR1348941 d 20=
ATBB w 24|ATATT3 a 60|ATCTT3 a 60|ATSTT3 a 60|ATOA a 60|ATTA w 60
xoxb- d 16|xoxp- d 16|xoxa- d 16|xoxe- d 16|xoxr- d 16|xoxs- d 16|xoxo- d 16|xoxe.xox t 20|xapp- d 16
sk_live_ w 16|sk_test_ w 16|rk_live_ w 16|rk_test_ w 16|sk_prod_ w 16|live_sk_ w 20|test_sk_ w 20|live_gsk_ w 20|test_gsk_ w 20|whsec_ b 16
sk- d 24|sk-ant- d 24|sk-proj- d 24|sk-svcacct- d 24|sk-admin- d 24|sk-or-v1- w 24|sk_ w 32|hf_ w 30|api_org_ w 30|gsk_ w 40|xai- u 32|pplx- w 32|r8_ w 30|fw_ w 22|csk- w 30|tgp_v1_ d 30|pcsk_ u 40|lsv2_pt_ u 30|lsv2_sk_ u 30|jina_ d 40|nvapi- d 40
AIza d 30|ya29. d 20|GOCSPX- d 20|1// d 40
npm_ w 30|pypi- d 40|dckr_pat_ d 20|dckr_oat_ d 20|rubygems_ h 40|CLOJARS_ w 40|oy2 w 43=|ddp_ w 30|ddw_ w 30
dapi h 32|dp.pt. w 40|dp.st. t 40|dp.ct. w 40|dp.sa. w 40|dp.scim. w 40|dp.audit. w 40
hvs. d 16|hvb. d 16|hvr. d 16|dop_v1_ h 40|doo_v1_ h 40|dor_v1_ h 40|HRKU- d 30|nfp_ w 30|nfc_ w 30|nfo_ w 30|nfu_ w 30|vcp_ w 24|vck_ w 24|vci_ w 24|vca_ w 24|vcr_ w 24
cfut_ d 30|cfat_ d 30|cfk_ d 30|v1.0- d 80|rnd_ w 28|napi_ w 40|pscale_tkn_ t 30|pscale_pw_ t 30|pscale_oauth_ t 30
sbp_ u 40|sb_secret_ d 20|lin_api_ w 32|lin_oauth_ w 32|secret_ w 40|ntn_ w 40|shpat_ h 30|shpss_ h 30|shpca_ h 30|shppa_ h 30|shptka_ h 30
sq0atp- d 22|sq0csp- d 40|sq0idp- d 22|EAAA d 55|EAAM w 100|EAAC w 100|access_token$production$ w 20|access_token$sandbox$ w 20|figd_ d 30|figo_ d 30
sntrys_ a 60|sntryu_ h 60|AGE-SECRET-KEY-1 U 40|fo1_ d 40|fm1r_ a 60|fm1a_ a 60|fm2_ a 60|glsa_ u 30|glc_ b 32
pat-na1- k 32|pat-eu1- k 32|pat-na2- k 32|pul- h 40=|re_ u 24|xkeysib- k 60|xsmtpsib- k 60|tskey- d 20|PMAK- k 50|NRAK- w 27=|NRAA- w 27=|NRII- d 27
key- h 32=|SK h 32=|dt0c01. t 60|dt0s01. t 60|EZAK w 54|EZTK w 54|FLWSECK- k 30|FLWSECK_TEST- k 30|fio-u- d 60|ico- w 32=|ops_eyJ b 200|API- U 25
pnu_ w 36=|pnb_ w 36=|rdme_ w 60|tk-us- d 40|shippo_live_ h 40|shippo_test_ h 40|sgp_ u 40|tfp_ d 40|CFPAT- d 40|CCIPAT_ u 40|bkua_ h 40|squ_ h 40|sqp_ h 40|sqa_ h 40
phx_ w 30|sha256~ d 40|duffel_live_ d 40|duffel_test_ d 40|LKIA w 16|cmVmd w 55|AKCp w 60|sl. d 100|ATNFT a 60|SECRET- w 24|p8e- w 32|whk_ w 24|apify_api_ w 30|e2b_ h 30|exa_ w 24|xprv w 100
nsec1 w 58=|sk.eyJ t 40|tvly- d 24|hcaik_ w 40|IGQV d 80|mdb_sa_sk_ d 30|access-production- k 32|access-development- k 32|AQVN d 35|y0_ d 50|hbp_ w 30|esecret_ w 24|sk-lf- k 32|dose h 32=
fc- h 32=|xoxc- d 16|xoxd- t 16|v2.local. t 80|v4.local. t 80|shpua_ h 30|rpa_ w 30|EAAG w 60|EAAB w 60|EAAJ w 60|EAAI w 60|EAAD w 60|EAAH w 60|sdk- k 36=|cio w 32=|dG9rO b 40|amzn.mws. k 36|amzn1.oa2-cs.v1. w 60|SWMTKN-1- k 60|AQ.Ab d 35
cs_ h 40=|ck_ h 40=|oauth: w 30=|live_ w 30=|pdl_live_ d 30|pdl_sdbx_ d 30|os_v2_app_ w 40|os_v2_org_ w 40|sec-c- k 36=|secret-live- d 30|secret-test- d 30|akab- k 33|t1. t 80|ucat_ w 26|syt_ u 30|ptr_ b 40|key_ h 100|act. d 60|CCIPRJ_ u 40|pat. t 60|sat. t 60|wandb_v1_ d 30|npg_ w 12|slk_ h 60
`;

/** A run of characters like base64 may hold such letters by chance: hence what comes before. */
const BEGINS = /[0-9A-Za-z_]/;

interface Format {
  prefix: string;
  set: number;
  least: number;
  isExact: boolean;
}

const HEX_DIGITS = [...'0123456789abcdef'];
const classOf = new Uint8Array(128);

function fillClasses(): void {
  const fill = (from: string, to: string, set: number) => {
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) classOf[code] = set;
  };
  fill('a', 'z', LETTER_OR_DIGIT);
  fill('A', 'Z', LETTER_OR_DIGIT | UPPER_OR_DIGIT);
  fill('a', 'f', LETTER_OR_DIGIT | HEX);
  fill('A', 'F', LETTER_OR_DIGIT | UPPER_OR_DIGIT | HEX);
  fill('0', '9', LETTER_OR_DIGIT | UPPER_OR_DIGIT | HEX);
  fill('_', '_', UNDERSCORE);
  fill('-', '-', HYPHEN);
  fill('.', '.', DOT);
  for (const sign of '+/=') fill(sign, sign, BASE64);
}

/** Where the run of characters of a set ends. */
function endOfRun(text: string, from: number, set: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code > 127 || ((classOf[code] as number) & set) === 0) break;
    at++;
  }
  return at;
}

/** `\nghp_…` in a text that is quoted JSON begins behind the `n`. */
function isBeginning(text: string, at: number): boolean {
  if (at === 0 || !BEGINS.test(text.charAt(at - 1)) || !BEGINS.test(text.charAt(at))) return true;
  return /[nrt]/.test(text.charAt(at - 1)) && text.charAt(at - 2) === '\\';
}

export const formatRules = (): Rule[] => [
  { words: formatWords(), judge: judgeFormat, cost: 12 },
  ...shapes().map(([words, judge]) => ({ words: words.split('|'), judge, cost: 40 })),
];

function formatRows(formats: string): string[] {
  return formats.trim().split(/[|\n]/);
}

/** Runs in every hook that saves something: the table itself is read when a word was found. */
function formatWords(): string[] {
  const words = formatRows(FORMATS.toLowerCase()).map((row) => row.slice(0, row.indexOf(' ')));
  const others = words.filter((word) => word !== 'sk' && !Object.values(BY_END).includes(word));
  // The word `sk` alone would be found in every `task`.
  return [...others, ...Object.keys(BY_END), ...HEX_DIGITS.map((digit) => `sk${digit}`)];
}

/** Looked for by their end, since `test` and `github` are everywhere. */
const BY_END: Record<string, string> = {
  hub_pat_: 'github_pat_',
  t_sk_: 'test_sk_',
  e_sk_: 'live_sk_',
  t_gsk_: 'test_gsk_',
  e_gsk_: 'live_gsk_',
};
let table: Map<string, Format> | undefined;

function readTable(): Map<string, Format> {
  fillClasses();
  return new Map(
    formatRows(FORMATS).map((row) => {
      const [prefix = '', set = '', least = ''] = row.split(' ');
      return [
        prefix,
        {
          prefix,
          set: SETS[set] as number,
          least: Number.parseInt(least, 10),
          isExact: least.endsWith('='),
        },
      ];
    }),
  );
}

function judgeFormat(scan: Scan, at: number, end: number): void {
  const { text } = scan;
  table ??= readTable();
  const word = text.slice(at, end);
  const prefix = BY_END[word] ?? (word.startsWith('SK') ? 'SK' : word);
  const start = prefix === 'SK' ? at : end - prefix.length;
  const format = table.get(prefix);
  if (format === undefined || !text.startsWith(prefix, start) || !isBeginning(text, start)) return;
  const { set, least, isExact } = format;
  const from = start + prefix.length;
  const to = endOfRun(text, from, set);
  const length = to - from;
  scan.spend(20 + length / 4);
  if (isExact ? length !== least : length < least) return;
  if (isKey(text.slice(from, to), prefix, set === UPPER_OR_DIGIT))
    scan.settle(start, withoutDots(text, to));
}

function isKey(rest: string, prefix: string, isCapital: boolean): boolean {
  if (isMadeUpKey(rest) || /^[a-z-]+$|^[a-z_]+$|^\d+$/.test(rest)) return false;
  // Short beginnings are common, and so they need a rest that is surely no words.
  return prefix.length > 4 || isCapital || isRandom(rest) || (prefix.length > 3 && !isWordy(rest));
}

/** The end of a sentence is no part of a key. */
function withoutDots(text: string, to: number): number {
  let end = to;
  while (text.charAt(end - 1) === '.') end--;
  return end;
}

// ---- Secrets that are told by their shape rather than by how they begin ----

const DISCORD = {
  words: [],
  judge: middle(30, /[MNO][\w-]{17,28}\.[\w-]{6}\.[\w-]{25,60}/y),
  cost: 60,
};
const AIRTABLE = { words: [], judge: middle(17, /pat\w{14}\.[0-9a-f]{64}(?!\w)/y), cost: 60 };
/** What is behind the first dot of either. */
const BEHIND_DOT = /\.(?:[\w-]{6}\.[\w-]{25}|[0-9a-f]{64})/g;
const MIN_DOTTED = 50;

/** No word announces these tokens, of Discord and of Airtable. */
export function findDotted(scan: Scan): void {
  if (scan.text.length < MIN_DOTTED) return;
  BEHIND_DOT.lastIndex = 0;
  for (let found = BEHIND_DOT.exec(scan.text); found; found = BEHIND_DOT.exec(scan.text)) {
    scan.look(DISCORD, found.index, found.index + 1);
    scan.look(AIRTABLE, found.index, found.index + 1);
    BEHIND_DOT.lastIndex = found.index + 1;
  }
}

/** Judges with a pattern that is tried only at one place. */
function shape(pattern: RegExp, isFake = isMadeUpKey): Judge {
  return (scan, at) => {
    if (!isBeginning(scan.text, at)) return;
    pattern.lastIndex = at;
    const found = pattern.exec(scan.text);
    if (found === null) return;
    const secret = found[1] ?? found[0];
    const from = found.index + found[0].length - secret.length;
    if (!isFake(secret)) scan.settle(from, from + secret.length);
  };
}

/** Its signs would pass for those of a reference. */
function isFakeHash(hash: string): boolean {
  return isMadeUpKey(hash.replaceAll('$', ''));
}

/** Goes back over letters and digits to where a token begins that is known by its middle. */
function middle(most: number, pattern: RegExp): Judge {
  return (scan, at) => {
    let from = at;
    while (from > 0 && at - from < most && /[\w~.-]/.test(scan.text.charAt(from - 1))) from--;
    scan.spend((at - from) * 4);
    for (let start = from; start <= at; start++) {
      if (!isBeginning(scan.text, start)) continue;
      pattern.lastIndex = start;
      const found = pattern.exec(scan.text);
      if (found === null || found.index + found[0].length <= at) continue;
      if (!isMadeUpKey(found[0])) scan.settle(start, start + found[0].length);
      return;
    }
  };
}

const shapes = (): [words: string, Judge][] => [
  ['slack.com/', shape(/slack\.com\/(?:services|workflows|triggers)\/([\w/-]{16,200})/y)],
  ['/api/webhooks/', shape(/\/api\/webhooks\/([\w/-]{16,200})/y)],
  ['alchemy.com/v2/', shape(/alchemy\.com\/v2\/([\w-]{24,64})/y)],
  ['infura.io/v3/', shape(/infura\.io\/v3\/([0-9a-f]{32})/y)],
  ['/catch/', shape(/\/catch\/([\w/]{10,64})/y)],
  ['incomingwebhook/', shape(/incomingwebhook\/([0-9a-f]{32})/iy)],
  ['ankr.com/', shape(/ankr\.com\/\w{2,24}\/([0-9a-f]{40,64})/y)],
  ['quiknode.pro/', shape(/quiknode\.pro\/([0-9a-f]{40})/y)],
  ['/private-', shape(/\/private-([0-9a-f]{32})(?=\/)/y)],
  ['appid=', shape(/appid=([0-9a-f]{32})(?!\w)/y)],
  ['/with/key/', shape(/\/with\/key\/([\w-]{16,64})/y)],
  ['/bot/v2/hook/', shape(/\/bot\/v2\/hook\/([\w-]{16,64})/y)],
  ['webhook.office.com', shape(/webhook\.office\.com\/(webhookb2\/[\w/@-]{16,300})/y)],
  ['atlasv1.', middle(16, /\w{14}\.atlasv1\.[\w=-]{40,100}/y)],
  [
    HEX_DIGITS.slice(0, 10)
      .map((digit) => `${digit}q~`)
      .join('|'),
    middle(4, /[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/y),
  ],
  ['azdo', middle(80, /\w{76}AZDO\w{4}(?!\w)/y)],
  [':aa', middle(12, /\d{8,10}:AA[\w-]{30,50}/y)],
  ['/bot', shape(/\/bot(\d{8,10}:[\w-]{30,50})/y)],
  [
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `-us${digit}`).join('|'),
    middle(32, /[0-9a-f]{32}-us\d{1,2}(?!\w)/y),
  ],
  ['!aq', middle(18, /00D\w{12,15}!AQ[\w.]{60,120}/y)],
  ['nral', middle(36, /[0-9a-f]{36}NRAL(?!\w)/y)],
  ['pk_', shape(/pk_\d{5,10}_[A-Z0-9]{32}(?!\w)/y)],
  ['token-', shape(/token-[a-z0-9]{5}:[a-z0-9]{54}(?!\w)/y)],
  ['sg.', shape(/SG\.[\w-]{16,32}\.[\w-]{30,60}/y)],
  ['_mmk', middle(40, /\w{6}_\w{29}_mmk(?!\w)/y)],
  ['a3-', shape(/A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y)],
  [
    '_secret_|_live_|_prod_',
    middle(9, /(?!pk_)[a-z]{2,8}_(?:secret|live|prod)_[0-9A-Za-z]{16,100}/y),
  ],
  ['(\'ac|("ac', shape(/\(["']AC[0-9a-f]{32}["'],\s{0,4}["']([0-9a-f]{32})/y)],
  ['sig=', shape(/sig=([\w%+/=-]{20,200})/y)],
  [':apa91', middle(12, /AAAA[\w-]{7}:APA91[\w-]{90,200}/y)],
  ['$2a$|$2b$|$2y$', shape(/\$2[aby]\$\d\d\$[./\w]{53}/y, isFakeHash)],
  [
    '$apr1$|$1$|$5$|$6$|$y$',
    shape(
      /\$(?:apr1|1|5|6|y)\$(?:rounds=\d{1,9}\$)?[./\w]{1,32}\$[./\w]{16,100}(?:\$[./\w]{20,60})?/y,
      isFakeHash,
    ),
  ],
  ['{ssha', shape(/\{SSHA\d{0,3}\}[\w+/=]{24,120}/y)],
  ['{sha}', shape(/\{SHA\}[\w+/=]{24,60}/y)],
  [
    'pbkdf2',
    shape(/pbkdf2[_:]sha\d{1,3}[$:]\d{1,8}[$:][\w./+=-]{4,64}\$[\w+/=]{20,100}/y, isFakeHash),
  ],
  ['scrypt:', shape(/scrypt:\d{1,8}:\d{1,3}:\d{1,3}\$\w{4,64}\$[0-9a-f]{32,160}/y, isFakeHash)],
  [
    '$argon2',
    shape(/\$argon2\w{1,2}\$v=\d+\$[\w=,]{5,40}\$[\w+/]{10,90}\$[\w+/]{20,120}/y, isFakeHash),
  ],
];
