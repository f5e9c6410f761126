/**
 * One fact (G2, M19): its words, its form, the words it came from in their conversation, what was
 * done to it, and Forget, which says what is lost and can be undone.
 */
import { Check } from 'lucide-react';
import type { FactChange, FactDetail } from '../../../../core/usecases/contract.ts';
import { Spinner } from '../../../components/states.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp } from '../../../store/use-app.ts';
import { EditableItem, type PaneProps } from '../data/editable-item.tsx';
import { factFields } from '../data/item-fields.ts';
import { kindName } from '../data/kinds.ts';
import { MissingItem } from '../data/missing-item.tsx';
import { useMemoryQuery } from '../data/use-memory.ts';
import { AdoptedFrom } from '../foreign/adopted-from.tsx';
import { ItemHistory } from '../history/item-history.tsx';
import { shortDate } from '../text/short-date.ts';
import { ShownText } from '../text/shown-text.tsx';
import { visibleLine } from '../text/visible-text.ts';
import { EvidenceList } from './evidence-list.tsx';

export function FactPane(props: PaneProps) {
  const { project, id } = props;
  const { data, error, reload } = useMemoryQuery('memory.fact', { project, id }, project);
  const attempt = useApp((state) => state.attempt);
  const save = (change: FactChange, base: string) =>
    attempt('memory.changeFact', { project, id, base, change });
  if (error !== undefined && data === undefined)
    return (
      <MissingItem
        {...props}
        error={error}
        fields={factFields('issues')}
        save={save}
        reload={reload}
      />
    );
  if (data === undefined) return <Spinner />;
  const { fact, part, version } = data;
  return (
    <article className="detail">
      <FactHead data={data} />
      <EditableItem
        {...props}
        tab={part.startsWith('permanent') ? 'permanent' : 'facts'}
        fields={factFields(part)}
        item={fact}
        version={version}
        save={save}
        forget={() => attempt('memory.forgetFact', { project, id, base: version })}
        forgetHint={t('memory.forgetHint')}
        forgotten={t('memory.forgotten', {
          text: visibleLine(fact.content, 60),
          count: fact.evidence.length,
        })}
        reload={reload}
      >
        <FactWords data={data} />
      </EditableItem>
      <EvidenceList
        project={project}
        evidence={fact.evidence}
        isAdopted={fact.origin !== undefined}
      />
      <ItemHistory project={project} id={id} onUndone={reload} />
    </article>
  );
}

function FactHead({ data: { part, fact } }: { data: FactDetail }) {
  const sources = new Set(fact.evidence.map(({ session }) => session)).size;
  return (
    <header className="detail-head">
      <span className="tag">{kindName(part)}</span>
      <AdoptedFrom origin={fact.origin} />
      {fact.evidence.length > 0 && (
        <span className="verified">
          <Check size={13} aria-hidden="true" /> {t('memory.verified')}
        </span>
      )}
      <span className="quiet">{shortDate(fact.date)}</span>
      {sources > 1 && <span className="quiet">{t('memory.inSessions', { count: sources })}</span>}
      {'since' in fact && typeof fact.since === 'string' && (
        <span className="quiet">{t('memory.permanentSince', { date: shortDate(fact.since) })}</span>
      )}
      {fact.editedAt !== undefined && (
        <span className="quiet">{t('memory.editedOn', { date: shortDate(fact.editedAt) })}</span>
      )}
      <code className="quiet">{visibleLine(fact.id, 40)}</code>
    </header>
  );
}

function FactWords({ data: { fact, concept, part } }: { data: FactDetail }) {
  const go = useApp((state) => state.go);
  const place = useApp((state) => state.place);
  const replacedBy = fact.supersededBy;
  const rows = [
    ['reason', fact.reason],
    [
      'status',
      part === 'issues' && (fact.status === 'open' || fact.status === 'resolved')
        ? t(`memory.status_${fact.status}`)
        : undefined,
    ],
    ['resolution', fact.resolution],
    ['keywords', fact.keywords.join(', ')],
    ['files', fact.files.join(', ')],
  ] as const;
  return (
    <>
      {replacedBy !== undefined && (
        <p className="notice">
          {t('memory.replacedBy')}{' '}
          <button type="button" className="link" onClick={() => go({ ...place, item: replacedBy })}>
            {visibleLine(replacedBy, 40)}
          </button>
        </p>
      )}
      <ShownText as="p" className="detail-text" text={fact.content} />
      <dl className="detail-list">
        {rows.map(([name, text]) =>
          text === undefined || text === '' ? null : (
            <div key={name}>
              <dt>{t(`memory.field_${name}`)}</dt>
              <dd>
                <ShownText text={text} />
              </dd>
            </div>
          ),
        )}
        {concept !== null && (
          <div>
            <dt>{t('memory.field_conceptId')}</dt>
            <dd>
              <button
                type="button"
                className="link"
                onClick={() => go({ view: 'memory', tab: 'concepts', item: concept.id })}
              >
                <bdi>{visibleLine(concept.name, 100)}</bdi>
              </button>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}
