/**
 * A fact or a permanent rule that a person writes down (M19); its kind is kept with what was typed.
 */
import { useState } from 'react';
import type { FactPart } from '../../../../core/usecases/contract.ts';
import { Select } from '../../../components/select.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';
import { factFields, fieldsOf } from '../data/item-fields.ts';
import { ItemForm } from '../data/item-form.tsx';
import { kindName, PARTS, type Scope } from '../data/kinds.ts';
import { keepForm, useMemoryStore } from '../data/memory-store.ts';
import { useUndo } from '../data/use-undo.ts';

interface AddFactProps {
  project: string;
  scope: Scope;
  onClose: () => void;
  onBroughtBack: () => void;
  onAdded: (id: string) => void;
}

export function AddFact({ project, scope, onClose, onBroughtBack, onAdded }: AddFactProps) {
  const attempt = useApp((state) => state.attempt);
  const { say } = useUndo(project);
  const draftKey = `${project}\nnew ${scope}`;
  const [part, setPart] = useState<FactPart>(
    () => keptPart(draftKey, scope) ?? PARTS[scope][0] ?? 'notes',
  );
  const choosePart = (chosen: FactPart) => {
    setPart(chosen);
    const begun = useMemoryStore.getState().forms[draftKey];
    if (begun !== undefined) keepForm(draftKey, { ...begun, part: chosen });
  };
  const fields = factFields(part);
  const title = t(scope === 'permanent' ? 'memory.addRule' : 'memory.addFact');
  return (
    <div className="detail">
      <h2 className="detail-title">{title}</h2>
      <div className="form-field">
        <span className="form-label" aria-hidden="true">
          {t('memory.column_kind')}
        </span>
        <Select
          label={t('memory.column_kind')}
          value={part}
          choices={PARTS[scope].map((value) => ({ value, label: kindName(value) }))}
          onChange={choosePart}
        />
      </div>
      <ItemForm
        project={project}
        draftKey={draftKey}
        label={title}
        fields={fields}
        initial={fieldsOf(fields, {})}
        version=""
        newPart={part}
        save={(change) => attempt('memory.addFact', { project, part, change })}
        onSaved={({ id, edit }) => {
          say(t('memory.added'), edit);
          onAdded(id);
        }}
        onClose={onClose}
        onBroughtBack={onBroughtBack}
      />
    </div>
  );
}

function keptPart(draftKey: string, scope: Scope): FactPart | undefined {
  const kept = useMemoryStore.getState().forms[draftKey]?.part;
  return PARTS[scope].find((part) => part === kept);
}
