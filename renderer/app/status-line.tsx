/**
 * The foot of the window: how full the fullest session is, whether anything is paused, what is not
 * saved, and what is not right.
 */

import { CirclePause, CirclePlay, TriangleAlert, WifiOff } from 'lucide-react';
import type { Message } from '../../core/usecases/messages.ts';
import { Popover } from '../components/popover.tsx';
import { Progress } from '../components/states.tsx';
import { percent, t } from '../locale/locale.ts';
import { messageText } from '../locale/message-text.ts';
import type { AppState } from '../store/app-store.ts';
import { useApp } from '../store/use-app.ts';
import { UnsavedPopover } from './unsaved-popover.tsx';

export function StatusLine() {
  const live = useApp((state) => state.live);
  const connection = useApp((state) => state.connection);
  const work = useApp((state) => state.work);
  const attempt = useApp((state) => state.attempt);
  const toast = useApp((state) => state.toast);
  const isPaused = live?.isPaused ?? false;
  const pause = async () => {
    const done = await attempt('sessions.pause', { isPaused: !isPaused });
    if (done !== undefined) toast(isPaused ? t('shell.resumed') : t('shell.pausedNow'));
  };
  return (
    <footer className="status-line">
      <span role="status" className={connection === 'lost' ? 'status-lost' : undefined}>
        {connection === 'lost' ? (
          <>
            <WifiOff aria-hidden="true" /> {t('shell.connectionLost')}
          </>
        ) : (
          <Highest live={live} />
        )}
      </span>
      {isPaused && <strong className="status-paused">{t('shell.paused')}</strong>}
      {work.map(({ project, what, done, total }) => (
        <span key={`${project} ${what}`} className="status-work">
          <Progress label={t(`memory.doing_${what}`)} done={done} total={total} />
        </span>
      ))}
      <span className="status-space" />
      <UnsavedPopover />
      <Problems problems={live?.problems ?? []} />
      <button
        type="button"
        className="status-button"
        onClick={() => void pause()}
        title={t('shell.pauseHint')}
        disabled={live === null}
      >
        {isPaused ? <CirclePlay aria-hidden="true" /> : <CirclePause aria-hidden="true" />}
        {isPaused ? t('shell.resume') : t('shell.pause')}
      </button>
    </footer>
  );
}

function Highest({ live }: { live: AppState['live'] }) {
  if (live === null) return null;
  const [fullest] = live.sessions
    .filter(({ percent: share }) => share !== null)
    .sort((a, b) => (b.percent ?? 0) - (a.percent ?? 0));
  if (live.sessions.length === 0) return <>{t('shell.noLiveSessions')}</>;
  return (
    <>
      {t('shell.liveSessions', { count: live.sessions.length })}
      {fullest !== undefined && (
        <>
          {' · '}
          <span className={`level-${fullest.level}`}>
            {t('shell.highest', {
              percent: percent(fullest.percent ?? 0),
              project: fullest.project,
            })}
          </span>
        </>
      )}
    </>
  );
}

function Problems({ problems }: { problems: readonly Message[] }) {
  if (problems.length === 0) return null;
  return (
    <Popover
      label={t('shell.problemsTitle')}
      trigger={
        <button type="button" className="status-button status-problems">
          <TriangleAlert aria-hidden="true" />
          {t('shell.problems', { count: problems.length })}
        </button>
      }
    >
      <h2>{t('shell.problemsTitle')}</h2>
      <ul className="status-problem-list">
        {problems.map((problem) => (
          <li key={messageText(problem)}>{messageText(problem)}</li>
        ))}
      </ul>
    </Popover>
  );
}
