/**
 * Facts that are taken without a model (V2): from transcripts given by `--data` how many, and with
 * `--list` each with the prompt it stands in, for a person to judge; from the labelled Korean
 * conversations how many of the useful statements are found, and how much else is taken.
 */
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MAX_FACTS_PER_SESSION } from '../../core/memory/l2-facts/facts-file.ts';
import { extractFacts } from '../../core/memory/l2-facts/stated-facts.ts';
import type { L1Entry } from '../../core/memory/log/l1-refine.ts';
import { readL1 } from '../../core/memory/log/l1-store.ts';
import dialogues from '../../tests/labelled/korean-dialogues.json' with { type: 'json' };
import { count, type Result, share } from '../harness.ts';
import { corpusIn } from '../real-transcripts/corpus.ts';
import { madeMemory, saveTranscript } from '../real-transcripts/product.ts';
import type { Scene } from '../scene.ts';

const LEAST_PER_SESSION = 0.5;
const MAX_PROMPT_CHARS = 1500;
const MAX_BEFORE_CHARS = 600;

interface Taken {
  kind: string;
  content: string;
  entry: string;
  quote: string;
}

/** Right or wrong is judged by reading them. */
export function factsResults(data: string, scene: Scene, list: string | undefined): Result[] {
  const memory = madeMemory(scene.folder());
  const found = corpusIn(data, scene).map(({ name, path }) => {
    const session = basename(name).replace(/\.jsonl(?:\.gz)?$/, '');
    const file = saveTranscript(memory, path, session);
    const entries = file === '' ? [] : readL1(file);
    return takenFrom(entries).map((fact) => described(session, entries, fact));
  });
  const facts = found.flat();
  if (list !== undefined)
    writeFileSync(list, facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  return [
    {
      name: 'quality: facts without a model (useful or wrong is judged by reading them: --list)',
      promise: `at least ${LEAST_PER_SESSION} a session`,
      figures: [
        count('sessions', 'files', found.length),
        count('facts', 'texts', facts.length),
        count('sessions with a fact', 'files', found.filter(({ length }) => length > 0).length),
      ],
      ratios: [{ name: 'facts per session', value: facts.length / found.length }],
      holds: facts.length >= LEAST_PER_SESSION * found.length,
    },
  ];
}

function takenFrom(entries: readonly L1Entry[]): Taken[] {
  return JSON.parse(extractFacts(entries, MAX_FACTS_PER_SESSION));
}

function described(session: string, entries: readonly L1Entry[], fact: Taken): object {
  const at = entries.findIndex(({ id }) => id === fact.entry);
  const before = entries.slice(0, at).findLast(({ role }) => role === 'assistant');
  return {
    session,
    factKind: fact.kind,
    fact: fact.content,
    quote: fact.quote,
    entryText: textOf(entries[at]).slice(0, MAX_PROMPT_CHARS),
    before: textOf(before).slice(-MAX_BEFORE_CHARS),
  };
}

function textOf(entry: L1Entry | undefined): string {
  return entry !== undefined && entry.role !== 'tool' ? entry.text : '';
}

export function koreanFactsResults(): Result[] {
  return [koreanFacts('tuned on', 'tuning'), koreanFacts('never tuned on', 'held-out')];
}

function koreanFacts(label: string, half: string): Result {
  const sets = dialogues.filter((dialogue) => dialogue.half === half);
  let [useful, foundUseful, taken, unwanted, named] = [0, 0, 0, 0, 0];
  for (const { turns, useful: wanted, notUseful } of sets) {
    const facts = takenFrom(turns.map(entryOf)).map(({ content }) => plain(content));
    const overlaps = (fact: string, text: string) =>
      fact.includes(plain(text)) || plain(text).includes(fact);
    useful += wanted.length;
    foundUseful += wanted.filter((text) => facts.some((fact) => overlaps(fact, text))).length;
    taken += facts.length;
    named += facts.filter((fact) => notUseful.some((text) => overlaps(fact, text))).length;
    unwanted += facts.filter((fact) => !wanted.some((text) => overlaps(fact, text))).length;
  }
  return {
    name: `quality: Korean facts without a model, ${label}`,
    promise: null,
    figures: [
      count('facts taken', 'texts', taken),
      share('of the useful statements found', foundUseful, useful),
      share('of those taken labelled as not useful', named, taken),
      share('of those taken not labelled as useful', unwanted, taken),
    ],
    ratios: [],
    holds: null,
  };
}

function entryOf({ role, text }: { role: string; text: string }, index: number): L1Entry {
  return { id: `e${index}`, ts: '', role: role === 'user' ? 'user' : 'assistant', text };
}

function plain(text: string): string {
  return text.replace(/[\s.,!?~]+/g, ' ').trim();
}
