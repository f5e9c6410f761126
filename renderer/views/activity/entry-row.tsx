/** One entry of the timeline: a clear with its steps, or something that stands alone. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ActivityRow } from '../../../core/usecases/contract.ts';
import { Button } from '../../components/button.tsx';
import { WayBack } from '../../components/way-back.tsx';
import { fullTime, t, timeOfDay, timeWithSeconds } from '../../locale/locale.ts';
import { messageText } from '../../locale/message-text.ts';
import { useApp } from '../../store/use-app.ts';
import { givenText, headline, noteOf, savedText, stepName } from './activity-text.ts';
import type { ClearEntry, Entry } from './clear-groups.ts';

interface RowProps {
  entry: Entry;
  projectName: (root: string | null) => string;
  onSeeText: (sessionId: string) => void;
}

export function EntryRow({ entry, projectName, onSeeText }: RowProps) {
  const outcome = entry.kind === 'clear' ? entry.outcome : entry.row.what;
  return (
    <li className={`entry entry-${outcome}`}>
      <time dateTime={entry.at} title={fullTime(entry.at)}>
        {timeOfDay(entry.at)}
      </time>
      {entry.kind === 'clear' ? (
        <ClearBody entry={entry} projectName={projectName} onSeeText={onSeeText} />
      ) : (
        <SingleBody row={entry.row} projectName={projectName} onSeeText={onSeeText} />
      )}
    </li>
  );
}

function ClearBody({
  entry,
  projectName,
  onSeeText,
}: { entry: ClearEntry } & Omit<RowProps, 'entry'>) {
  const [isOpen, setOpen] = useState(false);
  const { given, note, outcome, steps, sessionId, project } = entry;
  return (
    <div className="entry-body">
      <p className="entry-line">
        <span>{headline(entry, projectName(entry.project))}</span>
        {given?.sessionId != null && given.hasGiven && (
          <SeeText sessionId={given.sessionId} onSeeText={onSeeText} />
        )}
        {outcome === 'restored' && (
          <WayBack sessionId={sessionId} project={project} name={projectName(project)} />
        )}
        <button
          type="button"
          className="entry-more"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight aria-hidden="true" />
          {t('activity.steps', { count: steps.length })}
        </button>
      </p>
      {note !== null && outcome !== 'restored' && <p className="entry-note">{messageText(note)}</p>}
      {isOpen && (
        <ol className="entry-steps">
          {steps.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end
            <li key={index}>
              <time dateTime={step.at}>{timeWithSeconds(step.at)}</time>
              <span>{stepName(step)}</span>
              <span className="quiet">{stepNote(step)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function stepNote(step: ActivityRow): string {
  if (step.what === 'given') return givenText(step);
  if (step.what === 'saved') return savedText(step);
  return step.note === null ? '' : messageText(step.note);
}

function SingleBody({
  row,
  projectName,
  onSeeText,
}: { row: ActivityRow } & Omit<RowProps, 'entry'>) {
  const go = useApp((state) => state.go);
  const chooseProject = useApp((state) => state.chooseProject);
  const note = noteOf(row);
  // What a model wrote is a paragraph; a reason belongs to its line.
  const isLong = row.what === 'delta' || row.what === 'rotation';
  const openHistory = () => {
    if (row.project !== null) chooseProject(row.project);
    go({ view: 'memory', tab: 'history' });
  };
  return (
    <div className="entry-body">
      <p className="entry-line">
        <span>
          {headline({ kind: 'single', key: '', at: row.at, row }, projectName(row.project))}
        </span>
        {row.project !== null && <span className="quiet">{projectName(row.project)}</span>}
        {!isLong && note !== null && <span className="entry-why">{note}</span>}
        {row.hasGiven && row.sessionId !== null && (
          <SeeText sessionId={row.sessionId} onSeeText={onSeeText} />
        )}
        {row.what === 'edit' && row.project !== null && (
          <Button look="bare" size="small" className="entry-link" onClick={openHistory}>
            {t('activity.editUndo')}
          </Button>
        )}
      </p>
      {isLong && <p className="entry-note">{note}</p>}
    </div>
  );
}

function SeeText({
  sessionId,
  onSeeText,
}: {
  sessionId: string;
  onSeeText: (sessionId: string) => void;
}) {
  return (
    <Button size="small" className="entry-link" onClick={() => onSeeText(sessionId)}>
      {t('activity.seeText')}
    </Button>
  );
}
