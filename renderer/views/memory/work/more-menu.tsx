/**
 * Long work on a project's memory (G2, M20): begun from a menu, shown while it goes on, and its
 * result said in words.
 */
import {
  Archive,
  Ellipsis,
  FileDown,
  FileUp,
  FolderGit2,
  Hammer,
  History,
  Save,
  ShieldCheck,
} from 'lucide-react';
import { useState } from 'react';
import type { Arguments, WorkDone } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { Menu } from '../../../components/menu.tsx';
import { Progress } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { useApp } from '../../../store/use-app.ts';
import { useBackfill } from '../backfill/backfill-store.ts';
import { ForeignDialog } from '../foreign/foreign-dialog.tsx';
import { figureWords } from './figure-words.ts';
import { ImportDialog } from './import-dialog.tsx';
import { useExport } from './use-export.ts';

type What = Arguments<'work.run'>['what'];
const ITEMS: readonly {
  what: What | 'export' | 'import' | 'foreign' | 'past';
  icon: typeof Save;
}[] = [
  { what: 'save', icon: Save },
  { what: 'compress', icon: Archive },
  { what: 'verify', icon: ShieldCheck },
  { what: 'rebuild', icon: Hammer },
  { what: 'past', icon: History },
  { what: 'foreign', icon: FolderGit2 },
  { what: 'export', icon: FileDown },
  { what: 'import', icon: FileUp },
];

export function MoreMenu({ project }: { project: string }) {
  const all = useApp((state) => state.work);
  const doWork = useApp((state) => state.doWork);
  const fail = useApp((state) => state.fail);
  const toast = useApp((state) => state.toast);
  const exportMemory = useExport(project);
  const [isImporting, setImporting] = useState(false);
  const [isLooking, setLooking] = useState(false);
  const going = all.find((work) => work.project === project && !work.isOver);
  const run = (what: What) =>
    doWork('work.run', { project, what }).then((done) => toast(resultWords(done)), fail);
  return (
    <>
      {going !== undefined && (
        <div className="work-progress" role="status">
          <span>{t(`memory.doing_${going.what}`)}</span>
          <Progress label={t(`memory.doing_${going.what}`)} done={going.done} total={going.total} />
        </div>
      )}
      <Menu
        label={t('shell.more')}
        trigger={<Button icon={<Ellipsis aria-hidden="true" />}>{t('shell.more')}</Button>}
        items={ITEMS.map(({ what, icon: Icon }) => ({
          id: what,
          label: (
            <>
              {t(`memory.work_${what}`)}{' '}
              <small className="menu-about">{t(`memory.workText_${what}`)}</small>
            </>
          ),
          icon: <Icon aria-hidden="true" />,
          // Of all projects, and in a thread of its own.
          isDisabled: going !== undefined && what !== 'past',
          onSelect: () => {
            if (what === 'import') setImporting(true);
            else if (what === 'past') useBackfill.setState({ dialog: 'choose' });
            else if (what === 'foreign') setLooking(true);
            else if (what === 'export') void exportMemory();
            else void run(what);
          },
        }))}
      />
      {isImporting && <ImportDialog project={project} onClose={() => setImporting(false)} />}
      {isLooking && <ForeignDialog project={project} onClose={() => setLooking(false)} />}
    </>
  );
}

function resultWords({ what, figures, problems }: WorkDone): string {
  const result = [t(`memory.done_${what}`), figureWords(figures)]
    .filter((text) => text !== '')
    .join(' ');
  return problems.length === 0 ? result : `${result} ${problems.map(messageText).join(' ')}`;
}
