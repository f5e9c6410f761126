/**
 * Renders a message in a language (G6). A text may say, in braces:
 *   {name}            the value
 *   {name:one|many}   one of two English words, by a number: `{count} {count:fact|facts}`
 *   {name:을/를}       the value and the Korean particle that fits its last syllable
 *   {name:time}       an ISO time as hours and minutes; {name:date} with the day
 *   {name:list}       several values with commas between; without it they are joined as sentences
 *   {name:lines}      several values, one on each line
 * Values are never looked up or translated: what a person wrote is shown as written.
 */
import type { Text } from '../../resources/locales/messages/catalogue.ts';
import { logText, type Message, type MessageValue } from './message.ts';
import { withParticle } from './particle.ts';

export type Language = 'en' | 'ko';

const PLACEHOLDER = /\{(\w+)(?::([^{}]*))?\}/g;
/** Reasons stand inside reasons; a file that nests them deeper is not one of ours. */
const MAX_DEPTH = 8;
const SEPARATORS: Readonly<Record<string, string>> = { list: ', ', lines: '\n' };
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const TIME_FORMATS: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  time: CLOCK,
  date: { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK },
};

/**
 * `texts` are all texts, or those of one area where a program must stay small. A code of a newer
 * version of ours has no text, so the code itself is shown.
 */
export function renderWith(
  texts: Readonly<Record<string, Text>>,
  language: Language,
  message: Message | string,
  depth = 0,
): string {
  if (typeof message === 'string') return message;
  const text = Object.hasOwn(texts, message.code) ? texts[message.code]?.[language] : undefined;
  if (text === undefined || depth >= MAX_DEPTH) return logText(message);
  const shown = (value: MessageValue): string => {
    if (typeof value === 'number') return numberText(language, value);
    return isMessage(value) ? renderWith(texts, language, value, depth + 1) : String(value);
  };
  return text.replace(PLACEHOLDER, (all, name: string, format = '') => {
    const value = message.values?.[name];
    if (value === undefined) return all;
    if (Array.isArray(value)) return value.map(shown).join(SEPARATORS[format] ?? ' ');
    const timeFormat = TIME_FORMATS[format];
    if (timeFormat !== undefined) return timeText(language, String(value), timeFormat);
    if (format.includes('|')) return format.split('|')[value === 1 ? 0 : 1] ?? '';
    return format.includes('/') ? withParticle(shown(value), format) : shown(value);
  });
}

/** Both languages group digits in the same way; to load the rules of all others costs a hook a tenth. */
function numberText(language: Language, value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString(language);
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Values may come from a file that somebody has edited. */
function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'code' in value;
}

function timeText(language: Language, at: string, format: Intl.DateTimeFormatOptions): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : time.toLocaleString(language, format);
}
