/**
 * Removes keys, tokens, passwords and private keys from a text before it is stored (M18), and
 * everything between <private> and </private>. Names around a secret stay, and so does what only
 * looks like one: hashes, placeholders, types, prose about passwords.
 */
import { ASSIGNMENTS, redactAssignment } from './assignments.ts';
import { KOREAN_SENTENCES } from './korean-sentences.ts';
import { GONE, isNoValue, isPlaceholder } from './placeholder.ts';
import { DISCORD_TOKEN, PRIVATE_KEY_BLOCK, SECRET_FORMATS } from './secret-formats.ts';
import { SECRET_PLACES } from './secret-places.ts';
import { type RedactionRule, rule, WordFinder } from './word-finder.ts';

const PRIVATE_TAG = rule(/<(\/?)private\s*>/gi, '<private');

export function redact(text: string): string {
  redaction ??= new Redaction();
  return redaction.clean(text);
}

/** Built on first use: hooks that redact nothing need not wait for it. */
let redaction: Redaction | undefined;

type Step = [RedactionRule, (text: string, pattern: RegExp) => string];

function replacing(
  rules: readonly RedactionRule[],
  // biome-ignore lint/suspicious/noExplicitAny: as String.replace takes it
  replacement: (found: string, ...groups: any[]) => string,
): Step[] {
  return rules.map((each) => [each, (text, pattern) => text.replace(pattern, replacement)]);
}

class Redaction {
  readonly #steps: Step[] = [
    [PRIVATE_TAG, withoutPrivate],
    ...replacing([PRIVATE_KEY_BLOCK], () => GONE),
    ...replacing(SECRET_FORMATS, wholeMatch),
    ...replacing(SECRET_PLACES, keepFront),
    [TABLE, (text, pattern) => (pattern.test(text) ? redactTables(text) : text)],
    ...replacing(ASSIGNMENTS, redactAssignment),
    ...replacing(SENTENCES, redactStated),
    ...KOREAN_SENTENCES.flatMap(([sentence, replace]) => replacing([sentence], replace)),
    ...replacing([NEAR_A_NAME], redactRandom),
  ];
  readonly #finder = new WordFinder(this.#steps.map(([{ words }]) => words));

  clean(text: string): string {
    const found = this.#finder.find(text);
    if (found?.[0] !== 1) return this.#redacted(text, found);
    // Redacting adds no words, but taking private text out may join two halves of one.
    const open = withoutPrivate(text, PRIVATE_TAG.pattern);
    return this.#redacted(open, this.#finder.find(open));
  }

  #redacted(text: string, found: Uint8Array | undefined): string {
    const { part, pattern } = DISCORD_TOKEN;
    let clean = part.test(text) ? text.replace(pattern, wholeMatch) : text;
    if (found === undefined) return clean;
    for (let at = 1; at < this.#steps.length; at++) {
      const [step, replace] = this.#steps[at] as Step;
      if (found[at] === 1) clean = replace(clean, step.pattern);
    }
    return clean;
  }
}

/** Tags nest; a tag that is never closed hides the rest of the text. */
function withoutPrivate(text: string, tag: RegExp): string {
  let open = '';
  let from = 0;
  let depth = 0;
  for (const { 0: found, 1: slash, index } of text.matchAll(tag)) {
    if (slash === '') {
      if (depth === 0) open += text.slice(from, index);
      depth++;
    } else if (depth > 0) {
      depth--;
      from = index + found.length;
    }
  }
  return depth > 0 ? open : open + text.slice(from);
}

function wholeMatch(found: string): string {
  return isPlaceholder(found) ? found : GONE;
}

function keepFront(all: string, front: string, secret: string): string {
  return isPlaceholder(secret) || secret.includes(GONE) ? all : `${front}${GONE}`;
}

// ---- Sentences ----

const SENTENCES: readonly RedactionRule[] = [
  rule(
    /(\b(?:password|passwd|passphrase|passcode|pass|pw|pin)\s+(?:is|was|=|:|→)\s*["'“`]?)([^\s"'”`,;]{4,})/gi,
    'pass|pw|pin ',
  ),
  rule(/(\bpw\s*[:=→]\s*["'`]?)([^\s"'`,;]{4,})/gi, 'pw'),
  rule(
    /(\b(?:log ?in|sign in|login)\s+(?:with|as)\s+\S+\s*\/\s*)(\S{4,})/gi,
    'login |log in |sign in ',
  ),
  rule(
    /(\b(?:id|user|아이디)\s*\/\s*(?:pw|pass|password|비번|비밀번호)\s*[:=]?\s*\S+\s*\/\s*)(\S{4,})/gi,
    'pw|pass|비번|비밀번호',
  ),
  rule(
    /(\buse\s+["'“`]?)([^\s"'”`]{6,})(?=["'”`]?\s+as\s+(?:the|your|my)\s+(?:password|passphrase|token|key))/gi,
    'pass|token|key',
  ),
];

function redactStated(all: string, front: string, match: string): string {
  const value = match.replace(/[.,!?]+$/, '');
  return isNoValue(value) ? all : `${front}${GONE}${match.slice(value.length)}`;
}

/** A column of passwords in a Markdown table. */
const COLUMN_NAMES = '비밀번호|비번|패스워드|암호|password|passwd|secret|token|pw';
const COLUMN = new RegExp(`^\\s*(?:${COLUMN_NAMES})\\s*$`, 'i');
const TABLE = rule(/^\s*\|/m, COLUMN_NAMES);

function redactTables(text: string): string {
  let secretColumns: number[] = [];
  const redactedRow = (line: string) => {
    const cells = line.split('|');
    const isRow = line.trim().startsWith('|');
    if (!isRow || secretColumns.length === 0) {
      secretColumns = cells.flatMap((cell, at) => (isRow && COLUMN.test(cell) ? [at] : []));
      return line;
    }
    if (/^[\s|:-]+$/.test(line)) return line;
    const isSecret = (cell: string, at: number) =>
      secretColumns.includes(at) && cell.trim() !== '' && !isPlaceholder(cell.trim());
    return cells.map((cell, at) => (isSecret(cell, at) ? ` ${GONE} ` : cell)).join('|');
  };
  return text.split('\n').map(redactedRow).join('\n');
}

/** A long random value soon after the word "key". */
const NEAR_A_NAME = rule(
  /((?:\bkey\b|\btoken\b|\bsecret\b|_key\b|_token\b|_secret\b|-key\b|api key|키|토큰)[^\n]{0,48}?[\s:="'([「])([0-9A-Za-z+/_%=-]{24,})(?=[\s"')\]」,.;]|$)/gi,
  'key|token|secret|키|토큰',
);
const NOT_A_SECRET =
  /sha\d|integrity|digest|commit|etag|uuid|checksum|fingerprint|public|publishable|ssh-/i;

function redactRandom(all: string, front: string, value: string): string {
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
  const changes = value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  const longestWord = Math.max(
    0,
    ...value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.length),
  );
  const isRandom = changes >= 4 && longestWord < 12 && !/^(?:sha|h1)/.test(value);
  return isUuid || !isRandom || NOT_A_SECRET.test(front) || isPlaceholder(value)
    ? all
    : `${front}${GONE}`;
}
