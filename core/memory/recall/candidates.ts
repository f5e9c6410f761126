/**
 * Searches a project's memory for what a prompt is about, and reads what was found (K7): words of
 * the user and of Claude outside of the session's context, and facts. What has too little of the
 * prompt's words is left out here.
 */
import type { SearchHit, SearchIndex } from '../search/search-index.ts';
import type { Candidate } from './choose-notes.ts';
import type { L1Contents } from './l1-contents.ts';
import type { PromptWords } from './prompt-words.ts';
import type { RecallableFact } from './recallable-facts.ts';
import { type FoundEntry, findEntry } from './said-turn.ts';
import type { SessionContext } from './session-context.ts';

/** In which form the id of an entry is shown to Claude. */
export type ShowId = (file: string, entry: string) => string;

export interface Sources {
  index: SearchIndex;
  facts: ReadonlyMap<string, RecallableFact>;
  contents: L1Contents;
  showId: ShowId;
}

export interface Candidates {
  list: Candidate[];
  /** Of those that were said, by id. */
  said: Map<string, { content: Buffer; found: FoundEntry }>;
}

const HITS = 24;
/** What an entry must have of the prompt's words, by their rarity. */
const LEAST_WEIGHT = 0.7;
const WHO = { user: 'User', assistant: 'Claude' };

export function findCandidates(
  about: PromptWords,
  context: SessionContext,
  { index, facts, contents, showId }: Sources,
): Candidates {
  const found: Candidates = { list: [], said: new Map() };
  const hits = telling(index, about, context);
  const best = hits[0]?.score ?? 1;
  const factOf = ({ id }: SearchHit) => facts.get(/^l[24]\/(.+)$/.exec(id)?.[1] ?? '');
  // A fact tells what the words that prove it say.
  const proofs = new Set(
    hits.flatMap((hit) => factOf(hit)?.fact.evidence.map(({ entry }) => entry) ?? []),
  );
  const add = (hit: SearchHit, of: Pick<Candidate, 'id' | 'who' | 'text' | 'turn'>) => {
    if (!context.givenTurns.has(of.turn))
      found.list.push({ ...of, relevance: hit.score / best, terms: hit.terms });
  };
  for (const hit of hits) {
    const known = factOf(hit);
    if (known !== undefined) {
      const { id, content, reason = '' } = known.fact;
      add(hit, { id, who: known.what, text: `${content}\n${reason}`, turn: id });
      continue;
    }
    const [, file, entryId = ''] = /^l1\/([^/]+)\/(.+)$/.exec(hit.id) ?? [];
    if (file === undefined || proofs.has(entryId)) continue;
    const content = contents.get(file);
    const entry = content && findEntry(content, entryId);
    if (content === undefined || entry === undefined || entry.entry.role === 'tool') continue;
    const id = showId(file, entryId);
    found.said.set(id, { content, found: entry });
    const { role, text } = entry.entry;
    add(hit, { id, who: WHO[role], text, turn: `${file} ${entry.turn}` });
  }
  return found;
}

/** The hits that have enough of what the prompt is about. */
function telling(
  index: SearchIndex,
  { query, words }: PromptWords,
  { session, from: since }: SessionContext,
): SearchHit[] {
  const rarities = words.map((word) => ({ word, rarity: index.rarity(word) }));
  const hits = index.search(query, {
    limit: HITS,
    layers: ['l1', 'l2', 'l4'],
    roles: ['user', 'assistant'],
    except: { session, since },
  });
  return hits.filter(({ missing }) => {
    const lacks = new Set(missing);
    const weights = rarities.map(({ word, rarity }) => (lacks.has(word) ? 0 : rarity));
    return weights.reduce((sum, weight) => sum + weight, 0) >= LEAST_WEIGHT;
  });
}
