/**
 * What a browser shows without a token, or with one that is no longer accepted: how to get in (G3).
 */
import { Lock } from 'lucide-react';
import { EmptyState } from '../components/states.tsx';
import { t } from '../locale/locale.ts';
import './app.css';

export function NoToken({ isRefused = false }: { isRefused?: boolean }) {
  return (
    <main className="no-token">
      <EmptyState
        isPage={true}
        icon={<Lock />}
        title={isRefused ? t('shell.refusedTitle') : t('shell.noTokenTitle')}
      >
        <p>{t('shell.noTokenText')}</p>
        <p>
          <code>memory-keeper serve</code>
        </p>
        <p>{t('shell.noTokenHint')}</p>
      </EmptyState>
    </main>
  );
}

/** Above the window, which stays: it may hold text that was typed and could not be saved. */
export function RefusedBanner() {
  return (
    <div className="refused" role="alert">
      <Lock aria-hidden="true" />
      <p>
        <strong>{t('shell.refusedTitle')}.</strong> {t('shell.refusedText')}{' '}
        <code>memory-keeper serve</code>
      </p>
    </div>
  );
}
