/**
 * Takes facts without a model (M16, V2): the user's own short statements of choice, rule, constraint
 * or problem, in their words, with the exact quote. Leaves out whatever Claude had said before, so
 * that its words never come back as the user's.
 */
import type { L1Entry, SpokenEntry } from '../log/l1-refine.ts';
import { type OwnSentence, ownSentences } from '../log/own-words.ts';
import { type SpeechAct, speechAct, withoutFiller } from './speech-acts.ts';

interface StatedFact {
  kind: SpeechAct;
  content: string;
  entry: string;
  quote: string;
}

const MAX_FACT_CHARS = 320;
/** A shorter phrase may be anybody's. */
const MIN_QUOTED_CHARS = 20;
/** A statement without its subject: the line before says what it is about. */
const WITHOUT_SUBJECT = /^(?:must|should|needs?|has to|defaults?)\b/i;

/** The newest `limit`, as the answer that a model would have given. */
export function extractFacts(entries: readonly L1Entry[], limit: number): string {
  const newestFirst: StatedFact[] = [];
  const seen = new Set<string>();
  for (let at = entries.length - 1; at >= 0 && newestFirst.length < limit; at--) {
    const entry = entries[at] as L1Entry;
    const facts = entry.role === 'user' ? factsIn(entry).reverse() : [];
    for (const fact of facts) {
      const words = plain(fact.content);
      if (seen.has(words) || isQuoted(words, entries.slice(0, at))) continue;
      seen.add(words);
      newestFirst.push(fact);
    }
  }
  return JSON.stringify(newestFirst.slice(0, Math.max(0, limit)).reverse());
}

/** Statements that follow each other on one line are one fact. */
function factsIn(entry: SpokenEntry): StatedFact[] {
  const sentences = ownSentences(entry.text);
  const facts: StatedFact[] = [];
  let from = 0; // where in the prompt the next sentence is looked for
  let last: { fact: StatedFact; start: number; line: number; at: number } | undefined;
  sentences.forEach((sentence, at) => {
    const start = entry.text.indexOf(sentence.text, from);
    const kind = start < 0 ? undefined : speechAct(sentence.text);
    if (start >= 0) from = start + sentence.text.length;
    if (kind === undefined) return;
    const isNext = last !== undefined && last.line === sentence.line && last.at === at - 1;
    if (last !== undefined && isNext && from - last.start <= MAX_FACT_CHARS) {
      Object.assign(last.fact, wordsOf(entry.text.slice(last.start, from)));
      last.at = at;
      return;
    }
    const begin = contextStart(entry.text, sentences, at, start);
    const fact = { kind, ...wordsOf(entry.text.slice(begin, from)), entry: entry.id };
    facts.push(fact);
    last = { fact, start: begin, line: sentence.line, at };
  });
  return facts;
}

function contextStart(
  text: string,
  sentences: readonly OwnSentence[],
  at: number,
  start: number,
): number {
  const before = sentences[at - 1];
  if (before === undefined || !WITHOUT_SUBJECT.test(sentences[at]?.text ?? '')) return start;
  const begin = text.lastIndexOf(before.text, start);
  return begin >= 0 && start - begin <= MAX_FACT_CHARS / 2 ? begin : start;
}

function wordsOf(span: string): { content: string; quote: string } {
  const quote = withoutFiller(span);
  return { content: quote.replace(/\s+/g, ' '), quote };
}

function isQuoted(words: string, earlier: readonly L1Entry[]): boolean {
  return (
    words.length >= MIN_QUOTED_CHARS &&
    earlier.some((entry) => entry.role !== 'user' && plain(shownText(entry)).includes(words))
  );
}

/** Plans and questions are calls of tools. */
function shownText(entry: L1Entry): string {
  return entry.role === 'tool' ? `${entry.cmd} ${entry.detail ?? ''}` : entry.text;
}

function plain(text: string): string {
  return text
    .replace(/[\s"'`*_“”‘’]+/g, ' ')
    .trim()
    .toLowerCase();
}
