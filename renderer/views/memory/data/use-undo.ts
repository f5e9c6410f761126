/** Takes edits back, and says so; a change that was saved offers it (M19). */
import { useCallback } from 'react';
import { t } from '../../../locale/locale.ts';
import type { Toast } from '../../../store/app-store.ts';
import { useApp } from '../../../store/use-app.ts';

export interface Undoing {
  undo: (edit: number, then?: () => void) => Promise<void>;
  /** A message about what was done, with Undo in it where something was changed. */
  say: (text: string, edit: number, then?: () => void) => void;
}

export function useUndo(project: string): Undoing {
  const attempt = useApp((state) => state.attempt);
  const toast = useApp((state) => state.toast);
  const undo = useCallback(
    async (edit: number, then?: () => void) => {
      if ((await attempt('memory.undo', { project, edit })) === undefined) return;
      toast(t('memory.undone'));
      then?.();
    },
    [attempt, toast, project],
  );
  const say = useCallback(
    (text: string, edit: number, then?: () => void) =>
      toast(
        text,
        offerOf(edit, () => void undo(edit, then)),
      ),
    [toast, undo],
  );
  return { undo, say };
}

/** Where nothing was different there is no edit (-1), and nothing to take back. */
export function offerOf(edit: number, run: () => void): Toast['action'] {
  return edit < 0 ? undefined : { label: t('shell.undo'), run };
}
