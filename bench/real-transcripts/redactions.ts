/**
 * Finds every redaction in what was kept of a transcript, with what stood in its place and the text
 * around it, so that a person can judge whether it was right. Placeholders that stood in the
 * transcript already are none.
 */
import type { Said } from './extractor.ts';
import { type Kept, type KeptTool, PLACEHOLDER } from './product.ts';
import type { ToolCall } from './tool-calls.ts';

export interface Redaction {
  /** Of the user, of Claude, or the tool's name. */
  where: string;
  /** In the transcript, from 1; 0 if it is not known. */
  row: number;
  before: string;
  /** Undefined if the place was not found in the transcript. */
  removed: string | undefined;
  after: string;
}

const CONTEXT_CHARS = 60;
/** By so much text around it the place is found in the transcript. */
const ANCHOR_CHARS = 30;
const LONGEST_REMOVED = 300;

interface Original {
  row: number;
  text: string;
}

export function redactionsIn(
  kept: Kept,
  said: readonly Said[],
  calls: readonly ToolCall[],
): Redaction[] {
  const spoken = kept.words.flatMap(({ role, text }) =>
    found(role, text, () => said.filter(({ kind }) => kind === role)),
  );
  const ofTools = kept.tools.flatMap((tool) => {
    const originals = () => originalsOf(tool, calls);
    return [
      ...found(tool.name, tool.request, originals),
      ...found(tool.name, tool.output, originals),
    ];
  });
  return [...spoken, ...ofTools].filter(({ removed }) => removed !== PLACEHOLDER);
}

function originalsOf({ name, at }: KeptTool, calls: readonly ToolCall[]): Original[] {
  const ofTool = calls.filter((call) => call.name === name);
  const own = ofTool.filter((call) => call.at === at);
  return (own.length > 0 ? own : ofTool).flatMap(({ row, input, result }) => {
    const given = Object.values(input).filter((value) => typeof value === 'string');
    const texts = [...given, JSON.stringify(input), result?.text ?? ''];
    return texts.map((text) => ({ row, text }));
  });
}

function found(where: string, text: string, originals: () => readonly Original[]): Redaction[] {
  if (!text.includes(PLACEHOLDER)) return [];
  const candidates = originals();
  const pieces = text.split(PLACEHOLDER);
  return pieces.slice(1).map((next, index) => {
    const before = (pieces[index] ?? '').slice(-CONTEXT_CHARS);
    const after = next.slice(0, CONTEXT_CHARS);
    const isLast = index === pieces.length - 2;
    return { where, before, after, ...removedFrom(candidates, before, after, isLast) };
  });
}

/** Of all places with this text around them the shortest: elsewhere both stand far apart. */
function removedFrom(
  candidates: readonly Original[],
  before: string,
  after: string,
  isLast: boolean,
): Pick<Redaction, 'removed' | 'row'> {
  const front = before.slice(-ANCHOR_CHARS);
  // What was cut off ends with a sign of its own.
  const back = after.replace(/…\s*$/, '').slice(0, ANCHOR_CHARS);
  const places = candidates.flatMap(({ row, text }) =>
    placesOf(front, text).flatMap((from) => {
      const to = back === '' && isLast ? text.length : text.indexOf(back, from + 1);
      return to > from ? [{ row, removed: text.slice(from, to) }] : [];
    }),
  );
  const [shortest] = places.sort((one, other) => one.removed.length - other.removed.length);
  if (shortest === undefined) return { row: 0, removed: undefined };
  return { ...shortest, removed: shortest.removed.slice(0, LONGEST_REMOVED) };
}

/** Where something begins behind each occurrence. */
function placesOf(front: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(front); at >= 0; at = text.indexOf(front, at + 1)) {
    places.push(at + front.length);
    if (front === '') break;
  }
  return places;
}
