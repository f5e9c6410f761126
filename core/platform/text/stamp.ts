/** Formats times for file names and headings (F5, F6), in the user's own time zone. */

const two = (value: number) => String(value).padStart(2, '0');

/** `YYYY-MM-DD_HHMM`; an invalid time becomes now. */
export function minuteStamp(time: Date): string {
  const valid = Number.isNaN(time.getTime()) ? new Date() : time;
  return `${dayStamp(valid)}_${two(valid.getHours())}${two(valid.getMinutes())}`;
}

/** `YYYY-MM-DD`. */
export function dayStamp(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
