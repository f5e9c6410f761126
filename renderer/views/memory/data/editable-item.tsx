/**
 * What a fact and a concept have in common (M19): their words or the form for them, Edit, and
 * Forget, which says what is lost and can be undone. The focus goes where one would look for it:
 * back to Edit, or to the list.
 */
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Fact } from '../../../../core/memory/l2-facts/facts-file.ts';
import type { Concept } from '../../../../core/memory/l3-concepts/concepts-file.ts';
import type { ConceptChange, FactChange, ItemSaved } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';
import { type Field, fieldsOf } from './item-fields.ts';
import { ItemForm } from './item-form.tsx';
import { useMemoryStore } from './memory-store.ts';
import { useUndo } from './use-undo.ts';

/** What the list beside it gives to a pane. */
export interface PaneProps {
  project: string;
  id: string;
  onForgotten: () => void;
  focusList: () => void;
}

interface EditableItemProps extends PaneProps {
  /** Where it is found again after an undo. */
  tab: string;
  fields: readonly Field[];
  item: Partial<Fact> | Partial<Concept>;
  version: string;
  /** undefined: it failed, and that was said. */
  save: (change: FactChange & ConceptChange, base: string) => Promise<ItemSaved | undefined>;
  forget: () => Promise<ItemSaved | undefined>;
  forgetHint: string;
  /** What is lost. */
  forgotten: string;
  reload: () => void;
  /** Its words. */
  children: ReactNode;
}

export function EditableItem(props: EditableItemProps) {
  const { project, id, tab, fields, item, version, save, reload, onForgotten, focusList } = props;
  const draftKey = `${project}\n${id}`;
  const hasDraft = useMemoryStore((state) => state.forms[draftKey] !== undefined);
  const [isEditing, setEditing] = useState(hasDraft);
  const go = useApp((state) => state.go);
  const toast = useApp((state) => state.toast);
  const { say } = useUndo(project);
  const edit = useRef<HTMLButtonElement>(null);
  const stopEditing = () => {
    reload();
    setEditing(false);
    requestAnimationFrame(() => edit.current?.focus());
  };
  const forget = async () => {
    const done = await props.forget();
    if (done === undefined) return;
    if (!done.saved) {
      toast(t('memory.forgetConflict'));
      reload();
      return;
    }
    onForgotten();
    focusList();
    say(props.forgotten, done.edit, () => {
      go({ view: 'memory', tab, item: id });
      focusList();
    });
  };
  if (isEditing)
    return (
      <ItemForm
        project={project}
        draftKey={draftKey}
        label={t('memory.edit')}
        fields={fields}
        initial={fieldsOf(fields, item)}
        version={version}
        save={save}
        onSaved={({ edit: made }) => {
          stopEditing();
          say(t('memory.saved'), made);
        }}
        onClose={stopEditing}
        onBroughtBack={() => setEditing(true)}
      />
    );
  return (
    <>
      {props.children}
      <div className="detail-actions">
        <Button
          size="small"
          icon={<Pencil aria-hidden="true" />}
          ref={edit}
          onClick={() => setEditing(true)}
        >
          {t('memory.edit')}
        </Button>
        <Button
          size="small"
          look="danger"
          icon={<Trash2 aria-hidden="true" />}
          title={props.forgetHint}
          onClick={() => void forget()}
        >
          {t('memory.forget')}
        </Button>
      </div>
    </>
  );
}
