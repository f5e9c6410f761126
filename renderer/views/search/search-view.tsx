/**
 * Search over all layers (M17, G2): one field, filters, ranked hits with the words that answered
 * marked in them. The field keeps the focus, arrows walk the hits, Enter opens the place: a fact, a
 * concept, a section of memory.md, a conversation, a summary.
 */
import { SearchX } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { MemoryHit } from '../../../core/memory/search/memory-search.ts';
import type { Arguments } from '../../../core/usecases/contract.ts';
import { ViewFrame } from '../../app/view-frame.tsx';
import { EmptyState, ErrorState, Spinner } from '../../components/states.tsx';
import { movedIndex } from '../../components/virtual-table.tsx';
import { t } from '../../locale/locale.ts';
import { useApp } from '../../store/use-app.ts';
import { useQuery } from '../../store/use-query.ts';
import { HitItem } from './hit-item.tsx';
import { PageDialog } from './page-dialog.tsx';
import { SearchFilters } from './search-filters.tsx';
import { SearchHelp } from './search-help.tsx';
import { type SearchState, useSearchStore } from './search-store.ts';
import { useOpenHit } from './use-open-hit.ts';
import './search.css';

const TYPING_MS = 160;
const MOST_HITS = 100;
const PAGE = 8;
const WALKING = /^(Arrow|Page)(Up|Down)$/;

export function SearchView() {
  const search = useSearchStore();
  const project = useApp((state) => state.project);
  const words = useLater(search.words.trim(), TYPING_MS);
  const { data, error, isLoading, reload } = useQuery(
    'search.find',
    askedFor({ ...search, words }, project),
  );
  const hits = words === '' ? [] : (data ?? []);
  const [current, setCurrent] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other hits begin at the first
  useEffect(() => setCurrent(0), [data]);
  const [page, setPage] = useState<MemoryHit>();
  const open = useOpenHit(setPage);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  useFieldKey(field);
  const isWaiting = words !== search.words.trim() || isLoading;

  const walk = (key: string): boolean => {
    const wanted = WALKING.test(key) ? movedIndex(key, current, PAGE, hits.length) : undefined;
    if (wanted === undefined || wanted < 0) return false;
    setCurrent(wanted);
    document.getElementById(`${listId}-${wanted}`)?.scrollIntoView({ block: 'nearest' });
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const hit = hits[current];
    if (event.key === 'Enter' && hit !== undefined && !isWaiting) open(hit);
    else if (event.key === 'Escape' && search.words !== '') useSearchStore.setState({ words: '' });
    else if (!walk(event.key)) return;
    event.preventDefault();
  };
  return (
    <ViewFrame title={t('shell.search')} isFilled={true}>
      <div className="search-bar">
        <input
          ref={field}
          className="field search-field"
          type="search"
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          aria-label={t('search.label')}
          aria-controls={hits.length > 0 ? `${listId}-hits` : undefined}
          aria-activedescendant={hits.length > 0 ? `${listId}-${current}` : undefined}
          aria-keyshortcuts="/"
          placeholder={t('search.placeholder')}
          value={search.words}
          onChange={(event) => useSearchStore.setState({ words: event.target.value })}
          onKeyDown={onKeyDown}
        />
        <SearchFilters />
      </div>
      <p className="search-count" role="status">
        {words !== '' && !isWaiting && error === undefined ? countWords(hits) : ' '}
      </p>
      {hits.length > 0 && error === undefined ? (
        <div
          className="search-results"
          role="listbox"
          id={`${listId}-hits`}
          tabIndex={0}
          aria-label={t('search.hits')}
          aria-busy={isWaiting}
          aria-activedescendant={`${listId}-${current}`}
          onKeyDown={onKeyDown}
        >
          {hits.map((hit, index) => (
            <HitItem
              key={`${hit.project}/${hit.id}`}
              id={`${listId}-${index}`}
              hit={hit}
              isCurrent={index === current}
              isProjectShown={search.where === 'all' || project === null}
              onOpen={() => open(hit)}
              onPoint={() => setCurrent(index)}
            />
          ))}
        </div>
      ) : (
        <div className="search-results">
          {words === '' && <SearchHelp />}
          {words !== '' && error !== undefined && <ErrorState error={error} onRetry={reload} />}
          {words !== '' && error === undefined && data === undefined && <Spinner />}
          {words !== '' && error === undefined && data?.length === 0 && !isWaiting && (
            <NoHits search={search} />
          )}
        </div>
      )}
      <PageDialog hit={page} onClose={() => setPage(undefined)} />
    </ViewFrame>
  );
}

function countWords(hits: readonly MemoryHit[]): string {
  return hits.length >= MOST_HITS
    ? t('search.best', { count: hits.length })
    : t('search.found', { count: hits.length });
}

function askedFor(
  { words, layer, where, since, until }: SearchState,
  project: string | null,
): Arguments<'search.find'> | null {
  if (words === '') return null;
  return {
    words,
    ...(where === 'project' && project !== null && { project }),
    ...(layer !== 'all' && { layers: [layer] }),
    ...(isDay(since) && { since: new Date(`${since}T00:00:00`).toISOString() }),
    ...(isDay(until) && { until: new Date(`${until}T23:59:59.999`).toISOString() }),
    count: MOST_HITS,
  };
}

function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
}

function NoHits({ search }: { search: SearchState }) {
  const isFiltered = search.layer !== 'all' || search.since !== '' || search.until !== '';
  return (
    <EmptyState icon={<SearchX />} title={t('search.noHits')}>
      <p>{t(isFiltered ? 'search.noHitsFiltered' : 'search.noHitsText')}</p>
    </EmptyState>
  );
}

function useLater<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}

/** `/` goes to the field from anywhere in the view; it has the focus when the view opens. */
function useFieldKey(field: { current: HTMLInputElement | null }): void {
  const onKey = useCallback(
    (event: globalThis.KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [role="dialog"]') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.select();
    },
    [field],
  );
  useEffect(() => {
    field.current?.focus();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [field, onKey]);
}
