/**
 * Gives the facts and concepts that 0.1.0 wrote their uids: those that a rebuild would give them,
 * found in the journal without replaying it. So all copies of an old memory agree, and what the
 * journal does not know gets one from what it says.
 */
import type { JsonRecord } from '../../platform/text/json.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { FACT_LISTS, type Fact, ID_LETTERS, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import { parseFactsAnswer } from '../l2-facts/l2-answer.ts';
import { conceptUid } from '../l3-concepts/l3-concepts.ts';
import { permanentUid } from '../l4-permanent/l4-permanent.ts';
import {
  type EditEvent,
  itemUid,
  type JournalEvent,
  newUid,
  readJournal,
  sha256,
  uidOf,
} from '../log/journal.ts';
import type { Documents } from './documents.ts';

interface Said {
  /** The first letter of its id, which tells its list. */
  letter: string;
  content: string;
  session: string;
}

/** Costs nothing where all have one. `found`: edits that the journal does not have yet. */
export function giveMissingUids(
  memory: ProjectMemory,
  { facts, concepts }: Documents,
  found: readonly EditEvent[],
): void {
  const lists = FACT_LISTS.flatMap((list) => facts[list]);
  const permanent = [...PERMANENT_LISTS.flatMap((list) => facts.permanent[list]), ...facts.retired];
  const isMissing = ({ uid }: { uid?: string | undefined }) => uid === undefined;
  if (![...lists, ...permanent, ...concepts.concepts].some(isMissing)) return;
  const origins = new Origins([...readJournal(memory, 0).events, ...found]);
  const taken = new Set([...lists, ...permanent].map(({ uid }) => uid));
  const give = (fact: Fact, found: string | undefined) => {
    // Two facts of one text have the same origin: only one of them can have been made by it.
    fact.uid = found === undefined || taken.has(found) ? unknownUid(fact) : found;
    while (taken.has(fact.uid)) fact.uid += 'e';
    taken.add(fact.uid);
  };
  for (const fact of lists.filter(isMissing)) give(fact, origins.ofFact(saidIn(fact)));
  for (const fact of permanent.filter(isMissing)) {
    const source = lists.find(({ id }) => id === fact.from);
    const event = origins.promotion(fact.since);
    const promoted = event && permanentUid(source?.uid, uidOf(event));
    give(fact, promoted ?? origins.ofFact(saidIn(fact)));
  }
  for (const concept of concepts.concepts.filter(isMissing)) {
    const own = lists.filter(({ conceptId }) => conceptId === concept.id);
    const added = origins.ofConcept(concept.name);
    concept.uid = added ?? conceptUid(concepts, concept.name, own) ?? unknownConcept(concept);
  }
}

/** Which event made what, by the words that it has now. */
class Origins {
  readonly #facts = new Map<string, string>();
  readonly #concepts = new Map<string, string>();
  readonly #promotions = new Map<string, JournalEvent>();

  constructor(events: readonly JournalEvent[]) {
    for (const event of events) {
      if (event.type === 'facts') this.#addAnswer(event);
      if (event.type === 'edit') this.#addEdit(event);
      if (event.type === 'compress') this.#promotions.set(event.at, event);
    }
  }

  ofFact(fact: Said): string | undefined {
    return keysOf(fact).flatMap((key) => this.#facts.get(key) ?? [])[0];
  }

  ofConcept(name: string): string | undefined {
    return this.#concepts.get(name);
  }

  promotion(since: string | undefined): JournalEvent | undefined {
    return this.#promotions.get(since ?? '');
  }

  #addAnswer(event: Extract<JournalEvent, { type: 'facts' }>): void {
    const candidates = parseFactsAnswer(event.text) ?? [];
    if (candidates.length === 0) return;
    const eventUid = uidOf(event);
    for (const [position, { content, list }] of candidates.entries()) {
      const said = { letter: ID_LETTERS[list], content, session: event.session };
      this.#addFact(said, itemUid(eventUid, position));
    }
  }

  /** What is said again later is the same fact. */
  #addFact(fact: Said, uid: string): void {
    for (const key of keysOf(fact)) if (!this.#facts.has(key)) this.#facts.set(key, uid);
  }

  #addEdit(edit: EditEvent): void {
    if (edit.document === 'memory' || edit.id === '') return;
    const value = edit.value as JsonRecord | null;
    const words = value?.content ?? value?.name ?? '';
    if (typeof words !== 'string' || words === edit.was) return;
    if (edit.document === 'concepts') this.#nameConcept(edit, words);
    else this.#nameFact(edit, words);
  }

  /** `words`: empty if it was removed. If it is added again later, that edit has made it. */
  #nameConcept(edit: EditEvent, words: string): void {
    const known = this.#concepts.get(edit.was ?? '');
    if (words === '') this.#concepts.delete(edit.was ?? '');
    else if (known !== undefined || !edit.before)
      this.#concepts.set(words, known ?? itemUid(uidOf(edit), 0));
  }

  #nameFact(edit: EditEvent, words: string): void {
    const { part, was } = edit;
    const list = part.replace('permanent.', '') as keyof typeof ID_LETTERS;
    const { session } = (edit.value ?? edit.before ?? {}) as JsonRecord;
    const said = (content: string): Said => ({
      letter: ID_LETTERS[list] ?? part,
      content,
      session: typeof session === 'string' ? session : '',
    });
    const old = was === undefined ? undefined : said(was);
    if (words !== '')
      this.#addFact(said(words), (old && this.ofFact(old)) ?? itemUid(uidOf(edit), 0));
    else if (old !== undefined) for (const key of keysOf(old)) this.#facts.delete(key);
  }
}

function saidIn({ id, content, session }: Fact): Said {
  return { letter: id.slice(0, 1), content, session };
}

/** A person may have changed the session of a fact. */
function keysOf({ letter, content, session }: Said): string[] {
  return [`${letter}\n${session}\n${content}`, `${letter}\n${content}`];
}

function unknownUid({ id, date, content, session }: Fact): string {
  return itemUid(newUid(Date.parse(date), sha256(`${id}\n${session}\n${content}`)), 0);
}

function unknownConcept({ id, name }: { id: string; name: string }): string {
  return itemUid(newUid(0, sha256(`${id}\n${name}`)), 0);
}
