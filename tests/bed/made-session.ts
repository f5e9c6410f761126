/**
 * A session without the CLI, for what needs many or odd ones: a registry entry for a process that
 * really runs, and a transcript of rows in the shape the CLI writes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ReplyOptions {
  model?: string;
  messageId?: string;
  text?: string;
  extra?: Record<string, unknown>;
}

export function replyRow(tokens: number, options: ReplyOptions = {}): string {
  const model = options.model ?? 'claude-sonnet-4-5-20250929';
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: tokens - 10,
    output_tokens: 5,
  };
  return JSON.stringify({
    isSidechain: false,
    message: {
      id: options.messageId ?? `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: model.replace('[1m]', ''),
      content: [{ type: 'text', text: options.text ?? 'ok' }],
      usage,
    },
    requestedModel: model,
    type: 'assistant',
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    ...options.extra,
  });
}

export function promptRow(text: string): string {
  const message = { role: 'user', content: text };
  return JSON.stringify({
    isSidechain: false,
    type: 'user',
    message,
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
  });
}

/**
 * The kind of row that makes most of a transcript's bytes and carries nothing of the conversation.
 */
export function bulkRow(bytes: number): string {
  return JSON.stringify({
    type: 'api-request-shape',
    sessionId: 'x',
    shape: { tools: 'x'.repeat(Math.max(0, bytes - 70)) },
  });
}

export class MadeSession {
  readonly sessionId = randomUUID();
  readonly transcript: string;
  readonly process: ChildProcess;
  readonly #claudeFolder: string;
  readonly #cwd: string;
  readonly #startedAt = Date.now();

  constructor(claudeFolder: string, cwd: string) {
    this.#claudeFolder = claudeFolder;
    this.#cwd = cwd;
    // In a session of its own, so that it has no terminal wherever the tests are run.
    this.process = spawn('sleep', ['3600'], { stdio: 'ignore', detached: true });
    this.transcript = join(
      claudeFolder,
      'projects',
      cwd.replace(/[^a-zA-Z0-9]/g, '-'),
      `${this.sessionId}.jsonl`,
    );
    mkdirSync(dirname(this.transcript), { recursive: true });
    this.register();
  }

  get pid(): number {
    return this.process.pid as number;
  }

  get registryFile(): string {
    return join(this.#claudeFolder, 'sessions', `${this.pid}.json`);
  }

  register(changes: Record<string, unknown> = {}): void {
    mkdirSync(dirname(this.registryFile), { recursive: true });
    const procStart = readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    const entry = {
      pid: this.pid,
      sessionId: this.sessionId,
      cwd: this.#cwd,
      procStart,
      status: 'idle',
      startedAt: this.#startedAt,
      ...changes,
    };
    writeFileSync(this.registryFile, JSON.stringify(entry));
  }

  append(...rows: string[]): void {
    appendFileSync(this.transcript, rows.map((row) => `${row}\n`).join(''));
  }

  end(): void {
    this.process.kill('SIGKILL');
  }
}

/** As Claude Code writes it when it compacts by itself, before a prompt or after a refusal. */
export function compactionRow(preTokens: number, postTokens?: number, trigger = 'auto'): string {
  return JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: { trigger, preTokens, postTokens, durationMs: 168 },
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
  });
}

/** As Claude Code 2.1.326 writes an API's refusal, whatever words the API has for it. */
export function tooLongRow(said: string): string {
  const error = { type: 'error', error: { type: 'invalid_request_error', message: said } };
  return JSON.stringify({
    isSidechain: false,
    type: 'assistant',
    uuid: randomUUID(),
    timestamp: new Date().toISOString(),
    message: {
      id: randomUUID(),
      model: '<synthetic>',
      role: 'assistant',
      stop_reason: 'stop_sequence',
      type: 'message',
      usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
      content: [{ type: 'text', text: 'Prompt is too long' }],
    },
    error: 'invalid_request',
    errorDetails: `400 ${JSON.stringify(error)}`,
    isApiErrorMessage: true,
    apiErrorStatus: 400,
  });
}
