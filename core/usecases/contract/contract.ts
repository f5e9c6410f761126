/**
 * What the window may ask of the engine, and what the engine tells the window: one map for both
 * hosts (Electron's IPC and the browser's HTTP). Arguments are parsed on arrival with the schemas
 * here; results and events are plain data. The window imports the types alone.
 */

import * as v from 'valibot';
import type { SessionStatus } from '../../claude/status/session-status.ts';
import type { ClearRecord } from '../../clear/clear-record.ts';
import type { Explanation } from '../../clear/clearing.ts';
import type { NotBefore } from '../../clear/policy.ts';
import type { AutoCompactView } from '../../doctor/auto-compact.ts';
import { FIX_IDS, type Finding, type FixDone } from '../../doctor/finding.ts';
import {
  FACT_LISTS,
  type Fact,
  PERMANENT_LISTS,
  type Permanent,
} from '../../memory/l2-facts/facts-file.ts';
import type { Concept } from '../../memory/l3-concepts/concepts-file.ts';
import type { L1Entry } from '../../memory/log/l1-refine.ts';
import type { Spent } from '../../memory/model/spend.ts';
import type { Imported } from '../../memory/portable/import-memory.ts';
import type { Exported } from '../../memory/portable/write-archive.ts';
import { LAYERS } from '../../memory/search/entry-table.ts';
import type { MemoryHit } from '../../memory/search/memory-search.ts';
import type { Message } from '../../messages/message.ts';
import { SessionId } from '../../platform/store/session-id.ts';
import type { PluginStatus } from '../../plugin/plugin-status.ts';
import {
  SETTING_KEYS,
  type SettingKey,
  type SettingValueType,
} from '../../settings/setting-definitions.ts';
import type { SettingValue } from '../../settings/settings.ts';
import type { ChosenFile } from './chosen-files.ts';
import { LONGEST_LINE } from './text-limits.ts';

const MAX_PAGE = 1000;
const MAX_TEXT = 16 * 1024 * 1024;

/** The root folder of a project that the engine knows; others are refused where it is used. */
const project = v.pipe(v.string(), v.minLength(1), v.maxLength(4096));
const sessionId = SessionId;
/** Tells two processes with the same session apart. */
const pid = v.pipe(v.number(), v.integer(), v.minValue(1));
const itemId = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const from = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0);
const count = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PAGE)), 200);
const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));
const line = v.pipe(v.string(), v.maxLength(LONGEST_LINE));
const time = v.pipe(v.string(), v.isoTimestamp());
/** Which text the window had before it: another one on disk is a conflict. */
const base = v.pipe(v.string(), v.maxLength(100));
/** Stands for a file that the user has chosen; a path is none. */
const fileId = v.pipe(v.string(), v.uuid());
const nothing = v.strictObject({});

/** Where a fact stands in facts.json. */
const factPart = v.picklist([
  ...FACT_LISTS,
  ...PERMANENT_LISTS.map((list) => `permanent.${list}` as const),
]);

/**
 * What a form changes; fields that are not named stay as they are, unknown ones included. `null`
 * takes a field away.
 */
const factChange = v.strictObject({
  content: v.optional(v.pipe(line, v.trim(), v.minLength(1))),
  reason: v.optional(v.nullable(line)),
  status: v.optional(v.nullable(v.picklist(['open', 'resolved']))),
  resolution: v.optional(v.nullable(line)),
  keywords: v.optional(v.array(line)),
  files: v.optional(v.array(line)),
  conceptId: v.optional(v.nullable(itemId)),
});
const conceptChange = v.strictObject({
  name: v.optional(v.pipe(line, v.trim(), v.minLength(1))),
  summary: v.optional(line),
  keywords: v.optional(v.array(line)),
  files: v.optional(v.array(line)),
});

