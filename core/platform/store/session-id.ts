/** A session's id, as Claude Code assigns it. It becomes a file name, so its form is checked. */
import * as v from 'valibot';

const SESSION_ID = /^[\w-]{1,128}$/;

export const SessionId = v.pipe(v.string(), v.regex(SESSION_ID));

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}
