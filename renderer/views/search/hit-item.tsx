/**
 * One hit: where it stands, when it was said, and the words around with those that answered marked;
 * text nodes only.
 */
import type { MemoryHit } from '../../../core/memory/search/memory-search.ts';
import { date, t } from '../../locale/locale.ts';
import { isTime } from '../memory/text/entry-item.tsx';
import { ShownText } from '../memory/text/shown-text.tsx';
import { visibleLine } from '../memory/text/visible-text.ts';
import { markTerms } from './mark-terms.ts';

interface HitItemProps {
  id: string;
  hit: MemoryHit;
  isCurrent: boolean;
  isProjectShown: boolean;
  onOpen: () => void;
  onPoint: () => void;
}

export function HitItem({ id, hit, isCurrent, isProjectShown, onOpen, onPoint }: HitItemProps) {
  const title = hit.layer === 'memory' || hit.layer === 'l3' ? hit.title : undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys and names the hit
    <div
      id={id}
      role="option"
      className="hit"
      aria-selected={isCurrent}
      onClick={onOpen}
      onPointerMove={onPoint}
    >
      <div className="hit-head">
        <span className="tag">{t(`search.layer_${hit.layer}`)}</span>
        {title !== undefined && title !== '' && (
          <bdi className="hit-title">{visibleLine(title, 100)}</bdi>
        )}
        {hit.role !== undefined && <span>{t(`memory.role_${hit.role}`)}</span>}
        {hit.at !== undefined && isTime(hit.at) && <span>{date(hit.at)}</span>}
        {isProjectShown && (
          <bdi className="hit-project">
            {visibleLine(hit.project.split(/[/\\]/).at(-1) ?? '', 60)}
          </bdi>
        )}
      </div>
      <ShownText
        as="div"
        className="hit-words"
        text={hit.snippet}
        marks={markTerms(hit.snippet, hit.terms)}
      />
      {hit.missing.length > 0 && (
        <div className="hit-missing">
          {t('search.without', { words: visibleLine(hit.missing.join(', '), 100) })}
        </div>
      )}
    </div>
  );
}
