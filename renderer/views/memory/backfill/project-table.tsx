/** The projects of an import (L1d), each to be left out or taken along. */
import type { BackfillProject } from '../../../../core/usecases/contract.ts';
import { fileSize, number, t } from '../../../locale/locale.ts';
import { shortPath } from '../../../locale/short-path.ts';
import { useApp } from '../../../store/use-app.ts';
import { visibleLine } from '../text/visible-text.ts';
import { daysText } from './backfill-words.ts';

const LONGEST_NAME = 120;
const LONGEST_PATH = 300;

interface ProjectTableProps {
  projects: readonly BackfillProject[];
  leftOut: ReadonlySet<string>;
  onInclude: (roots: readonly string[], isIncluded: boolean) => void;
}

export function ProjectTable({ projects, leftOut, onInclude }: ProjectTableProps) {
  const now = new Date();
  if (projects.length === 0) return null;
  return (
    <table className="backfill-table">
      <thead>
        <tr>
          <td>
            <input
              type="checkbox"
              aria-label={t('backfill.all')}
              title={t('backfill.all')}
              checked={leftOut.size === 0}
              ref={(box) => {
                if (box !== null)
                  box.indeterminate = leftOut.size > 0 && leftOut.size < projects.length;
              }}
              onChange={(event) =>
                onInclude(
                  projects.map(({ root }) => root),
                  event.target.checked,
                )
              }
            />
          </td>
          <th scope="col">{t('backfill.project')}</th>
          <th scope="col" className="backfill-number">
            {t('backfill.count')}
          </th>
          <th scope="col">{t('backfill.dates')}</th>
          <th scope="col" className="backfill-number">
            {t('backfill.disk')}
          </th>
        </tr>
      </thead>
      <tbody>
        {projects.map((project) => (
          <ProjectRow
            key={project.root}
            project={project}
            isIncluded={!leftOut.has(project.root)}
            onInclude={(isIncluded) => onInclude([project.root], isIncluded)}
            now={now}
          />
        ))}
      </tbody>
    </table>
  );
}

interface ProjectRowProps {
  project: BackfillProject;
  isIncluded: boolean;
  onInclude: (isIncluded: boolean) => void;
  now: Date;
}

function ProjectRow({ project, isIncluded, onInclude, now }: ProjectRowProps) {
  const { root, name, isGone, sessions, diskBytes, oldest, newest } = project;
  const ourHome = useApp((state) => state.about?.home);
  const shownName = visibleLine(name, LONGEST_NAME);
  const path = visibleLine(shortPath(root, ourHome), LONGEST_PATH);
  return (
    <tr className={isIncluded ? undefined : 'backfill-left-out'}>
      <td>
        <input
          type="checkbox"
          aria-label={t('backfill.include', { name: shownName })}
          checked={isIncluded}
          onChange={(event) => onInclude(event.target.checked)}
        />
      </td>
      <th scope="row">
        <span className="backfill-name">
          <bdi title={shownName}>{shownName}</bdi>
          {isGone && (
            <span className="tag" title={t('backfill.goneHint')}>
              {t('backfill.gone')}
            </span>
          )}
        </span>
        <bdi className="backfill-path quiet" title={path}>
          {path}
        </bdi>
      </th>
      <td className="backfill-number">{number(sessions)}</td>
      <td className="backfill-dates">{daysText(oldest, newest, now)}</td>
      <td className="backfill-number">{fileSize(diskBytes)}</td>
    </tr>
  );
}
