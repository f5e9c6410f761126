/** `concepts.json` (F7, M10): what the project's facts are about, each fact in one concept. */
import * as v from 'valibot';
import type { DocumentKind } from '../../platform/store/document.ts';
import { Origin } from '../l2-facts/facts-file.ts';

const texts = v.fallback(v.array(v.string()), []);

const Concept = v.looseObject({
  /** Empty until the next change where a person has added the concept without one. */
  id: v.fallback(v.string(), ''),
  /** Unique everywhere, by its name and its first fact, or by the edit that made it. */
  uid: v.fallback(v.optional(v.string()), undefined),
  name: v.string(),
  summary: v.fallback(v.string(), ''),
  files: texts,
  keywords: texts,
  /** Ids of the L1 entries in which it was talked about. */
  exchanges: texts,
  /** A person has changed it: then we do not. */
  isEdited: v.fallback(v.optional(v.boolean()), undefined),
  origin: v.fallback(v.optional(Origin), undefined),
});

const ConceptsFile = v.looseObject({
  concepts: v.optional(v.array(Concept), []),
  /** Ids and fingerprints of the names of what the user has removed: it is not made again. */
  forgotten: texts,
  /** Concepts whose facts a person has all removed: they return with the first of them. */
  emptied: v.fallback(v.optional(v.array(Concept)), undefined),
  nextId: v.fallback(v.number(), 1),
});

export type Concept = v.InferOutput<typeof Concept>;
export type ConceptsFile = v.InferOutput<typeof ConceptsFile>;

export const conceptsFile: DocumentKind<ConceptsFile> = {
  version: 2,
  schema: ConceptsFile,
  // Version 2 has uids: `giveMissingUids` adds them.
  migrations: { 1: (old) => old },
  empty: () => ({ concepts: [], nextId: 1, forgotten: [] }),
  keepVersions: 50,
};
