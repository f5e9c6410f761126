/** Checks the arguments of a tool call (K8). A model wrote them: anything may stand there. */
import * as v from 'valibot';
import type { Layer } from '../../memory/search/entry-table.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';

/** A question is cut here; what is pasted has said what it is about by then. */
const MAX_QUERY_CHARS = 4000;
const MAX_ID_CHARS = 1000;
/** As long as a fact may be. */
const MAX_STATEMENT_CHARS = 600;

const LAYERS_OF: Record<string, readonly Layer[] | undefined> = {
  everything: undefined,
  said: ['l1'],
  facts: ['l2', 'l4'],
  concepts: ['l3'],
  summaries: ['memory', 'summary'],
};

/** A day means all of it, where the user is. */
const day = (time: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d{2}-\d{2}$/, 'a day is written as YYYY-MM-DD'),
      v.transform((text) => new Date(`${text}T${time}`)),
      v.check((date) => !Number.isNaN(date.getTime()), 'there is no such day'),
      v.transform((date) => date.toISOString()),
    ),
  );
const since = day('00:00:00.000');
const until = day('23:59:59.999');

/** A number out of bounds is meant as the bound. */
const count = (least: number, most: number, usual: number) =>
  v.optional(
    v.pipe(
      v.number(),
      v.transform((number) => Math.min(most, Math.max(least, Math.floor(number)))),
    ),
    usual,
  );

const id = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_ID_CHARS));

export const SearchArguments = v.object({
  query: v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, MAX_QUERY_CHARS).trim()),
    v.minLength(1, 'the query is empty'),
  ),
  in: v.optional(
    v.pipe(
      v.picklist(['everything', 'said', 'facts', 'concepts', 'summaries']),
      v.transform((name) => LAYERS_OF[name]),
    ),
  ),
  since,
  until,
  limit: count(1, 20, 8),
});

export const GetArguments = v.object({ id, neighbours: count(0, 10, 2) });

export const TimelineArguments = v.object({
  session: v.optional(id),
  since,
  until,
  limit: count(1, 50, 15),
});

const statement = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_STATEMENT_CHARS));

export const RememberArguments = v.object({ statement, quote: v.optional(statement) });

export const ProposeForgetArguments = v.object({ id, reason: statement });

/** Refuses with a reason that the model can act on. */
export function parseArguments<S extends v.GenericSchema>(
  schema: S,
  args: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, args ?? {});
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue) ?? '';
  throw new ExpectedError(message('tools.badArgument', { place, words: issue.message }));
}
