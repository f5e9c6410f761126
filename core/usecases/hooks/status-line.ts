/**
 * The status line, once it is connected (C2): saves the window that Claude Code reports there, and
 * returns the line for users who have none of their own.
 */
import { parseStatusLine, saveReportedWindow } from '../../claude/context/reported.ts';
import { statusLineText } from '../../claude/context/status-line.ts';
import { languageFrom } from '../../messages/language.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { logHookError } from './hook-log.ts';

export function statusLine(stdin: string, env: NodeJS.ProcessEnv): string {
  const report = parseStatusLine(stdin);
  try {
    if (report !== undefined) saveReportedWindow(placesFrom(env).home, report);
  } catch (error) {
    logHookError(error, 'status-line', env); // a full disk must not cost the user the line
  }
  return statusLineText(stdin, languageFrom(env));
}
