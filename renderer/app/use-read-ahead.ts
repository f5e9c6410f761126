/**
 * What will be looked at next is there before it is asked for (G5): the code of the views is
 * fetched as soon as nothing else is to do, and the engine reads the memory of the project that is
 * chosen. What fails is asked for again by the view that needs it.
 */
import { useEffect } from 'react';
import { useApp, useBridge } from '../store/use-app.ts';
import { keepOverview } from '../views/memory/data/overviews.ts';
import { fetchViews } from './view-names.ts';

export function useReadAhead(): void {
  const bridge = useBridge();
  const project = useApp((state) => state.project);
  useEffect(() => {
    const waiting = requestIdleCallback(() => void fetchViews().catch(() => undefined));
    return () => cancelIdleCallback(waiting);
  }, []);
  useEffect(() => {
    if (project === null) return;
    bridge.call('memory.overview', { project }).then(
      (overview) => keepOverview(project, overview),
      () => undefined,
    );
  }, [bridge, project]);
}
