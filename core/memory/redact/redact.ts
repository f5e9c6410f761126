/**
 * Removes keys, tokens, passwords and private keys from a text before it is stored (M18, L1c), and
 * everything between <private> and </private>. One pass finds the words that announce a secret;
 * each rule looks only around its word. Names around a secret stay, and so does what only looks
 * like one: hashes, placeholders, types, prose about passwords.
 */
import { assignmentRules } from './assignments.ts';
import { callRules } from './calls.ts';
import { commandRules } from './commands.ts';
import { findDotted, formatRules } from './formats.ts';
import { blockRules } from './key-blocks.ts';
import { koreanRules } from './korean-sentences.ts';
import { placeRules } from './places.ts';
import { readingOf } from './reading.ts';
import { type Rule, Scan } from './scan.ts';
import { sentenceRules } from './sentences.ts';
import { WordFinder } from './word-finder.ts';

export function redact(text: string): string {
  redaction ??= new Redaction();
  return redaction.clean(text);
}

/** Built on first use: hooks that redact nothing need not wait for it. */
let redaction: Redaction | undefined;

class Redaction {
  /** By word: how long it is, and who looks where it stands. */
  readonly #lengths: number[] = [];
  readonly #rules: Rule[][] = [];
  readonly #finder: WordFinder;
  #scan = new Scan('');

  constructor() {
    const byWord = new Map<string, Rule[]>();
    for (const rule of [
      ...blockRules(),
      ...formatRules(),
      ...placeRules(),
      ...commandRules(),
      ...callRules(),
      ...assignmentRules(),
      ...sentenceRules(),
      ...koreanRules(),
    ])
      for (const word of rule.words) {
        const rules = byWord.get(word);
        if (rules === undefined) byWord.set(word, [rule]);
        else rules.push(rule);
      }
    for (const [word, rules] of byWord) {
      this.#lengths.push(word.length);
      this.#rules.push(rules);
    }
    this.#finder = new WordFinder([...byWord.keys()]);
  }

  clean(text: string): string {
    const open = withoutPrivate(text);
    const reading = readingOf(open);
    this.#scan = new Scan(reading.text);
    findDotted(this.#scan);
    this.#scan.rewind();
    this.#finder.find(this.#scan.text, this.#found);
    return this.#scan.cleaned(open, reading.placeOf);
  }

  readonly #found = (at: number, word: number): number => {
    const rules = this.#rules[word] as Rule[];
    const end = at + (this.#lengths[word] as number);
    for (let each = 0; each < rules.length; each++) this.#scan.look(rules[each] as Rule, at, end);
    return this.#scan.doneUntil;
  };
}

/** Tags nest; a tag that is never closed hides the rest of the text. */
function withoutPrivate(text: string): string {
  let open = '';
  let from = 0;
  let depth = 0;
  for (let at = nextTag(text, -1); at >= 0; at = nextTag(text, at)) {
    const end = endOfTag(text, at);
    if (end < 0) continue;
    if (text.charCodeAt(at + 1) !== SLASH) {
      if (depth === 0) open += text.slice(from, at);
      depth++;
    } else if (depth > 0) {
      depth--;
      from = end;
    }
  }
  return depth > 0 ? open : open + text.slice(from);
}

/** Of signs in a row only the last can begin a tag; to search for each would take its time. */
function nextTag(text: string, at: number): number {
  let next = text.indexOf('<', at + 1);
  while (next >= 0 && text.charCodeAt(next + 1) === LESS_THAN) next++;
  return next;
}

const LESS_THAN = 60;
const SLASH = 47;
const GREATER_THAN = 62;
const TAG_NAME = 'private';
const MAX_BLANKS = 64;
const SMALL = 32;

/** Where a tag ends that begins here, or -1: read by hand, since a pattern takes ten times as long. */
function endOfTag(text: string, start: number): number {
  let at = text.charCodeAt(start + 1) === SLASH ? start + 2 : start + 1;
  for (let letter = 0; letter < TAG_NAME.length; letter++, at++)
    if ((text.charCodeAt(at) | SMALL) !== TAG_NAME.charCodeAt(letter)) return -1;
  const most = at + MAX_BLANKS;
  while (at < most && isBlank(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === GREATER_THAN ? at + 1 : -1;
}

function isBlank(code: number): boolean {
  return (
    code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)))
  );
}
