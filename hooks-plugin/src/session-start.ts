/** The program for SessionStart. Its first entry briefs the session, each other one adds a page. */
import { briefingPage, briefSession } from '../../core/usecases/hooks/session-briefing.ts';
import { hookProgram } from './hook-program.ts';

/** `start`, `start-2`, … */
const [, page] = /^start-(\d)$/.exec(process.argv[2] ?? '') ?? [];

export const run = hookProgram((input) =>
  page === undefined ? briefSession(input) : briefingPage(input, Number(page)),
);
