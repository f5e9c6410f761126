/**
 * What prompts are reminded of (K7), on the transcripts given by `--data`: of the names that Claude's
 * answer then used, that earlier sessions had and the present one had not, how many stand in the
 * notes within the default room? Beside it: BM25 over the same entries, with the same room and heads
 * and the usual snippets, and nothing. One half of the sessions was tuned on, the other never.
 */
import { noteHead } from '../../core/memory/recall/choose-notes.ts';
import { roomForNotes } from '../../core/memory/recall/note-text.ts';
import { Recall } from '../../core/memory/recall/recall.ts';
import { snippet } from '../../core/memory/search/snippet.ts';
import { analyse, chunksOf, termsOf } from '../../core/memory/search/tokenize.ts';
import { SETTING_DEFINITIONS } from '../../core/settings/setting-definitions.ts';
import { saidId } from '../../core/usecases/tools/shown-ids.ts';
import { placesBeside } from '../../tests/bed/recorded-work.ts';
import { namesAmongWords } from '../continuity/names.ts';
import { count, figure, type Result } from '../harness.ts';
import type { Scene } from '../scene.ts';
import { type RecallCase, recallCases } from './recall-cases.ts';
import { bm25, type Searcher } from './searchers.ts';

const MAX_CHARS = SETTING_DEFINITIONS['recall.maxChars'].fallback;
const LEAST_OVER_BM25 = 1.2;
const HITS = 30;
/** As in the textbook, and with stop words. */
const PEERS = {
  plain: { saturation: 1.2, lengthWeight: 0.75, hasStopWords: false },
  stopWords: { saturation: 1.2, lengthWeight: 0.75, hasStopWords: true },
};
type Peer = keyof typeof PEERS;
const WHO = { user: 'User', assistant: 'Claude', tool: 'Tool' };

/** Of all prompts of one half. */
interface Tally {
  prompts: number;
  needed: number;
  /** Prompts that were given notes. */
  answered: number;
  characters: number;
  found: number;
  foundBy: Record<Peer, number>;
}

export function recallResults(data: string, scene: Scene): Result[] {
  const tallies = { tuned: noTally(), untuned: noTally() };
  let product: { case: RecallCase; recall: Recall } | undefined;
  const searches = new Searches();
  for (const one of recallCases(data, scene)) {
    if (product?.case.memory !== one.memory) {
      const places = placesBeside(one.memory.root);
      product = { case: one, recall: new Recall(places, one.memory, saidId) };
    }
    const { session, prompt } = one;
    product.recall.prepare({ session });
    const text = product.recall.recall({ session }, prompt, MAX_CHARS)?.text ?? '';
    const tally = tallies[one.half];
    tally.prompts++;
    tally.needed += one.needed.size;
    tally.answered += text === '' ? 0 : 1;
    tally.characters += text.length;
    tally.found += countFound(one, text);
    for (const peer of Object.keys(PEERS) as Peer[])
      tally.foundBy[peer] += countFound(one, searches.notes(peer, one));
  }
  return [
    resultOf('sessions tuned on', tallies.tuned),
    resultOf('sessions never tuned on', tallies.untuned),
  ];
}

function noTally(): Tally {
  const foundBy = { plain: 0, stopWords: 0 };
  return { prompts: 0, needed: 0, answered: 0, characters: 0, found: 0, foundBy };
}

function countFound({ needed }: RecallCase, text: string): number {
  const names = namesAmongWords(text);
  return [...needed].filter((name) => names.has(name)).length;
}

/** What a plain search would give: its best hits, a snippet each. */
class Searches {
  #key = '';
  readonly #searchers = new Map<Peer, Searcher>();

  notes(peer: Peer, { memory, session, earlier, prompt }: RecallCase): string {
    const said = earlier.filter(({ entry }) => entry.role !== 'tool');
    const key = `${memory.root} ${session} ${said.length}`;
    if (key !== this.#key) this.#searchers.clear();
    this.#key = key;
    const search = this.#searchers.get(peer) ?? bm25(PEERS[peer])(said);
    this.#searchers.set(peer, search);
    const terms = chunksOf(prompt.slice(0, 4000)).flatMap((word) => termsOf(analyse(word)));
    const lines = search(prompt)
      .slice(0, HITS)
      .flatMap((place) => said[place] ?? [])
      .map(({ file, entry, text }) => {
        const head = noteHead({ id: saidId(file, entry.id), who: WHO[entry.role] });
        return `${head}${snippet(text, terms)}`;
      });
    let room = roomForNotes(MAX_CHARS);
    const fitting = lines.filter((line) => {
      const fits = line.length < room;
      if (fits) room -= line.length + 1;
      return fits;
    });
    return fitting.join('\n');
  }
}

function resultOf(half: string, tally: Tally): Result {
  const { prompts, needed, answered, characters, found, foundBy } = tally;
  const share = (part: number) => [(100 * part) / needed];
  const over = (peer: Peer) => found / foundBy[peer];
  const best = Math.min(over('plain'), over('stopWords'));
  return {
    name: `quality: recall, ${half}`,
    promise: `at least ${LEAST_OVER_BM25} × BM25 in ${MAX_CHARS} characters`,
    figures: [
      figure('Memory Keeper', 'product', '%', share(found)),
      figure('BM25 (k1 1.2, b 0.75), stems', 'peer', '%', share(foundBy.plain)),
      figure('the same with stop words', 'peer', '%', share(foundBy.stopWords)),
      figure('nothing', 'limit', '%', [0]),
      count('prompts that needed something earlier', 'texts', prompts),
      count('of them given notes', 'texts', answered),
      count('names needed', 'ids', needed),
      count('characters given with a prompt', 'texts', Math.round(characters / prompts)),
    ],
    ratios: [
      { name: 'over BM25', value: over('plain') },
      { name: 'over BM25 with stop words', value: over('stopWords') },
    ],
    holds: best >= LEAST_OVER_BM25,
  };
}
