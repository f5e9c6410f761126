/**
 * One entry of a conversation (G2): who said it, when, and the words; what a tool did is folded
 * until it is asked for.
 */
import { Wrench } from 'lucide-react';
import type { L1Entry, ToolEntry } from '../../../../core/memory/log/l1-refine.ts';
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
        <ToolCall entry={entry} quote={quote} />
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

function ToolCall({ entry, quote }: { entry: ToolEntry; quote: string | undefined }) {
  const { name, cmd, detail = '', change = '', output, isError, isRefused } = entry;
  return (
    <details open={quote !== undefined && quote !== ''}>
      <summary>
        <Wrench size={12} aria-hidden="true" />
        <bdi>{visibleLine(name, 60)}</bdi> <code dir="auto">{visibleLine(cmd, 160)}</code>
        {isError && (
          <span className="tool-failed">
            {t(isRefused ? 'memory.toolRefused' : 'memory.toolFailed')}
          </span>
        )}
      </summary>
      <ShownText as="pre" text={cmd} marks={marksOf(cmd, quote)} />
      {detail !== '' && (
        <ShownText as="pre" className="quiet" text={detail} marks={marksOf(detail, quote)} />
      )}
      {change !== '' && <Change text={change} quote={quote} />}
      {output !== '' && (
        <ShownText as="pre" className="tool-output" text={output} marks={marksOf(output, quote)} />
      )}
      {output === '' && change === '' && <p className="quiet">{t('memory.noOutput')}</p>}
    </details>
  );
}

/** What an edit took out and put in, line by line. */
function Change({ text, quote }: { text: string; quote: string | undefined }) {
  return (
    <pre className="diff-text tool-change">
      {text.split('\n').map((line, index) => {
        const Tag = line.startsWith('-') ? 'del' : line.startsWith('+') ? 'ins' : 'span';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
          <Tag key={index}>
            <ShownText text={line} marks={marksOf(line, quote)} />
          </Tag>
        );
      })}
    </pre>
  );
}

export function isTime(at: string): boolean {
  return !Number.isNaN(Date.parse(at));
}

/** For copying. */
export function wordsOfEntry(entry: L1Entry): string {
  if (entry.role !== 'tool') return entry.text;
  const { name, cmd, detail = '', change = '', output } = entry;
  return [`${name} ${cmd}`, detail, change, output].filter((part) => part !== '').join('\n');
}

function marksOf(text: string, quote: string | undefined): Place[] {
  const place = quote === undefined ? undefined : findQuote(text, quote);
  return place === undefined ? [] : [place];
}
