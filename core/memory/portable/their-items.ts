/**
 * Rewrites people's edits of facts and concepts from another memory, so that they mean the same
 * item in ours (M20). An item that ours has in the same words is not added; one whose id is taken
 * gets another.
 */
import { readDocument } from '../../platform/store/document.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { type Item, itemsAt, type Json, wordsIn } from '../edits/document-edits.ts';
import { numberIn } from '../edits/given-ids.ts';
import { factsFile, ID_LETTERS } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import type { EditEvent } from '../log/journal.ts';

type Both = Record<'facts' | 'concepts', Json>;

export class TheirItems {
  readonly #ours: Both;
  readonly #theirs: Both;
  /** Of theirs, by id. */
  readonly #conceptNames: Map<string, string>;
  /** By part and id. */
  readonly #newIds = new Map<string, string>();
  readonly #takenIds = new Set<string>();
  readonly #last = new Map<string, number>();

  constructor(ours: ProjectMemory, theirs: ProjectMemory) {
    this.#ours = documentsOf(ours);
    this.#theirs = documentsOf(theirs);
    const concepts = itemsAt(this.#theirs.concepts, 'concepts');
    this.#conceptNames = new Map(concepts.map((concept) => [concept.id, wordsIn(concept) ?? '']));
  }

  /** Empty if ours has it. */
  asOurs(edit: EditEvent): EditEvent[] {
    const { document, part, id, before } = edit;
    if (document === 'memory' || id === '') return [edit];
    const value = edit.value as Item | null;
    const isAdded = before === null && typeof value === 'object' && value !== null;
    const words = isAdded ? wordsIn(value) : undefined;
    if (isAdded && itemsAt(this.#ours[document], part).some((item) => wordsIn(item) === words))
      return [];
    if (isAdded) this.#giveId(edit);
    const newId = this.#newIds.get(`${part} ${id}`) ?? id;
    const renamed = { ...edit, id: newId, value: value === null ? null : { ...value, id: newId } };
    return [this.#withConceptName(renamed)];
  }

  /** Keeps its own id unless one of ours, or an earlier one of theirs, has it. */
  #giveId({ document, part, id }: EditEvent): void {
    const list = part.replace('permanent.', '') as keyof typeof ID_LETTERS;
    const letter = document === 'concepts' ? 'c' : (ID_LETTERS[list] ?? '');
    const number = numberIn(id, letter);
    if (letter === '' || number === 0) return;
    const ours = lastNumber(this.#ours, letter);
    const isFree = number > ours && !this.#takenIds.has(`${letter}${number}`);
    // Leaves room for the facts that models found over there.
    const next = Math.max(this.#last.get(letter) ?? 0, ours + lastNumber(this.#theirs, letter)) + 1;
    this.#takenIds.add(`${letter}${isFree ? number : next}`);
    if (isFree) return;
    this.#last.set(letter, next);
    this.#newIds.set(`${part} ${id}`, `${letter}${String(next).padStart(3, '0')}`);
  }

  /** Ids of concepts differ: if a person has chosen a concept, its name says which. */
  #withConceptName(edit: EditEvent): EditEvent {
    const value = edit.value as { conceptId?: string } | null;
    const before = edit.before as { conceptId?: string } | null | undefined;
    if (edit.document !== 'facts' || typeof value !== 'object' || value?.conceptId === undefined)
      return edit;
    const { conceptId, ...rest } = value;
    const name = conceptId === before?.conceptId ? undefined : this.#conceptNames.get(conceptId);
    return { ...edit, value: name === undefined ? rest : { ...rest, suggestedConcept: name } };
  }
}

function lastNumber({ facts, concepts }: Both, letter: string): number {
  if (letter === 'c') return Number(concepts.nextId ?? 1) - 1;
  const { counter = {} } = (facts._meta ?? {}) as { counter?: Record<string, number> };
  return counter[letter] ?? 0;
}

function documentsOf(memory: ProjectMemory): Both {
  return {
    facts: documentIn(factsPath(memory), factsFile),
    concepts: documentIn(conceptsPath(memory), conceptsFile),
  };
}

function documentIn(path: string, kind: typeof factsFile | typeof conceptsFile): Json {
  const reading = readDocument<object>(path, kind);
  return (reading.state === 'ok' ? reading.value : kind.empty()) as Json;
}
