/**
 * Runs `memory-keeper watch --json`, the built one as a user would, and reads each step that it
 * tells.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ClearRecord } from '../../core/clear/clear-record.ts';
import type { Message, MessageCode } from '../../core/messages/message.ts';
import { CLI } from './memory-keeper.ts';
import { waitFor } from './wait-for.ts';

const JUMPING_CLOCK = join(import.meta.dirname, 'jumping-clock-child.ts');

/** A step of a clear, or a signal that was not followed. */
type Told = ClearRecord | { what: 'refused'; note: Message; sessionId?: string };

export class Watch {
  readonly told: Told[] = [];
  readonly #child: ChildProcess;

  /** `program`: what Node is to run instead of the built one. */
  constructor(env: NodeJS.ProcessEnv, program: readonly string[] = [CLI]) {
    this.#child = spawn(process.execPath, [...program, 'watch', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.told.push(JSON.parse(line));
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** With a clock that can be sent forward. */
  static withClock(env: NodeJS.ProcessEnv, program: readonly string[] = [CLI]): Watch {
    return new Watch(env, ['--import', JUMPING_CLOCK, ...program]);
  }

  /** Two minutes pass for it. */
  passTime(): void {
    this.#child.kill('SIGUSR2');
  }

  /** The steps of one session's clears so far. */
  steps(sessionId: string): string[] {
    return this.#of(sessionId).map(({ state }) => state);
  }

  get refusals(): Message[] {
    return this.told.flatMap((told) => ('what' in told ? [told.note] : []));
  }

  async step(sessionId: string, state: ClearRecord['state']): Promise<ClearRecord> {
    return waitFor(
      () =>
        `${sessionId} to be ${state}; told so far: ${JSON.stringify(this.told.map((told) => ('what' in told ? told : told.steps.at(-1))))}`,
      () => this.#of(sessionId).find((record) => record.state === state),
    );
  }

  /** A step that says this. */
  async note(sessionId: string, code: MessageCode): Promise<ClearRecord> {
    return waitFor(
      () =>
        `${code}; told so far: ${JSON.stringify(this.#of(sessionId).map(({ steps }) => steps.at(-1)?.note))}`,
      () => this.#of(sessionId).find(({ steps }) => hasCode(steps.at(-1)?.note, code)),
    );
  }

  async refusal(code: MessageCode): Promise<Message> {
    return waitFor(
      () => `the refusal ${code}; told so far: ${JSON.stringify(this.refusals)}`,
      () => this.refusals.find((note) => note.code === code),
    );
  }

  /** As a crash would end it. */
  async kill(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGINT');
    await once(this.#child, 'exit');
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #of(sessionId: string): ClearRecord[] {
    return this.told.flatMap((told) =>
      'what' in told || told.sessionId !== sessionId ? [] : [told],
    );
  }
}

function hasCode(note: Message | string | undefined, code: MessageCode): boolean {
  return typeof note === 'object' && note.code === code;
}
