/**
 * Stores the window that Claude Code itself reports in the status line's JSON or to the mod (C2), and
 * where it compacts (K5), in a small file per session. Everything that shows a percentage reads it
 * from there.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../../platform/store/attempt.ts';
import { removeFilesOlderThan } from '../../platform/store/file-changes.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { isSessionId } from '../../platform/store/session-id.ts';
import {
  isRecord,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../../platform/text/json.ts';
import type { ReportedCompaction } from './compaction-point.ts';
import { learnWindow } from './learnt-windows.ts';
import { believedReport, isKnownModel } from './window.ts';

export interface ReportedWindow {
  sessionId: string;
  model: string;
  window: number;
  /** Where it compacts, as the mod heard it (K5). */
  compaction?: ReportedCompaction | undefined;
}

const SMALLEST_WINDOW = 1000;
/** A session that was silent for this long does not come back to these figures. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_REPORT_BYTES = 64 * 1024;

export function reportsFolder(home: string): string {
  return join(home, 'reported');
}

export function reportPath(home: string, sessionId: string): string {
  return join(reportsFolder(home), `${sessionId}.json`);
}

/** Reads the status line's stdin. */
export function parseStatusLine(text: string): ReportedWindow | undefined {
  const json = parseJson(text);
  if (!isRecord(json)) return undefined;
  return validReport(
    stringAt(json, 'session_id'),
    stringAt(recordAt(json, 'model') ?? {}, 'id'),
    numberAt(recordAt(json, 'context_window') ?? {}, 'context_window_size'),
  );
}

export function saveReportedWindow(home: string, report: ReportedWindow): void {
  const { sessionId, model, window } = report;
  const saved = readReportedWindow(home, sessionId);
  const isSameModel = saved?.model === model && saved.window === window;
  // The status line does not tell it.
  const compaction = report.compaction ?? (isSameModel ? saved.compaction : undefined);
  // sent after every turn, hardly ever changes
  if (isSameModel && JSON.stringify(saved.compaction) === JSON.stringify(compaction)) return;
  const text = JSON.stringify({ model, window, compaction });
  writeFileAtomic(reportPath(home, sessionId), text, { durable: false });
  removeFilesOlderThan(reportsFolder(home), KEEP_MS);
  // Other sessions may have the model, and no report of their own (L1e).
  const reported = believedReport(model, window);
  if (reported !== undefined && !isKnownModel(model)) learnWindow(home, { model, reported });
}

/** Undefined if nothing was reported or it is unreadable: the model table answers instead. */
export function readReportedWindow(home: string, sessionId: string): ReportedWindow | undefined {
  const file = readSmallFile(reportPath(home, sessionId), MAX_REPORT_BYTES);
  const json = file.state === 'ok' ? parseJson(file.text) : undefined;
  if (!isRecord(json)) return undefined;
  const report = validReport(sessionId, stringAt(json, 'model'), numberAt(json, 'window'));
  const compaction = recordAt(json, 'compaction');
  return report && compaction ? { ...report, compaction: validCompaction(compaction) } : report;
}

/** When it was written; 0 if there is none. */
export function reportedAt(home: string, sessionId: string): number {
  const path = reportPath(home, sessionId);
  return attempt(() => statSync(path).mtimeMs, 0);
}

function validCompaction(json: JsonRecord): ReportedCompaction {
  const threshold = numberAt(json, 'threshold') ?? null;
  return { isOn: json.isOn !== false, threshold, source: stringAt(json, 'source') ?? '' };
}

function validReport(sessionId = '', model?: string, window = 0): ReportedWindow | undefined {
  const isWindow = Number.isInteger(window) && window >= SMALLEST_WINDOW;
  if (model === undefined || !isWindow || !isSessionId(sessionId)) return undefined;
  return { sessionId, model, window };
}
