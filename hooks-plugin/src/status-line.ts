/**
 * The status line, once it is connected (C2): keeps the window that Claude Code tells there, and
 * prints a line of its own, which hooks/status-line.sh shows where the user has none. No hook, but
 * it must be as quick and as quiet as one.
 */
import { writeSync } from 'node:fs';
import { parseStatusLine, saveReportedWindow } from '../../core/claude/context/reported.ts';
import { statusLineText } from '../../core/claude/context/status-line.ts';
import { languageFrom } from '../../core/messages/language.ts';
import { placesFrom } from '../../core/platform/store/places.ts';
import { run as runAnswer } from './hook-program.ts';

const STDOUT = 1;

export function run(stdin: string): void {
  runAnswer(() => {
    writeSync(STDOUT, `${statusLineText(stdin, languageFrom(process.env))}\n`);
    const report = parseStatusLine(stdin);
    if (report !== undefined) saveReportedWindow(placesFrom().home, report);
    return undefined;
  });
}
