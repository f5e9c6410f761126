/**
 * Chooses a project by typing a few letters of it (Ctrl or Cmd+K): a combobox over a list, arrows
 * and Enter.
 */
import { Check } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { movedIndex } from '../components/virtual-table.tsx';
import { t } from '../locale/locale.ts';
import { useApp } from '../store/use-app.ts';
import './project-switcher.css';

interface Option {
  root: string | null;
  name: string;
  /** Where it is, or was. */
  path: string;
  hint: string;
}

const PAGE = 8;

export function ProjectSwitcher({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={t('shell.switchProject')} isOpen={isOpen} onClose={onClose} width="narrow">
      <Choices onClose={onClose} />
    </Dialog>
  );
}

function Choices({ onClose }: { onClose: () => void }) {
  const projects = useApp((state) => state.projects);
  const chosen = useApp((state) => state.project);
  const chooseProject = useApp((state) => state.chooseProject);
  const [words, setWords] = useState('');
  const [current, setCurrent] = useState(0);
  const id = useId();
  const all: Option[] = [
    { root: null, name: t('shell.allProjects'), path: '', hint: '' },
    ...projects.map(({ root, name, formerRoot, liveSessions }) => ({
      root,
      name,
      path: formerRoot ?? root,
      hint:
        liveSessions > 0
          ? t('shell.liveSessions', { count: liveSessions })
          : formerRoot === null
            ? ''
            : t('shell.projectGone'),
    })),
  ];
  const options = all.filter((option) => matches(option, words));
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    chooseProject(option.root);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') choose(options[current]);
    const moved =
      event.key === 'Home' || event.key === 'End'
        ? undefined
        : movedIndex(event.key, current, PAGE, options.length);
    if (moved === undefined) return;
    event.preventDefault();
    setCurrent(Math.max(0, moved));
  };
  useEffect(() => {
    // Newer Chromium answers with a promise, which React would take for the way to clean up.
    void document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);
  return (
    <>
      <input
        className="field switcher-input"
        data-autofocus=""
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length > 0 ? `${id}-${current}` : undefined}
        aria-label={t('shell.findProject')}
        placeholder={t('shell.findProject')}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div
        role="listbox"
        id={`${id}-list`}
        className="switcher-list"
        aria-label={t('shell.chooseProject')}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys
          <div
            key={option.root ?? ''}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className="switcher-option"
            onClick={() => choose(option)}
          >
            <span className="switcher-name">
              {option.name}
              {option.root !== null && <small>{option.path}</small>}
            </span>
            <span className="quiet">{option.hint}</span>
            {option.root === chosen && <Check aria-hidden="true" />}
          </div>
        ))}
      </div>
      {options.length === 0 && <p className="quiet switcher-none">{t('shell.noProjectFound')}</p>}
      {projects.length === 0 && <p className="quiet switcher-none">{t('shell.noProjects')}</p>}
    </>
  );
}

function matches({ name, path }: Option, words: string): boolean {
  const text = `${name} ${path}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