/** The arguments of every method. */
export const ARGUMENTS = {
  'app.about': nothing,

  /** The newest state again; it also comes as an event whenever it changes. */
  'sessions.state': nothing,
  'sessions.explain': v.strictObject({ sessionId, pid: v.optional(pid) }),
  /** Begins; the steps come as events. */
  'sessions.clear': v.strictObject({ sessionId, pid: v.optional(pid) }),
  'sessions.wish': v.strictObject({ sessionId, wish: v.picklist(['cancel', 'snooze', 'now']) }),
  'sessions.pause': v.strictObject({ isPaused: v.boolean() }),

  'projects.list': nothing,

  'memory.overview': v.strictObject({ project }),
  'memory.text': v.strictObject({ project }),
  'memory.saveText': v.strictObject({ project, text, base }),
  'memory.facts': v.strictObject({
    project,
    /** A kind, or all kinds of one of the two tabs. */
    part: v.optional(v.union([factPart, v.literal('facts'), v.literal('permanent')])),
    conceptId: v.optional(itemId),
    words: v.optional(line),
    /** Also what newer facts have replaced. */
    isAll: v.optional(v.boolean(), false),
    order: v.optional(v.picklist(['newest', 'oldest', 'text']), 'newest'),
    from,
    count,
  }),
  'memory.fact': v.strictObject({ project, id: itemId }),
  'memory.addFact': v.strictObject({ project, part: factPart, change: factChange }),
  'memory.changeFact': v.strictObject({ project, id: itemId, base, change: factChange }),
  'memory.forgetFact': v.strictObject({ project, id: itemId, base }),
  'memory.concepts': v.strictObject({ project, words: v.optional(line), from, count }),
  'memory.concept': v.strictObject({ project, id: itemId }),
  'memory.changeConcept': v.strictObject({ project, id: itemId, base, change: conceptChange }),
  'memory.forgetConcept': v.strictObject({ project, id: itemId, base }),
  /** The conversation around an entry of L1, for the quote of a fact. */
  'memory.around': v.strictObject({
    project,
    session: v.string(),
    entry: v.string(),
    count: v.optional(v.number(), 6),
  }),
  'memory.sessions': v.strictObject({ project }),
  'memory.entries': v.strictObject({ project, session: v.string(), from, count }),
  /** A summary on a page of its own, by the path that a hit of the search has. */
  'memory.page': v.strictObject({
    project,
    path: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)),
  }),
  'memory.history': v.strictObject({ project, id: v.optional(itemId), from, count }),
  'memory.undo': v.strictObject({ project, edit: v.pipe(v.number(), v.integer(), v.minValue(0)) }),

  'rules.read': v.strictObject({ project: v.optional(project) }),
  'rules.save': v.strictObject({
    project: v.optional(project),
    text: v.pipe(v.string(), v.maxLength(60_000)),
    base,
  }),
  /** Back to the rules below: the project's to the user's, the user's to the default ones. */
  'rules.reset': v.strictObject({ project: v.optional(project) }),
  'rules.undo': v.strictObject({ project: v.optional(project) }),

  'search.find': v.strictObject({
    words: v.pipe(line, v.trim(), v.minLength(1)),
    /** Without one: all projects. */
    project: v.optional(project),
    layers: v.optional(v.array(v.picklist(LAYERS))),
    since: v.optional(time),
    until: v.optional(time),
    count,
  }),

  /** Long work on a project's memory; `work` events tell how far it is. */
  'work.run': v.strictObject({
    project,
    what: v.picklist(['save', 'compress', 'verify', 'rebuild']),
  }),

  /**
   * Where an export can be put until it is downloaded, for hosts that have no dialog to ask for a
   * place.
   */
  'archive.target': v.strictObject({ project }),
  'archive.export': v.strictObject({ project, target: fileId }),
  /** All that `archive.import` does, but for the last step: nothing is changed. */
  'archive.preview': v.strictObject({ project, source: fileId, isReplacing: v.boolean() }),
  'archive.import': v.strictObject({ project, source: fileId, isReplacing: v.boolean() }),
  /** The memory as it was before the last import. */
  'archive.undo': v.strictObject({ project }),

  'activity.list': v.strictObject({
    project: v.optional(project),
    before: v.optional(time),
    count,
  }),
  /** The very text that a session was given at its start. */
  'activity.given': v.strictObject({ sessionId }),

  'settings.read': v.strictObject({ project: v.optional(project) }),
  /** `null` takes it out: then the setting below holds. */
  'settings.change': v.strictObject({
    project: v.optional(project),
    key: v.picklist(SETTING_KEYS),
    value: v.nullable(v.union([v.number(), v.pipe(v.string(), v.maxLength(1000)), v.boolean()])),
  }),
  'settings.undo': v.strictObject({ project: v.optional(project) }),

  'plugin.status': nothing,
  'plugin.install': nothing,
  'plugin.update': nothing,
  'plugin.repair': nothing,
  'plugin.uninstall': nothing,

  /** `doctor` events tell how far it is. */
  'doctor.run': nothing,
  'doctor.fix': v.strictObject({ id: v.picklist(FIX_IDS) }),
  'doctor.autoCompact': nothing,
} satisfies Record<keyof Results, v.GenericSchema>;

