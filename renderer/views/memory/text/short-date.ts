/**
 * A day as memory files have it (`2026-11-16`), written as the language does; what is no day stays
 * as it is.
 */
import { date } from '../../../locale/locale.ts';
import { visibleLine } from './visible-text.ts';

export function shortDate(day: string): string {
  const isDay = /^\d{4}-\d\d-\d\d/.test(day) && !Number.isNaN(Date.parse(day));
  // Noon: the day itself wherever the window is.
  return isDay
    ? date(/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T12:00:00` : day)
    : visibleLine(day, 20);
}
