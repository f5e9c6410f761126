/**
 * The form for a fact, a permanent rule or a concept (M19): fields of an item come in, a change
 * goes out and is saved against the version that was read. What is typed is kept in the store until
 * it is saved or dropped, and what was dropped can be had back; an item that changed meanwhile is
 * shown beside it.
 */
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type {
  ConceptChange,
  FactChange,
  FactPart,
  ItemSaved,
} from '../../../../core/usecases/contract.ts';
import { MAX_LINE_CHARS } from '../../../../core/usecases/memory/text-limits.ts';
import { Button } from '../../../components/button.tsx';
import { NotKept } from '../../../components/not-kept.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';
import { ShownText } from '../text/shown-text.tsx';
import { visibleText } from '../text/visible-text.ts';
import {
  changedFields,
  changeOf,
  type Field,
  type Fields,
  fieldsOf,
  missingField,
} from './item-fields.ts';
import { keepForm, useMemoryStore } from './memory-store.ts';
import { useMemoryQuery } from './use-memory.ts';

interface ItemFormProps {
  project: string;
  /** Where the draft is kept. */
  draftKey: string;
  label: string;
  fields: readonly Field[];
  initial: Fields;
  version: string;
  /** undefined: it failed, and that was said. */
  save: (change: FactChange & ConceptChange, base: string) => Promise<ItemSaved | undefined>;
  onSaved: (saved: Extract<ItemSaved, { saved: true }>) => void;
  onClose: () => void;
  /** What was dropped is in the store again, and wants to be seen. */
  onBroughtBack: () => void;
  /** The kind of a new fact: all of it is sent, not only what differs. */
  newPart?: FactPart;
}

type Theirs = Extract<ItemSaved, { saved: false }>;

