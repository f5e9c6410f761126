/**
 * Finds candidate facts in a model's answer. Models wrap JSON in prose and fences, leave commas,
 * stop in the middle: every whole object that can be found is used, and none is trusted yet.
 */
import * as v from 'valibot';
import type { FactList } from './facts-file.ts';

const KINDS = new Map<string, FactList>([
  ['decision', 'decisions'],
  ['rule', 'decisions'],
  ['preference', 'decisions'],
  ['pattern', 'patterns'],
  ['convention', 'patterns'],
  ['architecture', 'patterns'],
  ['issue', 'issues'],
  ['bug', 'issues'],
  ['problem', 'issues'],
  ['note', 'notes'],
  ['fact', 'notes'],
]);

/** Ten facts are a few thousand characters; what is longer by far is no answer to the question. */
const MAX_ANSWER_CHARS = 200_000;
/** Braces that never close would have all that follows read once for each of them. */
const MAX_CHARS_LOOKED_AT = 20 * MAX_ANSWER_CHARS;
const MAX_LIST = 20;
const MAX_NAME_CHARS = 200;
const MAX_TEXT_CHARS = 1000;

const text = v.pipe(v.string(), v.trim());
const shortText = (limit: number) =>
  v.pipe(
    text,
    v.transform((value) => value.slice(0, limit)),
  );
const optionalText = v.fallback(v.optional(shortText(MAX_TEXT_CHARS)), undefined);
const optionalName = v.fallback(
  v.optional(v.pipe(shortText(MAX_NAME_CHARS), v.minLength(1))),
  undefined,
);
const names = v.fallback(
  v.pipe(
    v.array(shortText(MAX_NAME_CHARS)),
    v.transform((list) => list.filter((name) => name !== '').slice(0, MAX_LIST)),
  ),
  [],
);

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

/**
 * Undefined if there is no list of objects in the answer at all: then it is no answer. An empty
 * list is one.
 */
export function parseFactsAnswer(answer: string): FactCandidate[] | undefined {
  const objects = jsonObjects(answer.slice(0, MAX_ANSWER_CHARS));
  if (objects.length === 0 && !/\[\s*\]/.test(answer)) return undefined;
  const candidates = objects.flatMap((object) => {
    const parsed = v.safeParse(Candidate, object);
    return parsed.success
      ? [{ ...parsed.output, list: KINDS.get(parsed.output.kind.trim().toLowerCase()) ?? 'notes' }]
      : [];
  });
  return objects.length > 0 && candidates.length === 0 ? undefined : candidates;
}

/** Every object that stands by itself: inside a list, inside `{"facts": […]}`, or line by line. */
function jsonObjects(answer: string): unknown[] {
  const found: unknown[] = [];
  let patience = MAX_CHARS_LOOKED_AT;
  for (let at = answer.indexOf('{'); at >= 0 && patience > 0; ) {
    const end = endOfObject(answer, at);
    patience -= (end ?? answer.length) - at;
    const object = end === undefined ? undefined : parsed(answer.slice(at, end));
    const isFact = typeof object === 'object' && object !== null && 'content' in object;
    if (isFact) found.push(object);
    at = answer.indexOf('{', isFact ? (end as number) : at + 1); // into what is no fact itself
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

function parsed(json: string): unknown {
  for (const attempt of [json, json.replace(/,\s*([}\]])/g, '$1')]) {
    try {
      return JSON.parse(attempt);
    } catch {
      // the second form forgives commas before a bracket
    }
  }
  return undefined;
}
