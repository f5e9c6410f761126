/**
 * Messages at the foot, newest last: what was done, with Undo where it can be taken back. One that
 * is pointed at or has the focus stays, and an error until it is dismissed.
 */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../locale/locale.ts';
import type { Toast } from '../store/app-store.ts';
import { useApp } from '../store/use-app.ts';
import { Button, IconButton } from './button.tsx';
import './toasts.css';

const STAYS_MS = 6000;
/** Time to read it and reach for Undo. */
const STAYS_WITH_ACTION_MS = 12_000;

export function Toasts() {
  const toasts = useApp((state) => state.toasts);
  return (
    <section className="toasts" aria-label={t('shell.notifications')}>
      <div aria-live="polite">
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const dismiss = useApp((state) => state.dismiss);
  const { id, tone, text, action } = toast;
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const stays = tone === 'error' || isPointedAt || hasFocus;
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(
      () => dismiss(id),
      action === undefined ? STAYS_MS : STAYS_WITH_ACTION_MS,
    );
    return () => clearTimeout(timer);
  }, [id, stays, action, dismiss]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it is only left alone while somebody is at it
    <div
      className={`toast toast-${tone}`}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <p>{text}</p>
      {action !== undefined && (
        <Button
          size="small"
          onClick={() => {
            dismiss(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton
        size="small"
        label={t('shell.dismiss')}
        icon={<X aria-hidden="true" />}
        onClick={() => dismiss(id)}
      />
    </div>
  );
}
