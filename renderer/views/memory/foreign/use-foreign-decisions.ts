/** Adopts and refuses foreign notes, says so, and offers to take it back (T1, M19). */
import type { ForeignNote } from '../../../../core/usecases/contract.ts';
import { t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';

type Decide = (notes: readonly ForeignNote[]) => Promise<boolean>;

/** False if it failed, which was said then. */
export function useForeignDecisions(
  project: string,
  onChange: () => void,
): Record<'adopt' | 'refuse', Decide> {
  const attempt = useApp((state) => state.attempt);
  const toast = useApp((state) => state.toast);
  const idsOf = (notes: readonly ForeignNote[]) => notes.map(({ id }) => id);

  const takeBack = async (ids: string[], edits: readonly number[]) => {
    for (const edit of edits.toReversed())
      if ((await attempt('memory.undo', { project, edit })) === undefined) return;
    if ((await attempt('foreign.offer', { project, ids })) === undefined) return;
    toast(t('memory.undone'));
    onChange();
  };
  const undo = (ids: string[], edits: readonly number[] = []) => ({
    label: t('shell.undo'),
    run: () => void takeBack(ids, edits),
  });

  return {
    async adopt(notes) {
      const done = await attempt('foreign.adopt', { project, ids: idsOf(notes) });
      if (done === undefined) return false;
      onChange();
      // A setting is taken back where it is shown: others may have been changed since.
      const hasSetting = notes.some(({ kind }) => kind === 'setting');
      const isUndoable = done.ids.length > 0 && !hasSetting;
      toast(
        t('memory.foreignAdopted', { count: done.ids.length }),
        isUndoable ? undo(done.ids, done.edits) : undefined,
      );
      return true;
    },
    async refuse(notes) {
      const done = await attempt('foreign.refuse', { project, ids: idsOf(notes) });
      if (done === undefined) return false;
      onChange();
      toast(t('memory.foreignRefused', { count: done.ids.length }), undo(done.ids));
      return true;
    },
  };
}
