/** What was done to one fact or concept, newest first (M19). */
import { t } from '../../../locale/locale.ts';
import { useMemoryQuery } from '../data/use-memory.ts';
import { useUndo } from '../data/use-undo.ts';
import { EditItem } from './edit-item.tsx';

export function ItemHistory({
  project,
  id,
  onUndone,
}: {
  project: string;
  id: string;
  onUndone: () => void;
}) {
  const { data } = useMemoryQuery('memory.history', { project, id, count: 50 }, project);
  const { undo } = useUndo(project);
  if (data === undefined || data.edits.length === 0) return null;
  return (
    <section className="item-history" aria-labelledby="item-history-title">
      <h2 className="detail-part" id="item-history-title">
        {t('memory.history')}
      </h2>
      {data.edits.map((edit) => (
        <EditItem
          key={edit.edit}
          edit={edit}
          isShort={true}
          onUndo={(number) => void undo(number, onUndone)}
        />
      ))}
    </section>
  );
}
