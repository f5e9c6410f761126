/** Runs the built command line as a user would, and reads what it prints. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SessionStatus } from '../../core/claude/status/session-status.ts';
import { run } from './run.ts';
import { waitFor } from './wait-for.ts';

export const CLI = join(import.meta.dirname, '../../dist/cli/memory-keeper.js');

export async function status(env: NodeJS.ProcessEnv): Promise<SessionStatus[]> {
  return JSON.parse(await run(process.execPath, [CLI, 'status', '--json'], { env }));
}

/** A running `status --watch --json`. */
export class LiveStatus {
  sessions: SessionStatus[] = [];
  readonly #child: ChildProcess;

  constructor(env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [CLI, 'status', '--watch', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('no stdout');
    createInterface({ input: stdout }).on('line', (line) => {
      this.sessions = JSON.parse(line);
    });
  }

  /** Waits until a session is as wanted. */
  async see(what: string, wanted: (session: SessionStatus) => boolean): Promise<SessionStatus> {
    return waitFor(`${what} in the live status`, () => this.sessions.find(wanted));
  }

  async seeGone(pid: number): Promise<void> {
    await waitFor(`process ${pid} to leave the live status`, () =>
      this.sessions.every((session) => session.pid !== pid),
    );
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGINT');
    await once(this.#child, 'exit');
  }
}