export function ItemForm(props: ItemFormProps) {
  const { project, draftKey, label, fields, save, onSaved, onClose, onBroughtBack, newPart } =
    props;
  const isNew = newPart !== undefined;
  const toast = useApp((state) => state.toast);
  const begun = useMemoryStore((state) => state.forms[draftKey]);
  const { values, initial, version } = begun ?? {
    values: props.initial,
    initial: props.initial,
    version: props.version,
  };
  const [isSaving, setSaving] = useState(false);
  /** Two keys may come before the page is drawn anew. */
  const isSending = useRef(false);
  const [problem, setProblem] = useState<string>();
  const [conflict, setConflict] = useState<Theirs>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('textarea, input, select')?.focus(), []);

  const send = async (base: string, before: Fields) => {
    if (isSending.current) return undefined;
    const missing = missingField(fields, values);
    setProblem(missing);
    if (missing !== undefined)
      return form.current?.querySelector<HTMLElement>(`[name="${missing}"]`)?.focus();
    isSending.current = true;
    setSaving(true);
    const outcome = await save(
      changeOf(fields, isNew ? {} : before, dropEmpty(values, isNew)),
      base,
    );
    isSending.current = false;
    setSaving(false);
    if (outcome === undefined) return undefined;
    if (!outcome.saved) return setConflict(outcome);
    keepForm(draftKey, null);
    return onSaved(outcome);
  };
  const isChanged = changedFields(initial, values).length > 0;
  const close = () => {
    if (isSending.current) return;
    keepForm(draftKey, null);
    onClose();
    if (begun === undefined || !isChanged) return;
    const bringBack = () => {
      keepForm(draftKey, begun);
      onBroughtBack();
    };
    toast(t('memory.discarded'), { label: t('shell.undo'), run: bringBack });
  };
  const change = (name: string, value: string) => {
    // What is typed while it is being saved would neither be saved nor kept.
    if (isSending.current) return;
    keepForm(draftKey, {
      values: { ...values, [name]: value },
      initial,
      version,
      ...(isNew && { part: newPart }),
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send(version, initial);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // the keys of an input method: Escape gives up a syllable, not the form
    if (event.nativeEvent.isComposing) return event.stopPropagation();
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && (event.key === 'Enter' || event.key.toLowerCase() === 's')) onSubmit(event);
    else if (event.key === 'Escape') close();
    else return undefined;
    return event.stopPropagation();
  };
  return (
    <form
      className="item-form"
      aria-label={label}
      ref={form}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      noValidate
    >
      {fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          project={project}
          value={values[field.name] ?? ''}
          isMissing={problem === field.name}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      {conflict !== undefined && (
        <FormConflict
          fields={fields}
          mine={values}
          conflict={conflict}
          onMine={() =>
            void send(
              conflict.version,
              conflict.theirs === null ? {} : fieldsOf(fields, conflict.theirs),
            )
          }
          onTheirs={close}
        />
      )}
      <NotKept kind="form" document={draftKey} />
      <div className="form-buttons">
        <Button onClick={close}>{isChanged ? t('memory.discard') : t('shell.cancel')}</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={isSaving}
          disabled={!isChanged || conflict !== undefined}
        >
          {isNew ? t('memory.add') : t('shell.save')}
        </Button>
      </div>
    </form>
  );
}

function dropEmpty(values: Fields, isNew: boolean): Fields {
  return isNew
    ? Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
    : values;
}

interface FormFieldProps {
  field: Field;
  project: string;
  value: string;
  isMissing: boolean;
  onChange: (value: string) => void;
}

export function FormField({ field, project, value, isMissing, onChange }: FormFieldProps) {
  const id = useId();
  // In a list each word has the limit, and not all of them together.
  const longest = field.kind === 'list' ? undefined : MAX_LINE_CHARS;
  const full =
    longest !== undefined && value.length >= longest
      ? t('memory.fieldFull', { most: longest })
      : undefined;
  const hint = field.kind === 'list' ? t('memory.listHint') : full;
  const common = {
    id,
    name: field.name,
    className: 'field',
    value,
    'aria-invalid': isMissing || undefined,
    'aria-required': field.isNeeded,
    'aria-describedby': isMissing || hint !== undefined ? `${id}-hint` : undefined,
  };
  return (
    <div className="form-field">
      <label htmlFor={id}>{t(`memory.field_${field.name}`)}</label>
      {field.kind === 'text' && (
        <textarea
          {...common}
          dir="auto"
          maxLength={longest}
          rows={field.name === 'content' ? 4 : 2}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {(field.kind === 'line' || field.kind === 'list') && (
        <input
          {...common}
          dir="auto"
          autoComplete="off"
          maxLength={longest}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {field.kind === 'status' && (
        <select {...common} onChange={(event) => onChange(event.target.value)}>
          <option value="">{t('memory.status_none')}</option>
          <option value="open">{t('memory.status_open')}</option>
          <option value="resolved">{t('memory.status_resolved')}</option>
        </select>
      )}
      {field.kind === 'concept' && (
        <ConceptSelect project={project} common={common} onChange={onChange} />
      )}
      {isMissing ? (
        <p id={`${id}-hint`} className="form-problem" role="alert">
          {t('memory.needed')}
        </p>
      ) : (
        hint !== undefined && (
          <p id={`${id}-hint`} className="form-hint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

interface ConceptSelectProps {
  project: string;
  common: { value: string; name: string; id: string; className: string };
  onChange: (value: string) => void;
}

function ConceptSelect({ project, common, onChange }: ConceptSelectProps) {
  const { data } = useMemoryQuery('memory.concepts', { project, count: 1000 }, project);
  const rows = data?.rows ?? [];
  const isKnown = common.value === '' || rows.some(({ id }) => id === common.value);
  return (
    <select {...common} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t('memory.noConcept')}</option>
      {!isKnown && <option value={common.value}>{common.value}</option>}
      {rows.map(({ id, name }) => (
        <option key={id} value={id}>
          {visibleText(name)}
        </option>
      ))}
    </select>
  );
}

interface FormConflictProps {
  fields: readonly Field[];
  mine: Fields;
  conflict: Theirs;
  onMine: () => void;
  onTheirs: () => void;
}

function FormConflict({ fields, mine, conflict, onMine, onTheirs }: FormConflictProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const theirs = conflict.theirs === null ? undefined : fieldsOf(fields, conflict.theirs);
  const differing = theirs === undefined ? [] : changedFields(theirs, mine);
  return (
    <section className="form-conflict" aria-labelledby="form-conflict-title">
      <h2 id="form-conflict-title" ref={title} tabIndex={-1}>
        {theirs === undefined ? t('memory.itemGone') : t('memory.itemConflict')}
      </h2>
      {theirs === undefined ? (
        <p>{t('memory.itemGoneText')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('memory.fieldColumn')}</th>
              <th scope="col">{t('memory.theirs')}</th>
              <th scope="col">{t('memory.mine')}</th>
            </tr>
          </thead>
          <tbody>
            {fields
              .filter(({ name }) => differing.includes(name))
              .map(({ name }) => (
                <tr key={name}>
                  <th scope="row">{t(`memory.field_${name}`)}</th>
                  <td>
                    <ShownText text={theirs[name] ?? ''} />
                  </td>
                  <td>
                    <ShownText text={mine[name] ?? ''} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      <div className="form-buttons">
        <Button onClick={onTheirs}>{t('memory.takeTheirs')}</Button>
        {theirs !== undefined && (
          <Button look="primary" onClick={onMine}>
            {t('memory.keepMine')}
          </Button>
        )}
      </div>
    </section>
  );
}
