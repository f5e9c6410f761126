/**
 * What is being searched for; it lives outside the view, so that a look at a hit and the way back
 * lose nothing.
 */
import { create } from 'zustand';
import type { Layer } from '../../../core/memory/search/entry-table.ts';

export type LayerChoice = Layer | 'all';

export interface SearchState {
  words: string;
  layer: LayerChoice;
  /** The project that is chosen above, or all. */
  where: 'project' | 'all';
  /** Days as a date field has them; empty: no limit. */
  since: string;
  until: string;
}

export const NO_SEARCH: SearchState = {
  words: '',
  layer: 'all',
  where: 'project',
  since: '',
  until: '',
};

export const useSearchStore = create<SearchState>(() => NO_SEARCH);

/** From elsewhere: look in this layer only. */
export function searchIn([layer]: readonly [Layer]): void {
  useSearchStore.setState({ layer, where: 'project' });
}
