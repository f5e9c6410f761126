/** Formats times for file names, headings (F5, F6) and people, in the user's own time zone. */

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

/** `YYYY-MM-DD HH:MM:SS` of an ISO time; any other text, or a plain day, stays as it is. */
export function localTime(at: string): string {
  const time = new Date(at.includes('T') ? at : Number.NaN);
  return Number.isNaN(time.getTime()) ? at : `${dayStamp(time)} ${time.toTimeString().slice(0, 8)}`;
}
