/**
 * The keys that work everywhere (G6): 1 to 6 for the views, Ctrl or Cmd+K for the project, ? for
 * the list of keys.
 */
import { useEffect } from 'react';
import { VIEWS, type ViewName } from '../store/app-store.ts';

export type Command = { view: ViewName } | 'project' | 'shortcuts';

export interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** Somebody is writing, or a dialog is open: then single letters are theirs. */
  isTaken: boolean;
}

export function commandOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
  isTaken,
}: PressedKey): Command | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? 'project' : undefined;
  if (isTaken) return undefined;
  if (key === '?') return 'shortcuts';
  const view = /^[1-9]$/.test(key) ? VIEWS[Number(key) - 1] : undefined;
  return view && { view };
}

export function useCommands(onCommand: (command: Command) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const { key, ctrlKey, metaKey, altKey } = event;
      const command = commandOf({ key, ctrlKey, metaKey, altKey, isTaken: isTaken(event.target) });
      if (command === undefined) return;
      event.preventDefault();
      onCommand(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onCommand]);
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="combobox"]') !== null)
  );
}
