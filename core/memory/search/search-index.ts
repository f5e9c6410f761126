/**
 * Search over all layers and projects (M17): documents are put in and taken out, a question gives
 * ranked hits. The index is made from the files and disposable; `toBuffer` keeps it between two
 * runs, and what is new since then is simply put in.
 */
import { ChunkMemory } from './chunk-memory.ts';
import { scanChunks } from './chunks.ts';
import { type EntryColumns, type EntryFacts, type EntryFilter, EntryTable } from './entry-table.ts';
import { packColumns, unpackColumns } from './index-file.ts';
import { entryOf, type PostingColumns, Postings, renumbered } from './postings.ts';
import { askedWords } from './query.ts';
import { Ranker } from './rank.ts';
import { analyse, termsOf } from './tokenize.ts';
import { Vocabulary } from './vocabulary.ts';

export interface SearchDocument extends EntryFacts {
  text: string;
}

export interface SearchOptions extends EntryFilter {
  limit?: number;
}

export interface SearchHit extends EntryFacts {
  /** From 0 to 1; only of use to compare the hits of one search. */
  score: number;
  /** The terms of this entry that answered, the best first: `snippet` shows them in the text. */
  terms: string[];
  /** Words that were asked for and that this entry lacks. */
  missing: string[];
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;
/** A file that is replaced over and over must not make the index grow without end. */
const MOST_REMOVED = 1000;
const NO_NUMBER = -1;

export class SearchIndex {
  #vocabulary = new Vocabulary();
  #postings = new Postings();
  #entries = new EntryTable();
  #ranker: Ranker | undefined;
  readonly #chunks = new ChunkMemory((chunk) =>
    termsOf(analyse(chunk)).map((term) => this.#vocabulary.findOrAdd(term)),
  );

  /** `undefined` for what is damaged or of another version: then the index is made anew. */
  static fromBuffer(saved: Buffer): SearchIndex | undefined {
    const columns = unpackColumns(saved);
    if (columns === undefined) return undefined;
    const index = new SearchIndex();
    index.#vocabulary = Vocabulary.fromText(
      Buffer.from(columns.terms as Uint8Array).toString('utf8'),
    );
    index.#postings = new Postings(columns as unknown as PostingColumns);
    index.#entries = new EntryTable(columns as unknown as EntryColumns);
    return index;
  }

  /** Nothing of what was removed is written down, not even a word that only it had. */
  toBuffer(): Buffer {
    this.#chunks.forget();
    if (this.#entries.size < this.#entries.numbers) this.#dropRemoved();
    const terms = Buffer.from(this.#vocabulary.toText());
    return packColumns({ terms, ...this.#postings.toColumns(), ...this.#entries.toColumns() });
  }

  get size(): number {
    return this.#entries.size;
  }

  has(id: string): boolean {
    return this.#entries.find(id) !== undefined;
  }

  /** A document with the same id is replaced. */
  put(document: SearchDocument): void {
    this.remove(document.id);
    this.#ranker = undefined;
    const entry = this.#entries.numbers;
    const titleLength = this.#count(document.title ?? '', entry, true);
    this.#entries.add(document, titleLength + this.#count(document.text, entry, false));
  }

  remove(id: string): boolean {
    const wasThere = this.#entries.remove(id);
    if (wasThere) this.#ranker = undefined;
    const removed = this.#entries.numbers - this.#entries.size;
    if (removed > this.#entries.size + MOST_REMOVED) this.#dropRemoved();
    return wasThere;
  }

  search(query: string, options: SearchOptions = {}): SearchHit[] {
    const allowed = this.#entries.allowed(options);
    const asked = askedWords(query, this.#vocabulary);
    if (asked.length === 0) return [];
    this.#ranker ??= new Ranker(this.#postings, this.#entries);
    const ranker = this.#ranker;
    const best = ranker.best(
      asked,
      allowed,
      Math.min(Math.max(1, options.limit ?? DEFAULT_LIMIT), MAX_LIMIT),
    );
    const answers = ranker.answers(
      asked,
      best.map(({ entry }) => entry),
    );
    return best.map(({ entry, score }, index) => ({
      ...this.#entries.factsOf(entry),
      score,
      terms: (answers[index]?.terms ?? []).map((term) => this.#vocabulary.term(term)),
      missing: answers[index]?.missing ?? [],
    }));
  }

  #count(text: string, entry: number, isTitle: boolean): number {
    let length = 0;
    scanChunks(text, (start, end) => {
      const terms = this.#chunks.termsAt(text, start, end);
      for (const term of terms) this.#postings.count(term, entry, isTitle);
      length += terms.length;
    });
    return length;
  }

  #dropRemoved(): void {
    const [vocabulary, postings, entries] = [this.#vocabulary, this.#postings, this.#entries];
    this.#vocabulary = new Vocabulary();
    this.#postings = new Postings();
    this.#entries = new EntryTable();
    this.#ranker = undefined;
    this.#chunks.forget();
    const numbers = new Int32Array(entries.numbers).fill(NO_NUMBER);
    for (let entry = 0; entry < entries.numbers; entry++)
      if (!entries.isRemoved(entry))
        numbers[entry] = this.#entries.add(entries.factsOf(entry), entries.lengthOf(entry));
    const read = new Uint32Array(entries.numbers);
    for (let term = 0; term < vocabulary.size; term++) {
      const count = postings.read(term, read);
      let number: number | undefined;
      for (let at = 0; at < count; at++) {
        const posting = read[at] as number;
        const entry = numbers[entryOf(posting)] as number;
        if (entry === NO_NUMBER) continue;
        number ??= this.#vocabulary.findOrAdd(vocabulary.term(term));
        this.#postings.append(number, renumbered(posting, entry));
      }
    }
  }
}
