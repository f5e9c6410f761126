/**
 * What the user has decided about foreign notes (T1), in the project's memory in the home:
 * `foreign.json` says which were refused for good or adopted, so that none is offered twice, and
 * `adopted-rules.json` holds the rules of the repository that go along with prompts, beside the
 * user's own and under their own label (T3).
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

/**
 * `offered`: it shall be offered again, although it was refused, adopted or removed before. `own`:
 * the user's own memory said it once.
 */
const Decision = v.looseObject({
  decision: v.picklist(['refused', 'adopted', 'offered', 'own']),
  at: v.fallback(v.string(), ''),
});

const ForeignFile = v.looseObject({
  notes: v.fallback(v.record(v.string(), Decision), () => ({})),
});

export type Decision = v.InferOutput<typeof Decision>;
export type Decisions = Readonly<Record<string, Decision>>;

const foreignFile: DocumentKind<v.InferOutput<typeof ForeignFile>> = {
  version: 1,
  schema: ForeignFile,
  empty: () => ({ notes: {} }),
};

const AdoptedRule = v.looseObject({
  /** Of the note that it was. */
  id: v.fallback(v.string(), ''),
  text: v.string(),
  /** The file in the repository that it comes from. */
  origin: v.looseObject({ kind: v.literal('repository'), path: v.string() }),
  at: v.fallback(v.string(), ''),
});

const AdoptedRules = v.looseObject({ rules: v.optional(v.array(AdoptedRule), []) });

export type AdoptedRule = v.InferOutput<typeof AdoptedRule>;

const adoptedRulesFile: DocumentKind<v.InferOutput<typeof AdoptedRules>> = {
  version: 1,
  schema: AdoptedRules,
  empty: () => ({ rules: [] }),
  keepVersions: 50,
};

const decisionsPath = ({ folder }: ProjectMemory): string => join(folder, 'foreign.json');
const adoptedRulesPath = ({ folder }: ProjectMemory): string => join(folder, 'adopted-rules.json');

export function readDecisions(memory: ProjectMemory): Decisions {
  const reading = readDocument(decisionsPath(memory), foreignFile);
  return 'value' in reading ? reading.value.notes : {};
}

export function decide(
  memory: ProjectMemory,
  ids: readonly string[],
  decision: Decision['decision'],
): void {
  if (ids.length === 0) return;
  const at = new Date().toISOString();
  const made = Object.fromEntries(ids.map((id) => [id, { decision, at }]));
  updateDocument(decisionsPath(memory), foreignFile, (file) => ({
    ...file,
    notes: { ...file.notes, ...made },
  }));
}

export function readAdoptedRules(memory: ProjectMemory): AdoptedRule[] {
  const reading = readDocument(adoptedRulesPath(memory), adoptedRulesFile);
  return 'value' in reading ? reading.value.rules : [];
}

export function changeAdoptedRules(
  memory: ProjectMemory,
  change: (rules: AdoptedRule[]) => AdoptedRule[],
): void {
  updateDocument(adoptedRulesPath(memory), adoptedRulesFile, (file) => ({
    ...file,
    rules: change(file.rules),
  }));
}
