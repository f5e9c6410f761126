/** Claude Code's status line (C2): saves the window that it reports, and makes a line to show. */
import { parseStatusLine, saveReportedWindow } from '../claude/context/reported.ts';
import { statusLineText } from '../claude/context/status-line.ts';
import { languageFrom } from '../messages/language.ts';
import { placesFrom } from '../platform/store/places.ts';

/** `input` is the JSON that Claude Code sends to a status line. */
export function statusLineFor(input: string, env = process.env): string {
  return statusLineText(input, languageFrom(env));
}

/** Input that reports no window is ignored. */
export function saveStatusLineWindow(input: string, env = process.env): void {
  const report = parseStatusLine(input);
  if (report !== undefined) saveReportedWindow(placesFrom(env).home, report);
}
