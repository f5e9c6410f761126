/**
 * Names in texts of the work (files, identifiers, flags) and what each is worth to whoever goes on
 * with it: more, the oftener and the later it was named. A line is worth what it names that nothing
 * before it has named.
 */

/** Each character is looked at once, however long a run of them is. */
const TOKEN = /[\p{L}\p{N}_@./-]+/gu;
const FILE = /^[\w@-][\w@.-]*\.[a-z]{1,5}$/;
const IDENTIFIER = /^(?:[a-z][a-z0-9]*[A-Z]|[A-Z][a-z0-9]+[A-Z]|\w+_\w)/;
const FLAG = /^--[a-z]/;
const [MIN_CHARS, MAX_CHARS] = [4, 60];
const MIN_WORD_CHARS = 3;

interface Told {
  names: Set<string>;
  /** Other words. */
  words: number;
}

function readLine(line: string): Told {
  const told: Told = { names: new Set(), words: 0 };
  for (const [token] of line.matchAll(TOKEN)) {
    const before = told.names.size;
    addNames(token, told.names);
    if (told.names.size === before && token.length >= MIN_WORD_CHARS) told.words++;
  }
  return told;
}

function addNames(token: string, names: Set<string>): void {
  const add = (name: string) => {
    if (name.length >= MIN_CHARS && name.length <= MAX_CHARS) names.add(name.toLowerCase());
  };
  if (FLAG.test(token)) add(token);
  const last = token.slice(token.lastIndexOf('/') + 1);
  if (last !== token || FILE.test(token)) add(last);
  for (const piece of token.split(/[^\w]/)) if (IDENTIFIER.test(piece)) add(piece);
}

/** Files, identifiers and flags. */
export function namesIn(text: string): Set<string> {
  return readLine(text).names;
}

/** The names that a text says something about: in a line that is more than a list of names. */
export function namesToldIn(text: string): Set<string> {
  const all = new Set<string>();
  for (const line of text.split('\n')) {
    const { names, words } = readLine(line);
    if (names.size <= words) for (const name of names) all.add(name);
  }
  return all;
}

/** At this share of the work back from its end, a mention counts half. */
const HALF_AT = 0.25;
/** What is named all the time is known to everybody. */
const MOST = 2;
/** Whatever is new is worth a little. */
const LEAST = 0.05;

export class NameWorth {
  readonly #worth = new Map<string, number>();
  readonly #told = new Set<string>();

  /** `texts`: all that was said and done, the oldest first. */
  constructor(texts: readonly string[]) {
    texts.forEach((text, at) => {
      const age = (texts.length - at) / (texts.length * HALF_AT);
      for (const name of readLine(text).names)
        this.#worth.set(name, (this.#worth.get(name) ?? 0) + 0.5 ** age);
    });
  }

  /** The reader knows these from now on. */
  tell(text: string): void {
    for (const name of namesToldIn(text)) this.#told.add(name);
  }

  /** Of names that were not told yet. */
  of(names: Iterable<string>): number {
    let sum = 0;
    for (const name of names)
      if (!this.#told.has(name)) sum += LEAST + Math.min(MOST, this.#worth.get(name) ?? 0);
    return sum;
  }
}
