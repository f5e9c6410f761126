/**
 * Stores the window that Claude Code itself reports in the status line's JSON (C2), in a small file
 * per session. Everything that shows a percentage reads it from there.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { removeFilesOlderThan } from '../../platform/store/prune.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { SessionId } from '../../platform/store/session-id.ts';

const WindowSize = v.pipe(v.number(), v.integer(), v.minValue(1000));

/** The part of the status line's stdin that we use. */
const StatusLineInput = v.object({
  session_id: SessionId,
  model: v.object({ id: v.string() }),
  context_window: v.object({ context_window_size: WindowSize }),
});

const ReportedWindowFile = v.object({ model: v.string(), window: WindowSize });

export type ReportedWindow = v.InferOutput<typeof ReportedWindowFile> & { sessionId: string };

/** A session that was silent for this long does not come back to these figures. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_REPORT_BYTES = 64 * 1024;

export function reportsFolder(home: string): string {
  return join(home, 'reported');
}

export function parseStatusLine(text: string): ReportedWindow | undefined {
  const parsed = v.safeParse(StatusLineInput, parseJson(text));
  if (!parsed.success) return undefined;
  const { session_id, model, context_window } = parsed.output;
  return { sessionId: session_id, model: model.id, window: context_window.context_window_size };
}

export function saveReportedWindow(home: string, report: ReportedWindow): void {
  const { sessionId, model, window } = report;
  const saved = readReportedWindow(home, sessionId);
  // sent after every turn, hardly ever changes
  if (saved?.model === model && saved.window === window) return;
  const text = JSON.stringify({ model, window });
  writeFileAtomic(reportPath(home, sessionId), text, { durable: false });
  removeFilesOlderThan(reportsFolder(home), KEEP_MS);
}

export function readReportedWindow(home: string, sessionId: string): ReportedWindow | undefined {
  const file = readSmallFile(reportPath(home, sessionId), MAX_REPORT_BYTES);
  if (file.state !== 'ok') return undefined; // never reported, or not readable: the model table answers instead
  const parsed = v.safeParse(ReportedWindowFile, parseJson(file.text));
  return parsed.success ? { ...parsed.output, sessionId } : undefined;
}

function reportPath(home: string, sessionId: string): string {
  return join(reportsFolder(home), `${sessionId}.json`);
}
