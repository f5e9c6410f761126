/**
 * Answers every call from a window, whatever it contains. Refuses unknown methods and invalid
 * arguments with a reason. A bug is reported without its stack, which goes to our own log, freed of
 * secrets (M18).
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { redact } from '../../memory/redact/redact.ts';
import { isExpected, messageOf } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { appendLog } from '../../platform/store/append-log.ts';
import { attempt } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { type Answer, ARGUMENTS, type Method } from './contract.ts';

/** Does what a method is for; the arguments fit. */
export type Handle = (method: Method, args: unknown) => unknown;

const LONGEST_NAME = 100;

export async function answerTo(
  places: Places,
  method: string,
  args: unknown,
  handle: Handle,
): Promise<Answer> {
  if (!isMethod(method))
    return refused(message('api.noMethod', { method: method.slice(0, LONGEST_NAME) }));
  const parsed = v.safeParse(ARGUMENTS[method] as v.GenericSchema, args);
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

export function logBug(places: Places, where: string, error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  attempt(() => appendLog(join(places.home, 'app.log'), redact(`${where}: ${stack}`)), undefined); // with a full disk nobody is helped by a second error
}

function isMethod(method: string): method is Method {
  return Object.hasOwn(ARGUMENTS, method);
}

/**
 * What a person can type too much of is told to the person; all else is between the window and us.
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

function refused(reason: Message): Answer {
  return { ok: false, message: reason, isBug: false };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
