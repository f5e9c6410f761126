/**
 * Without the pid check: whatever process has the pid of a session counts as the one that
 * registered it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  systemProcessTable as checked,
  type ProcessTable,
} from '../../../core/platform/process/process-table.ts';
import { attempt } from '../../../core/platform/store/attempt.ts';
import { placesFrom } from '../../../core/platform/store/places.ts';

export * from '../../../core/platform/process/process-table.ts';

export function systemProcessTable(): ProcessTable {
  const table = checked();
  const sessions = join(placesFrom(process.env).claude, 'sessions');
  const registered = (pid: number) =>
    attempt(
      () =>
        JSON.parse(readFileSync(join(sessions, `${pid}.json`), 'utf8')).procStart as
          | string
          | undefined,
      undefined,
    );
  return {
    environment: (pid, names) => table.environment(pid, names),
    async lookUp(pids) {
      const found = await table.lookUp(pids);
      return new Map(
        [...found].map(([pid, info]) => [
          pid,
          { ...info, startTime: registered(pid) ?? info.startTime },
        ]),
      );
    },
  };
}
