/** The dialogs of an import (L1d), opened from any view; their code is fetched when they are. */
import { Suspense } from 'react';
import { later } from '../../../components/later.tsx';
import { useBackfill } from './backfill-store.ts';

const choose = later(() =>
  import('./backfill-dialog.tsx').then(({ BackfillDialog }) => BackfillDialog),
);
const undo = later(() => import('./undo-dialog.tsx').then(({ UndoDialog }) => UndoDialog));

const close = () => useBackfill.setState({ dialog: null });

export function BackfillDialogs() {
  const dialog = useBackfill((state) => state.dialog);
  return (
    <Suspense>
      {dialog === 'choose' && <choose.Component onClose={close} />}
      {dialog === 'undo' && <undo.Component onClose={close} />}
    </Suspense>
  );
}
