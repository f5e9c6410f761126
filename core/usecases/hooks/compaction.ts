/**
 * Memory Keeper as the compactor (K4): the program that the mod starts when Claude Code is about to
 * compact a session. Saves everything to L1 first, then returns the text that takes the place of the
 * conversation. No model is asked. When Claude Code has taken it, the mod starts the program once
 * more, and it says so in Activity.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { HOOKS } from '../../../resources/locales/messages/hooks.ts';
import { searchTranscript } from '../../claude/transcript/locate.ts';
import { addActivity } from '../../clear/activity.ts';
import { readL1Tail, saveL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';
import { BriefingPages } from '../../memory/restore/briefing-pages.ts';
import { linesAbout } from '../../memory/restore/focus.ts';
import {
  type CompactionText,
  readPreparedCompaction,
  removePreparedCompaction,
  savePreparedCompaction,
} from '../../memory/restore/prepared-compaction.ts';
import { languageFrom } from '../../messages/language.ts';
import { type Message, message } from '../../messages/message.ts';
import { renderWith } from '../../messages/render.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { limitLockWaits } from '../../platform/store/lock.ts';
import { keepMachineIdIn } from '../../platform/store/machine.ts';
import { type Places, placesFrom } from '../../platform/store/places.ts';
import { SessionId } from '../../platform/store/session-id.ts';
import { escapeMarkers } from '../../platform/text/escape-markers.ts';
import { shorten } from '../../platform/text/sentences.ts';
import { type ProjectMemory, projectMemory } from '../../projects/project-memory.ts';
import { readSettings } from '../../settings/settings.ts';
import { continuedBriefing, WORK_BYTES } from './continued-briefing.ts';
import { parseJsonObject } from './hook-input.ts';
import { keepTurn } from './keeping-turn.ts';

const optional = <T extends v.GenericSchema>(schema: T) =>
  v.fallback(v.optional(schema), undefined);

/** Who compacts, in Claude Code's words: `manual` is the user's /compact. */
const TRIGGERS = ['manual', 'auto', 'plugin'] as const;

const CompactionInput = v.object({
  sessionId: SessionId,
  /** The project's directory as Claude Code sees it. */
  root: v.string(),
  trigger: v.fallback(v.picklist(TRIGGERS), 'auto'),
  /** What stands behind /compact. */
  instructions: optional(v.string()),
  /** How long the conversation is that is compacted. */
  characters: optional(v.pipe(v.number(), v.minValue(0))),
  /** Claude Code has taken the text. */
  isDone: v.fallback(v.boolean(), false),
});

/** The session waits. */
const LOCK_WAIT_MS = 1000;
const MAX_INSTRUCTION_CHARS = 2000;
/** A short conversation is not replaced by something longer. */
const SHARE_OF_CONVERSATION = 0.5;
const MIN_CHARS = 4000;
const FOCUS_SHARE = 0.15;
/** For the fence around it. */
const FOCUS_CHARS = 1000;

interface Compaction {
  places: Places;
  memory: ProjectMemory;
  sessionId: string;
  env: NodeJS.ProcessEnv;
  trigger?: (typeof TRIGGERS)[number];
  instructions?: string | undefined;
  characters?: number | undefined;
}

/**
 * Claude Code shall compact in its own way. A program that does not come to this says nothing, and the
 * mod takes what was prepared.
 */
const DECLINED = { isDeclined: true };

export function answerCompaction(
  stdin: string,
  env: NodeJS.ProcessEnv,
): CompactionText | typeof DECLINED | undefined {
  const { root, isDone, ...input } = v.parse(CompactionInput, parseJsonObject(stdin));
  const places = placesFrom(env);
  keepMachineIdIn(places.home);
  limitLockWaits(LOCK_WAIT_MS);
  const compaction = { ...input, places, env, memory: projectMemory(places, root, env) };
  if (isDone) return recordCompaction(compaction);
  // What was said comes first: without it in L1 nobody could restore anything.
  if (!attempt(() => isKept(compaction), false)) return DECLINED;
  const text = compactionText(compaction);
  if (text === undefined) return DECLINED;
  const made = { sessionId: compaction.sessionId, text };
  // A full disk must not cost the session its briefing.
  attempt(() => savePreparedCompaction(places, made), undefined);
  return made;
}

/** Not before: another hook may have forbidden it. */
function recordCompaction({ places, memory, sessionId, trigger = 'auto' }: Compaction): undefined {
  const text = readPreparedCompaction(places, sessionId)?.text ?? '';
  attempt(() => saveBriefing(places, sessionId, text), undefined);
  addActivity(places, [
    {
      what: 'compacted',
      sessionId,
      project: memory.root,
      figures: { characters: text.length },
      note: message(`hooks.compactedBy.${trigger}`),
    },
  ]);
}

/** After each turn, so that the mod has something sound if the program above fails. */
export function prepareCompaction(compaction: Compaction): void {
  const { places, sessionId } = compaction;
  const text = compactionText(compaction);
  if (text === undefined) removePreparedCompaction(places, sessionId);
  else savePreparedCompaction(places, { sessionId, text });
}

function isKept({ places, memory, sessionId, env }: Compaction): boolean {
  const known = readMemoryIndex(memory).sessions[sessionId]?.transcript;
  const transcript = known ?? searchTranscript(places.claude, sessionId);
  if (transcript === undefined) return false;
  const session = { sessionId, transcript, places, memory, env };
  return keepTurn(session, () => saveL1(memory, session)) !== undefined;
}

function compactionText(compaction: Compaction): string | undefined {
  const { places, memory, sessionId, env, trigger = 'auto', characters } = compaction;
  const { settings } = readSettings(places, memory.root);
  if (!settings.compaction.replace) return undefined;
  const said = shorten(compaction.instructions?.trim() ?? '', MAX_INSTRUCTION_CHARS);
  const room = Math.min(
    settings.restore.maxChars,
    Math.max(MIN_CHARS, Math.floor((characters ?? Infinity) * SHARE_OF_CONVERSATION)),
  );
  const index = readMemoryIndex(memory);
  const focus = focusPages(
    memory,
    index.sessions[sessionId]?.file,
    said,
    FOCUS_CHARS + room * FOCUS_SHARE,
  );
  const used = focus.join('\n').length;
  const pages = continuedBriefing(memory, index, sessionId, Math.floor(room - used));
  if (pages.length === 0) return undefined;
  const render = (text: Message) => renderWith(HOOKS, languageFrom(env), text);
  const asked = trigger === 'manual' && said !== '';
  return [
    render(message('hooks.compacted')),
    render(message('hooks.compactedClaude')),
    ...(asked ? [render(message('hooks.compactedFocus')), escapeMarkers(said)] : []),
    ...focus,
    ...pages,
  ].join('\n');
}

/** What was said about that, as notes like all others. */
function focusPages(
  memory: ProjectMemory,
  file: string | undefined,
  words: string,
  room: number,
): string[] {
  if (words === '' || file === undefined) return [];
  const pages = new BriefingPages(memory.name, Math.floor(room));
  const entries = readL1Tail(join(memory.sessions, file), WORK_BYTES);
  pages.add('What was said about it', linesAbout(words, entries, pages.room));
  return pages.close('');
}
