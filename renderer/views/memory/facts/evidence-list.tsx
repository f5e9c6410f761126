/**
 * Where a fact comes from (M9, G2): each quote, and on opening it the conversation around it with
 * the quote marked and brought into view. The first is open at once.
 */
import { MessagesSquare } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Evidence } from '../../../../core/memory/l2-facts/facts-file.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorState, Spinner } from '../../../components/states.tsx';
import { fullTime, t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';
import { useQuery } from '../../../store/use-query.ts';
import { EntryItem, isTime } from '../text/entry-item.tsx';
import { ShownText } from '../text/shown-text.tsx';

export function EvidenceList({
  project,
  evidence,
  isAdopted,
}: {
  project: string;
  evidence: readonly Evidence[];
  /** A repository brought the fact. */
  isAdopted: boolean;
}) {
  return (
    <section className="evidence" aria-labelledby="evidence-title">
      <h2 className="detail-part" id="evidence-title">
        {t('memory.evidence')}
      </h2>
      {evidence.length === 0 && (
        <p className="quiet">{t(isAdopted ? 'memory.adoptedNoEvidence' : 'memory.noEvidence')}</p>
      )}
      {evidence.map((source, index) => (
        <EvidenceItem
          key={`${source.session}/${source.entry}/${source.quote}`}
          project={project}
          source={source}
          isFirst={index === 0}
        />
      ))}
    </section>
  );
}

function EvidenceItem({
  project,
  source,
  isFirst,
}: {
  project: string;
  source: Evidence;
  isFirst: boolean;
}) {
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details
      className="evidence-item"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <ShownText className="evidence-quote" text={source.quote} />
        <span className="quiet">
          {t(`memory.role_${source.role}`)}
          {isTime(source.at) && ` · ${fullTime(source.at)}`}
        </span>
      </summary>
      {isOpen && <Around project={project} source={source} />}
    </details>
  );
}

function Around({ project, source }: { project: string; source: Evidence }) {
  const { session, entry, quote } = source;
  const { data, error, reload } = useQuery('memory.around', { project, session, entry });
  const go = useApp((state) => state.go);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (data === undefined || box.current === null) return;
    const mark = box.current.querySelector('mark') ?? box.current.querySelector('.entry-wanted');
    if (mark === null) return;
    const [inside, around] = [mark.getBoundingClientRect(), box.current.getBoundingClientRect()];
    box.current.scrollTop += inside.top - around.top - (around.height - inside.height) / 2;
  }, [data]);
  if (error !== undefined) return <ErrorState error={error} onRetry={reload} />;
  if (data === undefined) return <Spinner />;
  if (data.index < 0) return <p className="notice">{t('memory.conversationGone')}</p>;
  return (
    <>
      <div
        className="around"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={t('memory.conversation')}
      >
        {data.entries.map((said, index) => (
          <EntryItem
            key={said.id}
            entry={said}
            isWanted={index === data.index}
            quote={index === data.index ? quote : undefined}
          />
        ))}
      </div>
      <Button
        size="small"
        look="bare"
        icon={<MessagesSquare aria-hidden="true" />}
        onClick={() => go({ view: 'memory', tab: 'transcript', session, entry })}
      >
        {t('memory.openConversation')}
      </Button>
    </>
  );
}