export type Method = keyof Results;
/** As the window gives them. */
export type Arguments<M extends Method> = v.InferInput<(typeof ARGUMENTS)[M]>;
/** As a handler gets them. */
export type Parsed<M extends Method> = v.InferOutput<(typeof ARGUMENTS)[M]>;
export type Handlers<M extends Method = Method> = {
  [K in M]: (args: Parsed<K>) => Results[K] | Promise<Results[K]>;
};
/** The methods of one group, such as `memory`. */
export type MethodOf<Group extends string> = Extract<Method, `${Group}.${string}`>;

export interface Results {
  'app.about': About;
  'sessions.state': LiveState;
  'sessions.explain': Explanation;
  'sessions.clear': ClearRecord;
  'sessions.wish': Done;
  'sessions.pause': Done;
  'projects.list': ProjectSummary[];
  'memory.overview': MemoryOverview;
  'memory.text': VersionedText;
  'memory.saveText': Saved;
  'memory.facts': FactPage;
  'memory.fact': FactDetail;
  'memory.addFact': ItemSaved;
  'memory.changeFact': ItemSaved;
  'memory.forgetFact': ItemSaved;
  'memory.concepts': { total: number; rows: ConceptRow[] };
  'memory.concept': ConceptDetail;
  'memory.changeConcept': ItemSaved;
  'memory.forgetConcept': ItemSaved;
  'memory.around': Conversation;
  'memory.sessions': KeptSession[];
  'memory.entries': { total: number; entries: L1Entry[] };
  'memory.page': { text: string };
  'memory.history': { total: number; edits: HistoryEdit[] };
  /** `edit`: the number of the taking back itself; to take that back is to do it again. */
  'memory.undo': { undone: HistoryEdit; edit: number };
  'rules.read': RulesText;
  'rules.save': Saved;
  'rules.reset': Done;
  'rules.undo': Done;
  'search.find': MemoryHit[];
  'work.run': WorkDone;
  'archive.target': ChosenFile;
  'archive.export': Omit<Exported, 'file'>;
  'archive.preview': Imported;
  'archive.import': Imported;
  'archive.undo': Imported;
  'activity.list': ActivityRow[];
  'activity.given': { text: string | null; at: string | null };
  'settings.read': SettingsView;
  'settings.change': Done;
  'settings.undo': Done;
  'plugin.status': PluginStatus;
  'plugin.install': PluginStatus;
  'plugin.update': PluginStatus;
  'plugin.repair': PluginStatus;
  'plugin.uninstall': PluginStatus;
  'doctor.run': Finding[];
  'doctor.fix': FixDone;
  'doctor.autoCompact': AutoCompactView;
}

/** What the engine tells by itself. */
export interface Events {
  state: LiveState;
  activity: ActivityRow;
  /** Files of a project's memory have changed, whoever changed them. */
  memory: { project: string };
  settings: { project: string | null };
  work: WorkProgress;
  /** Of so many checks so many are done. */
  doctor: { done: number; total: number };
}
export type EventName = keyof Events;
export type EngineEvent = { [K in EventName]: { name: K; value: Events[K] } }[EventName];

/** What a call comes to, on whatever way it went. */
export type Answer<T = unknown> =
  | { ok: true; value: T }
  /** `isBug`: this should not have happened; else the message tells a person what is the matter. */
  | { ok: false; message: Message; isBug: boolean };

export type Done = Record<string, never>;

export interface About {
  version: string;
  platform: string;
  /** Where our own files are. */
  home: string;
  /** As the system or the setting has it. */
  language: 'en' | 'ko';
}

export interface LiveState {
  sessions: SessionView[];
  problems: Message[];
  /** Clears under way, and the last one of each session. */
  clears: ClearRecord[];
  isPaused: boolean;
}

