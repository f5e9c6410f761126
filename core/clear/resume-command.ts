/**
 * The command that resumes a conversation in its folder (K9), for a person to paste in a terminal.
 * A folder may be called anything, so its name is quoted for the shell that reads it, and one that
 * would steer the terminal itself is refused.
 */
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';

/** A terminal may take them for keys, even inside quotes; directions of reading hide what is pasted. */
const STEERING = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/u;
/** Needs no quotes in any POSIX shell. */
const PLAIN_PATH = /^\/[\w@%+:,./-]*$/;
/** What PowerShell, cmd or bash would replace between double quotes. */
const REPLACED_IN_QUOTES = /[$`%!"“”„]/;

/** The id is a checked `SessionId`. */
export function resumeCommand(
  folder: string,
  sessionId: string,
  platform: NodeJS.Platform,
): string {
  if (STEERING.test(folder))
    throw new ExpectedError(message('resume.oddFolder', { session: sessionId }));
  const resume = `claude --resume ${sessionId}`;
  if (platform === 'win32') return `pushd ${windowsQuoted(folder)}\r\n${resume}`;
  return `cd ${posixQuoted(folder)} && ${resume}`;
}

function posixQuoted(path: string): string {
  return PLAIN_PATH.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * Two lines, because PowerShell 5 has no `&&` and cmd no `;`; `pushd` changes the drive in both. A
 * name with a `$` or the like can be written for one shell only: PowerShell, which Windows opens.
 */
function windowsQuoted(path: string): string {
  return REPLACED_IN_QUOTES.test(path) ? `'${path.replace(/['‘’‚‛]/g, '$&$&')}'` : `"${path}"`;
}
