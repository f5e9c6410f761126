/**
 * A live session of the demo: a process that really runs in a tmux of the demo's own, Claude Code's
 * entry for it, and a transcript in which its context has grown turn by turn. It is a session to
 * everything that looks, but for that nobody answers in it.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ReportedWindow, saveReportedWindow } from '../../../core/claude/context/reported.ts';
import type { Places } from '../../../core/platform/store/places.ts';
import { run } from '../run.ts';
import { appendRows, transcriptPath } from './demo-memory.ts';

const TURN_MS = 108_000;

export interface DemoSessionPlan {
  root: string;
  /** The name of its tmux session. */
  place: string;
  model: string;
  status: 'idle' | 'busy' | 'waiting';
  waitingFor?: string;
  /** Context at the end of each turn, oldest first. */
  tokens: readonly number[];
  /** The same of the session before, which was cleared. */
  tokensBefore?: readonly number[];
  /** The window as Claude Code would report it; the model table answers without. */
  window?: number;
  minutesOld: number;
  /** What was said last. */
  words: readonly [request: string, answer: string];
}

export class DemoSession {
  readonly pid: number;
  readonly processStart: string;
  readonly sessionId: string = randomUUID();
  /** The session that was cleared in the same process before. */
  readonly clearedFrom: string = randomUUID();
  readonly root: string;
  readonly #places: Places;
  readonly #plan: DemoSessionPlan;

  static async start(places: Places, socket: string, plan: DemoSessionPlan): Promise<DemoSession> {
    const tmux = (...args: string[]) =>
      run('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args]);
    await tmux(
      'new-session',
      '-d',
      '-s',
      plan.place,
      '-x',
      '120',
      '-y',
      '40',
      '-c',
      plan.root,
      'sleep',
      '86400',
    );
    const pid = Number(
      (await tmux('display-message', '-p', '-t', plan.place, '#{pane_pid}')).trim(),
    );
    return new DemoSession(places, pid, plan);
  }

  private constructor(places: Places, pid: number, plan: DemoSessionPlan) {
    this.pid = pid;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    this.processStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    this.root = plan.root;
    this.#places = places;
    this.#plan = plan;
    const { tokens, tokensBefore = [] } = plan;
    for (const [index, used] of tokensBefore.entries())
      this.#turn(this.clearedFrom, used, tokens.length + tokensBefore.length - 1 - index);
    for (const [index, used] of tokens.entries())
      this.#turn(this.sessionId, used, tokens.length - 1 - index);
    if (plan.window !== undefined) {
      const report: ReportedWindow = {
        sessionId: this.sessionId,
        model: plan.model,
        window: plan.window,
      };
      saveReportedWindow(places.home, report);
    }
    this.register({
      status: plan.status,
      ...(plan.waitingFor !== undefined && { waitingFor: plan.waitingFor }),
    });
  }

  /** Of Claude Code's own list. */
  register(changes: Record<string, unknown> = {}): void {
    const folder = join(this.#places.claude, 'sessions');
    mkdirSync(folder, { recursive: true });
    const entry = {
      pid: this.pid,
      sessionId: this.sessionId,
      cwd: this.root,
      procStart: this.processStart,
      status: 'idle',
      kind: 'interactive',
      version: '2.1.325',
      startedAt: Date.now() - this.#plan.minutesOld * 60_000,
      ...changes,
    };
    writeFileSync(join(folder, `${this.pid}.json`), JSON.stringify(entry));
  }

  /** One more turn, after which the context is this full. */
  turn(tokens: number): void {
    this.#turn(this.sessionId, tokens, 0);
  }

  #turn(sessionId: string, tokens: number, turnsAgo: number): void {
    const at = (seconds: number) =>
      new Date(Date.now() - turnsAgo * TURN_MS - seconds * 1000).toISOString();
    const [request, answer] = this.#plan.words;
    const row = { isSidechain: false, cwd: this.root, sessionId };
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: tokens - 10,
      output_tokens: 240,
    };
    const message = {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: this.#plan.model,
      content: [{ type: 'text', text: answer }],
      usage,
    };
    appendRows(transcriptPath(this.#places, this.root, sessionId), [
      {
        ...row,
        type: 'user',
        uuid: randomUUID(),
        timestamp: at(20),
        message: { role: 'user', content: request },
      },
      {
        ...row,
        type: 'assistant',
        uuid: randomUUID(),
        timestamp: at(2),
        requestedModel: this.#plan.model,
        message,
      },
    ]);
  }
}
