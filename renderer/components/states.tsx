/**
 * What stands where there is nothing yet, nothing any more, or something went wrong: each says what
 * to do next.
 */
import type { ReactNode } from 'react';
import type { BridgeError } from '../bridge/bridge.ts';
import { t } from '../locale/locale.ts';
import { errorText } from '../locale/message-text.ts';
import { Button } from './button.tsx';
import './states.css';

export function EmptyState({
  icon,
  title,
  isPage = false,
  children,
  action,
}: {
  icon?: ReactNode;
  title: string;
  /** It is all that there is on the page. */
  isPage?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="state">
      {icon !== undefined && (
        <div className="state-icon" aria-hidden="true">
          {icon}
        </div>
      )}
      <Title className="state-title">{title}</Title>
      {children !== undefined && <div className="state-text">{children}</div>}
      {action}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: BridgeError; onRetry?: () => void }) {
  return (
    <div className="state" role="alert">
      <h2 className="state-title">{error.isBug ? t('shell.bugTitle') : t('shell.failedTitle')}</h2>
      <div className="state-text">
        {error.isBug && <p>{t('shell.bugHelp')}</p>}
        <p className="state-reason">{errorText(error)}</p>
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>{t('shell.retry')}</Button>}
    </div>
  );
}

export function Spinner({ label = t('shell.loading') }: { label?: string }) {
  return (
    <div className="state state-loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <span>{label}</span>
    </div>
  );
}

/** `total` 0: how far it is, is not known. */
export function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  const isKnown = total > 0;
  return (
    <div
      className={isKnown ? 'progress' : 'progress progress-unknown'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      {...(isKnown && { 'aria-valuemax': total, 'aria-valuenow': done })}
    >
      <div
        className="progress-bar"
        style={isKnown ? { width: `${Math.min(100, (done / total) * 100)}%` } : undefined}
      />
    </div>
  );
}
