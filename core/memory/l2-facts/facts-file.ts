/**
 * `facts.json` (F7, M9, M11): the project's facts by kind, each with its evidence, and permanent
 * memory. `<session>.l2.json`: the facts found in one session, and those refused, with the reason.
 */
import * as v from 'valibot';
import { StoredMessage } from '../../messages/message.ts';
import type { DocumentKind } from '../../platform/store/document.ts';

const oneText = v.pipe(
  v.string(),
  v.transform((text) => [text]),
);
/** People may write one text instead of a list. */
const texts = v.fallback(v.union([v.array(v.string()), oneText]), () => []);
const optionalText = v.fallback(v.optional(v.string()), undefined);

/**
 * Whose words it was before the user adopted it (T1). The label stays for ever: through edits,
 * promotion, export, import and a rebuild.
 */
export const Origin = v.looseObject({
  kind: v.literal('repository'),
  /** The file in the repository. */
  path: v.fallback(v.string(), ''),
  /** When it was adopted. */
  at: v.fallback(v.string(), ''),
  /** The id of the foreign note. */
  note: v.fallback(v.optional(v.string()), undefined),
});

/** What a text is followed by that was adopted, in a briefing and in a terminal. */
export const ADOPTED = 'adopted from the repository';

/** Where a fact comes from: these words in this entry of L1. */
const Evidence = v.looseObject({
  session: v.string(),
  entry: v.string(),
  quote: v.string(),
  /** Who said it. A tool is never trusted by itself. */
  role: v.picklist(['user', 'assistant', 'tool']),
  at: v.fallback(v.string(), ''),
});

const evidences = v.fallback(
  v.pipe(
    v.array(v.unknown()),
    v.transform((list) => list.flatMap((item) => (v.is(Evidence, item) ? [item] : []))),
  ),
  [],
);

const Fact = v.looseObject({
  /** Empty until the next change if a person added the fact without one. */
  id: v.fallback(v.string(), ''),
  /** Unique everywhere, by the event that made it. Facts of 0.1.0 get theirs at the next change. */
  uid: optionalText,
  /** YYYY-MM-DD of the entry. */
  date: v.fallback(v.string(), ''),
  content: v.string(),
  reason: optionalText,
  /** The session in which it was first said. */
  session: v.fallback(v.string(), ''),
  files: texts,
  keywords: texts,
  conceptId: optionalText,
  /** `person` if one moved it there. */
  conceptBy: optionalText,
  /** The id or name of the concept that the model suggested. */
  suggestedConcept: optionalText,
  /** For issues: open or resolved. */
  status: optionalText,
  resolution: optionalText,
  /** The newer fact that contradicts it. */
  supersededBy: optionalText,
  supersededAt: optionalText,
  /** When a person last changed it by hand. */
  editedAt: optionalText,
  origin: v.fallback(v.optional(Origin), undefined),
  evidence: evidences,
});

const Permanent = v.looseObject({
  ...Fact.entries,
  /** The fact that it was promoted from. */
  from: optionalText,
  /** When it was promoted. */
  since: optionalText,
});

/** A person may add a fact as a plain string. Any other invalid item makes the file invalid. */
const asItem = v.pipe(
  v.unknown(),
  v.transform((item) => (typeof item === 'string' ? { content: item } : item)),
);
const facts = v.optional(v.array(v.pipe(asItem, Fact)), []);
const permanents = v.optional(v.array(v.pipe(asItem, Permanent)), []);

const Meta = v.looseObject({
  /** The last number assigned, by letter. */
  counter: v.fallback(v.record(v.string(), v.number()), () => ({})),
  /** How much of the journal this file includes. */
  journal: v.fallback(v.number(), 0),
  /** Fingerprints of facts that the user removed: they are not accepted again. */
  forgotten: texts,
});

const FactsFile = v.looseObject({
  _meta: v.fallback(Meta, () => v.parse(Meta, {})),
  decisions: facts,
  patterns: facts,
  issues: facts,
  notes: facts,
  permanent: v.optional(
    v.looseObject({ rules: permanents, solutions: permanents, core_logic: permanents }),
    {},
  ),
  /** Out of date. */
  retired: permanents,
});

export type Evidence = v.InferOutput<typeof Evidence>;
export type Fact = v.InferOutput<typeof Fact>;
export type Permanent = v.InferOutput<typeof Permanent>;
export type FactsFile = v.InferOutput<typeof FactsFile>;

export const factsFile: DocumentKind<FactsFile> = {
  version: 2,
  schema: FactsFile,
  // Version 2 has uids. They follow from the journal: `giveMissingUids` adds them.
  migrations: { 1: (old) => old },
  empty: () => v.parse(FactsFile, {}),
  keepVersions: 50,
};

/** From one session (M9). */
export const MAX_FACTS_PER_SESSION = 10;

export const FACT_LISTS = ['decisions', 'patterns', 'issues', 'notes'] as const;
export type FactList = (typeof FACT_LISTS)[number];

export const PERMANENT_LISTS = ['rules', 'solutions', 'core_logic'] as const;
export type PermanentList = (typeof PERMANENT_LISTS)[number];

/** The first letter of ids: d001, p001, … */
export const ID_LETTERS: Record<FactList | PermanentList, string> = {
  decisions: 'd',
  patterns: 'p',
  issues: 'i',
  notes: 'n',
  rules: 'r',
  solutions: 's',
  core_logic: 'l',
};

/** Numbers are never assigned again. */
export function nextId(file: FactsFile, list: FactList | PermanentList): string {
  const letter = ID_LETTERS[list];
  const number = (file._meta.counter[letter] ?? 0) + 1;
  file._meta.counter[letter] = number;
  return `${letter}${String(number).padStart(3, '0')}`;
}

const SessionFacts = v.looseObject({
  session: v.string(),
  facts: v.fallback(v.array(v.looseObject({ list: v.picklist(FACT_LISTS), ...Fact.entries })), []),
  refused: v.fallback(v.array(v.looseObject({ content: v.string(), why: StoredMessage })), []),
});

export type SessionFacts = v.InferOutput<typeof SessionFacts>;

export const sessionFactsFile: DocumentKind<SessionFacts> = {
  version: 1,
  schema: SessionFacts,
  empty: () => ({ session: '', facts: [], refused: [] }),
};
