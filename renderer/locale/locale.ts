/**
 * Texts, numbers and times in the user's language (G6). A key and values come in, a text goes out;
 * numbers among the values are written as the language writes them, and `count` chooses the plural
 * form. Whoever shows texts is drawn again when the language changes.
 */
import { DICTIONARIES, type Language, type TextKey } from './dictionaries.ts';

export type Values = Record<string, string | number>;

let current: Language = 'en';
let formats = formatsOf(current);

function formatsOf(language: Language) {
  return {
    number: new Intl.NumberFormat(language),
    compact: new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }),
    plural: new Intl.PluralRules(language),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
    time: new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    seconds: new Intl.DateTimeFormat(language, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
    day: new Intl.DateTimeFormat(language, {
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
    }),
    date: new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric' }),
    full: new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle: 'medium',
      hourCycle: 'h23',
    }),
  };
}

export function language(): Language {
  return current;
}

export function setLanguage(wanted: Language): void {
  current = wanted;
  formats = formatsOf(wanted);
}

export function t(key: TextKey, values: Values = {}): string {
  const [namespace, name] = splitKey(key);
  const texts = DICTIONARIES[current][namespace];
  const form =
    typeof values.count === 'number' ? `${name}_${formats.plural.select(values.count)}` : name;
  const text = texts[form] ?? texts[`${name}_other`] ?? texts[name] ?? key;
  return fill(text, values);
}

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined ? all : typeof value === 'number' ? number(value) : value;
  });
}

function splitKey(key: TextKey): [keyof (typeof DICTIONARIES)['en'], string] {
  const dot = key.indexOf('.');
  return [key.slice(0, dot) as keyof (typeof DICTIONARIES)['en'], key.slice(dot + 1)];
}

export function number(value: number): string {
  return formats.number.format(value);
}

export { shortTokens as tokens } from '../../core/usecases/messages.ts';

const SIZES = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** 41 MB, 1.2 GB; only gigabytes have a decimal, and what is not empty has 1 kB. */
export function fileSize(bytes: number): string {
  // What would be rounded to 1,000 is written in the next unit.
  const [unit, size] = SIZES.find(([, least]) => bytes >= least * 0.9995) ?? SIZES[2];
  const value = bytes === 0 ? 0 : Math.max(1, bytes / size);
  const maximumFractionDigits = unit === 'gigabyte' ? 1 : 0;
  return new Intl.NumberFormat(current, { style: 'unit', unit, maximumFractionDigits }).format(
    value,
  );
}

/** Whole per cents, as the engine gives them; Korean writes no space there. */
export function percent(value: number): string {
  return current === 'ko' ? `${number(value)}%` : `${number(value)} %`;
}

export function timeOfDay(at: string | Date): string {
  return formats.time.format(new Date(at));
}

export function timeWithSeconds(at: string | Date): string {
  return formats.seconds.format(new Date(at));
}

export function day(at: string | Date): string {
  return formats.day.format(new Date(at));
}

export function date(at: string | Date): string {
  return formats.date.format(new Date(at));
}

export function fullTime(at: string | Date): string {
  return formats.full.format(new Date(at));
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "5 min. ago"; what lies within a minute is now. */
export function relativeTime(at: string | Date, now: number): string {
  const distance = new Date(at).getTime() - now;
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(distance) >= size) ?? [
    'second',
    Number.POSITIVE_INFINITY,
  ];
  return formats.relative.format(Math.trunc(distance / ms), unit);
}

/** "2 h 10 min"; for how long something has been going on. */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  const [days, hours, rest] = [
    Math.floor(minutes / 1440),
    Math.floor((minutes % 1440) / 60),
    minutes % 60,
  ];
  if (days > 0) return t('shell.durationDays', { days, hours });
  return hours > 0
    ? t('shell.durationHours', { hours, minutes: rest })
    : t('shell.durationMinutes', { minutes });
}

/** "0:08", as a countdown shows it. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** For keys that are put together from data: undefined if there is no such text. */
export function textIfAny(key: string, values: Values = {}): string | undefined {
  const text = t(key as TextKey, values);
  return text === key ? undefined : text;
}
