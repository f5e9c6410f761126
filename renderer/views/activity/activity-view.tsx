/** What was saved, cleared, given back and refused, by day, with the reasons (G2). */
import { History } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ViewFrame } from '../../app/view-frame.tsx';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { EmptyState, ErrorState, Spinner } from '../../components/states.tsx';
import { day, t } from '../../locale/locale.ts';
import { useApp } from '../../store/use-app.ts';
import { type Day, daysOf, entriesOf } from './clear-groups.ts';
import { EntryRow } from './entry-row.tsx';
import { GivenDialog } from './given-dialog.tsx';
import { useActivity } from './use-activity.ts';
import './activity.css';

/** A path cannot be empty. */
const ALL = '*';
const DAY_MS = 86_400_000;

export function ActivityView() {
  const project = useApp((state) => state.project);
  const projects = useApp((state) => state.projects);
  const chooseProject = useApp((state) => state.chooseProject);
  const { rows, hasOlder, isLoading, error, loadOlder, reload } = useActivity(project);
  const [seen, setSeen] = useState<string | null>(null);
  const days = useMemo(() => (rows === undefined ? undefined : daysOf(entriesOf(rows))), [rows]);
  const projectName = (root: string | null) =>
    projects.find((known) => known.root === root)?.name ?? root?.split(/[\\/]/).at(-1) ?? '';
  const choices = [
    { value: ALL, label: t('shell.allProjects') },
    ...projects.map(({ root, name }) => ({ value: root, label: name })),
  ];
  return (
    <ViewFrame
      title={t('shell.activity')}
      actions={
        <Select
          label={t('activity.filter')}
          value={project ?? ALL}
          choices={choices}
          onChange={(chosen) => chooseProject(chosen === ALL ? null : chosen)}
        />
      }
    >
      {error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {days === undefined && error === undefined && <Spinner />}
      {days?.length === 0 && (
        <EmptyState icon={<History />} title={t('activity.empty')}>
          <p>{t('activity.emptyText')}</p>
        </EmptyState>
      )}
      {days?.map((one) => (
        <section key={one.day} className="day" aria-labelledby={`day-${one.day}`}>
          <h2 id={`day-${one.day}`}>{dayName(one)}</h2>
          <ol>
            {one.entries.map((entry) => (
              <EntryRow
                key={entry.key}
                entry={entry}
                projectName={projectName}
                onSeeText={setSeen}
              />
            ))}
          </ol>
        </section>
      ))}
      {days !== undefined && days.length > 0 && (
        <footer className="activity-end">
          {hasOlder ? (
            <Button isBusy={isLoading} onClick={loadOlder}>
              {t('activity.older')}
            </Button>
          ) : (
            <p className="quiet">{t('activity.end')}</p>
          )}
        </footer>
      )}
      <GivenDialog sessionId={seen} onClose={() => setSeen(null)} />
    </ViewFrame>
  );
}

function dayName({ day: name, at }: Day): string {
  if (name === new Date().toDateString()) return t('activity.today');
  return name === new Date(Date.now() - DAY_MS).toDateString() ? t('activity.yesterday') : day(at);
}
