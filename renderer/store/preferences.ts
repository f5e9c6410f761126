/**
 * Language and theme out of what is known: the user's setting, else what the engine or the system
 * says (G6).
 */
import type { Language } from '../locale/dictionaries.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

export function languageFrom(
  setting: unknown,
  engine: Language | undefined,
  system: string,
): Language {
  if (setting === 'en' || setting === 'ko') return setting;
  return engine ?? (system.toLowerCase().startsWith('ko') ? 'ko' : 'en');
}

export function themeFrom(setting: unknown): ThemeChoice {
  return setting === 'light' || setting === 'dark' ? setting : 'system';
}
