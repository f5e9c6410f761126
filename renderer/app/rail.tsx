/**
 * The rail: the project above, the views with their keys below it. Narrow windows show pictures
 * alone.
 */
import { ChevronsUpDown, Keyboard } from 'lucide-react';
import { IconButton } from '../components/button.tsx';
import { t } from '../locale/locale.ts';
import { VIEWS } from '../store/app-store.ts';
import { useApp } from '../store/use-app.ts';
import { VIEW_ICONS } from './view-names.ts';

export function Rail({
  onSwitchProject,
  onShortcuts,
}: {
  onSwitchProject: () => void;
  onShortcuts: () => void;
}) {
  const current = useApp((state) => state.place.view);
  const go = useApp((state) => state.go);
  const projects = useApp((state) => state.projects);
  const project = useApp((state) => state.project);
  const chosen = projects.find(({ root }) => root === project);
  const name = chosen?.name ?? t('shell.allProjects');
  return (
    <nav className="rail" aria-label={t('shell.views')}>
      <button
        type="button"
        className="rail-project"
        onClick={onSwitchProject}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title={chosen?.root ?? name}
      >
        <span className="visually-hidden">{t('shell.chooseProject')}: </span>
        <span className="rail-initial" aria-hidden="true">
          {chosen === undefined ? '∗' : [...name][0]}
        </span>
        <span className="rail-label">{name}</span>
        <ChevronsUpDown aria-hidden="true" />
      </button>
      <ul>
        {VIEWS.map((view, index) => {
          const Icon = VIEW_ICONS[view];
          return (
            <li key={view}>
              <button
                type="button"
                className="rail-item"
                aria-current={view === current ? 'page' : undefined}
                aria-keyshortcuts={String(index + 1)}
                title={t(`shell.${view}`)}
                onClick={() => go({ view })}
              >
                <Icon aria-hidden="true" />
                <span className="rail-label">{t(`shell.${view}`)}</span>
                <span className="rail-key" aria-hidden="true">
                  {index + 1}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <div className="rail-foot">
        <IconButton
          size="small"
          label={t('shell.shortcuts')}
          icon={<Keyboard aria-hidden="true" />}
          onClick={onShortcuts}
        />
      </div>
    </nav>
  );
}
