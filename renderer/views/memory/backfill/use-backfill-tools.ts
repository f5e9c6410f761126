/** What the import of past conversations needs of the window around it (L1d). */
import { useMemo } from 'react';
import { useApp, useBridge } from '../../../store/use-app.ts';
import type { BackfillTools } from './backfill-store.ts';

export function useBackfillTools(): BackfillTools {
  const bridge = useBridge();
  const refresh = useApp((state) => state.refresh);
  const toast = useApp((state) => state.toast);
  const fail = useApp((state) => state.fail);
  return useMemo(
    () => ({ bridge, app: { refresh, toast, fail }, memo: localStorage }),
    [bridge, refresh, toast, fail],
  );
}
