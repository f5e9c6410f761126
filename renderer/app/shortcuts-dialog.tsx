/** All keys at a glance (?). */
import { Fragment } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { t } from '../locale/locale.ts';
import { VIEWS } from '../store/app-store.ts';

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const control = navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl';
  const keys: [string[], string][] = [
    ...VIEWS.map((view, index): [string[], string] => [
      [String(index + 1)],
      t('shell.shortcutView', { view: t(`shell.${view}`) }),
    ]),
    [[control, 'K'], t('shell.shortcutProject')],
    [['/'], t('shell.shortcutSearch')],
    [[control, 'S'], t('shell.shortcutSave')],
    [['↑', '↓'], t('shell.shortcutMove')],
    [['Home', 'End'], t('shell.shortcutEnds')],
    [['Tab'], t('shell.shortcutNext')],
    [['Esc'], t('shell.shortcutClose')],
    [['?'], t('shell.shortcutHelp')],
  ];
  return (
    <Dialog title={t('shell.shortcuts')} isOpen={isOpen} onClose={onClose} width="narrow">
      <dl className="shortcuts">
        {keys.map(([names, text]) => (
          <Fragment key={text}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
