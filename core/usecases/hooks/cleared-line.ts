/**
 * The one line that a session shows after a clear (K9), also after a `/clear` that the user typed.
 * A hook prints it as `systemMessage`; whoever prepares what a hook prints calls this too. It reads
 * the clear's record without its schema, because a hook must start soon.
 */
import { CLEARED } from '../../../resources/locales/messages/cleared.ts';
import { recordPath } from '../../clear/clear-record-place.ts';
import { outcomeOf, withWayBack } from '../../clear/cleared-words.ts';
import { languageFrom } from '../../messages/language.ts';
import { message } from '../../messages/message.ts';
import { renderWith } from '../../messages/render.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import type { Places } from '../../platform/store/places.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../platform/text/json.ts';

const MAX_RECORD_BYTES = 1024 * 1024;
/** What a record says while its session is being cleared, and right after it. */
const CLEARED_STATES = ['delivering', 'verifying', 'restored'];

export interface ClearedSession {
  places: Places;
  env: NodeJS.ProcessEnv;
  /** The session before the clear, which is saved; undefined if nothing is known of one. */
  cleared: string | undefined;
  session: string;
  /** All that Claude is given. */
  briefing: string;
}

/** Undefined if there is nothing to tell, because nothing was restored. */
export function clearedLine(about: ClearedSession): string | undefined {
  const { places, env, cleared = '', session, briefing } = about;
  if (briefing === '' || !isSessionId(cleared)) return undefined;
  const outcome = outcomeOf({ percent: percentAtClear(places, cleared, session) }, briefing);
  const line = withWayBack(outcome, cleared);
  return renderWith(CLEARED, languageFrom(env), message('clear.inSession', { line }));
}

/** Undefined if Memory Keeper did not clear the session, or only another time. */
function percentAtClear(places: Places, cleared: string, session: string): number | undefined {
  const file = readSmallFile(recordPath(places, cleared), MAX_RECORD_BYTES);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  const record = (isRecord(json) && recordAt(json, 'record')) || {};
  const isOfThis = (stringAt(record, 'newSessionId') ?? session) === session;
  const isCleared =
    CLEARED_STATES.includes(stringAt(record, 'state') ?? '') && record.method === undefined;
  return isOfThis && isCleared ? numberAt(record, 'percent') : undefined;
}
