/**
 * Search over all layers and projects (M17): documents are added and removed, and a query returns
 * ranked hits. The index can always be rebuilt from the files; `toBuffer` saves it between runs, so
 * that only new documents must be added.
 */
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import { attempt } from '../../platform/store/attempt.ts';
import { marksOfChunk } from './answer-kinds.ts';
import { ChunkCache } from './chunk-cache.ts';
import { rarityOf } from './entry-context.ts';
import { entryMatches } from './entry-matches.ts';
import { type EntryFilter, type EntryInfo, EntryTable, type SavedEntries } from './entry-table.ts';
import { entryOf, Postings, renumbered, type SavedPostings } from './postings.ts';
import { queryWords } from './query.ts';
import { Ranker } from './rank.ts';
import { analyse, scanChunks, termsOf } from './tokenize.ts';
import { Vocabulary } from './vocabulary.ts';

export interface SearchDocument extends EntryInfo {
  text: string;
}

export interface SearchOptions extends EntryFilter {
  limit?: number;
  /** What "yesterday" in a question is counted from. */
  now?: Date;
}

export interface SearchHit extends EntryInfo {
  /** From 0 to 1; only comparable within one search. */
  score: number;
  /** The terms of this entry that matched, the best first: `snippet` shows them in the text. */
  terms: string[];
  /** Words of the query that this entry lacks. */
  missing: string[];
}

interface SavedIndex {
  version: number;
  // Texts, the second of them JSON: V8 loads them several times faster than lists of strings.
  terms: Buffer;
  strings: Buffer;
  columns: SavedEntries['columns'];
  postings: SavedPostings;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;
/** A file that is replaced over and over must not make the index grow without end. */
const MAX_REMOVED = 1000;
const NO_NUMBER = -1;
/** Among fewer entries every word would seem common. */
const LEAST_FOR_RARITY = 200;
/** Raise it whenever the format or the tokenizer changes: an older index would miss words. */
const VERSION = 4;
const CHECKSUM_BYTES = 4;

export class SearchIndex {
  #vocabulary = new Vocabulary();
  #postings = new Postings();
  #entries = new EntryTable();
  #ranker: Ranker | undefined;
  readonly #chunks = new ChunkCache((chunk) =>
    [...termsOf(analyse(chunk)), ...marksOfChunk(chunk)].map((term) =>
      this.#vocabulary.findOrAdd(term),
    ),
  );

  /** Undefined if damaged or of another version. Owns the buffer: arrays may be views of it. */
  static fromBuffer(saved: Buffer): SearchIndex | undefined {
    const content = saved.subarray(CHECKSUM_BYTES);
    if (content.length === 0 || saved.readUInt32LE() !== crc32(content)) return undefined;
    const parts: SavedIndex | undefined = attempt(() => deserialize(content), undefined); // of a newer V8
    if (parts?.version !== VERSION) return undefined;
    const strings = JSON.parse(parts.strings.toString('utf8'));
    const index = new SearchIndex();
    index.#vocabulary = Vocabulary.fromText(parts.terms.toString('utf8'));
    index.#postings = new Postings(parts.postings);
    index.#entries = new EntryTable({ ...strings, columns: parts.columns });
    return index;
  }

  /** Contains nothing of what was removed, not even a word that only it had. */
  toBuffer(): Buffer {
    this.#chunks.clear();
    if (this.#entries.size < this.#entries.numbers) this.#dropRemoved();
    const { columns, ...strings } = this.#entries.toSaved();
    const content = serialize({
      version: VERSION,
      terms: Buffer.from(this.#vocabulary.toText()),
      strings: Buffer.from(JSON.stringify(strings)),
      columns,
      postings: this.#postings.toSaved(),
    } satisfies SavedIndex);
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(content));
    return Buffer.concat([checksum, content]);
  }

  /** Replaces a document with the same id. */
  put(document: SearchDocument): void {
    this.remove(document.id);
    this.#ranker = undefined;
    const entry = this.#entries.numbers;
    const titleLength = this.#count(document.title ?? '', entry, true);
    this.#entries.add(document, titleLength + this.#count(document.text, entry, false));
  }

  remove(id: string): void {
    if (!this.#entries.remove(id)) return;
    this.#ranker = undefined;
    const removed = this.#entries.numbers - this.#entries.size;
    if (removed > this.#entries.size + MAX_REMOVED) this.#dropRemoved();
  }

  search(query: string, options: SearchOptions = {}): SearchHit[] {
    const allowed = this.#entries.allowed(options);
    const asked = queryWords(query, this.#vocabulary, options.now ?? new Date());
    if (asked.words.length === 0) return [];
    this.#ranker ??= new Ranker(this.#postings, this.#entries);
    const limit = Math.min(Math.max(1, options.limit ?? DEFAULT_LIMIT), MAX_LIMIT);
    const best = this.#ranker.best(asked, allowed, limit);
    const entries = best.map(({ entry }) => entry);
    const matches = entryMatches(this.#postings, asked.words, entries);
    return best.map(({ entry, score }, index) => ({
      ...this.#entries.info(entry),
      score,
      terms: (matches[index]?.terms ?? []).map((term) => this.#vocabulary.at(term)),
      missing: matches[index]?.missing ?? [],
    }));
  }

  /** How rare a word is, from 0 to 1; 0 where no entry has it. */
  rarity(word: string): number {
    const { terms, parts } = analyse(word);
    const all = terms.length > 0 ? terms : parts.flatMap((part) => part.terms.slice(0, 1));
    const having = all.map((term) => this.#postings.size(this.#vocabulary.find(term)));
    const most = Math.max(0, ...having);
    const size = Math.max(this.#entries.size, most, LEAST_FOR_RARITY);
    return most === 0 ? 0 : rarityOf(most, size) / rarityOf(0, size);
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
    this.#chunks.clear();
    const lengths = entries.values('length');
    const numbers = new Int32Array(entries.numbers).fill(NO_NUMBER);
    for (let entry = 0; entry < entries.numbers; entry++)
      if (!entries.isRemoved(entry))
        numbers[entry] = this.#entries.add(entries.info(entry), lengths[entry] as number);
    const read = new Uint32Array(entries.numbers);
    for (const [term, text] of vocabulary.all.entries()) {
      const count = postings.read(term, read);
      let number: number | undefined;
      for (let at = 0; at < count; at++) {
        const posting = read[at] as number;
        const entry = numbers[entryOf(posting)] as number;
        if (entry === NO_NUMBER) continue;
        number ??= this.#vocabulary.findOrAdd(text);
        this.#postings.append(number, renumbered(posting, entry));
      }
    }
  }
}
