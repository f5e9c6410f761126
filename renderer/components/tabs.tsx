/** Tabs with an optional count behind each name; the content stands under them. */
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { number } from '../locale/locale.ts';
import './tabs.css';

export interface Tab<T extends string> {
  id: T;
  label: string;
  count?: number | undefined;
  /** A dot: something here is not saved. */
  isDirty?: boolean;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  current: T;
  onChange: (id: T) => void;
  /** Beside the tabs, at the end of the line. */
  aside?: ReactNode;
  /** Of the current tab. */
  children: ReactNode;
}

export function Tabs<T extends string>({
  label,
  tabs,
  current,
  onChange,
  aside,
  children,
}: TabsProps<T>) {
  return (
    <Radix.Root className="tabs" value={current} onValueChange={(id) => onChange(id as T)}>
      <div className="tabs-bar">
        <Radix.List className="tabs-list" aria-label={label}>
          {tabs.map(({ id, label: name, count, isDirty }) => (
            <Radix.Trigger
              key={id}
              value={id}
              className="tab"
              onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pointed', '')}
              onKeyDown={({ currentTarget }) => currentTarget.removeAttribute('data-pointed')}
              onBlur={({ currentTarget }) => currentTarget.removeAttribute('data-pointed')}
            >
              {name}
              {count !== undefined && <span className="tab-count">{number(count)}</span>}
              {isDirty === true && <span className="tab-dot" aria-hidden="true" />}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside}
      </div>
      {tabs.map(({ id }) => (
        <Radix.Content key={id} value={id} className="tab-panel" tabIndex={-1}>
          {id === current ? children : null}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
