/**
 * A table that stays smooth with 50,000 rows: only what is seen is in the page. One stop for Tab,
 * then arrows, Page keys, Home and End; Enter opens. Screen readers are told how many rows there
 * are and which one is meant (G6).
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import './virtual-table.css';

export interface Column<Row> {
  id: string;
  header: string;
  /** A track of CSS grid, such as `120px` or `minmax(0, 1fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
}

interface VirtualTableProps<Row> {
  label: string;
  total: number;
  /** undefined: not there yet; the row stays empty meanwhile. */
  rowAt: (index: number) => Row | undefined;
  /** Which rows are to be seen, for whoever fetches them. */
  onShow?: (from: number, to: number) => void;
  columns: readonly Column<Row>[];
  rowHeight?: number;
  /** The row under the keyboard; -1: none. */
  current: number;
  onCurrent: (index: number) => void;
  onOpen?: (index: number) => void;
}

const AHEAD = 12;
/** Of the header, which stays in sight above the rows. */
const HEAD = 29;

export function VirtualTable<Row extends { id: string }>(props: VirtualTableProps<Row>) {
  const {
    label,
    total,
    rowAt,
    onShow,
    columns,
    rowHeight = 32,
    current,
    onCurrent,
    onOpen,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: AHEAD,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (last >= first) onShow?.(first, last);
  }, [first, last, onShow]);
  const brought = useRef<{ index: number; id: string | undefined }>(undefined);
  useEffect(() => {
    if (current < 0 || current >= total) return;
    const [before, id] = [brought.current, rowAt(current)?.id];
    if (before?.index === current) {
      before.id ??= id;
      return;
    }
    brought.current = { index: current, id };
    // The same row, with others before it now: who reads elsewhere is not pulled back.
    if (id === undefined || id !== before?.id) rows.scrollToIndex(current);
  }, [current, total, rowAt, rows]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && current >= 0) {
      event.preventDefault();
      onOpen?.(current);
      return;
    }
    const page = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 0) - HEAD) / rowHeight) - 1,
    );
    const wanted = movedIndex(event.key, current, page, total);
    if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (wanted >= 0) onCurrent(wanted);
  };

  const template = columns.map(({ width }) => width).join(' ');
  const isCurrentDrawn = current >= first && current <= last;
  return (
    <div
      className="table"
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={columns.length}
      aria-activedescendant={isCurrentDrawn ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="table-head" style={{ height: HEAD }}>
        <div
          role="row"
          aria-rowindex={1}
          className="table-row"
          style={{ gridTemplateColumns: template }}
        >
          {columns.map(({ id: column, header, isNumber }) => (
            <div
              key={column}
              role="columnheader"
              className={isNumber === true ? 'table-cell table-number' : 'table-cell'}
            >
              {header}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="table-body" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start, size }) => {
          const row = rowAt(index);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid hears the keys
            <div
              key={index}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === current}
              className="table-row"
              style={{
                gridTemplateColumns: template,
                height: size,
                transform: `translateY(${start - HEAD}px)`,
              }}
              onClick={() => onCurrent(index)}
              onDoubleClick={() => onOpen?.(index)}
            >
              {columns.map(({ id: column, cell, isNumber }) => (
                <div
                  key={column}
                  role="gridcell"
                  className={isNumber === true ? 'table-cell table-number' : 'table-cell'}
                >
                  {row === undefined ? <span className="table-pending" /> : cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Where a key leads; undefined if it is none of ours, -1 in an empty list. */
export function movedIndex(
  key: string,
  current: number,
  page: number,
  total: number,
): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
  };
  if (key === 'Home') return Math.min(0, total - 1);
  if (key === 'End') return total - 1;
  const step = steps[key];
  if (step === undefined) return undefined;
  return Math.min(total - 1, Math.max(0, current + step));
}
