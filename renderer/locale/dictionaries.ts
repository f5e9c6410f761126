/**
 * The texts of the window, a file for each view and language (G6). The English files say which keys
 * there are.
 */
import enActivity from '../../resources/locales/en/activity.json';
import enBackfill from '../../resources/locales/en/backfill.json';
import enMemory from '../../resources/locales/en/memory.json';
import enPlugin from '../../resources/locales/en/plugin.json';
import enSearch from '../../resources/locales/en/search.json';
import enSessions from '../../resources/locales/en/sessions.json';
import enSettings from '../../resources/locales/en/settings.json';
import enShell from '../../resources/locales/en/shell.json';
import koActivity from '../../resources/locales/ko/activity.json';
import koBackfill from '../../resources/locales/ko/backfill.json';
import koMemory from '../../resources/locales/ko/memory.json';
import koPlugin from '../../resources/locales/ko/plugin.json';
import koSearch from '../../resources/locales/ko/search.json';
import koSessions from '../../resources/locales/ko/sessions.json';
import koSettings from '../../resources/locales/ko/settings.json';
import koShell from '../../resources/locales/ko/shell.json';

const en = {
  shell: enShell,
  sessions: enSessions,
  memory: enMemory,
  search: enSearch,
  activity: enActivity,
  backfill: enBackfill,
  plugin: enPlugin,
  settings: enSettings,
};

type Namespaces = typeof en;
type Dictionary = { [N in keyof Namespaces]: Record<string, string> };

/** `turns_one` and `turns_other` are asked for as `turns`. */
type Plain<K> = K extends `${infer Base}_one` | `${infer Base}_other` ? Base : K;
export type TextKey = {
  [N in keyof Namespaces]: `${N}.${Plain<keyof Namespaces[N]> & string}`;
}[keyof Namespaces];

export type Language = 'en' | 'ko';

export const DICTIONARIES: Record<Language, Dictionary> = {
  en,
  ko: {
    shell: koShell,
    sessions: koSessions,
    memory: koMemory,
    search: koSearch,
    activity: koActivity,
    backfill: koBackfill,
    plugin: koPlugin,
    settings: koSettings,
  },
};
