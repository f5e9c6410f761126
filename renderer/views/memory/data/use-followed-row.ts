/**
 * Which row of a table is chosen, by id although the table counts rows: when others come before it
 * the row moves along, and one that is not there yet is chosen as soon as it is.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Pages } from '../../../components/use-pages.ts';

/** How far a row is looked for from where it was. */
const NEAR = 200;

export function useFollowedRow<Row extends { id: string }>(
  pages: Pages<Row>,
  id: string | undefined,
  choose: (id: string | undefined) => void,
): [number, (index: number) => void] {
  const [current, setCurrent] = useState(-1);
  const pending = useRef<number>(undefined);
  const { rowAt, total } = pages;

  const onCurrent = useCallback(
    (index: number) => {
      setCurrent(index);
      const row = rowAt(index);
      pending.current = row === undefined ? index : undefined;
      if (row !== undefined) choose(row.id);
    },
    [rowAt, choose],
  );

  useEffect(() => {
    if (pending.current !== undefined) {
      const row = rowAt(pending.current);
      if (row === undefined) return;
      pending.current = undefined;
      choose(row.id);
      return;
    }
    setCurrent((before) =>
      id === undefined ? clamped(before, total) : nearest(rowAt, id, before, total ?? 0),
    );
  }, [rowAt, id, total, choose]);

  return [current, onCurrent];
}

/** The row under the keyboard stays near when the chosen one is gone. */
function clamped(index: number, total: number | undefined): number {
  return total === undefined ? index : Math.min(index, total - 1);
}

function nearest<Row extends { id: string }>(
  rowAt: Pages<Row>['rowAt'],
  id: string,
  around: number,
  total: number,
): number {
  const start = Math.max(0, around);
  for (let distance = 0; distance <= NEAR; distance++)
    for (const index of [start + distance, start - distance])
      if (index >= 0 && index < total && rowAt(index)?.id === id) return index;
  return -1;
}
