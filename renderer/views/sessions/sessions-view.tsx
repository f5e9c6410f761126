/** All live sessions, grouped by project (C3, G2); without one, how to start one. */
import { SquareTerminal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { LiveState } from '../../../core/usecases/contract.ts';
import { ViewFrame } from '../../app/view-frame.tsx';
import { Button } from '../../components/button.tsx';
import { EmptyState, ErrorState, Spinner } from '../../components/states.tsx';
import { t } from '../../locale/locale.ts';
import { useApp } from '../../store/use-app.ts';
import { BackfillOffer } from '../memory/backfill/backfill-offer.tsx';
import { InstallButton } from '../plugin/install-button.tsx';
import { byProject, cardKey, fullestOf, inOrderOf, type SessionGroup } from './grouping.ts';
import { clearOf } from './next-step.ts';
import { SessionCard } from './session-card.tsx';
import './sessions.css';

export function SessionsView() {
  const live = useApp((state) => state.live);
  const error = useApp((state) => state.liveError);
  const refresh = useApp((state) => state.refresh);
  const isInstalled = useApp((state) => state.plugin?.isInstalled === true);
  const title = t('shell.sessions');
  if (live === null)
    return (
      <ViewFrame title={title}>
        {error === null ? <Spinner /> : <ErrorState error={error} onRetry={() => void refresh()} />}
      </ViewFrame>
    );
  // All of them, whatever project was chosen: a full one elsewhere must not be out of sight.
  const { sessions } = live;
  return (
    <ViewFrame
      title={title}
      about={sessions.length > 0 && t('sessions.count', { count: sessions.length })}
    >
      <PluginNotice isMain={sessions.length === 0} />
      {sessions.length === 0 ? <NoSession /> : <SessionList live={live} />}
      <BackfillOffer place="first" isMain={sessions.length === 0 && isInstalled} />
    </ViewFrame>
  );
}

function SessionList({ live: { sessions, clears } }: { live: LiveState }) {
  const project = useApp((state) => state.project);
  const list = useRef<HTMLDivElement>(null);
  const shown = useRef<SessionGroup[]>([]);
  // Nothing moves under the pointer, nor away from the focus: then the order of before holds until
  // the next news.
  const isHeld = list.current?.matches(':hover, :focus-within') === true;
  const sorted = byProject(sessions, clears, project);
  const groups = isHeld ? inOrderOf(shown.current, sorted) : sorted;
  useEffect(() => {
    shown.current = groups;
  });
  const fullest = fullestOf(sessions);
  return (
    <div ref={list}>
      {groups.map(({ root, name, sessions: own }) => (
        <section key={root} className="session-group" aria-label={name}>
          {own.length > 1 && (
            <h2 className="session-project" title={root}>
              {name}
            </h2>
          )}
          {own.map((session) => (
            <SessionCard
              key={cardKey(session)}
              session={session}
              clear={clearOf(session, clears)}
              isFirst={session === fullest}
              isAlone={own.length === 1}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

function PluginNotice({ isMain }: { isMain: boolean }) {
  const plugin = useApp((state) => state.plugin);
  const readPlugin = useApp((state) => state.readPlugin);
  useEffect(() => void readPlugin(), [readPlugin]);
  const go = useApp((state) => state.go);
  if (plugin === null || plugin.isInstalled) return null;
  return (
    <aside className="plugin-notice">
      <p>
        <strong>{t('sessions.noPluginTitle')}.</strong> {t('sessions.noPluginText')}
      </p>
      {plugin.cli === null ? (
        <Button onClick={() => go({ view: 'plugin' })}>{t('sessions.howToInstall')}</Button>
      ) : (
        <InstallButton look={isMain ? 'primary' : 'plain'} />
      )}
    </aside>
  );
}

function NoSession() {
  return (
    <EmptyState icon={<SquareTerminal />} title={t('sessions.emptyTitle')}>
      <p>{t('sessions.emptyText')}</p>
      <p>
        <code>{t('sessions.emptyCommand')}</code>
      </p>
    </EmptyState>
  );
}
