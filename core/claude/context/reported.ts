/**
 * Stores the window that Claude Code itself reports in the status line's JSON (C2), in a small file
 * per session. Everything that shows a percentage reads it from there.
 */

import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { removeFilesOlderThan } from '../../platform/store/prune.ts';
import { readSmallFile } from '../../platform/store/read-file.ts';
import { SessionId } from '../../platform/store/session-id.ts';

/** The part of the status line's stdin that we use. */
const StatusLineInput = v.object({
  session_id: SessionId,
  model: v.object({ id: v.string() }),
  context_window: v.object({
    context_window_size: v.pipe(v.number(), v.integer(), v.minValue(1000)),
  }),
});

/** Made when a report is there: a hook finds none as a rule. */
const reportedWindowFile = () =>
  v.object({ model: v.string(), window: v.pipe(v.number(), v.integer(), v.minValue(1000)) });

export type ReportedWindow = v.InferOutput<ReturnType<typeof reportedWindowFile>> & {
  sessionId: string;
};

/** A session that said nothing for this long is not coming back to these figures. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_REPORT_BYTES = 64 * 1024;

export function reportsFolder(home: string): string {
  return join(home, 'reported');
}

export function parseStatusLine(text: string): ReportedWindow | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(StatusLineInput, json);
  if (!parsed.success) return undefined;
  const { session_id, model, context_window } = parsed.output;
  return { sessionId: session_id, model: model.id, window: context_window.context_window_size };
}

export function saveReportedWindow(home: string, report: ReportedWindow): void {
  const known = readReportedWindow(home, report.sessionId);
  // sent after every turn, changes hardly ever
  if (known?.model === report.model && known.window === report.window) return;
  const folder = reportsFolder(home);
  const { model, window } = report;
  writeFileAtomic(join(folder, `${report.sessionId}.json`), JSON.stringify({ model, window }), {
    durable: false,
  });
  removeFilesOlderThan(folder, KEEP_MS);
}

export function readReportedWindow(home: string, sessionId: string): ReportedWindow | undefined {
  const file = readSmallFile(join(reportsFolder(home), `${sessionId}.json`), MAX_REPORT_BYTES);
  if (file.state !== 'ok') return undefined; // never reported, or not readable: the model table answers instead
  try {
    const parsed = v.safeParse(reportedWindowFile(), JSON.parse(file.text));
    return parsed.success ? { ...parsed.output, sessionId } : undefined;
  } catch {
    return undefined;
  }
}
