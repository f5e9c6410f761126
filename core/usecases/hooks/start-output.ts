/** What SessionStart prints of a briefing, whoever prints it. */
import { MAX_PAGE_CHARS } from '../../memory/restore/briefing-pages.ts';
import type { HookOutput } from './hook-input.ts';

/** A request to call an agent is about so long. */
const REQUEST_CHARS = 600;

/** Claude Code's limit is for both texts together; else the request waits for the next prompt. */
export function hasRoom(briefing: string): boolean {
  return briefing.length + REQUEST_CHARS <= MAX_PAGE_CHARS;
}

export function startOutput(
  additionalContext: string,
  ...notes: readonly (string | undefined)[]
): HookOutput | undefined {
  const forUser = notes.filter((note) => note !== undefined).join('\n');
  if (additionalContext === '' && forUser === '') return undefined;
  return {
    ...(forUser !== '' && { systemMessage: forUser }),
    ...(additionalContext !== '' && {
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext },
    }),
  };
}
