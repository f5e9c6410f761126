/** The label that an adopted fact or concept has for ever (T1). */
import type { Fact } from '../../../../core/memory/l2-facts/facts-file.ts';
import { t } from '../../../locale/locale.ts';
import { shortDate } from '../text/short-date.ts';
import { visibleLine } from '../text/visible-text.ts';

export function AdoptedFrom({ origin }: { origin: Fact['origin'] }) {
  if (origin === undefined) return null;
  const date = origin.at === '' ? '' : shortDate(origin.at);
  return (
    <span className="tag" title={visibleLine([origin.path, date].join(' '), 200)}>
      {t('memory.adopted')}
    </span>
  );
}
