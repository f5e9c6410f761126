/**
 * Opens the place where a hit stands; one of another project chooses that project first. A page
 * without a view of its own is shown by `onPage`.
 */
import { useCallback } from 'react';
import type { MemoryHit } from '../../../core/memory/search/memory-search.ts';
import { hitTarget } from '../../../core/usecases/memory/hit-target.ts';
import type { Place } from '../../store/app-store.ts';
import { useApp } from '../../store/use-app.ts';

export function useOpenHit(onPage: (hit: MemoryHit) => void): (hit: MemoryHit) => void {
  const go = useApp((state) => state.go);
  const chooseProject = useApp((state) => state.chooseProject);
  const project = useApp((state) => state.project);
  return useCallback(
    (hit: MemoryHit) => {
      const place = placeOf(hit);
      if (place === undefined) return onPage(hit);
      if (hit.project !== project) chooseProject(hit.project);
      return go(place);
    },
    [go, chooseProject, project, onPage],
  );
}

/** undefined: it is no page. */
export function pathOfPage(hit: Pick<MemoryHit, 'id' | 'session'>): string | undefined {
  const target = hitTarget(hit);
  return target.kind === 'page' ? target.path : undefined;
}

/** undefined: a page on disk that the window has no view for. */
export function placeOf(hit: Pick<MemoryHit, 'id' | 'session' | 'layer'>): Place | undefined {
  const target = hitTarget(hit);
  switch (target.kind) {
    case 'entry':
      return { view: 'memory', tab: 'transcript', session: target.session, entry: target.entry };
    case 'fact':
      return { view: 'memory', tab: hit.layer === 'l4' ? 'permanent' : 'facts', item: target.id };
    case 'concept':
      return { view: 'memory', tab: 'concepts', item: target.id };
    case 'memory':
      return { view: 'memory', tab: 'text', item: `${target.section}/${target.entry}` };
    case 'page':
      return undefined;
  }
}
