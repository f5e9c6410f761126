/**
 * A fact or a concept that cannot be had (M19): why, and what was typed for it and not saved, which
 * can still be read, copied and discarded. Should it be there again, that is saved as ever.
 */
import type { ConceptChange, FactChange, ItemSaved } from '../../../../core/usecases/contract.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { ErrorState } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import type { Field } from './item-fields.ts';
import { ItemForm } from './item-form.tsx';
import { useMemoryStore } from './memory-store.ts';

interface MissingItemProps {
  project: string;
  id: string;
  error: BridgeError;
  /** All that such an item may have; those that were there are shown. */
  fields: readonly Field[];
  save: (change: FactChange & ConceptChange, base: string) => Promise<ItemSaved | undefined>;
  reload: () => void;
}

export function MissingItem({ project, id, error, fields, save, reload }: MissingItemProps) {
  const draftKey = `${project}\n${id}`;
  const draft = useMemoryStore((state) => state.forms[draftKey]);
  return (
    <div className="detail">
      <ErrorState error={error} onRetry={reload} />
      {draft !== undefined && (
        <ItemForm
          project={project}
          draftKey={draftKey}
          label={t('memory.edit')}
          fields={fields.filter(({ name }) => name in draft.values)}
          initial={draft.initial}
          version={draft.version}
          save={save}
          onSaved={reload}
          onClose={reload}
          onBroughtBack={reload}
        />
      )}
    </div>
  );
}
