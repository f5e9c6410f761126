/**
 * What a view shows, asked of the engine: again when the arguments change, and when an event says
 * that it is no longer so. The old answer stays until the new one is there, so that nothing
 * flickers.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Arguments, EngineEvent, Method, Results } from '../../core/usecases/contract.ts';
import type { BridgeError } from '../bridge/bridge.ts';
import { asBridgeError } from './app-store.ts';
import { useApp, useBridge } from './use-app.ts';

export interface Query<T> {
  /** Of these very arguments, or of the ones before while those are on their way. */
  data: T | undefined;
  error: BridgeError | undefined;
  isLoading: boolean;
  reload: () => void;
}

/** `args` null: nothing is asked. `isStale` says which events make the answer an old one. */
export function useQuery<M extends Method>(
  method: M,
  args: Arguments<M> | null,
  isStale?: (event: EngineEvent) => boolean,
): Query<Results[M]> {
  const bridge = useBridge();
  const connection = useApp((state) => state.connection);
  const key = args === null ? null : JSON.stringify(args);
  const [answer, setAnswer] = useState<{ key: string; data?: Results[M]; error?: BridgeError }>();
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const stale = useRef(isStale);
  stale.current = isStale;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` and `connection` only ask again
  useEffect(() => {
    if (key === null) return;
    let isOver = false;
    bridge.call(method, JSON.parse(key)).then(
      (data) => isOver || setAnswer({ key, data }),
      (error) =>
        isOver ||
        setAnswer((before) => ({
          ...(before?.data !== undefined && { data: before.data }),
          key,
          error: asBridgeError(error),
        })),
    );
    return () => {
      isOver = true;
    };
  }, [bridge, method, key, round, connection]);

  useEffect(() => bridge.onEvent((event) => stale.current?.(event) && reload()), [bridge, reload]);

  return {
    data: answer?.data,
    error: answer?.key === key ? answer?.error : undefined,
    isLoading: key !== null && answer?.key !== key,
    reload,
  };
}
