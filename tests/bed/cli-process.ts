/** A running CLI, as its own registry file tells of it, wherever it is shown. */
import { readdirSync, readFileSync } from 'node:fs';
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

  /** Of the CLI that runs a session. */
  protected pidOf(sessionId: string): Promise<number> {
    const folder = join(this.#configDir, 'sessions');
    return waitFor(
      `a CLI with the session ${sessionId}`,
      () =>
        readdirSync(folder)
          .map((name) => new CliProcess(Number.parseInt(name, 10), this.#configDir).registry())
          .find((entry) => entry?.sessionId === sessionId)?.pid,
    );
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
