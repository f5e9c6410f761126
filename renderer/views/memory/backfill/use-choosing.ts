/**
 * What the user wants of their past conversations (L1d): from which day on, and of which projects. A
 * day is looked up by the engine, projects are left out at once.
 */
import { useEffect, useState } from 'react';
import type { BackfillPreview } from '../../../../core/usecases/contract.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { useQuery } from '../../../store/use-query.ts';
import { type BackfillChoice, keptChoice } from './backfill-memo.ts';
import { lookForPast, useBackfill } from './backfill-store.ts';
import { choiceOf, dayOf, startOfDay, type Totals, totalsOf } from './backfill-words.ts';
import { useBackfillTools } from './use-backfill-tools.ts';

/** While a date is typed, each digit makes another one. */
const TYPED_MS = 400;

export interface Choosing {
  day: string;
  onDay: (day: string) => void;
  /** Undefined: not known yet. */
  preview: BackfillPreview | undefined;
  error: BridgeError | undefined;
  onRetry: () => void;
  leftOut: ReadonlySet<string>;
  onInclude: (roots: readonly string[], isIncluded: boolean) => void;
  totals: Totals;
  choice: BackfillChoice;
  /** The preview is of the day that is shown, and something is chosen. */
  canStart: boolean;
}

export function useChoosing(): Choosing {
  const tools = useBackfillTools();
  // What an import was begun with holds until the user says otherwise.
  const [kept] = useState(() => keptChoice(tools.memo) ?? {});
  const [day, onDay] = useState(() => (kept.since === undefined ? '' : dayOf(kept.since)));
  const { preview, error, onRetry, isCurrent } = useDays(day);
  const projects = preview?.projects ?? [];
  const { leftOut, onInclude } = useLeftOut(
    projects.map(({ root }) => root),
    kept.only ?? [],
  );
  const totals = totalsOf(projects, leftOut);
  const isElsewhere = preview?.unfinished?.state === 'running';
  return {
    day,
    onDay,
    preview,
    error,
    onRetry,
    leftOut,
    onInclude,
    totals,
    choice: choiceOf(projects, leftOut, day),
    canStart: isCurrent && totals.sessions > 0 && !isElsewhere,
  };
}

function useDays(
  day: string,
): Pick<Choosing, 'preview' | 'error' | 'onRetry'> & { isCurrent: boolean } {
  const tools = useBackfillTools();
  const { preview: all, error, progress } = useBackfill();
  const isGoing = progress !== null;
  const settled = useSettled(day);
  // While an import goes on, a look would wait for its end.
  useEffect(() => {
    if (!isGoing) void lookForPast(tools);
  }, [isGoing, tools]);
  const since = useQuery(
    'backfill.preview',
    isGoing || settled === '' ? null : { since: startOfDay(settled) },
    (event) => event.name === 'backfill' && event.value.isOver,
  );
  if (day === '')
    return {
      preview: all ?? undefined,
      error: error ?? undefined,
      onRetry: () => void lookForPast(tools),
      isCurrent: all !== null,
    };
  return {
    preview: since.data ?? all ?? undefined,
    error: since.error,
    onRetry: since.reload,
    isCurrent: settled === day && !since.isLoading && since.data !== undefined,
  };
}

/** The day once it has stood for a moment. */
function useSettled(day: string): string {
  const [settled, setSettled] = useState(day);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(day), TYPED_MS);
    return () => clearTimeout(timer);
  }, [day]);
  return settled;
}

function useLeftOut(
  roots: readonly string[],
  only: readonly string[],
): Pick<Choosing, 'leftOut' | 'onInclude'> {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isIncluded = (root: string) =>
    changed.get(root) ?? (only.length === 0 || only.includes(root));
  return {
    leftOut: new Set(roots.filter((root) => !isIncluded(root))),
    onInclude: (wanted, is) =>
      setChanged((before) => new Map([...before, ...wanted.map((root) => [root, is] as const)])),
  };
}
