/**
 * One entry of a conversation (G2): who said it, when, and the words; what a tool did is folded
 * until it is asked for.
 */
import { Wrench } from 'lucide-react';
import type { L1Entry } from '../../../../core/memory/log/l1-refine.ts';
import { fullTime, t, timeOfDay } from '../../../locale/locale.ts';
import { findQuote, type Place } from './find-quote.ts';
import { ShownText } from './shown-text.tsx';
import { visibleLine } from './visible-text.ts';

interface EntryItemProps {
  entry: L1Entry;
  /** Words that are marked in it. */
  quote?: string | undefined;
  /** It is the one that was asked for. */
  isWanted?: boolean;
}

export function EntryItem({ entry, quote, isWanted = false }: EntryItemProps) {
  const at = isTime(entry.ts) ? (
    <time dateTime={entry.ts} title={fullTime(entry.ts)}>
      {timeOfDay(entry.ts)}
    </time>
  ) : null;
  return (
    <div
      className={`entry entry-${entry.role}${isWanted ? ' entry-wanted' : ''}`}
      data-entry={entry.id}
    >
      <div className="entry-who">
        <span>{t(`memory.role_${entry.role}`)}</span>
        {at}
      </div>
      {entry.role === 'tool' ? (
        <details open={quote !== undefined && quote !== ''}>
          <summary>
            <Wrench size={12} aria-hidden="true" />
            <bdi>{visibleLine(entry.name, 60)}</bdi>{' '}
            <code dir="auto">{visibleLine(entry.cmd, 160)}</code>
          </summary>
          <ShownText as="pre" text={entry.cmd} marks={marksOf(entry.cmd, quote)} />
          {entry.output === '' ? (
            <p className="quiet">{t('memory.noOutput')}</p>
          ) : (
            <ShownText
              as="pre"
              className="tool-output"
              text={entry.output}
              marks={marksOf(entry.output, quote)}
            />
          )}
        </details>
      ) : (
        <ShownText
          as="div"
          className="entry-words"
          text={entry.text}
          marks={marksOf(entry.text, quote)}
        />
      )}
    </div>
  );
}

export function isTime(at: string): boolean {
  return !Number.isNaN(Date.parse(at));
}

/** For copying. */
export function wordsOfEntry(entry: L1Entry): string {
  return entry.role === 'tool' ? `${entry.name} ${entry.cmd}\n${entry.output}` : entry.text;
}

function marksOf(text: string, quote: string | undefined): Place[] {
  const place = quote === undefined ? undefined : findQuote(text, quote);
  return place === undefined ? [] : [place];
}
