/**
 * The language of the environment (G6): MEMORY_KEEPER_LANG, else the locale variables. Hooks and the
 * status line use it, and the app if its setting is `system`; the command line is English.
 */
import type { Language } from './render.ts';

export function languageFrom(env: NodeJS.ProcessEnv): Language {
  const locale = env.MEMORY_KEEPER_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}
