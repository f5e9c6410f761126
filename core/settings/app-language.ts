/**
 * In which language the application speaks (G6): as its setting says, else as the environment does.
 */
import { languageFrom } from '../messages/language.ts';
import type { Language } from '../messages/render.ts';
import type { Places } from '../platform/store/places.ts';
import { readSettings } from './settings.ts';

export function appLanguage(places: Places, env: NodeJS.ProcessEnv): Language {
  const { language } = readSettings(places).settings.app;
  return language === 'system' ? languageFrom(env) : language;
}
