/**
 * The driver's side of the child that types (typist-child.ts). Whatever becomes of the child, a
 * crash, a hang, an odd answer, a library that is missing: here it is a reason and never an
 * exception.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Message, message } from '../../../messages/message.ts';
import type { Answers, Request } from './typist-words.ts';

/** Only ends what hangs: a machine under load takes seconds to start a process. */
const ANSWER_WITHIN_MS = 15_000;

export type Answer<T> = { ok: true; value: T } | { ok: false; reason: Message };

/** From the sources, or beside the built command line; the plugin's copy of that has none. */
const PROGRAMS = ['./typist-child.ts', './typist-child.js'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
);

interface Told {
  id?: unknown;
  ready?: unknown;
  value?: unknown;
  failure?: unknown;
}

export class Typist {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  #waiting: { id: number; answer: (answer: Answer<unknown>) => void } | undefined;
  #end: Message | undefined;
  #asked = 0;

  static async start(
    env: NodeJS.ProcessEnv,
    programs = PROGRAMS,
    limitMs = ANSWER_WITHIN_MS,
  ): Promise<Answer<Typist>> {
    const program = programs.find((path) => existsSync(path));
    if (program === undefined) return { ok: false, reason: message('driver.typistMissing') };
    const typist = new Typist(program, env, limitMs);
    const ready = await typist.#answerTo(0, limitMs);
    if (ready.ok) return { ok: true, value: typist };
    typist.#stop(ready.reason);
    return ready;
  }

  private constructor(program: string, env: NodeJS.ProcessEnv, limitMs: number) {
    this.#limitMs = limitMs;
    this.#child = spawn(process.execPath, [program], {
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // It outlives us if the clipboard's content is in its hands.
      detached: true,
      windowsHide: true,
    });
    this.#child.on('message', (told: Told | null) => this.#hear(told));
    this.#child.on('error', (error) =>
      this.#finish(message('driver.typistNotStarted', { reason: error.message })),
    );
    this.#child.on('exit', (code, signal) =>
      this.#finish(
        signal === null
          ? message('driver.typistExited', { code: String(code) })
          : message('driver.typistKilled', { signal }),
      ),
    );
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  async ask<R extends Request>(
    request: R,
    limitMs = this.#limitMs,
  ): Promise<Answer<Answers[R['ask']]>> {
    if (this.#end !== undefined) return { ok: false, reason: this.#end };
    this.#asked++;
    const answer = this.#answerTo(this.#asked, limitMs);
    // If it cannot be told, it has ended, and its end is about to be heard; or the time limit ends
    // it.
    this.#child.send({ id: this.#asked, request }, () => undefined);
    return (await answer) as Answer<Answers[R['ask']]>;
  }

  /** It goes on by itself for as long as it has something to give to others. */
  leave(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  #answerTo(id: number, limitMs: number): Promise<Answer<unknown>> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#stop(message('driver.typistSilent')), limitMs);
      const answer = (given: Answer<unknown>) => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(given);
      };
      this.#waiting = { id, answer };
      if (this.#end !== undefined) answer({ ok: false, reason: this.#end });
    });
  }

  #hear(told: Told | null): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (isMessage(told?.failure)) waiting.answer({ ok: false, reason: told.failure });
    else if (waiting.id === 0 ? told?.ready === true : told?.id === waiting.id)
      waiting.answer({ ok: true, value: told?.value });
    else this.#stop(message('driver.typistConfused'));
  }

  #stop(reason: Message): void {
    this.#child.kill('SIGKILL');
    this.#finish(reason);
  }

  #finish(reason: Message): void {
    this.#end ??= reason;
    this.#waiting?.answer({ ok: false, reason: this.#end });
  }
}

function isMessage(failure: unknown): failure is Message {
  return typeof failure === 'object' && failure !== null && 'code' in failure;
}
