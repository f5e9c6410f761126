/**
 * What of a conversation speaks of the words that a user typed behind /compact (K4): "keep the API
 * design" is worth the lines in which that design was talked about. No model is asked, so it is the
 * words themselves that are looked for.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { L1Entry } from '../log/l1-refine.ts';

const MAX_LINE_CHARS = 300;
const MAX_TERMS = 40;
/** Names, paths and words; of Korean, where particles follow, two syllables are a word. */
const TERM = /\p{Script=Hangul}{2,}|[\p{L}\p{N}_][\p{L}\p{N}_./-]{2,}/gu;
/** What is said of every such request. */
const EMPTY_WORDS = new Set(
  `the and for with that this from about into only also not all any what when where which keep
  focus remember preserve retain mind please sure make summary summarize summarise compact context
  conversation everything important details 유지 기억 집중 중심 위주 요약 대화 내용 모든 전부 관련 대해
  중요한`.split(/\s+/),
);

/** The best lines in the order in which they were said, together at most `room` characters. */
export function linesAbout(words: string, entries: readonly L1Entry[], room: number): string[] {
  const terms = termsIn(words);
  if (terms.length === 0) return [];
  const found = entries.flatMap(linesOf).flatMap((line, at) => {
    const text = line.toLowerCase();
    const count = terms.filter((term) => text.includes(term)).length;
    return count === 0 ? [] : [{ at, count, line: `- ${shorten(line, MAX_LINE_CHARS)}` }];
  });
  const chosen: typeof found = [];
  const seen = new Set<string>();
  let left = room;
  // The newest of equals: it says how things stand.
  for (const each of found.sort((one, other) => other.count - one.count || other.at - one.at)) {
    if (each.line.length + 1 > left || seen.has(each.line)) continue;
    left -= each.line.length + 1;
    seen.add(each.line);
    chosen.push(each);
  }
  return chosen.sort((one, other) => one.at - other.at).map(({ line }) => line);
}

function termsIn(words: string): string[] {
  const found = (words.toLowerCase().match(TERM) ?? []).map((term) => term.replace(/[./-]+$/, ''));
  return [...new Set(found)].filter((term) => !EMPTY_WORDS.has(term)).slice(0, MAX_TERMS);
}

function linesOf(entry: L1Entry): string[] {
  if (entry.role === 'tool') return [`${entry.name}: ${entry.cmd.split('\n')[0] ?? ''}`];
  const who = entry.role === 'user' ? 'The user' : 'Claude';
  return entry.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `${who} said: ${line}`);
}
