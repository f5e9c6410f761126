/** One edit: what was done, when, before and after, and Undo, or why there is none (M19). */
import { Undo2 } from 'lucide-react';
import type { HistoryEdit } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { t } from '../../../locale/locale.ts';
import { isFactPart, kindName } from '../data/kinds.ts';
import { DiffText } from '../text/diff-text.tsx';
import { isTime } from '../text/entry-item.tsx';
import { visibleLine } from '../text/visible-text.ts';
import { deedOf, diffsOf, titleOf } from './edit-text.ts';

interface EditItemProps {
  edit: HistoryEdit;
  onUndo: (edit: number) => void;
  /** The item is known from around it. */
  isShort?: boolean;
}

const FIELDS = [
  'content',
  'reason',
  'status',
  'resolution',
  'keywords',
  'files',
  'conceptId',
  'name',
  'summary',
] as const;

export function EditItem({ edit, onUndo, isShort = false }: EditItemProps) {
  const deed = deedOf(edit);
  const title = titleOf(edit);
  return (
    <div className="edit">
      <div className="edit-head">
        <span className="edit-what">
          {t(`memory.deed_${deed}`, { what: whatOf(edit) })}
          {edit.isUndo && <span className="tag">{t('memory.wasUndo')}</span>}
        </span>
        <span className="quiet">{isTime(edit.at) && <RelativeTime at={edit.at} />}</span>
        <span className="bar-space" />
        {edit.canUndo ? (
          <Button
            size="small"
            icon={<Undo2 aria-hidden="true" />}
            onClick={() => onUndo(edit.edit)}
          >
            {t('shell.undo')}
          </Button>
        ) : (
          <span className="quiet edit-why-not">{t('memory.cannotUndo')}</span>
        )}
      </div>
      {!isShort && deed === 'changed' && title !== '' && (
        <p className="edit-title" dir="auto">
          {visibleLine(title, 160)}
        </p>
      )}
      {diffsOf(edit).map(({ field, before, after }) => (
        <div key={field} className="edit-field">
          {field !== '' && <span className="edit-field-name">{fieldName(field)}</span>}
          <DiffText before={before} after={after} />
        </div>
      ))}
    </div>
  );
}

function whatOf({ document, part, id }: HistoryEdit): string {
  if (document === 'memory')
    return part === '' || part === '*'
      ? 'memory.md'
      : `memory.md, ${visibleLine([part, id].filter(Boolean).join(', '), 100)}`;
  if (document === 'concepts') return t('memory.aConcept', { id: visibleLine(id, 40) });
  return isFactPart(part)
    ? `${kindName(part)} ${visibleLine(id, 40)}`
    : visibleLine(`${part} ${id}`, 60);
}

function fieldName(field: string): string {
  const known = FIELDS.find((name) => name === field);
  return known === undefined ? visibleLine(field, 40) : t(`memory.field_${known}`);
}
