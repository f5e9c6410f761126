/** An import of past conversations in its dialog (L1d): how far it is, then what came of it. */
import type { BackfillProgress, BackfillResult } from '../../../../core/usecases/contract.ts';
import { Progress } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { visibleLine } from '../text/visible-text.ts';
import { useBackfill } from './backfill-store.ts';
import { conversations, progressText, resultText } from './backfill-words.ts';

const MOST_PROJECTS = 10;
const LONGEST_NAME = 120;
const LONGEST_PROBLEM = 500;

export function BackfillGoing({ progress }: { progress: BackfillProgress }) {
  const isStopping = useBackfill((state) => state.isStopping);
  const { bytesDone, bytesTotal, projectName } = progress;
  return (
    <div className="backfill-going">
      <p>
        <strong>{t(isStopping ? 'backfill.stopping' : 'backfill.running')}</strong>
      </p>
      <Progress label={t('backfill.running')} done={bytesDone} total={bytesTotal} />
      <p className="quiet">{progressText(progress)}</p>
      <p className="quiet">
        <bdi>{visibleLine(projectName, LONGEST_NAME)}</bdi>
      </p>
      <p className="quiet">{t('backfill.goesOn')}</p>
    </div>
  );
}

export function BackfillOutcome({ result }: { result: BackfillResult }) {
  const { problems, projects } = result;
  const imported = projects.filter(({ sessions }) => sessions > 0);
  return (
    <div className="backfill-result">
      <p>
        <strong>{resultText(result)}</strong>
      </p>
      {imported.length > 0 && (
        <ul>
          {imported.slice(0, MOST_PROJECTS).map(({ root, name, sessions }) => (
            <li key={root}>
              <bdi>{visibleLine(name, LONGEST_NAME)}</bdi>{' '}
              <span className="quiet">{conversations(sessions)}</span>
            </li>
          ))}
          {imported.length > MOST_PROJECTS && (
            <li className="quiet">
              {t('memory.importMore', { count: imported.length - MOST_PROJECTS })}
            </li>
          )}
        </ul>
      )}
      {problems.length > 0 && (
        <>
          <h3>{t('backfill.problems')}</h3>
          <ul className="backfill-problems">
            {problems.map(messageText).map((problem) => (
              <li key={problem}>{visibleLine(problem, LONGEST_PROBLEM)}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
