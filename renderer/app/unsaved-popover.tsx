/**
 * At the foot: what was typed and not saved, wherever that is (M19). Each leads to its place, and
 * can be copied or discarded where there is none.
 */
import { PencilLine } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Popover, PopoverClose } from '../components/popover.tsx';
import { t } from '../locale/locale.ts';
import { shortPath } from '../locale/short-path.ts';
import { useApp } from '../store/use-app.ts';
import { visibleLine } from '../views/memory/text/visible-text.ts';
import { discardText, type UnsavedText, useUnsavedTexts } from './unsaved-texts.ts';

const SHOWN_CHARACTERS = 120;

export function UnsavedPopover() {
  const texts = useUnsavedTexts();
  if (texts.length === 0) return null;
  return (
    <Popover
      label={t('shell.unsavedTitle')}
      trigger={
        <button type="button" className="status-button">
          <PencilLine aria-hidden="true" />
          {t('shell.unsaved', { count: texts.length })}
        </button>
      }
    >
      <h2>{t('shell.unsavedTitle')}</h2>
      <ul className="status-problem-list">
        {texts.map((unsaved) => (
          <UnsavedItem key={`${unsaved.kind} ${unsaved.document}`} unsaved={unsaved} />
        ))}
      </ul>
    </Popover>
  );
}

function UnsavedItem({ unsaved }: { unsaved: UnsavedText }) {
  const { project, place, text } = unsaved;
  const toast = useApp((state) => state.toast);
  const go = useApp((state) => state.go);
  const chooseProject = useApp((state) => state.chooseProject);
  const ourHome = useApp((state) => state.about?.home);
  const known = useApp((state) => state.projects.find(({ root }) => root === project));
  const isReachable = project === '' || known !== undefined;
  const where = whereText(unsaved);
  const open = () => {
    if (project !== '') chooseProject(project);
    go(place);
  };
  const discard = () =>
    toast(t('memory.discarded'), { label: t('shell.undo'), run: discardText(unsaved) });
  return (
    <li>
      <strong>{where}</strong>{' '}
      <bdi className="quiet">
        {project === ''
          ? t('shell.allProjects')
          : visibleLine(known?.name ?? shortPath(project, ourHome), SHOWN_CHARACTERS)}
      </bdi>
      {!isReachable && <p className="quiet">{t('shell.unsavedNoProject')}</p>}
      <p dir="auto">{visibleLine(text, SHOWN_CHARACTERS)}</p>
      <div className="status-item-buttons">
        {isReachable && (
          <PopoverClose asChild>
            <Button size="small" onClick={open} aria-label={`${t('shell.open')}: ${where}`}>
              {t('shell.open')}
            </Button>
          </PopoverClose>
        )}
        <CopyButton size="small" text={text} />
        <Button size="small" onClick={discard} aria-label={`${t('memory.discard')}: ${where}`}>
          {t('memory.discard')}
        </Button>
      </div>
    </li>
  );
}

function whereText({ kind, item, place: { tab } }: UnsavedText): string {
  if (kind === 'memory.md') return t('memory.text');
  if (kind === 'rules') return t('settings.tabRules');
  if (item === '') return t(tab === 'permanent' ? 'memory.addRule' : 'memory.addFact');
  return `${t(`memory.${tab as 'facts' | 'concepts' | 'permanent'}`)} ${visibleLine(item, SHOWN_CHARACTERS)}`;
}
