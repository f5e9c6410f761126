/**
 * What Claude asks the user to keep or to forget (K8), in `suggestions.json` of the project's place.
 * Nothing here is believed: it is no fact, is never restored or promoted, and removes nothing. The
 * user accepts it, which makes it their own edit, or refuses it, and then it is not suggested again.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { contentFingerprint } from '../../platform/text/fingerprint.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';

/** Words of the user that say it, found in L1. */
const Support = v.object({
  session: v.string(),
  entry: v.string(),
  quote: v.string(),
  at: v.fallback(v.string(), ''),
});

const Suggestion = v.object({
  id: v.pipe(v.string(), v.regex(/^m\d{3,}$/)),
  kind: v.picklist(['remember', 'forget']),
  /** To remember: Claude's statement. To forget: what the fact says. */
  text: v.string(),
  at: v.fallback(v.string(), ''),
  /** To forget: the fact's id. */
  fact: v.fallback(v.optional(v.string()), undefined),
  /** Why it should be forgotten. */
  reason: v.fallback(v.optional(v.string()), undefined),
  support: v.fallback(v.optional(Support), undefined),
});

const SuggestionsFile = v.looseObject({
  last: v.fallback(v.number(), 0),
  open: v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((list) => list.flatMap((one) => (v.is(Suggestion, one) ? [one] : []))),
    ),
    [],
  ),
  /** Fingerprints. */
  refused: v.fallback(v.array(v.string()), []),
});

export type Suggestion = v.InferOutput<typeof Suggestion>;
type SuggestionsFile = v.InferOutput<typeof SuggestionsFile>;

const suggestionsFile: DocumentKind<SuggestionsFile> = {
  version: 1,
  schema: SuggestionsFile,
  empty: () => ({ last: 0, open: [], refused: [] }),
};

/** More than anybody reads. */
const MAX_OPEN = 100;
const MAX_REFUSED = 1000;

const suggestionsPath = ({ base }: ProjectMemory): string => join(base, 'suggestions.json');

/** Oldest first. */
export function readSuggestions(memory: ProjectMemory): Suggestion[] {
  const reading = readDocument(suggestionsPath(memory), suggestionsFile);
  return 'value' in reading ? reading.value.open : [];
}

/** `isNew` is false if the same waits already. Refuses what the user has refused. */
export function suggest(
  memory: ProjectMemory,
  wanted: Omit<Suggestion, 'id' | 'at'>,
): { suggestion: Suggestion; isNew: boolean } {
  const mark = markOf(wanted);
  let result: { suggestion: Suggestion; isNew: boolean } | undefined;
  updateDocument(suggestionsPath(memory), suggestionsFile, (file) => {
    if (file.refused.includes(mark)) throw new ExpectedError(message('tools.refusedBefore'));
    const known = file.open.find((one) => markOf(one) === mark);
    if (known !== undefined) {
      result = { suggestion: known, isNew: false };
      return file;
    }
    if (file.open.length >= MAX_OPEN) throw new ExpectedError(message('tools.tooManySuggestions'));
    const last = file.last + 1;
    const id = `m${String(last).padStart(3, '0')}`;
    const suggestion = { ...wanted, id, at: new Date().toISOString() };
    result = { suggestion, isNew: true };
    return { ...file, last, open: [...file.open, suggestion] };
  });
  if (result === undefined) throw new ExpectedError(message('tools.failed'));
  return result;
}

/** Takes it off the list; the caller has done what it says, or the user does not want it. */
export function settle(
  memory: ProjectMemory,
  id: string,
  { isRefused }: { isRefused: boolean },
): Suggestion {
  let settled: Suggestion | undefined;
  updateDocument(suggestionsPath(memory), suggestionsFile, (file) => {
    settled = file.open.find((one) => one.id === id);
    if (settled === undefined) return file;
    const refused = isRefused
      ? [...file.refused, markOf(settled)].slice(-MAX_REFUSED)
      : file.refused;
    return { ...file, open: file.open.filter((one) => one.id !== id), refused };
  });
  if (settled === undefined) throw new ExpectedError(message('memory.noSuggestion', { id }));
  return settled;
}

function markOf({ kind, text }: Pick<Suggestion, 'kind' | 'text'>): string {
  return `${kind}-${contentFingerprint(text)}`;
}
