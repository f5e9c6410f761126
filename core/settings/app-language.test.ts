import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { placesFrom } from '../platform/store/places.ts';
import { appLanguage } from './app-language.ts';
import { userSettingsPath } from './settings.ts';

it('G6 the language is the one that the user has chosen, else the system’s', () => {
  const places = placesFrom({ HOME: tempFolder() });
  const chosen = (text: string, LANG: string) => {
    mkdirSync(places.home, { recursive: true });
    writeFileSync(userSettingsPath(places), text);
    return appLanguage(places, { LANG });
  };
  expect(chosen('{ "app": { "language": "ko" } }', 'en_US.UTF-8')).toBe('ko');
  expect(chosen('{ "app": { "language": "en" } }', 'ko_KR.UTF-8')).toBe('en');
  expect(chosen('{ "app": { "language": "system" } }', 'ko_KR.UTF-8')).toBe('ko');
  expect(chosen('{ broken', 'ko_KR.UTF-8')).toBe('ko');
});
