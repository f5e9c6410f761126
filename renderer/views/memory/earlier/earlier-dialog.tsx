/**
 * What an earlier version left in a checkout (M1, T1): how much it is and how it begins, so that the
 * user knows it again, takes over what is theirs, or says that none of it is.
 */
import { type ReactNode, useId, useState } from 'react';
import type { Adoptable, EarlierPreview } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorState, Spinner } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { shortPath } from '../../../locale/short-path.ts';
import { useApp } from '../../../store/use-app.ts';
import { useQuery } from '../../../store/use-query.ts';
import { shortDate } from '../text/short-date.ts';
import { ShownText } from '../text/shown-text.tsx';
import { visibleLine } from '../text/visible-text.ts';
import '../foreign/foreign.css';

interface EarlierDialogProps {
  project: string;
  /** The folder that holds it. */
  path: string;
  onClose: () => void;
}

export function EarlierDialog({ project, path, onClose }: EarlierDialogProps) {
  const { data, error, reload } = useQuery('earlier.preview', { project, path });
  const attempt = useApp((state) => state.attempt);
  const toast = useApp((state) => state.toast);
  const ourHome = useApp((state) => state.about?.home);
  const [chosen, setChosen] = useState<ReadonlySet<Adoptable>>(new Set());
  const [doing, setDoing] = useState<'adopt' | 'refuse'>();
  const choose = (part: Adoptable, isChosen: boolean) =>
    setChosen((before) => {
      const after = new Set(before);
      isChosen ? after.add(part) : after.delete(part);
      return after;
    });
  const adopt = async () => {
    setDoing('adopt');
    const done = await attempt('earlier.adopt', { project, path, parts: [...chosen] });
    setDoing(undefined);
    if (done === undefined) return;
    toast(t('memory.earlierAdopted'));
    onClose();
  };
  const refuse = async () => {
    setDoing('refuse');
    const done = await attempt('earlier.refuse', { project, path });
    setDoing(undefined);
    if (done === undefined) return;
    const takeBack = () => void attempt('earlier.offer', { project, path }).then(onClose);
    toast(t('memory.earlierRefused'), { label: t('shell.undo'), run: takeBack });
    onClose();
  };
  return (
    <Dialog
      title={t('memory.earlierTitle')}
      description={t('memory.earlierAbout')}
      isOpen={true}
      onClose={onClose}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>{t('shell.close')}</Button>
          <Button
            title={t('memory.earlierRefuseHint')}
            isBusy={doing === 'refuse'}
            disabled={doing !== undefined}
            onClick={() => void refuse()}
          >
            {t('memory.earlierRefuse')}
          </Button>
          <Button
            look="primary"
            isBusy={doing === 'adopt'}
            disabled={doing !== undefined || chosen.size === 0}
            onClick={() => void adopt()}
          >
            {t('memory.earlierAdopt')}
          </Button>
        </>
      }
    >
      <bdi className="quiet foreign-place">{visibleLine(shortPath(path, ourHome), 300)}</bdi>
      {error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {error === undefined && data === undefined && <Spinner />}
      {data !== undefined && <Parts preview={data} chosen={chosen} onChoose={choose} />}
    </Dialog>
  );
}

interface PartsProps {
  preview: EarlierPreview;
  chosen: ReadonlySet<Adoptable>;
  onChoose: (part: Adoptable, isChosen: boolean) => void;
}

function Parts({ preview, chosen, onChoose }: PartsProps) {
  const { sessions, titles, edits, edited, rules, settings } = preview;
  const part = (name: Adoptable, label: string, about: ReactNode) => (
    <Part
      label={label}
      isChosen={chosen.has(name)}
      onChoose={(isChosen) => onChoose(name, isChosen)}
    >
      {about}
    </Part>
  );
  return (
    <ul className="foreign-notes">
      {sessions > 0 &&
        part(
          'sessions',
          t('memory.earlierSessions', { count: sessions }),
          <>
            <p className="quiet">{figures(preview)}</p>
            <Lines texts={titles.map(({ file, title }) => title || file)} total={sessions} />
          </>,
        )}
      {edits > 0 &&
        part(
          'edits',
          t('memory.earlierEdits', { count: edits }),
          <Lines texts={edited} total={edits} />,
        )}
      {rules !== '' &&
        part('rules', t('memory.earlierRules'), <ShownText text={rules.trim()} as="p" />)}
      {settings.length > 0 &&
        part(
          'settings',
          t('memory.earlierSettings'),
          <Lines
            texts={settings.map(({ key, value }) => `${key} = ${value}`)}
            total={settings.length}
          />,
        )}
    </ul>
  );
}

interface PartProps {
  label: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  children: ReactNode;
}

function Part({ label, isChosen, onChoose, children }: PartProps) {
  const id = useId();
  return (
    <li className="foreign-note">
      <input
        type="checkbox"
        id={id}
        checked={isChosen}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {children}
      </div>
    </li>
  );
}

function Lines({ texts, total }: { texts: readonly string[]; total: number }) {
  return (
    <>
      <ul>
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown once and never changes
          <li key={index}>
            <ShownText text={text} />
          </li>
        ))}
      </ul>
      {total > texts.length && (
        <p className="quiet">{t('memory.importMore', { count: total - texts.length })}</p>
      )}
    </>
  );
}

function figures({ entries, facts, from, to }: EarlierPreview): string {
  const [first, last] = [from, to].map((stamp) => shortDate(stamp.slice(0, 'YYYY-MM-DD'.length)));
  const days = first === last ? first : `${first} – ${last}`;
  return [
    t('memory.earlierEntries', { count: entries }),
    t('memory.earlierFacts', { count: facts }),
    days,
  ].join(', ');
}
