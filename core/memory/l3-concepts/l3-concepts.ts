/**
 * L3: finds the concept that each fact is about (M10). Similarity decides clear cases; in unclear
 * ones, what the model said when it found the fact. If it said nothing, the fact waits without a
 * concept rather than in a wrong one.
 */

import { contentFingerprint } from '../../platform/text/fingerprint.ts';
import { grouped } from '../../platform/text/grouped.ts';
import { shorten } from '../../platform/text/sentences.ts';
import { FACT_LISTS, type Fact, type FactsFile } from '../l2-facts/facts-file.ts';
import { insertByAge } from '../log/insert-by-age.ts';
import { addToConcept, bandOf, newConceptIndex } from './concept-index.ts';
import type { Concept, ConceptsFile } from './concepts-file.ts';
import { regroup } from './regroup.ts';
import { type ConceptFact, isAnchored, termsOf } from './terms.ts';
import { latinWords, withoutExtension } from './words.ts';

const MAX_FILES = 20;
const MAX_KEYWORDS = 12;
const MAX_EXCHANGES = 200;
const MAX_SUMMARY_CHARS = 200;
const MAX_NAME_CHARS = 40;

interface Member {
  fact: Fact;
  like: ConceptFact;
}

/** Puts every fact into its concept, and brings the concepts up to date with their facts. */
export function assignConcepts(concepts: ConceptsFile, facts: FactsFile): void {
  const members: Member[] = FACT_LISTS.flatMap((list) =>
    facts[list].map((fact) => ({ fact, like: likeOf(fact) })),
  );
  const placed = members.map(({ fact, like }) => ({
    fact: like,
    conceptId: fact.conceptId,
    decided: fact.conceptBy !== undefined,
  }));
  const chosen = members.flatMap(({ fact }) =>
    fact.conceptBy === 'person' ? [{ fact, id: fact.conceptId }] : [],
  );
  const { groups, unclear } = regroup(placed);
  for (const { conceptId, facts: indexes } of groups) {
    const own = indexes.map((index) => members[index] as Member);
    const concept =
      conceptById(concepts, conceptId) ??
      conceptNamed(
        concepts,
        nameOf(own),
        own.map(({ fact }) => fact),
        conceptId,
      );
    const id = concept?.id ?? conceptId;
    for (const { fact } of own) {
      if (id === undefined) delete fact.conceptId;
      else fact.conceptId = id;
    }
  }
  for (const index of unclear) placeUnclear(concepts, (members[index] as Member).fact);
  // A manual choice overrides similarity.
  for (const { fact, id } of chosen)
    if (conceptById(concepts, id) !== undefined) fact.conceptId = id;
  bringUpToDate(concepts, members);
}

/** The model has seen the concepts when it named one. */
function placeUnclear(concepts: ConceptsFile, fact: Fact): void {
  delete fact.conceptId;
  const { suggestedConcept } = fact;
  if (suggestedConcept === undefined) return;
  const concept = conceptById(concepts, suggestedConcept);
  // An id that there is not is a model's mistake, not a name.
  if (concept === undefined && /^c\d+$/.test(suggestedConcept)) return;
  const named = concept ?? conceptNamed(concepts, suggestedConcept, [fact]);
  if (named === undefined) return;
  fact.conceptId = named.id;
  fact.conceptBy = 'model';
}

/** Names are unique. Undefined if the user has removed a concept of this name or of this old id. */
function conceptNamed(
  concepts: ConceptsFile,
  name: string,
  facts: readonly Fact[],
  oldId = '',
): Concept | undefined {
  const key = name.toLowerCase();
  const known = concepts.concepts.find((concept) => concept.name.toLowerCase() === key);
  if (known !== undefined) return known;
  const fingerprint = contentFingerprint(name);
  if (concepts.forgotten.some((mark) => mark === oldId || mark === fingerprint)) return undefined;
  const id = `c${String(concepts.nextId++).padStart(3, '0')}`;
  const uid = conceptUid(concepts, name, facts);
  const concept = { id, uid, name, summary: '', files: [], keywords: [], exchanges: [] };
  concepts.concepts.push(concept);
  return concept;
}

/** By its name and the earliest of its facts, whose uids sort by time. */
export function conceptUid(
  { concepts }: ConceptsFile,
  name: string,
  facts: readonly Fact[],
): string | undefined {
  const [earliest] = facts.flatMap(({ uid }) => uid ?? []).sort();
  if (earliest === undefined) return undefined;
  const taken = new Set(concepts.map(({ uid }) => uid));
  let uid = `${earliest}-c${contentFingerprint(name).slice(-8)}`;
  while (taken.has(uid)) uid = `${uid}e`; // a renamed concept keeps the uid of its old name
  return uid;
}

function conceptById(concepts: ConceptsFile, id: string | undefined): Concept | undefined {
  return id === undefined ? undefined : concepts.concepts.find((concept) => concept.id === id);
}

