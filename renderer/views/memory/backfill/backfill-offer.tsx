/**
 * Says that past conversations wait to be imported (L1d), and how long Claude Code will still have
 * them: one click imports all of them. The user can choose among them, or put the offer away.
 */
import { History } from 'lucide-react';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locale/locale.ts';
import { choiceToGoOn } from './backfill-memo.ts';
import { putOfferAway, runBackfill, useBackfill } from './backfill-store.ts';
import { isOffered, isUnfinished, offerText, offerTitle } from './backfill-words.ts';
import { useBackfillTools } from './use-backfill-tools.ts';
import './backfill.css';

interface BackfillOfferProps {
  /** `first`: the page that the window opens with. */
  place: 'first' | 'memory';
  isMain?: boolean;
}

export function BackfillOffer({ place, isMain = false }: BackfillOfferProps) {
  const tools = useBackfillTools();
  const state = useBackfill();
  const { preview } = state;
  if (preview === null || !isOffered(state, place)) return null;
  const isResumed = isUnfinished(preview);
  const kept = isResumed ? choiceToGoOn(preview, tools.memo) : {};
  const choose = () => useBackfill.setState({ dialog: 'choose' });
  return (
    <section
      className={`backfill-offer backfill-offer-${place}`}
      aria-labelledby={`backfill-offer-${place}`}
    >
      <History aria-hidden="true" />
      <div className="backfill-words">
        <h2 id={`backfill-offer-${place}`}>{offerTitle(preview)}</h2>
        <p>{offerText(preview, new Date())}</p>
      </div>
      <div className="backfill-buttons">
        <Button look="bare" onClick={() => putOfferAway(tools)}>
          {t('backfill.notNow')}
        </Button>
        {/* Where it is not known what had been left out, the user says so again. */}
        {kept !== undefined && <Button onClick={choose}>{t('backfill.choose')}</Button>}
        <Button
          look={isMain ? 'primary' : 'plain'}
          onClick={kept === undefined ? choose : () => void runBackfill(tools, kept)}
        >
          {kept === undefined && t('backfill.goOnAsk')}
          {kept !== undefined && t(isResumed ? 'backfill.goOn' : 'backfill.importAll')}
        </Button>
      </div>
    </section>
  );
}
