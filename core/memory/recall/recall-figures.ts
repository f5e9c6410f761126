/**
 * `recall.json` in the project's place: by day how many prompts were given notes, how many notes,
 * and how many of those Claude's next turn used (K7).
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { dayStamp } from '../../platform/text/stamp.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

const Figures = v.object({
  prompts: v.number(),
  notes: v.number(),
  used: v.number(),
  characters: v.number(),
});

const RecallFile = v.looseObject({ days: v.fallback(v.record(v.string(), Figures), {}) });

export type RecallFigures = v.InferOutput<typeof Figures>;
type RecallFile = v.InferOutput<typeof RecallFile>;

const KEPT_DAYS = 400;
const recallFile: DocumentKind<RecallFile> = {
  version: 1,
  schema: RecallFile,
  empty: () => ({ days: {} }),
};
const NONE: RecallFigures = { prompts: 0, notes: 0, used: 0, characters: 0 };

const recallPath = ({ base }: ProjectMemory): string => join(base, 'recall.json');

export function addRecall(memory: ProjectMemory, figures: Omit<RecallFigures, 'prompts'>): void {
  updateDocument(recallPath(memory), recallFile, (file) => {
    const day = dayStamp(new Date());
    const sum = added(file.days[day] ?? NONE, { ...figures, prompts: 1 });
    const days = Object.entries({ ...file.days, [day]: sum }).sort();
    return { ...file, days: Object.fromEntries(days.slice(-KEPT_DAYS)) };
  });
}

/** Of the last days, together and one by one, the oldest first; days without any are left out. */
export function recallFigures(
  memory: ProjectMemory,
  days: number,
): RecallFigures & { days: (RecallFigures & { day: string })[] } {
  const reading = readDocument(recallPath(memory), recallFile);
  const first = dayStamp(new Date(Date.now() - (days - 1) * 24 * 60 * 60 * 1000));
  const all = Object.entries('value' in reading ? reading.value.days : {})
    .filter(([day]) => day >= first)
    .sort()
    .map(([day, figures]) => ({ day, ...figures }));
  return { ...all.reduce<RecallFigures>(added, NONE), days: all };
}

function added(one: RecallFigures, other: RecallFigures): RecallFigures {
  return {
    prompts: one.prompts + other.prompts,
    notes: one.notes + other.notes,
    used: one.used + other.used,
    characters: one.characters + other.characters,
  };
}
