/**
 * A conversation with the real CLI without a screen: many turns a second, the transcripts are the
 * same.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ClaudeBed } from './claude.ts';
import type { MockApi } from './mock-api.ts';
import { waitFor } from './wait-for.ts';

interface HeadlessOptions {
  model: string;
  resume?: string;
  args?: string[];
  env?: Record<string, string>;
}

export class HeadlessSession {
  sessionId = '';
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #turnsDone = 0;

  constructor(bed: ClaudeBed, api: MockApi, options: HeadlessOptions) {
    const args = [
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      '--model',
      options.model,
    ];
    const resume = options.resume === undefined ? [] : ['--resume', options.resume];
    this.#child = spawn(
      bed.binary,
      [...args, ...(options.args ?? []), ...resume, '--allowedTools', 'Bash', 'Read', 'Agent'],
      {
        cwd: bed.project,
        env: { ...bed.environment(api), ...options.env },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.type === 'result') this.#turnsDone++;
      if (typeof message.session_id === 'string') this.sessionId = message.session_id;
    });
  }

  /** Says something and waits until the turn is over. */
  async say(content: string): Promise<void> {
    const turn = this.#turnsDone + 1;
    this.#child.stdin.write(
      `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`,
    );
    await waitFor(`the answer to "${content.slice(0, 40)}"`, () => this.#turnsDone >= turn);
  }

  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
