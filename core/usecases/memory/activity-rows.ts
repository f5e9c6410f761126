/**
 * Makes rows of one shape for the window's activity list, from lines of activity.jsonl, lines of a
 * project's journal and briefings. Uses only those fields of a line that have the right type.
 */
import { readdirSync } from 'node:fs';
import * as v from 'valibot';
import { ActivityTime, parseActivity } from '../../clear/activity.ts';
import { editLabel } from '../../memory/edits/edit-log.ts';
import { parseFactsAnswer } from '../../memory/l2-facts/l2-answer.ts';
import { briefedAt, briefingsFolder, readBriefing } from '../../memory/restore/briefing-file.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { isSessionId } from '../../platform/store/session-id.ts';

export interface ActivityRow {
  at: string;
  /**
   * `saved`, `given`, a state of a clear, `refused`, `delta`, `facts`, `edit`, `compress`,
   * `rotation`, `compacted`, `trashed`, `trashRemoved`, `trashRestored`, `note`.
   */
  what: string;
  /** Why, or with what result. */
  note: Message | string | null;
  figures: Record<string, number>;
  sessionId: string | null;
  project: string | null;
  way: string | null;
  /** Of a step of a clear: the session is compacted rather than cleared. */
  method?: 'compact';
  /** There is a briefing to show. */
  hasGiven: boolean;
}

const MAX_NOTE_CHARS = 300;

const optional = <T extends v.GenericSchema>(schema: T) =>
  v.fallback(v.optional(schema), undefined);

const JournalLine = v.object({
  type: v.picklist(['delta', 'facts', 'rotation', 'compress', 'edit']),
  at: ActivityTime,
  way: optional(v.string()),
  text: optional(v.string()),
  session: optional(v.string()),
  ends: optional(v.record(v.string(), v.number())),
  document: optional(v.picklist(['facts', 'concepts', 'memory'])),
  part: optional(v.string()),
  id: optional(v.string()),
  value: v.optional(v.unknown()),
  isUndo: optional(v.boolean()),
  backfill: v.optional(v.unknown()),
});
type JournalLine = v.InferOutput<typeof JournalLine>;

export function rowOfActivity(line: string): ActivityRow | undefined {
  const activity = parseActivity(line);
  if (activity === undefined) return undefined;
  const { note = null, sessionId = null, project = null, way = null, figures = {} } = activity;
  const { at, what, method } = activity;
  return {
    ...{ at, what, note, figures, sessionId, project, way, hasGiven: false },
    ...(method !== undefined && { method }),
  };
}

export function rowOfJournal(line: string, project: string): ActivityRow | undefined {
  const parsed = v.safeParse(JournalLine, parseJson(line));
  // A backfill says once for each project how many it brought (L1d).
  if (!parsed.success || parsed.output.backfill !== undefined) return undefined;
  const { type, at, way = null, text = '', session, ends = {} } = parsed.output;
  const sessions = Object.keys(ends);
  const figures = {
    ...(type !== 'edit' && type !== 'compress' && { characters: text.length }),
    ...(type === 'facts' && { facts: parseFactsAnswer(text)?.length ?? 0 }),
    ...(sessions.length > 0 && { sessions: sessions.length }),
  };
  const onlySession = sessions.length === 1 ? sessions[0] : undefined;
  const sessionId = session ?? onlySession ?? null;
  const note = noteOf(parsed.output);
  return { at, what: type, note, figures, sessionId, project, way, hasGiven: false };
}

export interface Briefing {
  sessionId: string;
  at: Date;
}

/** Which sessions got a briefing, and when. */
export function briefings(places: Places): Briefing[] {
  const names = attempt(() => readdirSync(briefingsFolder(places)), []);
  return names.flatMap((name) => {
    const sessionId = name.endsWith('.txt') ? name.slice(0, -'.txt'.length) : '';
    const at = isSessionId(sessionId) ? briefedAt(places, sessionId) : undefined;
    return at === undefined ? [] : [{ sessionId, at }];
  });
}

export function rowOfBriefing(
  places: Places,
  { sessionId, at }: Briefing,
  project: string | null,
): ActivityRow {
  const text = readBriefing(places, sessionId) ?? '';
  return {
    at: at.toISOString(),
    what: 'given',
    note: null,
    figures: { characters: text.length },
    sessionId,
    project,
    way: null,
    hasGiven: text !== '',
  };
}

function noteOf(line: JournalLine): Message | string | null {
  const { type, text = '', document, part = '', id = '', value, isUndo = false } = line;
  if (type === 'edit') {
    if (document === undefined) return null;
    const what = editLabel({ document, part: cut(part), id: cut(id) });
    if (value === null || value === undefined)
      return message(isUndo ? 'edit.removedByUndo' : 'edit.removed', { what });
    return isUndo ? message('edit.undone', { what }) : what;
  }
  if (type === 'facts' || text === '') return null; // the answer of a model, in JSON
  return cut(text);
}

function cut(text: string): string {
  return text.length > MAX_NOTE_CHARS ? `${text.slice(0, MAX_NOTE_CHARS)}…` : text;
}
