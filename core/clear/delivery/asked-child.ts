/**
 * A child process that types for a driver and answers one request at a time: it may load native
 * libraries, which may crash. Whatever happens to it (a crash, a hang, an odd answer, a missing
 * library) becomes a reason here, never an exception.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Message, message } from '../../messages/message.ts';

/** Ends only what hangs: a machine under load takes seconds to start a process. */
const ANSWER_TIMEOUT_MS = 15_000;

export type Answer<T> = { ok: true; value: T } | { ok: false; reason: Message };

/** Each method of `R` is one kind of request; its argument is what the request carries. */
export type RequestOf<R> = {
  [Ask in keyof R]: R[Ask] extends (request: infer Carried) => unknown
    ? { ask: Ask } & Carried
    : never;
}[keyof R];
type AnswerTo<R, Q extends { ask: keyof R }> = R[Q['ask']] extends (request: never) => infer A
  ? Awaited<A>
  : never;

type Reply = Partial<Record<'id' | 'ready' | 'value' | 'failure', unknown>>;

export class AskedChild<R> {
  readonly #child: ChildProcess;
  readonly #timeoutMs: number;
  #waiting: { id: number; answer: (answer: Answer<unknown>) => void } | undefined;
  /** Why the child has ended. */
  #end: Message | undefined;
  #lastId = 0;

  /** Starts the first of these programs that is there. */
  static async start<R>(
    programs: readonly string[],
    env: NodeJS.ProcessEnv,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): Promise<Answer<AskedChild<R>>> {
    const program = programs.find((path) => existsSync(path));
    if (program === undefined) return { ok: false, reason: message('driver.typistMissing') };
    const child = new AskedChild<R>(program, env, timeoutMs);
    const ready = await child.#answerTo(0, timeoutMs);
    if (ready.ok) return { ok: true, value: child };
    child.#stop(ready.reason);
    return ready;
  }

  private constructor(program: string, env: NodeJS.ProcessEnv, timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#child = spawn(process.execPath, [program], {
      env: { ...env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // One that serves the clipboard's content outlives us.
      detached: true,
      windowsHide: true,
    });
    this.#child.on('message', (reply: Reply | null) => this.#receive(reply));
    this.#child.on('error', ({ message: reason }) =>
      this.#finish(message('driver.typistNotStarted', { reason })),
    );
    this.#child.on('exit', (code, signal) => {
      const exited = message('driver.typistExited', { code: String(code) });
      this.#finish(signal === null ? exited : message('driver.typistKilled', { signal }));
    });
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  async ask<Q extends RequestOf<R> & { ask: keyof R }>(
    request: Q,
    timeoutMs = this.#timeoutMs,
  ): Promise<Answer<AnswerTo<R, Q>>> {
    if (this.#end !== undefined) return { ok: false, reason: this.#end };
    const id = ++this.#lastId;
    const answer = this.#answerTo(id, timeoutMs);
    // If this fails, the child has ended and `exit` follows; else the timeout ends it.
    this.#child.send({ id, request }, () => undefined);
    return (await answer) as Answer<AnswerTo<R, Q>>;
  }

  /** The child ends, or goes on by itself while it serves the clipboard's content. */
  leave(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  #answerTo(id: number, timeoutMs: number): Promise<Answer<unknown>> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#stop(message('driver.typistSilent')), timeoutMs);
      const answer = (received: Answer<unknown>) => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(received);
      };
      this.#waiting = { id, answer };
      if (this.#end !== undefined) answer({ ok: false, reason: this.#end });
    });
  }

  #receive(reply: Reply | null): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (isMessage(reply?.failure)) waiting.answer({ ok: false, reason: reply.failure });
    else if (waiting.id === 0 ? reply?.ready === true : reply?.id === waiting.id)
      waiting.answer({ ok: true, value: reply?.value });
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
