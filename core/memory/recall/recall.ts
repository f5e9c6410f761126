/**
 * Recall at the moment of need (K7): finds what earlier sessions said that matters for a prompt and
 * that its session has not in its context. `prepare` does what takes time, while nobody waits;
 * `recall` answers a prompt with what is in this process by then. Only the user's and Claude's own
 * words and proved facts: nothing that a repository brought, that Claude has only suggested, or that
 * redaction has touched.
 */
import { readDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { namesIn } from '../restore/name-worth.ts';
import { upToDateIndex } from '../search/memory-search.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { findCandidates, type ShowId } from './candidates.ts';
import { chooseNotes, type Note } from './choose-notes.ts';
import { L1Contents } from './l1-contents.ts';
import { addFiles, roomForNotes, textOf } from './note-text.ts';
import { contentTerms, countUsed, type GivenNote } from './note-use.ts';
import { promptWords } from './prompt-words.ts';
import { addRecall } from './recall-figures.ts';
import { type RecallableFact, recallableFacts } from './recallable-facts.ts';
import { filesInTurn } from './said-turn.ts';
import { SessionContext } from './session-context.ts';

export interface Recalled {
  /** Whoever asks next says by it that the prompt has got the text. */
  number: number;
  /** For Claude, in its fence. */
  text: string;
}

/** What the session's host knows of it. */
export interface SessionNow {
  session: string;
  /** When it was compacted last, if its host has seen it; ISO. */
  compactedAt?: string | undefined;
  /** The number of the last text that a prompt has got. */
  given?: number | undefined;
}

/** The rest is for the files of a turn. */
const SENTENCES_SHARE = 0.75;
/** So many entries that are new to the index. */
const WORTH_SAVING = 500;

export class Recall {
  readonly #places: Places;
  readonly #memory: ProjectMemory;
  readonly #showId: ShowId;
  readonly #contents: L1Contents;
  #index: SearchIndex | undefined;
  #context: SessionContext | undefined;
  #facts = { mark: '', byId: new Map<string, RecallableFact>() };
  #number = 0;
  #last: { recalled: Recalled; notes: Note[]; prompt: string } | undefined;
  /** Given in the turn that goes on: whether they are used shows at its end. */
  #unmeasured: { notes: GivenNote[]; characters: number } | undefined;

  constructor(places: Places, memory: ProjectMemory, showId: ShowId) {
    this.#places = places;
    this.#memory = memory;
    this.#showId = showId;
    this.#contents = new L1Contents(memory);
  }

  /** At a session's start and after each turn. */
  prepare({ session, compactedAt, given }: SessionNow): void {
    this.#noteGiven(given);
    const before = this.#context;
    const isSame = before?.session === session && before.compactedAt === compactedAt;
    const context = isSame ? before : new SessionContext(session, compactedAt);
    this.#context = context;
    const said = context.update(this.#places, this.#memory);
    const open = this.#unmeasured;
    this.#unmeasured = undefined;
    if (open !== undefined && isSame) {
      const { notes, characters } = open;
      addRecall(this.#memory, { notes: notes.length, used: countUsed(notes, said), characters });
    }
    this.#index = upToDateIndex(this.#places, this.#memory, WORTH_SAVING);
    this.#readFacts();
  }

  /** Undefined if nothing matters, or the session is not prepared. */
  recall({ session, given }: SessionNow, prompt: string, maxChars: number): Recalled | undefined {
    this.#noteGiven(given);
    const [index, context] = [this.#index, this.#context];
    const room = roomForNotes(maxChars);
    const about = promptWords(prompt);
    if (about === undefined || index === undefined || room === 0) return undefined;
    if (context?.session !== session) return undefined;
    context.addNames(prompt);
    const sources = { index, facts: this.#factsNow(), contents: this.#contents };
    const { list, said } = findCandidates(about, context, { ...sources, showId: this.#showId });
    const chosen = chooseNotes(list, context, {
      rarity: (word) => index.rarity(word),
      maxChars: Math.floor(SENTENCES_SHARE * room),
    });
    if (chosen.length === 0) return undefined;
    const filesOf = (id: string) => {
      const source = said.get(id);
      return source === undefined ? [] : filesInTurn(source.content, source.found);
    };
    const notes = addFiles(chosen, { filesOf, known: context, room });
    const recalled = { number: ++this.#number, text: textOf(notes) };
    this.#last = { recalled, notes, prompt };
    return recalled;
  }

  /** What came too late for its prompt is neither known to the session nor counted. */
  #noteGiven(given: number | undefined): void {
    const [last, context] = [this.#last, this.#context];
    if (last === undefined || context === undefined || last.recalled.number !== given) return;
    this.#last = undefined;
    const asked = contentTerms(last.prompt);
    const notes = last.notes.map(({ id, sentences }): GivenNote => {
      const text = sentences.join('\n');
      const names = [...namesIn(text)].filter((name) => !context.hasName(name));
      const words = [...contentTerms(text)].filter((word) => !asked.has(word));
      return { id, names, words };
    });
    for (const { turn } of last.notes) context.givenTurns.add(turn);
    context.addNames(last.recalled.text);
    const { notes: before = [], characters = 0 } = this.#unmeasured ?? {};
    this.#unmeasured = {
      notes: [...before, ...notes],
      characters: characters + last.recalled.text.length,
    };
  }

  #readFacts(): void {
    const path = factsPath(this.#memory);
    const mark = fileMark(path);
    if (mark === this.#facts.mark) return;
    const reading = readDocument(path, factsFile);
    this.#facts = {
      mark,
      byId: reading.state === 'ok' ? recallableFacts(reading.value) : new Map(),
    };
  }

  /** None if they have changed since: what the user has forgotten does not come back. */
  #factsNow(): ReadonlyMap<string, RecallableFact> {
    const { mark, byId } = this.#facts;
    return fileMark(factsPath(this.#memory)) === mark ? byId : new Map();
  }
}
