/**
 * A quiet line that says that the repository brings notes (T1), and leads to them. None of them is
 * used before the user has adopted it, so nothing is urgent.
 */
import { useState } from 'react';
import { t } from '../../../locale/locale.ts';
import { useMemoryQuery } from '../data/use-memory.ts';
import { ForeignDialog } from './foreign-dialog.tsx';
import './foreign.css';

export function ForeignLine({ project }: { project: string }) {
  const { data, reload } = useMemoryQuery('foreign.list', { project, count: 1 }, project);
  const [isOpen, setOpen] = useState(false);
  const isAny = data !== undefined && data.notes.length > 0;
  const count = isAny ? data.notes.length + data.more : 0;
  const close = () => {
    setOpen(false);
    reload();
  };
  return (
    <>
      {count > 0 && (
        <p className="foreign-line quiet">
          {t('memory.foreignLine', { count })}{' '}
          <button type="button" className="link" onClick={() => setOpen(true)}>
            {t('memory.foreignLook')}
          </button>
        </p>
      )}
      {isOpen && <ForeignDialog project={project} onClose={close} />}
    </>
  );
}
