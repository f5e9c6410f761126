/**
 * What the tray, the notifications and the questions say, in the user's language (G6). The texts
 * are data in resources/locales.
 */
import { type Message, renderMessage } from '../core/usecases/messages.ts';
import en from '../resources/locales/en/tray.json' with { type: 'json' };
import ko from '../resources/locales/ko/tray.json' with { type: 'json' };

export type Language = 'en' | 'ko';
type TextKey = keyof typeof en;
export type Say = (key: TextKey, values?: Record<string, string | number | Message>) => string;

const TEXTS: Record<Language, Record<TextKey, string>> = { en, ko };

export function textsIn(language: Language): Say {
  return (key, values = {}) =>
    TEXTS[language][key].replace(/\{(\w+)\}/g, (all, name: string) => {
      const value = values[name] ?? all;
      return typeof value === 'object' ? renderMessage(language, value) : String(value);
    });
}
