/**
 * Concepts (G2): what the project's facts are about, as a list, and beside it the one that is
 * chosen with its facts.
 */
import { Shapes } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import type { ConceptRow } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { EmptyState, ErrorState, Spinner } from '../../../components/states.tsx';
import { usePages } from '../../../components/use-pages.ts';
import { type Column, VirtualTable } from '../../../components/virtual-table.tsx';
import { number, t } from '../../../locale/locale.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { NO_FILTER, setFilter, useMemoryStore } from '../data/memory-store.ts';
import { Split } from '../data/split.tsx';
import { useFollowedRow } from '../data/use-followed-row.ts';
import { isAbout } from '../data/use-memory.ts';
import { visibleLine } from '../text/visible-text.ts';
import { ConceptPane } from './concept-pane.tsx';

export function ConceptsTab({ project }: { project: string }) {
  const filterKey = `${project}\nconcepts`;
  const words = (useMemoryStore((state) => state.filters[filterKey]) ?? NO_FILTER).words;
  const item = useApp((state) => state.place.item);
  const go = useApp((state) => state.go);
  const bridge = useBridge();
  const list = useRef<HTMLDivElement>(null);
  const args = { project, ...(words.trim() !== '' && { words: words.trim() }) };
  const pages = usePages<ConceptRow>(JSON.stringify(args), (from, count) =>
    bridge.call('memory.concepts', { ...args, from, count }),
  );
  useEffect(
    () => bridge.onEvent((event) => isAbout(event, project) && pages.reload()),
    [bridge, project, pages.reload],
  );
  const choose = useCallback(
    (id: string | undefined) =>
      go({ view: 'memory', tab: 'concepts', ...(id !== undefined && { item: id }) }),
    [go],
  );
  const [current, setCurrent] = useFollowedRow(pages, item, choose);
  const focusList = useCallback(
    () => list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus(),
    [],
  );
  const close = () => {
    choose(undefined);
    focusList();
  };
  const pane = item !== undefined && (
    <ConceptPane
      key={item}
      project={project}
      id={item}
      onForgotten={() => choose(undefined)}
      focusList={focusList}
    />
  );
  return (
    <Split pane={pane} paneLabel={t('memory.detail')} onClose={close}>
      <div className="bar">
        <input
          className="field bar-words"
          type="search"
          dir="auto"
          aria-label={t('memory.filterWords')}
          placeholder={t('memory.filterWords')}
          value={words}
          onChange={(event) => setFilter(filterKey, { words: event.target.value })}
        />
      </div>
      <div className="list-body" ref={list}>
        {pages.error !== undefined && <ErrorState error={pages.error} onRetry={pages.reload} />}
        {pages.error === undefined && pages.total === undefined && <Spinner />}
        {pages.error === undefined && pages.total === 0 && (
          <NoConcepts isFiltered={words !== ''} onClear={() => setFilter(filterKey, NO_FILTER)} />
        )}
        {pages.error === undefined && (pages.total ?? 0) > 0 && (
          <VirtualTable
            label={t('memory.concepts')}
            total={pages.total ?? 0}
            rowAt={pages.rowAt}
            onShow={pages.show}
            columns={columnsFor(pane !== false)}
            current={current}
            onCurrent={setCurrent}
            onOpen={(index) => {
              setCurrent(index);
              document.querySelector<HTMLElement>('.split-pane')?.focus();
            }}
          />
        )}
      </div>
    </Split>
  );
}

function columnsFor(isNarrow: boolean): Column<ConceptRow>[] {
  const columns: Column<ConceptRow>[] = [
    {
      id: 'name',
      header: t('memory.field_name'),
      width: 'minmax(0, 1fr)',
      cell: ({ name }) => (
        <strong dir="auto" className="cell-text">
          {visibleLine(name)}
        </strong>
      ),
    },
    {
      id: 'summary',
      header: t('memory.field_summary'),
      width: 'minmax(0, 3fr)',
      cell: ({ summary }) => (
        <span dir="auto" className="cell-text quiet">
          {visibleLine(summary)}
        </span>
      ),
    },
    {
      id: 'facts',
      header: t('memory.facts'),
      width: '64px',
      isNumber: true,
      cell: ({ facts }) => number(facts),
    },
  ];
  return isNarrow ? columns.filter(({ id }) => id !== 'summary') : columns;
}

function NoConcepts({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState
        title={t('memory.noMatch')}
        action={<Button onClick={onClear}>{t('memory.clearFilter')}</Button>}
      >
        <p>{t('memory.noMatchText')}</p>
      </EmptyState>
    );
  return (
    <EmptyState icon={<Shapes />} title={t('memory.empty_concepts')}>
      <p>{t('memory.emptyText_concepts')}</p>
    </EmptyState>
  );
}
