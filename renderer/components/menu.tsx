/**
 * A menu under a button. It stands where its button does, not at the end of the page: so it is part
 * of what it belongs to (G6).
 */
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import './menu.css';

export interface MenuItem {
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  isDangerous?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
}

export function Menu({
  trigger,
  items,
  label,
}: {
  trigger: ReactElement;
  items: readonly MenuItem[];
  label: string;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        className="menu"
        align="end"
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
      >
        {items.map(({ id, label: text, icon, isDangerous, isDisabled, onSelect }) => (
          <DropdownMenu.Item
            key={id}
            className={isDangerous === true ? 'menu-item menu-item-danger' : 'menu-item'}
            disabled={isDisabled === true}
            onSelect={onSelect}
          >
            {icon}
            <span>{text}</span>
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
