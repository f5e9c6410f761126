/**
 * What core says to a person: a code and its values, never a sentence. The sentences are in
 * resources/locales/messages, English beside Korean, and a host renders them (`render.ts`). The
 * type checker knows every code and which values its text needs.
 */
import * as v from 'valibot';
import type { CATALOGUE } from '../../resources/locales/messages/catalogue.ts';

export type MessageCode = keyof typeof CATALOGUE;

/**
 * A string is shown as it is: a name, a path, a person's own words. A number is formatted for the
 * language. Messages are rendered in place, one after the other.
 */
export type MessageValue = string | number | Message | readonly (string | Message)[];

/** `{name}` and `{name:how}` in a text. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Plain}:${string}` ? Plain : Name) | Names<Rest>
  : never;

type ValuesOf<C extends MessageCode> = Record<Names<(typeof CATALOGUE)[C]['en']>, MessageValue>;

export interface Message {
  readonly code: MessageCode;
  readonly values?: Readonly<Record<string, MessageValue>>;
}

/** `message('clear.busy')`, `message('clear.putOff', { until })`. */
export function message<C extends MessageCode>(
  code: C,
  ...[values]: [Names<(typeof CATALOGUE)[C]['en']>] extends [never] ? [] : [values: ValuesOf<C>]
): Message {
  return values === undefined ? { code } : { code, values };
}

/** Removes duplicates. Equal messages are different objects, so their JSON is compared. */
export function distinctMessages<M extends Message | string>(all: readonly M[]): M[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** Wraps what another program, the system or a model said: there is no code for it. */
export function asMessage(words: Message | string): Message {
  return typeof words === 'string' ? message('system.words', { words }) : words;
}

/** For logs, which nobody translates. */
export function logText(text: Message | string): string {
  if (typeof text === 'string') return text;
  const { code, values } = text;
  return values === undefined ? code : `${code} ${JSON.stringify(values)}`;
}

/**
 * A message on disk. Its code may be one of another version, which `render` copes with. A string is
 * an English sentence that version 0.1.0 wrote, shown as it is.
 */
export const StoredMessage = v.union([
  v.string(),
  v.looseObject({ code: v.string(), values: v.optional(v.record(v.string(), v.unknown())) }),
]) as unknown as v.GenericSchema<unknown, Message | string>;
