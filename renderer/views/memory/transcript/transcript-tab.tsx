/**
 * The kept conversations (L1, G2): the sessions, newest first, and the entries of the one that is
 * chosen, fetched as they are looked at. An entry that was asked for from elsewhere is found and
 * brought into view.
 */
import { MessagesSquare, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { L1Entry } from '../../../../core/memory/log/l1-refine.ts';
import type { SavedSession } from '../../../../core/usecases/contract.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import { Button } from '../../../components/button.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { EmptyState, ErrorState, Spinner } from '../../../components/states.tsx';
import { usePages } from '../../../components/use-pages.ts';
import { date, t, timeOfDay } from '../../../locale/locale.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { searchIn } from '../../search/search-store.ts';
import { Split } from '../data/split.tsx';
import { isAbout, useMemoryQuery } from '../data/use-memory.ts';
import { VirtualFeed } from '../data/virtual-feed.tsx';
import { EntryItem, isTime, wordsOfEntry } from '../text/entry-item.tsx';
import { visibleLine } from '../text/visible-text.ts';
import { TrashLine } from './trash-line.tsx';

/** As many as one answer may hold. */
const FIND_PAGE = 1000;

export function TranscriptTab({ project }: { project: string }) {
  const { data, error, reload } = useMemoryQuery('memory.sessions', { project }, project);
  const session = useApp((state) => state.place.session);
  const go = useApp((state) => state.go);
  if (error !== undefined && data === undefined)
    return <ErrorState error={error} onRetry={reload} />;
  if (data === undefined) return <Spinner />;
  if (data.length === 0)
    return (
      <>
        <TrashLine project={project} />
        <EmptyState icon={<MessagesSquare />} title={t('memory.empty_transcript')}>
          <p>{t('memory.emptyText_transcript')}</p>
        </EmptyState>
      </>
    );
  const chosen = data.find((kept) => kept.session === session);
  const search = () => {
    searchIn(['l1']);
    go({ view: 'search' });
  };
  return (
    <Split
      pane={
        session !== undefined && (
          <Conversation key={session} project={project} session={session} kept={chosen} />
        )
      }
      paneLabel={t('memory.conversation')}
      onClose={() => go({ view: 'memory', tab: 'transcript' })}
    >
      <div className="bar">
        <span className="quiet">{t('memory.keptSessions', { count: data.length })}</span>
        <span className="bar-space" />
        <Button icon={<Search aria-hidden="true" />} onClick={search}>
          {t('memory.searchConversations')}
        </Button>
      </div>
      <TrashLine project={project} />
      <ul className="sessions-list" aria-label={t('memory.transcript')}>
        {data.map((kept) => (
          <li key={`${kept.session}/${kept.file}`}>
            <button
              type="button"
              className="row-button session-row"
              aria-current={kept.session === session}
              onClick={() => go({ view: 'memory', tab: 'transcript', session: kept.session })}
            >
              <span dir="auto" className="session-title">
                {visibleLine(kept.title, 140) || t('memory.noTitle')}
              </span>
              <span className="quiet">
                {isTime(kept.lastAt) && `${date(kept.lastAt)} ${timeOfDay(kept.lastAt)} · `}
                {t('memory.entries', { count: kept.entries })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Split>
  );
}

function Conversation({
  project,
  session,
  kept,
}: {
  project: string;
  session: string;
  kept: SavedSession | undefined;
}) {
  const bridge = useBridge();
  const entry = useApp((state) => state.place.entry);
  const [wanted, setWanted] = useState<number>();
  const pages = usePages<L1Entry>(`${project}\n${session}`, async (from, count) => {
    const { total, entries } = await bridge.call('memory.entries', {
      project,
      session,
      from,
      count,
    });
    return { total, rows: entries };
  });
  useEffect(
    () => bridge.onEvent((event) => isAbout(event, project) && pages.reload()),
    [bridge, project, pages.reload],
  );
  useEffect(() => {
    let isOver = false;
    if (entry !== undefined)
      findEntry(bridge, { project, session }, entry).then(
        (index) => isOver || setWanted(index),
        // The entries themselves say what is wrong.
        () => isOver || setWanted(undefined),
      );
    return () => {
      isOver = true;
    };
  }, [bridge, project, session, entry]);
  if (pages.error !== undefined) return <ErrorState error={pages.error} onRetry={pages.reload} />;
  if (pages.total === undefined) return <Spinner />;
  return (
    <div className="conversation">
      <h2 className="detail-title">
        <bdi>{visibleLine(kept?.title ?? session, 120)}</bdi>
      </h2>
      <p className="quiet conversation-about">
        {kept !== undefined && isTime(kept.firstAt) && `${date(kept.firstAt)} · `}
        <code>{visibleLine(session, 40)}</code>
      </p>
      <VirtualFeed
        label={t('memory.conversation')}
        total={pages.total}
        rowAt={pages.rowAt}
        onShow={pages.show}
        estimate={64}
        wanted={wanted}
        render={(said) => (
          <div className="conversation-entry">
            <EntryItem entry={said} isWanted={said.id === entry} />
            <div className="entry-copy">
              <CopyButton look="bare" size="small" text={wordsOfEntry(said)} />
            </div>
          </div>
        )}
      />
    </div>
  );
}

/** Its place in the session; undefined if it is kept no longer. */
async function findEntry(
  bridge: Bridge,
  where: { project: string; session: string },
  id: string,
): Promise<number | undefined> {
  for (let from = 0; ; from += FIND_PAGE) {
    const { total, entries } = await bridge.call('memory.entries', {
      ...where,
      from,
      count: FIND_PAGE,
    });
    const index = entries.findIndex((entry) => entry.id === id);
    if (index >= 0) return from + index;
    if (from + FIND_PAGE >= total || entries.length === 0) return undefined;
  }
}
