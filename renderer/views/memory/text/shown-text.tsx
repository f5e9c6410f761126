/**
 * A text of memory on the page (G2): always text nodes, never HTML; characters that nobody could
 * see are shown as signs, and the direction of writing is the text's own and ends with it.
 */
import type { ReactNode } from 'react';
import type { Place } from './find-quote.ts';
import { visiblePieces } from './visible-text.ts';

interface ShownTextProps {
  text: string;
  /** What is marked in it, in order and not overlapping. */
  marks?: readonly Place[];
  className?: string;
  as?: 'span' | 'p' | 'pre' | 'div';
}

export function ShownText({ text, marks = [], className, as: Tag = 'span' }: ShownTextProps) {
  return (
    <Tag dir="auto" className={className === undefined ? 'shown-text' : `shown-text ${className}`}>
      {withMarks(text, marks)}
    </Tag>
  );
}

function withMarks(text: string, marks: readonly Place[]): ReactNode[] {
  const nodes: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    nodes.push(...pieces(text.slice(at, start), at));
    nodes.push(<mark key={`mark${start}`}>{pieces(text.slice(start, end), start)}</mark>);
    at = end;
  }
  nodes.push(...pieces(text.slice(at), at));
  return nodes;
}

function pieces(text: string, offset: number): ReactNode[] {
  return visiblePieces(text).map((piece, index) =>
    piece.code === undefined ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
      <span key={`${offset}-${index}`} className="hidden-sign" title={piece.code}>
        {piece.text}
      </span>
    ),
  );
}
