/**
 * Export of a project's memory (M20): the user says where to, or the browser saves it; what came of
 * it is said in words.
 */
import { useCallback } from 'react';
import type { Results } from '../../../../core/usecases/contract.ts';
import { t } from '../../../locale/locale.ts';
import { shortPath } from '../../../locale/short-path.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';

export function useExport(project: string): () => Promise<void> {
  const bridge = useBridge();
  const toast = useApp((state) => state.toast);
  const doWork = useApp((state) => state.doWork);
  const fail = useApp((state) => state.fail);
  const ourHome = useApp((state) => state.about?.home);
  return useCallback(async () => {
    try {
      const target = await bridge.choose({ kind: 'target', project });
      if (target === null) return;
      const exported = await doWork('archive.export', { project, target: target.id });
      await bridge.download(target);
      toast(exportWords(exported, shortPath(target.name, ourHome)));
    } catch (error) {
      fail(error);
    }
  }, [bridge, project, doWork, toast, fail, ourHome]);
}

function exportWords(
  { files, leftOut, rawCopies }: Results['archive.export'],
  name: string,
): string {
  return [
    t('memory.exported', { count: files, name }),
    ...(leftOut.length === 0 ? [] : [t('memory.exportLeftOut', { names: leftOut.join(', ') })]),
    ...(rawCopies === 0 ? [] : [t('memory.exportRaw', { count: rawCopies })]),
    t('memory.exportPrivate'),
  ].join(' ');
}
