/**
 * Recognises conversations that no person had (L1a, L1d): those of programs that use Claude Code as
 * an engine, and of tools that have a second Claude watch the first. Nobody's words are in them, and
 * what they observed stands in the transcript of the conversation itself.
 */
import type { Outline } from '../../claude/transcript/outline.ts';

/** How observers are told what they are, whatever the tool is called. */
const OBSERVER_PROMPT =
  /<observed_from_primary_session>|\bobserv(?:e|er|ing)\b.{0,200}\b(?:primary|other|main) (?:claude |coding )?session\b|\bspecialized observer tool\b|^\s*hello memory agent\b/is;
/** Enough for any first instruction. */
const LOOKED_AT_CHARS = 4000;

export function isOfOtherTool({
  entrypoint,
  firstPrompt = '',
}: Pick<Outline, 'entrypoint' | 'firstPrompt'>): boolean {
  return (
    entrypoint.startsWith('sdk') || OBSERVER_PROMPT.test(firstPrompt.slice(0, LOOKED_AT_CHARS))
  );
}
