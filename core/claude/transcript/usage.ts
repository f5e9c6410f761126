/**
 * Counts the tokens in the context from the raw `usage` of an assistant row (C1): input + cache
 * creation + cache read, of the last iteration that asked the model itself.
 */
import { isRecord, type JsonRecord, numberAt } from '../../platform/text/json.ts';

/** Side questions inside one reply, whose tokens are not the conversation's. */
const NOT_THE_CONVERSATION = new Set(['advisor_message', 'advisor', 'compaction']);

export function contextTokens(usage: JsonRecord): number | undefined {
  const iterations = Array.isArray(usage.iterations) ? usage.iterations.filter(isRecord) : [];
  const last = iterations.findLast(
    (iteration) => !NOT_THE_CONVERSATION.has(String(iteration.type)),
  );
  return sum(last ?? usage) ?? sum(usage);
}

function sum(usage: JsonRecord): number | undefined {
  const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map(
    (field) => numberAt(usage, field),
  );
  if (parts.every((part) => part === undefined)) return undefined;
  const total = parts.reduce<number>((all, part) => all + Math.max(0, part ?? 0), 0);
  return Number.isSafeInteger(total) ? total : undefined;
}
