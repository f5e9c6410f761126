/** The chosen theme on the page; `system` follows the system from then on (G6). */
import type { ThemeChoice } from '../store/preferences.ts';

const isSystemDark = () => window.matchMedia('(prefers-color-scheme: dark)');

/** Gives back how to stop following. */
export function applyTheme(choice: ThemeChoice): () => void {
  const system = isSystemDark();
  const apply = () => {
    document.documentElement.dataset.theme =
      choice === 'system' ? (system.matches ? 'dark' : 'light') : choice;
  };
  apply();
  system.addEventListener('change', apply);
  return () => system.removeEventListener('change', apply);
}
