/**
 * Finds candidate facts in a model's answer (M9). Models wrap JSON in prose and fences, leave
 * commas, stop in the middle: every whole object counts, and none is trusted yet.
 */
import * as v from 'valibot';
import { parseJson } from '../../platform/store/attempt.ts';
import type { FactList } from './facts-file.ts';

/** Any other kind is a note. */
const KINDS: readonly [FactList, RegExp][] = [
  ['decisions', /^(?:decision|rule|preference)$/],
  ['patterns', /^(?:pattern|convention|architecture)$/],
  ['issues', /^(?:issue|bug|problem)$/],
];

/** Ten facts take a few thousand characters. */
const MAX_ANSWER_CHARS = 200_000;
/** After a brace that never closes, all that follows is read again for the next one. */
const MAX_CHARS_READ = 20 * MAX_ANSWER_CHARS;
const MAX_LIST = 20;
const MAX_NAME_CHARS = 200;
const MAX_TEXT_CHARS = 1000;

const text = v.pipe(v.string(), v.trim());
const shortText = (limit: number) =>
  v.pipe(
    text,
    v.transform((value) => value.slice(0, limit)),
  );
const name = shortText(MAX_NAME_CHARS);
const optionalText = v.fallback(v.optional(shortText(MAX_TEXT_CHARS)), undefined);
const optionalName = v.fallback(v.optional(v.pipe(name, v.minLength(1))), undefined);
const nameList = v.pipe(
  v.array(name),
  v.transform((list) => list.filter((each) => each !== '').slice(0, MAX_LIST)),
);
const names = v.fallback(nameList, []);

const Candidate = v.object({
  kind: v.fallback(v.string(), 'note'),
  content: v.pipe(text, v.minLength(1)),
  reason: optionalText,
  entry: v.fallback(text, ''),
  quote: v.fallback(text, ''),
  status: optionalName,
  resolution: optionalText,
  files: names,
  keywords: names,
  conceptId: optionalName,
  conceptName: optionalName,
  supersedes: optionalName,
  sameAs: optionalName,
});

export type FactCandidate = v.InferOutput<typeof Candidate> & { list: FactList };

/** Undefined if the answer has no list of facts at all; an empty list is one. */
export function parseFactsAnswer(answer: string): FactCandidate[] | undefined {
  const objects = jsonObjects(answer.slice(0, MAX_ANSWER_CHARS));
  if (objects.length === 0 && !/\[\s*\]/.test(answer)) return undefined;
  const candidates = objects.flatMap((object) => {
    const parsed = v.safeParse(Candidate, object);
    return parsed.success ? [{ ...parsed.output, list: listOf(parsed.output.kind) }] : [];
  });
  return objects.length > 0 && candidates.length === 0 ? undefined : candidates;
}

function listOf(kind: string): FactList {
  const word = kind.trim().toLowerCase();
  return KINDS.find(([, words]) => words.test(word))?.[0] ?? 'notes';
}

/** Objects in a list, in `{"facts": […]}`, or line by line. */
function jsonObjects(answer: string): unknown[] {
  const found: unknown[] = [];
  let charsLeft = MAX_CHARS_READ;
  for (let at = answer.indexOf('{'); at >= 0 && charsLeft > 0; ) {
    const end = endOfObject(answer, at);
    charsLeft -= (end ?? answer.length) - at;
    const object = end === undefined ? undefined : parsed(answer.slice(at, end));
    const isFact = typeof object === 'object' && object !== null && 'content' in object;
    if (isFact) found.push(object);
    at = answer.indexOf('{', isFact ? (end as number) : at + 1); // into an object that is no fact
  }
  return found;
}

function endOfObject(text: string, start: number): number | undefined {
  const stringOrBrace = /"(?:\\.|[^"\\])*"|[{}]/g; // braces inside strings do not count
  stringOrBrace.lastIndex = start;
  let depth = 0;
  for (let match = stringOrBrace.exec(text); match !== null; match = stringOrBrace.exec(text)) {
    if (match[0] === '{') depth++;
    if (match[0] === '}' && --depth === 0) return stringOrBrace.lastIndex;
  }
  return undefined;
}

/** Forgives commas before a bracket. */
function parsed(json: string): unknown {
  return parseJson(json) ?? parseJson(json.replace(/,\s*([}\]])/g, '$1'));
}
