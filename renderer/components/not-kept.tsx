/** Says of a draft that it finds no room beyond this page, where it was typed (M19). */
import { useCallback, useSyncExternalStore } from 'react';
import { t } from '../locale/locale.ts';
import { type DraftKind, keptDrafts } from '../store/kept-drafts.ts';
import './states.css';

const subscribe = (listener: () => void) => keptDrafts.onKept(listener);

export function NotKept({ kind, document }: { kind: DraftKind; document: string }) {
  const look = useCallback(() => keptDrafts.isKept(kind, document), [kind, document]);
  const isKept = useSyncExternalStore(subscribe, look, look);
  return (
    !isKept && (
      <span className="not-kept" role="status">
        {t('shell.notKept')}
      </span>
    )
  );
}
