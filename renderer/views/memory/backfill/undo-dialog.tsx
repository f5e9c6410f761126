/** Asks before an import of past conversations is taken back (L1d), and says what becomes of it. */
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { t } from '../../../locale/locale.ts';
import { undoBackfill, useBackfill } from './backfill-store.ts';
import { undoText } from './backfill-words.ts';
import { useBackfillTools } from './use-backfill-tools.ts';

export function UndoDialog({ onClose }: { onClose: () => void }) {
  const tools = useBackfillTools();
  const undoable = useBackfill((state) => state.preview?.undoable);
  return (
    <Dialog
      title={t('backfill.undoTitle')}
      isOpen={true}
      onClose={onClose}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button look="danger" onClick={() => void undoBackfill(tools)}>
            {t('backfill.undoNow')}
          </Button>
        </>
      }
    >
      <p>{undoText(undoable ?? null)}</p>
    </Dialog>
  );
}
