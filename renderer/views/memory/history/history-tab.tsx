/**
 * Every edit of the project's memory, newest first (M19): what, before and after, and Undo where
 * nothing newer would be lost.
 */
import { History } from 'lucide-react';
import { useEffect } from 'react';
import type { HistoryEdit } from '../../../../core/usecases/contract.ts';
import { EmptyState, ErrorState, Spinner } from '../../../components/states.tsx';
import { usePages } from '../../../components/use-pages.ts';
import { t } from '../../../locale/locale.ts';
import { useBridge } from '../../../store/use-app.ts';
import { isAbout } from '../data/use-memory.ts';
import { useUndo } from '../data/use-undo.ts';
import { VirtualFeed } from '../data/virtual-feed.tsx';
import { EditItem } from './edit-item.tsx';

export function HistoryTab({ project }: { project: string }) {
  const bridge = useBridge();
  const { undo } = useUndo(project);
  const pages = usePages<HistoryEdit>(project, async (from, count) => {
    const { total, edits } = await bridge.call('memory.history', { project, from, count });
    return { total, rows: edits };
  });
  useEffect(
    () => bridge.onEvent((event) => isAbout(event, project) && pages.reload()),
    [bridge, project, pages.reload],
  );
  if (pages.error !== undefined) return <ErrorState error={pages.error} onRetry={pages.reload} />;
  if (pages.total === undefined) return <Spinner />;
  if (pages.total === 0)
    return (
      <EmptyState icon={<History />} title={t('memory.empty_history')}>
        <p>{t('memory.emptyText_history')}</p>
      </EmptyState>
    );
  return (
    <VirtualFeed
      label={t('memory.history')}
      total={pages.total}
      rowAt={pages.rowAt}
      onShow={pages.show}
      estimate={96}
      render={(edit) => (
        <EditItem edit={edit} onUndo={(number) => void undo(number, pages.reload)} />
      )}
    />
  );
}
