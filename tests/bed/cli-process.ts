/** A running CLI, as its own registry file tells of it, wherever it is shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from './wait-for.ts';

export interface RegistryEntry {
  pid: number;
  sessionId: string;
  status: string;
  waitingFor?: string;
}

export class CliProcess {
  pid: number;
  readonly #configDir: string;

  constructor(pid: number, configDir: string) {
    this.pid = pid;
    this.#configDir = configDir;
  }

  registry(): RegistryEntry | undefined {
    try {
      return JSON.parse(
        readFileSync(join(this.#configDir, 'sessions', `${this.pid}.json`), 'utf8'),
      ) as RegistryEntry;
    } catch {
      return undefined; // not written yet, or read while the CLI rewrites it in place
    }
  }

  waitForState(status: string): Promise<RegistryEntry> {
    return waitFor(`the session to be ${status}`, () => {
      const entry = this.registry();
      return entry?.status === status && entry;
    });
  }

  /** Waits until another session than this one is idle in its place. */
  waitForSessionAfter({ sessionId }: { sessionId: string }): Promise<RegistryEntry> {
    return waitFor('the new session', () => {
      const entry = this.registry();
      return (
        entry !== undefined && entry.sessionId !== sessionId && entry.status === 'idle' && entry
      );
    });
  }
}
