/** Without the idle check: every session counts as idle. */
import {
  StatusTracker as Checked,
  type StatusReport,
} from '../../../core/claude/status/status-tracker.ts';

export * from '../../../core/claude/status/status-tracker.ts';

export class StatusTracker extends Checked {
  override async report(): Promise<StatusReport> {
    const report = await super.report();
    return {
      ...report,
      sessions: report.sessions.map((session) => ({ ...session, state: 'idle' })),
    };
  }
}
