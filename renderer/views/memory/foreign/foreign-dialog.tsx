/**
 * What the repository brings (T1, T2): each note with all of its words, to be adopted one by one or
 * several at once, or refused for good. Both can be taken back.
 */
import { useState } from 'react';
import type { ForeignNote, ForeignNotes } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { EmptyState, ErrorState, Spinner } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { messageText } from '../../../locale/message-text.ts';
import { kindName } from '../data/kinds.ts';
import { useMemoryQuery } from '../data/use-memory.ts';
import { ShownText } from '../text/shown-text.tsx';
import { visibleLine } from '../text/visible-text.ts';
import { useForeignDecisions } from './use-foreign-decisions.ts';
import './foreign.css';

/** As many as a person decides on at once; the others come when these are gone. */
const SHOWN = 100;

export function ForeignDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const [isAll, setAll] = useState(false);
  const { data, error, reload } = useMemoryQuery(
    'foreign.list',
    { project, isAll, count: SHOWN },
    project,
  );
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const decide = useForeignDecisions(project, reload);
  const [doing, setDoing] = useState<'adopt' | 'refuse'>();
  const notes = data?.notes ?? [];
  const chosen = notes.filter(({ id }) => marked.has(id));
  const mark = (ids: readonly string[], isMarked: boolean) =>
    setMarked((before) => {
      const after = new Set(before);
      for (const id of ids) isMarked ? after.add(id) : after.delete(id);
      return after;
    });
  const run = async (what: 'adopt' | 'refuse') => {
    setDoing(what);
    const isDone = await decide[what](chosen);
    if (isDone) setMarked(new Set());
    setDoing(undefined);
  };
  const isIdle = doing === undefined && chosen.length > 0;
  return (
    <Dialog
      title={t('memory.foreignTitle')}
      description={t('memory.foreignAbout')}
      isOpen={true}
      onClose={onClose}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>{t('shell.close')}</Button>
          <Button
            title={t('memory.foreignRefuseHint')}
            isBusy={doing === 'refuse'}
            disabled={!isIdle}
            onClick={() => void run('refuse')}
          >
            {t('memory.foreignRefuse')}
          </Button>
          <Button
            look="primary"
            title={t('memory.foreignAdoptHint')}
            isBusy={doing === 'adopt'}
            disabled={!isIdle}
            onClick={() => void run('adopt')}
          >
            {t('memory.foreignAdopt')}
          </Button>
        </>
      }
    >
      <div className="bar">
        <MarkAll notes={notes} chosen={chosen.length} onMark={mark} />
        <span className="bar-space" />
        <label className="check">
          <input
            type="checkbox"
            checked={isAll}
            onChange={(event) => setAll(event.target.checked)}
          />
          {t('memory.foreignAlsoDecided')}
        </label>
      </div>
      {error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {error === undefined && data === undefined && <Spinner />}
      {data !== undefined && notes.length === 0 && <EmptyState title={t('memory.foreignNone')} />}
      <ul className="foreign-notes">
        {notes.map((note) => (
          <NoteItem
            key={note.id}
            note={note}
            isMarked={marked.has(note.id)}
            onMark={(isMarked) => mark([note.id], isMarked)}
          />
        ))}
      </ul>
      {data !== undefined && <Rest found={data} />}
    </Dialog>
  );
}

function MarkAll({
  notes,
  chosen,
  onMark,
}: {
  notes: readonly ForeignNote[];
  chosen: number;
  onMark: (ids: string[], isMarked: boolean) => void;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        disabled={notes.length === 0}
        checked={notes.length > 0 && chosen === notes.length}
        onChange={(event) =>
          onMark(
            notes.map(({ id }) => id),
            event.target.checked,
          )
        }
      />
      {t('memory.foreignAll')}
      {chosen > 0 && <span className="quiet">{t('memory.foreignChosen', { count: chosen })}</span>}
    </label>
  );
}

interface NoteItemProps {
  note: ForeignNote;
  isMarked: boolean;
  onMark: (isMarked: boolean) => void;
}

function NoteItem({ note, isMarked, onMark }: NoteItemProps) {
  const { id, text, details, path, where, state, now } = note;
  return (
    <li className="foreign-note">
      <input
        type="checkbox"
        id={`foreign-${id}`}
        checked={isMarked}
        onChange={(event) => onMark(event.target.checked)}
      />
      <div>
        <label htmlFor={`foreign-${id}`}>
          <span className="tag">{nameOf(note)}</span>
          {state !== 'open' && state !== 'known' && (
            <span className="tag tag-open">{t(`memory.foreignState_${state}`)}</span>
          )}
          <ShownText text={text} />
          {now !== undefined && (
            <span className="quiet"> {t('memory.foreignNow', { value: String(now) })}</span>
          )}
        </label>
        {details.length > 0 && (
          <dl className="detail-list">
            {details.map(({ name, text: words }) => (
              <div key={name}>
                <dt>{t(`memory.field_${name}`)}</dt>
                <dd>
                  <ShownText text={words} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <bdi className="quiet foreign-place">
          {visibleLine(where === '' ? path : `${path}, ${where}`, 160)}
        </bdi>
      </div>
    </li>
  );
}

function nameOf({ kind }: ForeignNote): string {
  if (kind === 'concept') return t('memory.concept');
  if (kind === 'text' || kind === 'rule' || kind === 'setting')
    return t(`memory.foreignKind_${kind}`);
  const name = kindName(kind);
  return kind.startsWith('permanent.') ? t('memory.foreignPermanent', { kind: name }) : name;
}

/** What is not in the list, and why. */
function Rest({ found: { more, ignoredSettings, problems } }: { found: ForeignNotes }) {
  return (
    <>
      {more > 0 && <p className="quiet">{t('memory.importMore', { count: more })}</p>}
      {ignoredSettings > 0 && (
        <p className="quiet">{t('memory.foreignIgnored', { count: ignoredSettings })}</p>
      )}
      {problems.map((problem) => (
        <p key={messageText(problem)} className="quiet">
          {t('memory.foreignNotRead', { reason: messageText(problem) })}
        </p>
      ))}
    </>
  );
}
