/**
 * Makes rows of one shape for the window's activity list, from lines of activity.jsonl, lines of a
 * project's journal and briefings. Uses only those fields of a line that have the right type.
 */
import * as v from 'valibot';
import { type Activity, ActivityTime, parseActivity } from '../../clear/activity.ts';
import { editedThing } from '../../memory/edits/edit-log.ts';
import { parseFactsAnswer } from '../../memory/l2-facts/l2-answer.ts';
import { MAX_CONTEXT_CHARS } from '../../memory/restore/restore.ts';
import { type Message, message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';

export interface ActivityRow {
  at: string;
  /**
   * `saved`, `given`, a state of a clear, `refused`, `delta`, `facts`, `edit`, `compress`,
   * `rotation`, `note`.
   */
  what: string;
  /** Why, or with what result. */
  note: Message | string | null;
  figures: Record<string, number>;
  sessionId: string | null;
  project: string | null;
  way: string | null;
  /** There is a text to be seen. */
  hasGiven: boolean;
}

const LONGEST_NOTE = 300;

const optionalText = v.fallback(v.optional(v.string()), undefined);

const JournalLine = v.object({
  type: v.picklist(['delta', 'facts', 'rotation', 'compress', 'edit']),
  at: ActivityTime,
  way: optionalText,
  text: optionalText,
  session: optionalText,
  ends: v.fallback(v.optional(v.record(v.string(), v.number())), undefined),
  document: v.fallback(v.optional(v.picklist(['facts', 'concepts', 'memory'])), undefined),
  part: optionalText,
  id: optionalText,
  value: v.optional(v.unknown()),
  isUndo: v.fallback(v.optional(v.boolean()), undefined),
});
type JournalLine = v.InferOutput<typeof JournalLine>;

const NO_ROW = {
  note: null,
  figures: {},
  sessionId: null,
  project: null,
  way: null,
  hasGiven: false,
};

function activityRow({ at, what, note, sessionId, project, way, figures }: Activity): ActivityRow {
  return {
    ...NO_ROW,
    at,
    what,
    note: note ?? null,
    sessionId: sessionId ?? null,
    project: project ?? null,
    way: way ?? null,
    figures: figures ?? {},
  };
}

export function rowOfActivity(line: string): ActivityRow | undefined {
  const activity = parseActivity(line);
  return activity && activityRow(activity);
}

export function rowOfJournal(line: string, project: string): ActivityRow | undefined {
  const parsed = v.safeParse(JournalLine, parseJson(line));
  if (!parsed.success) return undefined;
  const { type, at, way, text = '', session, ends = {} } = parsed.output;
  const sessions = Object.keys(ends);
  const figures: Record<string, number> = {
    ...(type !== 'edit' && type !== 'compress' && { characters: text.length }),
  };
  if (type === 'facts') figures.facts = parseFactsAnswer(text)?.length ?? 0;
  if (sessions.length > 0) figures.sessions = sessions.length;
  return {
    ...NO_ROW,
    at,
    what: type,
    note: noteOf(parsed.output),
    figures,
    sessionId: session ?? (sessions.length === 1 ? (sessions[0] ?? null) : null),
    project,
    way: way ?? null,
  };
}

export function rowOfGiven(
  at: Date,
  sessionId: string,
  text: string,
  project: string | null,
): ActivityRow {
  const figures = { characters: text.length, limit: MAX_CONTEXT_CHARS };
  return {
    ...NO_ROW,
    at: at.toISOString(),
    what: 'given',
    figures,
    sessionId,
    project,
    hasGiven: text !== '',
  };
}

function noteOf({
  type,
  text = '',
  document,
  part = '',
  id = '',
  value,
  isUndo,
}: JournalLine): Message | string | null {
  if (type === 'edit') {
    if (document === undefined) return null;
    const what = editedThing({ document, part: cut(part), id: cut(id) });
    if (value !== null && value !== undefined)
      return isUndo === true ? message('edit.undone', { what }) : what;
    return message(isUndo === true ? 'edit.removedByUndo' : 'edit.removed', { what });
  }
  if (type === 'facts' || text === '') return null; // the answer of a model, in JSON
  return cut(text);
}

function cut(text: string): string {
  return text.length > LONGEST_NOTE ? `${text.slice(0, LONGEST_NOTE)}…` : text;
}
