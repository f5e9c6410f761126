/**
 * A quiet line for each memory of an earlier version that lies in the project and is not proven to be
 * the user's (M1, T1). Nothing of it is used before the user takes it over, so nothing is urgent.
 */
import { useState } from 'react';
import type { EarlierOffer } from '../../../../core/usecases/contract.ts';
import { t } from '../../../locale/locale.ts';
import { useMemoryQuery } from '../data/use-memory.ts';
import { EarlierDialog } from './earlier-dialog.tsx';
import '../foreign/foreign.css';

export function EarlierLines({ project }: { project: string }) {
  const { data, reload } = useMemoryQuery('earlier.list', { project }, project);
  const [openPath, setOpenPath] = useState<string>();
  const offers = (data ?? []).filter(({ isRefused }) => !isRefused);
  const close = () => {
    setOpenPath(undefined);
    reload();
  };
  return (
    <>
      {offers.map(({ path, left }) => (
        <p key={path} className="foreign-line quiet">
          {t('memory.earlierLine', { parts: partsOf(left).join(', ') })}{' '}
          <button type="button" className="link" onClick={() => setOpenPath(path)}>
            {t('memory.earlierLook')}
          </button>
        </p>
      ))}
      {openPath !== undefined && (
        <EarlierDialog project={project} path={openPath} onClose={close} />
      )}
    </>
  );
}

function partsOf({ sessions, edits, rules, settings }: EarlierOffer['left']): string[] {
  return [
    sessions > 0 ? t('memory.earlierSessions', { count: sessions }) : '',
    edits > 0 ? t('memory.earlierEdits', { count: edits }) : '',
    rules ? t('memory.earlierRules') : '',
    settings ? t('memory.earlierSettings') : '',
  ].filter((part) => part !== '');
}
