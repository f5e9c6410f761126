/**
 * Facts and permanent memory (G2): a table that is fetched as it is looked at, filtered by kind and
 * words, and beside it the fact that is chosen. The choice is by id and stays when rows come and
 * go.
 */
import { BookCheck, Check, Plus, Sparkles } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Arguments, FactPage, FactRow } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { Select } from '../../../components/select.tsx';
import { EmptyState, ErrorState, Spinner } from '../../../components/states.tsx';
import { usePages } from '../../../components/use-pages.ts';
import { type Column, VirtualTable } from '../../../components/virtual-table.tsx';
import { t } from '../../../locale/locale.ts';
import { useApp, useBridge } from '../../../store/use-app.ts';
import { kindName, kindsName, PARTS, type Scope } from '../data/kinds.ts';
import { NO_FILTER, setFilter, useMemoryStore } from '../data/memory-store.ts';
import { Split } from '../data/split.tsx';
import { useFollowedRow } from '../data/use-followed-row.ts';
import { isAbout } from '../data/use-memory.ts';
import { shortDate } from '../text/short-date.ts';
import { visibleLine } from '../text/visible-text.ts';
import { AddFact } from './add-fact.tsx';
import { FactPane } from './fact-pane.tsx';

const ALL = 'all';

export function FactListTab({ project, scope }: { project: string; scope: Scope }) {
  const filterKey = `${project}\n${scope}`;
  const filter = useMemoryStore((state) => state.filters[filterKey]) ?? NO_FILTER;
  const item = useApp((state) => state.place.item);
  const go = useApp((state) => state.go);
  const [counts, setCounts] = useState<FactPage['counts']>({});
  const [isAdding, setAdding] = useState(false);
  const bridge = useBridge();
  const list = useRef<HTMLDivElement>(null);
  const args = askedFor(project, scope, filter);
  const pages = usePages<FactRow>(JSON.stringify(args), async (from, count) => {
    const page = await bridge.call('memory.facts', { ...args, from, count });
    setCounts(page.counts);
    return page;
  });
  useEffect(
    () => bridge.onEvent((event) => isAbout(event, project) && pages.reload()),
    [bridge, project, pages.reload],
  );
  const choose = useCallback(
    (id: string | undefined) =>
      go({ view: 'memory', tab: scope, ...(id !== undefined && { item: id }) }),
    [go, scope],
  );
  const [current, setCurrent] = useFollowedRow(pages, item, choose);
  const focusList = useCallback(
    () => list.current?.querySelector<HTMLElement>('[role="grid"], button')?.focus(),
    [],
  );
  const isFiltered = filter.words !== '' || filter.part !== '' || filter.isAll;

  const pane = isAdding ? (
    <AddFact
      project={project}
      scope={scope}
      onClose={() => setAdding(false)}
      onBroughtBack={() => setAdding(true)}
      onAdded={(id) => {
        setAdding(false);
        pages.reload();
        choose(id);
      }}
    />
  ) : (
    item !== undefined && (
      <FactPane
        key={item}
        project={project}
        id={item}
        onForgotten={() => choose(undefined)}
        focusList={focusList}
      />
    )
  );
  const close = () => {
    setAdding(false);
    choose(undefined);
    focusList();
  };
  return (
    <Split pane={pane} onClose={close} paneLabel={t('memory.detail')}>
      <FilterBar
        filterKey={filterKey}
        scope={scope}
        counts={counts}
        onAdd={() => setAdding(true)}
      />
      <div className="list-body" ref={list}>
        {pages.error !== undefined && <ErrorState error={pages.error} onRetry={pages.reload} />}
        {pages.error === undefined && pages.total === undefined && <Spinner />}
        {pages.error === undefined && pages.total === 0 && (
          <NoFacts
            scope={scope}
            isFiltered={isFiltered}
            onClear={() => setFilter(filterKey, NO_FILTER)}
          />
        )}
        {pages.error === undefined && (pages.total ?? 0) > 0 && (
          <VirtualTable
            label={t(`memory.${scope}`)}
            total={pages.total ?? 0}
            rowAt={pages.rowAt}
            onShow={pages.show}
            columns={columnsFor(scope, pane !== false)}
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

function askedFor(
  project: string,
  scope: Scope,
  { words, part, isAll }: typeof NO_FILTER,
): Arguments<'memory.facts'> {
  return {
    project,
    part: PARTS[scope].find((known) => known === part) ?? scope,
    ...(words.trim() !== '' && { words: words.trim() }),
    isAll,
  };
}

function columnsFor(scope: Scope, isNarrow: boolean): Column<FactRow>[] {
  const columns: Column<FactRow>[] = [
    {
      id: 'kind',
      header: t('memory.column_kind'),
      width: '84px',
      cell: ({ part }) => <span className="quiet">{kindName(part)}</span>,
    },
    {
      id: 'text',
      header: t('memory.column_text'),
      width: 'minmax(0, 1fr)',
      cell: ({ content, supersededBy, status, isAdopted }) => (
        <span dir="auto" className={supersededBy === null ? 'cell-text' : 'cell-text is-replaced'}>
          {supersededBy !== null && <span className="tag">{t('memory.replaced')}</span>}
          {status === 'open' && <span className="tag tag-open">{t('memory.status_open')}</span>}
          {isAdopted && <span className="tag">{t('memory.adopted')}</span>}
          {visibleLine(content)}
        </span>
      ),
    },
    {
      id: 'verified',
      header: t('memory.column_verified'),
      width: '34px',
      cell: ({ isVerified }) =>
        isVerified ? (
          <Check className="cell-check" size={14} role="img" aria-label={t('memory.verified')} />
        ) : null,
    },
    {
      id: 'session',
      header: t(scope === 'permanent' ? 'memory.column_sessions' : 'memory.column_session'),
      width: '96px',
      cell: ({ session, sessions }) => (
        <span className="quiet" title={visibleLine(session)}>
          {scope === 'permanent'
            ? t('memory.inSessions', { count: sessions })
            : visibleLine(session).slice(0, 8)}
        </span>
      ),
    },
    {
      id: 'date',
      header: t('memory.column_date'),
      width: '94px',
      cell: ({ date }) => (
        <span className="quiet" title={shortDate(date)}>
          {visibleLine(date, 20)}
        </span>
      ),
    },
  ];
  return isNarrow ? columns.filter(({ id }) => id !== 'session') : columns;
}

interface FilterBarProps {
  filterKey: string;
  scope: Scope;
  counts: FactPage['counts'];
  onAdd: () => void;
}

function FilterBar({ filterKey, scope, counts, onAdd }: FilterBarProps) {
  const add = t(scope === 'permanent' ? 'memory.addRule' : 'memory.addFact');
  const filter = useMemoryStore((state) => state.filters[filterKey]) ?? NO_FILTER;
  const kinds = PARTS[scope].map((part) => ({
    value: part as string,
    label: `${kindsName(part)} ${counts[part] ?? 0}`,
  }));
  return (
    <div className="bar">
      <input
        className="field bar-words"
        type="search"
        dir="auto"
        aria-label={t('memory.filterWords')}
        placeholder={t('memory.filterWords')}
        value={filter.words}
        onChange={(event) => setFilter(filterKey, { words: event.target.value })}
      />
      <Select
        label={t('memory.filterKind')}
        value={filter.part === '' ? ALL : filter.part}
        choices={[{ value: ALL, label: t('memory.allKinds') }, ...kinds]}
        onChange={(part) => setFilter(filterKey, { part: part === ALL ? '' : part })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={filter.isAll}
          onChange={(event) => setFilter(filterKey, { isAll: event.target.checked })}
        />
        {t('memory.alsoReplaced')}
      </label>
      <span className="bar-space" />
      <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={onAdd} title={add}>
        {add}
      </Button>
    </div>
  );
}

function NoFacts({
  scope,
  isFiltered,
  onClear,
}: {
  scope: Scope;
  isFiltered: boolean;
  onClear: () => void;
}) {
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
    <EmptyState
      icon={scope === 'permanent' ? <BookCheck /> : <Sparkles />}
      title={t(`memory.empty_${scope}`)}
    >
      <p>{t(`memory.emptyText_${scope}`)}</p>
    </EmptyState>
  );
}
