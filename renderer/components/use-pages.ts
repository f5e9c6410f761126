/**
 * A long list that is fetched page by page as it is looked at: 50,000 rows cost no more than the
 * pages that were seen. While a new version is on its way the old rows stay. It is asked for again
 * when a lost connection is back.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { BridgeError } from '../bridge/bridge.ts';
import { asBridgeError } from '../store/app-store.ts';
import { useApp } from '../store/use-app.ts';

const PAGE = 200;

export interface Page<Row> {
  total: number;
  rows: Row[];
}

export interface Pages<Row> {
  /** undefined: not known yet. */
  total: number | undefined;
  rowAt(index: number): Row | undefined;
  /** What is on the screen now; missing pages are fetched. */
  show(from: number, to: number): void;
  /** All that is known is asked for anew. */
  reload(): void;
  error: BridgeError | undefined;
}

interface Known<Row> {
  key: string;
  total: number | undefined;
  pages: Map<number, Row[]>;
  error: BridgeError | undefined;
}

/** `key` names what is listed: another key is another list. */
export function usePages<Row>(
  key: string,
  load: (from: number, count: number) => Promise<Page<Row>>,
): Pages<Row> {
  const [known, setKnown] = useState<Known<Row>>({
    key,
    total: undefined,
    pages: new Map(),
    error: undefined,
  });
  const asked = useRef(new Map<number, number>());
  const round = useRef(0);
  const shown = useRef({ from: 0, to: PAGE - 1 });
  const loader = useRef(load);
  loader.current = load;

  const fetchPage = useCallback(
    (page: number) => {
      const mine = round.current;
      if (asked.current.get(page) === mine) return;
      asked.current.set(page, mine);
      loader.current(page * PAGE, PAGE).then(
        ({ total, rows }) => {
          if (mine !== round.current) return;
          setKnown((before) => {
            const isSame = before.key === `${key}#${mine}`;
            return {
              key: `${key}#${mine}`,
              total,
              pages: new Map(isSame ? before.pages : []).set(page, rows),
              error: undefined,
            };
          });
        },
        (error) => {
          if (mine !== round.current) return;
          asked.current.delete(page);
          setKnown((before) => ({ ...before, error: asBridgeError(error) }));
        },
      );
    },
    [key],
  );

  const show = useCallback(
    (from: number, to: number) => {
      shown.current = { from, to };
      for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page++)
        fetchPage(page);
    },
    [fetchPage],
  );

  const reload = useCallback(() => {
    round.current++;
    show(shown.current.from, shown.current.to);
  }, [show]);

  useEffect(() => {
    round.current++;
    shown.current = { from: 0, to: PAGE - 1 };
    fetchPage(0);
  }, [fetchPage]);

  const connection = useApp((state) => state.connection);
  const lastConnection = useRef(connection);
  useEffect(() => {
    if (connection === 'on' && lastConnection.current === 'lost') reload();
    lastConnection.current = connection;
  }, [connection, reload]);

  const rowAt = useCallback(
    (index: number) => known.pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    [known],
  );
  return { total: known.total, rowAt, show, reload, error: known.error };
}
