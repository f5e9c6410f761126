/**
 * What is worth a notification (G1, A7): each state comes in, the clears that have ended since go
 * out, with their reason, each once. What had ended before the first state is no news, and neither
 * is what the user stopped.
 */

import type { LiveState } from '../core/usecases/contract.ts';
import { type Message, withWayBack } from '../core/usecases/messages.ts';

export interface ClearEnd {
  what: 'cleared' | 'notCleared' | 'compacted' | 'notCompacted';
  projectRoot: string;
  note: Message | string;
}

type Clear = LiveState['clears'][number];

const MOST_GONE = 50;

export class ClearNews {
  /** The ends that are known already, the newest last. */
  #known: Set<string> | undefined;

  take({ clears }: Pick<LiveState, 'clears'>): ClearEnd[] {
    const ends = clears.filter(
      ({ state }) => state === 'restored' || state === 'failed' || state === 'cancelled',
    );
    const news =
      this.#known === undefined ? [] : ends.filter((clear) => !this.#known?.has(keyOf(clear)));
    const listed = ends.map(keyOf);
    // A clear that is missing from one list and back in the next is not news. The oldest ones never
    // come back, so they need not be remembered.
    const gone = [...(this.#known ?? [])].filter((key) => !listed.includes(key)).slice(-MOST_GONE);
    this.#known = new Set([...gone, ...listed]);
    return news.filter(isWorthTelling).map(asNews);
  }
}

/** A clear that went well says how to go back, as the session does (K9). */
function asNews(clear: Clear): ClearEnd {
  const { projectRoot, sessionId, steps } = clear;
  const what = whatOf(clear);
  const note = steps.at(-1)?.note ?? '';
  return { what, projectRoot, note: what === 'cleared' ? withWayBack(note, sessionId) : note };
}

/**
 * What the user wanted and did not get is told, unless they put it off themselves; what the policy
 * gave up stands in Activity.
 */
function isWorthTelling({ state, by, notBefore }: Clear): boolean {
  return state !== 'cancelled' || (by === 'user' && notBefore === undefined);
}

function whatOf({ state, method }: Clear): ClearEnd['what'] {
  if (method === 'compact') return state === 'restored' ? 'compacted' : 'notCompacted';
  return state === 'restored' ? 'cleared' : 'notCleared';
}

/** A session may be cleared again and again. */
function keyOf({ sessionId, steps }: Clear): string {
  return `${sessionId} ${steps[0]?.at}`;
}