/** What a model called it, else the telling words of its first fact. */
function nameOf(members: readonly Member[]): string {
  const suggested = members
    .map(({ fact }) => fact.suggestedConcept)
    .find((name) => name !== undefined && !/^c\d+$/.test(name));
  return suggested ?? conceptName((members[0] as Member).like);
}

/** A concept without facts goes; what a person wrote into one stays. */
function bringUpToDate(concepts: ConceptsFile, members: readonly Member[]): void {
  const byConcept = grouped(members, ({ fact }) => fact.conceptId);
  concepts.concepts = concepts.concepts.filter(
    ({ id, isEdited }) => byConcept.has(id) || isEdited === true,
  );
  concepts.emptied = [];
  for (const concept of concepts.concepts)
    describe(
      concept,
      (byConcept.get(concept.id) ?? []).map(({ fact }) => fact),
    );
}

/**
 * Brings the concepts up to date whose facts a person has changed. No other fact moves, so that an
 * undo finds everything where it was (M19). A concept that has lost its last fact is put aside until
 * facts are regrouped, since an undo may bring the fact back.
 */
export function refreshConcepts(
  concepts: ConceptsFile,
  facts: FactsFile,
  ids: ReadonlySet<string>,
): void {
  if (ids.size === 0) return;
  const all = FACT_LISTS.flatMap((list) => facts[list]);
  const byConcept = grouped(
    all.filter(({ conceptId }) => conceptId !== undefined && ids.has(conceptId)),
    ({ conceptId }) => conceptId,
  );
  const isEmpty = ({ id, isEdited }: Concept) =>
    ids.has(id) && !byConcept.has(id) && isEdited !== true;
  const back = (concepts.emptied ?? []).filter((concept) => byConcept.has(concept.id));
  const gone = concepts.concepts.filter(isEmpty);
  concepts.emptied = [
    ...(concepts.emptied ?? []).filter((concept) => !back.includes(concept)),
    ...gone,
  ];
  concepts.concepts = concepts.concepts.filter((concept) => !isEmpty(concept));
  for (const concept of back) insertByAge(concepts.concepts, concept);
  for (const concept of concepts.concepts)
    if (ids.has(concept.id)) describe(concept, byConcept.get(concept.id) ?? []);
}

/** Finds the concept of a fact that a person has added; none if it is not clear. */
export function conceptForAdded(facts: FactsFile, added: Fact): string | undefined {
  const index = newConceptIndex();
  for (const fact of FACT_LISTS.flatMap((list) => facts[list]))
    if (fact.conceptId !== undefined && fact !== added)
      addToConcept(index, fact.conceptId, termsOf(likeOf(fact)));
  const verdict = bandOf(termsOf(likeOf(added)), isAnchored(likeOf(added)), index);
  return verdict.band === 'match' ? verdict.conceptId : undefined;
}

function likeOf({ content, files, keywords }: Fact): ConceptFact {
  return { text: content, files, keywords };
}

/** What a person has changed stays as it is. */
function describe(concept: Concept, facts: readonly Fact[]): void {
  if (concept.isEdited === true) return;
  concept.summary = shorten(facts.at(-1)?.content ?? '', MAX_SUMMARY_CHARS);
  concept.files = mostFrequent(facts, 'files', MAX_FILES);
  concept.keywords = mostFrequent(facts, 'keywords', MAX_KEYWORDS);
  const entries = facts.flatMap(({ evidence }) => evidence.map(({ entry }) => entry));
  concept.exchanges = [...new Set(entries)].slice(-MAX_EXCHANGES);
}

function mostFrequent(facts: readonly Fact[], field: 'files' | 'keywords', limit: number) {
  const counts = new Map<string, number>();
  for (const value of facts.flatMap((fact) => fact[field]))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, limit)
    .map(([value]) => value);
}

/** A few words of a new concept's first fact, where no model gave a name. */
export function conceptName(fact: ConceptFact): string {
  const fileName = fact.files[0]?.replace(/^.*\//s, '') ?? '';
  const fileWords = latinWords(withoutExtension(fileName)).join(' ');
  const [firstClause = ''] = fact.text.trim().split(/[.;:!?\n]/);
  const name = (tellingKeyword(fact) ?? (fileWords || firstClause)).trim();
  if (name.length <= MAX_NAME_CHARS) return name;
  const cut = name.slice(0, MAX_NAME_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_NAME_CHARS / 2)).trimEnd()}…`;
}

/** The one that says most, the earlier of two that say the same. */
function tellingKeyword({ keywords }: ConceptFact): string | undefined {
  const weightOf = (keyword: string) => {
    const weights = termsOf({ text: '', files: [], keywords: [keyword] }).values();
    return [...weights].reduce((sum, weight) => sum + weight, 0);
  };
  const weighed = keywords.map((keyword) => ({ keyword, weight: weightOf(keyword) }));
  return weighed.sort((a, b) => b.weight - a.weight)[0]?.keyword;
}