export interface GrowthPoint {
  tokens: number;
  at: string | null;
  /** The context was cleared, or compacted, right before this point. */
  isFresh: boolean;
}

export interface SessionView extends SessionStatus {
  /** The last 30 turns, over clears. */
  growth: GrowthPoint[];
  /** Where it is cleared by itself, and whether: after a countdown, after a yes, or not at all. */
  clearAtTokens: number | null;
  clearMode: 'auto' | 'ask' | 'off';
  /** Whether the plugin has been seen in it. */
  hasPlugin: boolean;
  /** Not cleared automatically before this time (cooldown or quiet hours). Null: no such limit. */
  notClearedBefore: NotBefore | null;
}

export interface ProjectSummary {
  root: string;
  name: string;
  /** Where its memory lies. */
  folder: string;
  hasMemory: boolean;
  liveSessions: number;
}

export interface MemoryOverview {
  facts: number;
  concepts: number;
  permanent: number;
  sessions: number;
  folder: string;
  spentToday: Record<string, Spent>;
  budgetTokens: number;
  /** Files that could not be understood, in words. */
  problems: Message[];
}

export interface VersionedText {
  /** Empty if there is none yet. */
  text: string;
  version: string;
}

export type Saved =
  /** `edit`: its number in the history, for undo; -1 if nothing was different. */
  | { saved: true; version: string; edit?: number }
  /**
   * Somebody else wrote meanwhile: both are there to be joined, and nothing was written. `merged`:
   * both, where they do not touch.
   */
  | { saved: false; theirs: string; version: string; merged: string | null };

export type FactPart = v.InferOutput<typeof factPart>;
export type FactChange = v.InferOutput<typeof factChange>;
export type ConceptChange = v.InferOutput<typeof conceptChange>;

export interface FactRow {
  id: string;
  part: FactPart;
  content: string;
  date: string;
  session: string;
  sessions: number;
  isVerified: boolean;
  status: string | null;
  supersededBy: string | null;
  conceptId: string | null;
}

export interface FactPage {
  total: number;
  /** How many there are of each kind, whatever is asked for. */
  counts: Partial<Record<FactPart, number>>;
  rows: FactRow[];
}

export interface FactDetail {
  part: FactPart;
  fact: Fact | Permanent;
  version: string;
  concept: { id: string; name: string } | null;
}

export interface ConceptRow {
  id: string;
  name: string;
  summary: string;
  facts: number;
  keywords: string[];
}

export interface ConceptDetail {
  concept: Concept;
  version: string;
  facts: FactRow[];
}

export type ItemSaved =
  | { saved: true; id: string; version: string; edit: number }
  | { saved: false; theirs: Fact | Permanent | Concept | null; version: string };

export interface Conversation {
  session: string;
  entries: L1Entry[];
  /** Which of them was asked for; -1 if it is kept no longer. */
  index: number;
}

export interface KeptSession {
  session: string;
  file: string;
  entries: number;
  firstAt: string;
  lastAt: string;
  /** The first words of the user. */
  title: string;
}

/** A person's change, from the journal. */
export interface HistoryEdit {
  /** Its number among all edits of the project, for undo. */
  edit: number;
  at: string;
  document: 'facts' | 'concepts' | 'memory';
  part: string;
  id: string;
  before: unknown;
  after: unknown;
  isUndo: boolean;
  /** It has been taken back already, or something on top of it would be lost. */
  canUndo: boolean;
}

export interface RulesText extends VersionedText {
  /** Whose rules these are. */
  from: 'default' | 'user' | 'project';
  problems: Message[];
  canUndo: boolean;
}

export interface WorkProgress {
  project: string;
  what: Parsed<'work.run'>['what'] | 'export' | 'preview' | 'import';
  done: number;
  /** Unknown: 0. */
  total: number;
  isOver: boolean;
}

export interface WorkDone {
  what: Parsed<'work.run'>['what'];
  /** Figures by name, such as entries, facts. */
  figures: Record<string, number>;
  problems: Message[];
}

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

export interface SettingView extends SettingValue {
  key: SettingKey;
  fallback: SettingValueType;
  kind: 'number' | 'text' | 'choice' | 'flag';
  choices: string[];
  unit: string;
  isForProjectToo: boolean;
}

export interface SettingsView {
  settings: SettingView[];
  problems: Message[];
  canUndo: boolean;
}
