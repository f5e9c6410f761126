/**
 * What a benchmark puts into the world, and the promise that it goes again: folders are removed and
 * processes ended when the benchmark is over, has failed, or is interrupted.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Scene {
  readonly #endings: (() => unknown)[] = [];
  #over = false;

  /** The newest first: a process goes before the folder in which it works. */
  atEnd(ending: () => unknown): void {
    this.assertOn();
    this.#endings.unshift(ending);
  }

  /** An interrupted benchmark must not begin anything more. */
  assertOn(): void {
    if (this.#over) throw new Error('interrupted');
  }

  folder(): string {
    this.assertOn();
    const folder = mkdtempSync(join(tmpdir(), 'memory-keeper-bench-'));
    this.atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    return folder;
  }

  child<C extends ChildProcess>(start: () => C): C {
    this.assertOn();
    const child = start();
    this.atEnd(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    return child;
  }

  async end(): Promise<void> {
    this.#over = true;
    for (const ending of this.#endings.splice(0)) {
      try {
        await ending();
      } catch (error) {
        process.stderr.write(`bench: something is left behind: ${(error as Error).message}\n`);
      }
    }
  }
}
