/**
 * Merges a person's changes with ours (M3, M19): they may have saved while we were writing, or
 * opened the file before we wrote. On a guess we never change a memory.md that a person saved: at
 * most we add entries that they cannot have seen.
 */
import { parseDocument } from '../../platform/store/document.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { conceptsFile } from '../l3-concepts/concepts-file.ts';
import { addMissingEntries, entryIds, memoryParts, setMemoryPart } from '../memory-md/memory-md.ts';
import { RECENT_CONTEXT } from '../memory-md/sections.ts';
import { assignIds } from './assign-ids.ts';
import { applyJsonEdit, type Json, jsonEdits } from './document-edits.ts';
import { mergeTexts } from './merge-texts.ts';

export type EditedName = 'facts.json' | 'concepts.json' | 'memory.md';

export interface Versions {
  ours: string;
  /** Their editor may have loaded any of these. */
  earlier: readonly string[];
  theirs: string;
}

/** For a file saved at an unknown time: on top of ours, or of an earlier version. */
export function mergedWithTheirs(name: EditedName, versions: Versions): string {
  return name === 'memory.md' ? withEntriesSince(versions) : mergedJson(name, versions);
}

/** For a file saved while we were changing `before` into `ours`. */
export function mergedWithSavedMeanwhile(
  name: EditedName,
  { before, ours, theirs }: { before: string; ours: string; theirs: string },
): string {
  if (name !== 'memory.md') return mergedJson(name, { ours, earlier: [before], theirs });
  const changesSince = (text: string) => changedLines(linesOf(text), linesOf(theirs));
  // If theirs is nearer to ours, it has our changes already; a merge might add them twice.
  const hasOurs = changesSince(ours) <= changesSince(before);
  const joined = hasOurs ? undefined : mergeTexts(before, ours, theirs);
  return addMissingEntries(joined ?? theirs, ours, entryIds(before));
}

/**
 * Guesses which version the user's editor had loaded: one whose entries are all still there,
 * without a line of the entries that we added later, and no further from the user's text than ours
 * is. Those later entries are then added, not treated as removed. If the text equals an earlier
 * version, the user restored it on purpose; in doubt their text stays.
 */
function withEntriesSince({ ours, earlier, theirs }: Versions): string {
  const theirIds = entryIds(theirs);
  const entries = memoryParts(ours).filter(({ part, id }) => part === RECENT_CONTEXT && id !== '');
  if (entries.every(({ id }) => theirIds.has(id))) return theirs;
  const theirLines = linesOf(theirs);
  let best: { ids: Set<string>; changes: number } | undefined;
  for (const base of earlier) {
    const ids = entryIds(base);
    const changes = changedLines(linesOf(base), theirLines);
    if (changes === 0) return theirs;
    const since = entries.filter(({ id }) => !ids.has(id));
    const areAllPresent = ids.size > 0 && [...ids].every((id) => theirIds.has(id));
    if (
      since.length === 0 ||
      !areAllPresent ||
      changes >= (best?.changes ?? Number.POSITIVE_INFINITY)
    )
      continue;
    const [inBase, inTheirs] = [new Set(linesOf(base)), new Set(theirLines)];
    const isSeen = since.some(({ id, text }) =>
      linesOf(`### ${id}\n${text}`).some((line) => inTheirs.has(line) && !inBase.has(line)),
    );
    const withoutThem = since.reduceRight((text, entry) => setMemoryPart(text, entry, null), ours);
    if (!isSeen && changes <= changedLines(linesOf(withoutThem), theirLines))
      best = { ids, changes };
  }
  return best === undefined ? theirs : addMissingEntries(theirs, ours, best.ids);
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

/** How many lines only one of the two has, in any order. */
function changedLines(before: readonly string[], after: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) - 1);
  for (const line of after) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts.values()].reduce((sum, each) => sum + Math.abs(each), 0);
}

/**
 * Takes the version that differs least from theirs for the one that their editor had loaded, so
 * that what we have added since does not count as removed. A file equal to an earlier version was
 * restored on purpose.
 */
function mergedJson(name: EditedName, { ours, earlier, theirs }: Versions): string {
  const count = (base: string) => editsOfJson(name, base, theirs).length;
  let best = { base: ours, count: count(ours) };
  for (const base of earlier) {
    const changes = count(base);
    if (changes > 0 && changes < best.count) best = { base, count: changes };
  }
  const document = best.base === ours ? undefined : documentIn(name, ours);
  if (document === undefined) return theirs;
  for (const edit of editsOfJson(name, best.base, theirs)) applyJsonEdit(document, edit);
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** None if one of the two is invalid, which others report. */
function editsOfJson(name: EditedName, before: string, after: string) {
  const [old, now] = [documentIn(name, before), documentIn(name, after)];
  if (old === undefined || now === undefined) return [];
  const base = assignIds({}, old);
  return jsonEdits(base, assignIds(base, now));
}

function documentIn(name: EditedName, text: string): Json | undefined {
  const reading =
    name === 'facts.json'
      ? parseDocument(name, text, factsFile)
      : parseDocument(name, text, conceptsFile);
  return reading.state === 'ok' ? (reading.value as Json) : undefined;
}
