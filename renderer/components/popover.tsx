/** More about something, beside it, when asked for. */
import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import './tooltip.css';

interface PopoverProps {
  label: string;
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}

/** Around a button of the content that ends it. */
export const PopoverClose = Radix.Close;

/** The content is made when it opens. */
export function Popover({ label, trigger, align = 'end', children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        {/* What scrolls must be reachable by keyboard. */}
        <Radix.Content
          className="popover"
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          tabIndex={0}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
