/**
 * Answers every call from a window, whatever it contains. Refuses unknown methods and invalid
 * arguments with a reason. A bug is reported without its stack, which goes to our own log, freed of
 * secrets (M18).
 */
import * as v from 'valibot';
import { redact } from '../../memory/redact/redact.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { isMethod, METHODS, type Method } from './all-methods.ts';
import { logBug } from './log-bug.ts';

/** What a call comes to, whichever host it came through. */
export type CallResult<T = unknown> =
  | { ok: true; value: T }
  /** `isBug`: this should not have happened; otherwise the message tells a person what is wrong. */
  | { ok: false; message: Message; isBug: boolean };

/** Does what a method is for; the arguments fit. */
export type Handle = (method: Method, args: unknown) => unknown;

const LONGEST_NAME = 100;

export async function handleCall(
  places: Places,
  method: string,
  args: unknown,
  handle: Handle,
): Promise<CallResult> {
  if (!isMethod(method))
    return refused(message('api.noMethod', { method: method.slice(0, LONGEST_NAME) }));
  const parsed = v.safeParse(METHODS[method].arguments as v.GenericSchema, args);
  if (!parsed.success) return refused(fault(method, parsed.issues[0]));
  try {
    return { ok: true, value: await handle(method, parsed.output) };
  } catch (error) {
    if (isExpected(error)) return refused(messageOf(error));
    logBug(places, method, error);
    const words = firstLine(redact(error instanceof Error ? error.message : String(error)));
    return { ok: false, message: message('system.bug', { words }), isBug: true };
  }
}

/**
 * A text that is too long is the user's mistake and is explained to them; any other invalid argument
 * is a bug in the window.
 */
function fault(method: Method, issue: v.BaseIssue<unknown>): Message {
  if (issue.type === 'max_length') {
    const length = String(issue.input).length;
    return message('api.tooLong', { length, most: Number(issue.requirement) });
  }
  const place = v.getDotPath(issue);
  const words = issue.message;
  return place === null
    ? message('api.badArguments', { method, words })
    : message('api.badArgument', { method, place, words });
}

function refused(reason: Message): CallResult {
  return { ok: false, message: reason, isBug: false };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
