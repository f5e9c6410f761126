/** Where and when to look. */
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { t } from '../../locale/locale.ts';
import { useApp } from '../../store/use-app.ts';
import { type LayerChoice, NO_SEARCH, useSearchStore } from './search-store.ts';

const LAYERS: readonly LayerChoice[] = ['all', 'memory', 'l2', 'l3', 'l4', 'l1', 'summary'];

export function SearchFilters() {
  const { layer, where, since, until } = useSearchStore();
  const project = useApp((state) => state.project);
  const isFiltered = layer !== 'all' || since !== '' || until !== '';
  const places = [
    { value: 'project' as const, label: t('search.thisProject') },
    { value: 'all' as const, label: t('shell.allProjects') },
  ];
  return (
    <div className="search-filters">
      <Select
        label={t('search.layer')}
        value={layer}
        choices={LAYERS.map((value) => ({ value, label: t(`search.layer_${value}`) }))}
        onChange={(value) => useSearchStore.setState({ layer: value })}
      />
      {project !== null && (
        <Select
          label={t('search.where')}
          value={where}
          choices={places}
          onChange={(value) => useSearchStore.setState({ where: value })}
        />
      )}
      <label>
        {t('search.since')}
        <input
          className="field"
          type="date"
          value={since}
          max={until === '' ? undefined : until}
          onChange={(event) => useSearchStore.setState({ since: event.target.value })}
        />
      </label>
      <label>
        {t('search.until')}
        <input
          className="field"
          type="date"
          value={until}
          min={since === '' ? undefined : since}
          onChange={(event) => useSearchStore.setState({ until: event.target.value })}
        />
      </label>
      {isFiltered && (
        <Button
          look="bare"
          onClick={() => useSearchStore.setState(({ words }) => ({ ...NO_SEARCH, words, where }))}
        >
          {t('search.clear')}
        </Button>
      )}
    </div>
  );
}
