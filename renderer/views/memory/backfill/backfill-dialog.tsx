/**
 * Past conversations to choose from (L1d): what there is of each project, what it takes, and what the
 * user wants of it; then how far the import is, and what came of it. Closing it stops nothing.
 */
import type { BackfillPreview } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { EmptyState, ErrorState, Spinner } from '../../../components/states.tsx';
import { date, t } from '../../../locale/locale.ts';
import { BackfillGoing, BackfillOutcome } from './backfill-outcome.tsx';
import { cancelBackfill, runBackfill, useBackfill } from './backfill-store.ts';
import {
  canUndo,
  conversations,
  dayOf,
  limitWords,
  notListedText,
  projectCount,
  totalsText,
} from './backfill-words.ts';
import { ProjectTable } from './project-table.tsx';
import { useBackfillTools } from './use-backfill-tools.ts';
import { type Choosing, useChoosing } from './use-choosing.ts';
import './backfill.css';

export function BackfillDialog({ onClose }: { onClose: () => void }) {
  const { progress, result } = useBackfill();
  const choosing = useChoosing();
  return (
    <Dialog
      title={t('backfill.title')}
      description={t('backfill.about')}
      isOpen={true}
      onClose={onClose}
      width="wide"
      footer={<Buttons choosing={choosing} onClose={onClose} />}
    >
      <div className="backfill">
        {result !== null && <BackfillOutcome result={result} />}
        {progress === null ? (
          <Choice choosing={choosing} hasResult={result !== null} />
        ) : (
          <BackfillGoing progress={progress} />
        )}
      </div>
    </Dialog>
  );
}

function Buttons({ choosing, onClose }: { choosing: Choosing; onClose: () => void }) {
  const tools = useBackfillTools();
  const { preview, progress, isStopping, isUndoing } = useBackfill();
  const { totals, choice, canStart } = choosing;
  const isGoing = progress !== null;
  return (
    <>
      {!isGoing && !isUndoing && canUndo(preview) && (
        <Button className="backfill-undo" onClick={() => useBackfill.setState({ dialog: 'undo' })}>
          {t('backfill.undo')}
        </Button>
      )}
      <Button onClick={onClose}>{t('shell.close')}</Button>
      {isGoing && (
        <Button isBusy={isStopping} onClick={() => void cancelBackfill(tools)}>
          {t('backfill.cancel')}
        </Button>
      )}
      {!isGoing && (choosing.preview?.sessions ?? 0) > 0 && (
        <Button
          look="primary"
          disabled={!canStart || isUndoing}
          onClick={() => void runBackfill(tools, choice)}
        >
          {t('backfill.start', { count: totals.sessions })}
        </Button>
      )}
    </>
  );
}

function Choice({ choosing, hasResult }: { choosing: Choosing; hasResult: boolean }) {
  const { day, onDay, preview, error, onRetry, leftOut, onInclude, totals } = choosing;
  if (preview === undefined)
    return error === undefined ? (
      <Spinner label={t('backfill.looking')} />
    ) : (
      <ErrorState error={error} onRetry={onRetry} />
    );
  const { projects } = preview;
  const isEmpty = projects.length === 0;
  return (
    <>
      <About preview={preview} hasResult={hasResult} />
      {(!isEmpty || day !== '') && (
        <div className="backfill-head">
          <label>
            {t('backfill.since')}
            <input
              className="field"
              type="date"
              value={day}
              max={dayOf(new Date().toISOString())}
              onChange={(event) => onDay(event.target.value)}
            />
          </label>
          <p className="backfill-totals" role="status">
            {isEmpty ? '' : totalsText(totals)}
          </p>
        </div>
      )}
      {isEmpty ? (
        !hasResult && (
          <EmptyState title={t('backfill.none')}>
            <p>{t(day === '' ? 'backfill.noneText' : 'backfill.noneSince')}</p>
          </EmptyState>
        )
      ) : (
        <ProjectTable projects={projects} leftOut={leftOut} onInclude={onInclude} />
      )}
      <p className="quiet">{notListedText(preview)}</p>
    </>
  );
}

/** What is good to know before choosing: how long there is time, and what was imported before. */
function About({ preview, hasResult }: { preview: BackfillPreview; hasResult: boolean }) {
  const limit = limitWords(preview);
  const { sessions, undoable } = preview;
  return (
    <>
      {limit !== undefined && sessions > 0 && (
        <p className="notice">{t('backfill.deletes', { limit })}</p>
      )}
      {undoable !== null && canUndo(preview) && !hasResult && (
        <p className="quiet">
          {t(undoable.state === 'done' ? 'backfill.last' : 'backfill.lastUnfinished', {
            day: date(undoable.startedAt),
            conversations: conversations(undoable.sessions),
            projects: projectCount(undoable.projects),
          })}
        </p>
      )}
    </>
  );
}
