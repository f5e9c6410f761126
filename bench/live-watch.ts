/**
 * A running `status --watch --json` of the built command line, and the moments at which it says
 * something.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SessionStatus } from '../core/claude/status/session-status.ts';
import { builtCli } from './built-cli.ts';
import type { Scene } from './scene.ts';

/** Only ends a run that would otherwise hang. */
const HANG_LIMIT_MS = 30_000;

type Wanted = (sessions: readonly SessionStatus[]) => boolean;

export class LiveWatch {
  readonly pid: number;
  readonly #waiting = new Set<{ wanted: Wanted; seen: (at: number) => void }>();
  #sessions: SessionStatus[] = [];

  constructor(scene: Scene, env: NodeJS.ProcessEnv) {
    const args = [builtCli(), 'status', '--watch', '--json'];
    const child = scene.child(() =>
      spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    this.pid = child.pid as number;
    createInterface({ input: child.stdout }).on('line', (line) =>
      this.#take(line, performance.now()),
    );
  }

  /** When, by this process's clock, a line came that is as wanted; at once if the last one was. */
  async when(what: string, wanted: Wanted): Promise<number> {
    if (wanted(this.#sessions)) return performance.now();
    return new Promise<number>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`the watch never showed ${what}`)),
        HANG_LIMIT_MS,
      );
      const waiting = {
        wanted,
        seen: (at: number) => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          resolve(at);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  #take(line: string, at: number): void {
    this.#sessions = JSON.parse(line);
    for (const { wanted, seen } of this.#waiting) if (wanted(this.#sessions)) seen(at);
  }
}
