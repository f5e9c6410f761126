/**
 * A summary that a hit leads to (M17): a page on disk without a view of its own, shown as plain
 * text with the words that answered marked.
 */
import type { MemoryHit } from '../../../core/memory/search/memory-search.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorState, Spinner } from '../../components/states.tsx';
import { t } from '../../locale/locale.ts';
import { useQuery } from '../../store/use-query.ts';
import { ShownText } from '../memory/text/shown-text.tsx';
import { visibleLine } from '../memory/text/visible-text.ts';
import { markTerms } from './mark-terms.ts';
import { pathOfPage } from './use-open-hit.ts';

/** Beyond that nobody looks for marks. */
const MARKED_CHARS = 50_000;

export function PageDialog({ hit, onClose }: { hit: MemoryHit | undefined; onClose: () => void }) {
  const path = hit === undefined ? undefined : pathOfPage(hit);
  const { data, error, isLoading, reload } = useQuery(
    'memory.page',
    hit === undefined || path === undefined ? null : { project: hit.project, path },
  );
  const text = isLoading ? undefined : data?.text;
  return (
    <Dialog
      title={t('search.layer_summary')}
      description={visibleLine(path ?? '')}
      isOpen={hit !== undefined}
      onClose={onClose}
      width="wide"
      footer={text !== undefined && <CopyButton text={text} />}
    >
      {error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {error === undefined && text === undefined && <Spinner />}
      {error === undefined && text !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <div className="page-text" role="group" aria-label={t('search.layer_summary')} tabIndex={0}>
          <ShownText as="div" text={text} marks={markTerms(text, hit?.terms ?? [], MARKED_CHARS)} />
        </div>
      )}
    </Dialog>
  );
}
