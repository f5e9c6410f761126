/**
 * A person's changes are put on top of ours (M19): they may have saved while we were writing, or have had the file open since before
 * we did. Texts come in: ours, what they may have begun with, and what they saved; one goes out that has the changes of both.
 */
import { parseDocument } from '../../store/document.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { applyJsonEdit, applyMemoryEdit, type Json, jsonEdits, memoryPartEdits } from './document-edits.ts';
import { withIds } from './given-ids.ts';

export type EditedName = 'facts.json' | 'concepts.json' | 'memory.md';

export interface Versions {
  ours: string;
  /** Any of which they may have begun with. */
  earlier: readonly string[];
  theirs: string;
}

/**
 * What they saved differs least from what they began with. Where that is not ours, what we have added since is not something that they
 * removed. But a file that is just as it was earlier was put back on purpose.
 */
export function mergedWithTheirs(name: EditedName, { ours, earlier, theirs }: Versions): string {
  const count = (base: string) => (name === 'memory.md' ? memoryPartEdits(base, theirs) : editsOfJson(name, base, theirs)).length;
  let best = { base: ours, count: count(ours) };
  for (const base of earlier) {
    const changes = count(base);
    if (changes > 0 && changes < best.count) best = { base, count: changes };
  }
  if (best.base === ours) return theirs;
  return name === 'memory.md' ? mergedText(best.base, ours, theirs) : mergedJson(name, best.base, ours, theirs);
}

function mergedText(base: string, ours: string, theirs: string): string {
  return memoryPartEdits(base, theirs).reduce(applyMemoryEdit, ours);
}

function mergedJson(name: EditedName, base: string, ours: string, theirs: string): string {
  const document = documentIn(name, ours);
  if (document === undefined) return theirs;
  for (const edit of editsOfJson(name, base, theirs)) applyJsonEdit(document, edit);
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** None if one of the two cannot be understood: that is for others to tell. */
function editsOfJson(name: EditedName, before: string, after: string) {
  const [old, now] = [documentIn(name, before), documentIn(name, after)];
  if (old === undefined || now === undefined) return [];
  const base = withIds({}, old);
  return jsonEdits(base, withIds(base, now));
}

function documentIn(name: EditedName, text: string): Json | undefined {
  const reading = name === 'facts.json' ? parseDocument(name, text, factsFile) : parseDocument(name, text, conceptsFile);
  return reading.state === 'ok' ? (reading.value as Json) : undefined;
}
