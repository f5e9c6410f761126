/** What can be found and how, while nothing is being searched for. */
import { Search } from 'lucide-react';
import { EmptyState } from '../../components/states.tsx';
import { t } from '../../locale/locale.ts';
import { useSearchStore } from './search-store.ts';

const EXAMPLES = ['example1', 'example2', 'example3'] as const;

export function SearchHelp() {
  return (
    <EmptyState icon={<Search />} title={t('search.helpTitle')}>
      <p>{t('search.helpText')}</p>
      <ul className="search-examples" aria-label={t('search.examples')}>
        {EXAMPLES.map((example) => (
          <li key={example}>
            <button
              type="button"
              className="link"
              onClick={() => useSearchStore.setState({ words: t(`search.${example}`) })}
            >
              {t(`search.${example}`)}
            </button>
            <span className="quiet">{t(`search.${example}Text`)}</span>
          </li>
        ))}
      </ul>
      <p className="quiet">
        <kbd>/</kbd> {t('search.keyField')} <kbd>↑</kbd> <kbd>↓</kbd> {t('search.keyWalk')}{' '}
        <kbd>Enter</kbd> {t('search.keyOpen')}
      </p>
    </EmptyState>
  );
}
