/**
 * The overview of each project as it was last told: the tabs of memory have their counts from the
 * first frame on, and do not move when they come.
 */
import { create } from 'zustand';
import type { MemoryOverview } from '../../../../core/usecases/contract.ts';

export const useOverviews = create<Record<string, MemoryOverview>>(() => ({}));

export function keepOverview(project: string, overview: MemoryOverview): void {
  useOverviews.setState({ [project]: overview });
}
