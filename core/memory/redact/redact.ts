/**
 * Removes keys, tokens, passwords and private keys from a text before it is stored (M18, L1c), and
 * everything between <private> and </private>. One pass finds the words that announce a secret;
 * each rule looks only around its word. Names around a secret stay, and so does what only looks
 * like one: hashes, placeholders, types, prose about passwords.
 */
import { assignmentRules } from './assignments.ts';
import { findDotted, formatRules } from './formats.ts';
import { callRules } from './calls.ts';
import { commandRules } from './commands.ts';
import { blockRules } from './key-blocks.ts';
import { koreanRules } from './korean-sentences.ts';
import { placeRules } from './places.ts';
import { type Rule, Scan } from './scan.ts';
import { sentenceRules } from './sentences.ts';
import { WordFinder } from './word-finder.ts';

const PRIVATE_TAG = /<\/?private\s{0,64}>/gi;
/** Looked for by themselves: what is private must go even where the search has settled all. */
const PRIVATE_WORDS = ['<private', '<Private', '<PRIVATE'];
const OPENING_TAG = /<private\s{0,64}>/iy;

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
  #mayBePrivate = false;
  #hasPrivate = false;

  constructor() {
    const byWord = new Map<string, Rule[]>([['<private', []]]);
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
    if (PRIVATE_WORDS.some((word) => text.includes(word))) {
      const open = withoutPrivate(text);
      return this.#scanned(open, false).clean();
    }
    const scan = this.#scanned(text, true);
    if (!this.#hasPrivate) return scan.clean();
    // Written in an odd way, and so only noticed by the search.
    return this.#scanned(withoutPrivate(text), false).clean();
  }

  #scanned(text: string, mayBePrivate: boolean): Scan {
    this.#mayBePrivate = mayBePrivate;
    this.#hasPrivate = false;
    this.#scan = new Scan(text);
    findDotted(this.#scan);
    this.#scan.rewind();
    this.#finder.find(text, this.#found);
    return this.#scan;
  }

  readonly #found = (at: number, word: number): number => {
    if (word === 0 && this.#mayBePrivate && isOpeningTag(this.#scan.text, at)) {
      this.#hasPrivate = true;
      return this.#scan.text.length;
    }
    const rules = this.#rules[word] as Rule[];
    const end = at + (this.#lengths[word] as number);
    for (let each = 0; each < rules.length; each++) this.#scan.look(rules[each] as Rule, at, end);
    return this.#scan.doneUntil;
  };
}

function isOpeningTag(text: string, at: number): boolean {
  OPENING_TAG.lastIndex = at;
  return OPENING_TAG.test(text);
}

/** Tags nest; a tag that is never closed hides the rest of the text. */
function withoutPrivate(text: string): string {
  let open = '';
  let from = 0;
  let depth = 0;
  PRIVATE_TAG.lastIndex = 0;
  for (let tag = PRIVATE_TAG.exec(text); tag !== null; tag = PRIVATE_TAG.exec(text)) {
    if (text.charAt(tag.index + 1) !== '/') {
      if (depth === 0) open += text.slice(from, tag.index);
      depth++;
    } else if (depth > 0) {
      depth--;
      from = PRIVATE_TAG.lastIndex;
    }
  }
  return depth > 0 ? open : open + text.slice(from);
}
