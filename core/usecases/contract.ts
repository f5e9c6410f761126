/**
 * The types that a window needs of the use cases: arguments, results and events, all of it plain
 * data. A method itself is declared in `methods/`.
 */

export type { ClearedConversation, WayBack } from '../clear/resumable.ts';
export type { BackfillRecord } from '../memory/backfill/backfill-record.ts';
export type { BackfillPreview, BackfillProject } from '../memory/backfill/preview-backfill.ts';
export type { BackfillProgress, BackfillResult } from '../memory/backfill/run-backfill.ts';
export type { BackfillUndone } from '../memory/backfill/undo-backfill.ts';
export type { ForeignNote, ForeignNotes } from '../memory/foreign/foreign-notes.ts';
export type { Adoptable, EarlierPreview } from '../memory/portable/adopt-earlier.ts';
export type { EarlierOffer } from '../memory/portable/earlier-offers.ts';
export type { Choice, ChosenFile } from './live/chosen-files.ts';
export type { LiveState, SessionView } from './live/state-feed.ts';
export type { EngineEvent, EventName, Events } from './live-engine.ts';
export type { ActivityRow } from './memory/activity-rows.ts';
export type { HistoryEdit } from './memory/edit-history.ts';
export type { FactPage, FactPart, FactRow } from './memory/fact-table.ts';
export type {
  ConceptChange,
  ConceptDetail,
  ConceptRow,
  FactChange,
  FactDetail,
  ItemSaved,
} from './memory/items.ts';
export type { WorkDone, WorkProgress } from './memory/long-work.ts';
export type { MemoryOverview } from './memory/overview.ts';
export type { OfferedMemory } from './memory/place.ts';
export type { ProjectSummary } from './memory/project-list.ts';
export type { RulesText } from './memory/rules.ts';
export type { SavedSession } from './memory/session-files.ts';
export type { Saved, VersionedText } from './memory/text-versions.ts';
export type { Arguments, Method, Results } from './methods/all-methods.ts';
export type { About } from './methods/application.ts';
export type { CallResult } from './methods/handle-call.ts';
export type { SettingsView, SettingView } from './methods/settings.ts';
