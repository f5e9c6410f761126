/**
 * Offers a project that was moved, renamed or cloned anew the memory that may be its own (M1). A
 * folder proves nothing, so the user decides; also when nothing has been saved here yet.
 */
import { useState } from 'react';
import type { OfferedMemory } from '../../../../core/usecases/contract.ts';
import { Button } from '../../../components/button.tsx';
import { t } from '../../../locale/locale.ts';
import { shortPath } from '../../../locale/short-path.ts';
import { useApp } from '../../../store/use-app.ts';
import { useMemoryQuery } from '../data/use-memory.ts';
import { visibleLine } from '../text/visible-text.ts';
import './link-offers.css';

const LONGEST_PATH = 200;

export function LinkOffers({ project }: { project: string }) {
  const { data, reload } = useMemoryQuery('place.where', { project }, project);
  const attempt = useApp((state) => state.attempt);
  const refresh = useApp((state) => state.refresh);
  const toast = useApp((state) => state.toast);
  const ourHome = useApp((state) => state.about?.home);
  const [doing, setDoing] = useState<string>();
  const pathOf = ({ formerRoot }: OfferedMemory) =>
    visibleLine(shortPath(formerRoot, ourHome), LONGEST_PATH);
  const decide = async (what: 'link' | 'refuse', offer: OfferedMemory) => {
    setDoing(`${what} ${offer.id}`);
    const done = await attempt(`place.${what}`, { project, name: offer.id });
    setDoing(undefined);
    if (done === undefined) return;
    toast(
      what === 'link'
        ? t('memory.linkDone', { path: pathOf(offer) })
        : t('memory.linkRefused', { path: pathOf(offer) }),
    );
    reload();
    if (what === 'link') void refresh();
  };
  return (data?.offers ?? []).map((offer) => (
    <p key={offer.id} className="link-offer notice">
      <span>
        {t(offer.why === 'replaced' ? 'memory.linkReplaced' : 'memory.linkMoved', {
          path: pathOf(offer),
          count: offer.sessions,
        })}
      </span>
      <Button
        size="small"
        isBusy={doing === `link ${offer.id}`}
        disabled={doing !== undefined}
        onClick={() => void decide('link', offer)}
      >
        {t('memory.link')}
      </Button>
      <Button
        size="small"
        look="bare"
        isBusy={doing === `refuse ${offer.id}`}
        disabled={doing !== undefined}
        onClick={() => void decide('refuse', offer)}
      >
        {t('memory.linkNot')}
      </Button>
    </p>
  ));
}
