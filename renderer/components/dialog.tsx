/**
 * A dialog in the middle: title, content, buttons at the foot. Escape and the cross close it, and
 * the focus goes back.
 */
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { t } from '../locale/locale.ts';
import './dialog.css';

/**
 * What is marked for it; else the dialog itself, so that Tab begins at its top and no button is
 * chosen by accident.
 */
function focusFirst(event: Event): void {
  event.preventDefault();
  const dialog = event.currentTarget as HTMLElement;
  (dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog).focus();
}

interface DialogProps {
  title: string;
  /** Said by screen readers with the title. */
  description?: string;
  isOpen: boolean;
  onClose: () => void;
  width?: 'narrow' | 'normal' | 'wide';
  footer?: ReactNode;
  children: ReactNode;
}

export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  width = 'normal',
  footer,
  children,
}: DialogProps) {
  const before = useRef<Element>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-scrim" />
        <Radix.Content
          className={`dialog dialog-${width}`}
          onOpenAutoFocus={(event) => {
            before.current = document.activeElement;
            focusFirst(event);
          }}
          // Radix goes back to a button of its own alone, and these are opened by keys as well.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
          {...(description === undefined && { 'aria-describedby': undefined })}
        >
          <header className="dialog-header">
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            <Radix.Close className="button button-bare icon-button" aria-label={t('shell.close')}>
              <X aria-hidden="true" />
            </Radix.Close>
          </header>
          {description !== undefined && (
            <Radix.Description className="dialog-description">{description}</Radix.Description>
          )}
          <div className="dialog-body">{children}</div>
          {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
