/**
 * The activity of one project or of all: pages back in time, and what happens now on top of them.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActivityRow } from '../../../core/usecases/contract.ts';
import type { BridgeError } from '../../bridge/bridge.ts';
import { asBridgeError } from '../../store/app-store.ts';
import { useApp, useBridge } from '../../store/use-app.ts';

const PAGE = 200;

export interface ActivityList {
  /** Newest first; undefined: not known yet. */
  rows: ActivityRow[] | undefined;
  hasOlder: boolean;
  isLoading: boolean;
  error: BridgeError | undefined;
  loadOlder: () => void;
  reload: () => void;
}

export function useActivity(project: string | null): ActivityList {
  const bridge = useBridge();
  const connection = useApp((state) => state.connection);
  const [rows, setRows] = useState<ActivityRow[]>();
  const [hasOlder, setHasOlder] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<BridgeError>();
  const round = useRef(0);

  const load = useCallback(
    async (before: string | undefined) => {
      if (before === undefined) round.current++;
      const mine = round.current;
      setLoading(true);
      try {
        const page = await bridge.call('activity.list', {
          count: PAGE,
          ...(project !== null && { project }),
          ...(before !== undefined && { before }),
        });
        if (mine !== round.current) return;
        setRows((known) => (before === undefined ? page : joined(known ?? [], page)));
        setHasOlder(page.length >= PAGE);
        setError(undefined);
      } catch (failure) {
        if (mine === round.current) setError(asBridgeError(failure));
      }
      if (mine === round.current) setLoading(false);
    },
    [bridge, project],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: a connection that is back may have missed something
  useEffect(() => void load(undefined), [load, connection]);
  useEffect(
    () =>
      bridge.onEvent((event) => {
        if (event.name !== 'activity' || (project !== null && event.value.project !== project))
          return;
        setRows((known) => known && joined([event.value], known));
      }),
    [bridge, project],
  );

  const oldest = rows?.at(-1)?.at;
  const loadOlder = useCallback(() => void load(oldest), [load, oldest]);
  const reload = useCallback(() => void load(undefined), [load]);
  return { rows, hasOlder, isLoading, error, loadOlder, reload };
}

/** Newest first, each once. */
export function joined(one: readonly ActivityRow[], other: readonly ActivityRow[]): ActivityRow[] {
  const seen = new Set<string>();
  const all = [...one, ...other].filter((row) => {
    const key = JSON.stringify(row);
    return !seen.has(key) && seen.add(key);
  });
  return all.sort((a, b) => b.at.localeCompare(a.at));
}
