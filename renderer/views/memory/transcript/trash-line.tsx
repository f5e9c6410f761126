/**
 * What retention has taken out of a project's memory (T8): how much lies in the trash, when the
 * first of it will be gone, and a button that puts all of it back. Nothing while it is empty.
 */
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { date, number, t } from '../../../locale/locale.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { useMemoryQuery } from '../data/use-memory.ts';

export function TrashLine({ project }: { project: string }) {
  const bridge = useBridge();
  const toast = useApp((state) => state.toast);
  const fail = useApp((state) => state.fail);
  const { data: files = [], reload } = useMemoryQuery('memory.trash', { project }, project);
  const [isBusy, setIsBusy] = useState(false);
  const [oldest] = files;
  if (oldest === undefined) return null;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const restore = async () => {
    setIsBusy(true);
    try {
      const { restored, taken } = await bridge.call('memory.restoreTrash', { project });
      toast(t('memory.trashRestored', { count: restored.length }));
      if (taken.length > 0) toast(t('memory.trashTaken', { count: taken.length }));
    } catch (error) {
      fail(error);
    } finally {
      setIsBusy(false);
      reload();
    }
  };
  return (
    <div className="bar">
      <span className="quiet">
        {t('memory.trash', {
          count: files.length,
          size: number(Math.max(1, Math.round(bytes / 1024))),
          day: date(`${oldest.goneOn}T12:00:00`),
        })}
      </span>
      <span className="bar-space" />
      <Button icon={<Undo2 aria-hidden="true" />} isBusy={isBusy} onClick={() => void restore()}>
        {t('memory.trashRestore')}
      </Button>
    </div>
  );
}
