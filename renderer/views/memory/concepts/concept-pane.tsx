/**
 * One concept (G2, M19): name, summary, keywords and files with their form, the facts in it, what
 * was done to it, and Forget with undo.
 */
import type { ConceptChange, ConceptDetail, FactRow } from '../../../../core/usecases/contract.ts';
import { Spinner } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';
import { EditableItem, type PaneProps } from '../data/editable-item.tsx';
import { CONCEPT_FIELDS } from '../data/item-fields.ts';
import { kindName } from '../data/kinds.ts';
import { MissingItem } from '../data/missing-item.tsx';
import { useMemoryQuery } from '../data/use-memory.ts';
import { AdoptedFrom } from '../foreign/adopted-from.tsx';
import { ItemHistory } from '../history/item-history.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { visibleLine } from '../text/visible-text.ts';

export function ConceptPane(props: PaneProps) {
  const { project, id } = props;
  const { data, error, reload } = useMemoryQuery('memory.concept', { project, id }, project);
  const attempt = useApp((state) => state.attempt);
  const go = useApp((state) => state.go);
  const save = (change: ConceptChange, base: string) =>
    attempt('memory.changeConcept', { project, id, base, change });
  if (error !== undefined && data === undefined)
    return (
      <MissingItem {...props} error={error} fields={CONCEPT_FIELDS} save={save} reload={reload} />
    );
  if (data === undefined) return <Spinner />;
  const { concept, version, facts } = data;
  return (
    <article className="detail">
      <header className="detail-head">
        <span className="tag">{t('memory.concept')}</span>
        <AdoptedFrom origin={concept.origin} />
        {concept.isEdited === true && <span className="quiet">{t('memory.editedByHand')}</span>}
        <code className="quiet">{visibleLine(concept.id, 40)}</code>
      </header>
      <EditableItem
        {...props}
        tab="concepts"
        fields={CONCEPT_FIELDS}
        item={concept}
        version={version}
        save={save}
        forget={() => attempt('memory.forgetConcept', { project, id, base: version })}
        forgetHint={t('memory.forgetConceptHint')}
        forgotten={t('memory.conceptForgotten', {
          name: visibleLine(concept.name, 60),
          count: facts.length,
        })}
        reload={reload}
      >
        <ConceptWords data={data} />
      </EditableItem>
      <ConceptFacts
        facts={facts}
        onOpen={(fact) => go({ view: 'memory', tab: tabOf(fact), item: fact.id })}
      />
      <ItemHistory project={project} id={id} onUndone={reload} />
    </article>
  );
}

function tabOf({ part }: FactRow): string {
  return part.startsWith('permanent') ? 'permanent' : 'facts';
}

function ConceptWords({ data: { concept } }: { data: ConceptDetail }) {
  const rows = [
    ['keywords', concept.keywords.join(', ')],
    ['files', concept.files.join(', ')],
  ] as const;
  return (
    <>
      <h2 className="detail-title">
        <ShownText text={concept.name} />
      </h2>
      <ShownText as="p" className="detail-text" text={concept.summary} />
      <dl className="detail-list">
        {rows.map(([name, text]) =>
          text === '' ? null : (
            <div key={name}>
              <dt>{t(`memory.field_${name}`)}</dt>
              <dd>
                <ShownText text={text} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </>
  );
}

function ConceptFacts({
  facts,
  onOpen,
}: {
  facts: readonly FactRow[];
  onOpen: (fact: FactRow) => void;
}) {
  return (
    <section aria-labelledby="concept-facts">
      <h2 className="detail-part" id="concept-facts">
        {t('memory.factsIn', { count: facts.length })}
      </h2>
      <ul className="concept-facts">
        {facts.map((fact) => (
          <li key={fact.id}>
            <button type="button" className="row-button" onClick={() => onOpen(fact)}>
              <span className="quiet">{kindName(fact.part)}</span>
              <span
                dir="auto"
                className={fact.supersededBy === null ? 'cell-text' : 'cell-text is-replaced'}
              >
                {visibleLine(fact.content)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
