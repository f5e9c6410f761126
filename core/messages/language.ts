/** In which language a person reads what hooks and the command line of the system say (G6). */
import type { Language } from './render.ts';

export function languageFrom(env: NodeJS.ProcessEnv): Language {
  const locale = env.MEMORY_KEEPER_LANG || env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.toLowerCase().startsWith('ko') ? 'ko' : 'en';
}
