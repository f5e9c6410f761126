/**
 * A long list whose items have heights of their own (conversations, history): only what is seen is
 * in the page, each item is measured when it is drawn. It scrolls by the keys of every list once it
 * has the focus.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

interface VirtualFeedProps<Row> {
  label: string;
  total: number;
  /** undefined: not there yet. */
  rowAt: (index: number) => Row | undefined;
  onShow: (from: number, to: number) => void;
  render: (row: Row, index: number) => ReactNode;
  estimate: number;
  /** Brought into view when it changes. */
  wanted?: number | undefined;
  className?: string;
}

export function VirtualFeed<Row>(props: VirtualFeedProps<Row>) {
  const { label, total, rowAt, onShow, render, estimate, wanted, className = '' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    overscan: 6,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? -1];
  useEffect(() => {
    if (last >= first) onShow(first, last);
  }, [first, last, onShow]);
  const brought = useRef<number>(undefined);
  useEffect(() => {
    // Once: who reads elsewhere is not pulled back by each entry that comes in.
    if (wanted === undefined || wanted < 0 || wanted >= total || wanted === brought.current) return;
    brought.current = wanted;
    rows.scrollToIndex(wanted, { align: 'center' });
  }, [wanted, total, rows]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className={`feed ${className}`} ref={scroller} tabIndex={0} role="list" aria-label={label}>
      <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start, key }) => {
          const row = rowAt(index);
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              role="listitem"
              aria-setsize={total}
              aria-posinset={index + 1}
              className="feed-item"
              style={{ transform: `translateY(${start}px)` }}
            >
              {row === undefined ? (
                <span className="table-pending" style={{ height: 12 }} />
              ) : (
                render(row, index)
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
