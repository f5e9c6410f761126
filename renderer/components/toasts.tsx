/** Messages at the foot, newest last: what was done, with Undo where it can be taken back; an error stays until it is dismissed. */
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { engineText } from '../locale/engine-text.ts';
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
  useEffect(() => {
    if (tone === 'error') return undefined;
    const timer = setTimeout(() => dismiss(id), action === undefined ? STAYS_MS : STAYS_WITH_ACTION_MS);
    return () => clearTimeout(timer);
  }, [id, tone, action, dismiss]);
  return (
    <div className={`toast toast-${tone}`}>
      <p>{tone === 'error' ? engineText(text) : text}</p>
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
      <IconButton size="small" label={t('shell.dismiss')} icon={<X aria-hidden="true" />} onClick={() => dismiss(id)} />
    </div>
  );
}
