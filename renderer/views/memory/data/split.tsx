/**
 * A list, and beside it what is chosen in it; where there is no room for both, one of them, with a
 * way back. Escape in the pane goes back to the list.
 */
import { ArrowLeft, X } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { t } from '../../../locale/locale.ts';

interface SplitProps {
  children: ReactNode;
  /** false: nothing is chosen. */
  pane: ReactNode;
  paneLabel: string;
  onClose: () => void;
}

export function Split({ children, pane, paneLabel, onClose }: SplitProps) {
  const isOpen = pane !== false && pane !== null && pane !== undefined;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    onClose();
  };
  return (
    <div className={isOpen ? 'split is-open' : 'split'}>
      <div className="split-list">{children}</div>
      {isOpen && (
        <section className="split-pane" aria-label={paneLabel} tabIndex={-1} onKeyDown={onKeyDown}>
          <div className="split-back">
            <Button
              look="bare"
              size="small"
              icon={<ArrowLeft aria-hidden="true" />}
              onClick={onClose}
            >
              {t('memory.back')}
            </Button>
          </div>
          <IconButton
            className="split-close"
            size="small"
            label={t('shell.close')}
            icon={<X aria-hidden="true" />}
            onClick={onClose}
          />
          {pane}
        </section>
      )}
    </div>
  );
}
