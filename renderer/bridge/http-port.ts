/**
 * The engine behind `memory-keeper serve`, on loopback: calls are POSTs, events one long answer of
 * JSON lines. A lost connection is told, one that has fallen silent too, and tried again at longer
 * and longer intervals; a token that is not accepted is told once and not tried again (G3).
 */

import type { CallResult, EngineEvent, Method } from '../../core/usecases/contract.ts';
import type { ChosenFile } from '../../core/usecases/live/chosen-files.ts';
import { type Message, message } from '../../core/usecases/messages.ts';
import type { Connection, WindowPort } from './bridge.ts';
import { downloadLink, pickFile } from './page-files.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
/**
 * The host sends an empty line every 15 seconds. A connection that breaks off unsaid (sleep, a
 * tunnel) would else be waited on for ever.
 */
const SILENT_MS = 45_000;
/** Browsers give up requests that outlive their page beyond 64 KB in all. */
const MOST_KEPT_ALIVE_BYTES = 30_000;

export interface HttpPortOptions {
  token: string;
  /** For tests. */
  fetch?: typeof globalThis.fetch;
  base?: string;
}

export function httpPort({
  token,
  fetch = globalThis.fetch.bind(globalThis),
  base = '',
}: HttpPortOptions): WindowPort {
  const headers = { Authorization: `Bearer ${token}` };
  const eventListeners = new Set<(event: EngineEvent) => void>();
  const connectionListeners = new Set<(connection: Connection) => void>();
  let isListening = false;

  const tellConnection = (connection: Connection) => {
    for (const listener of connectionListeners) listener(connection);
  };

  /** Ends when the answer does; false if there is no use in trying again. */
  async function follow(onOpen: () => void): Promise<boolean> {
    const timeout = new AbortController();
    const silence = setTimeout(() => timeout.abort(), SILENT_MS);
    const asked = fetch(`${base}/api/events`, {
      headers,
      cache: 'no-store',
      signal: timeout.signal,
    });
    const response = await asked.finally(() => clearTimeout(silence));
    if (response.status === 401 || response.status === 403) return false;
    if (!response.ok || response.body === null)
      throw new Error(`events: status ${response.status}`);
    onOpen();
    for await (const event of jsonLines(response.body))
      for (const listener of eventListeners) listener(event);
    return true;
  }

  async function listen(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    const onOpen = () => {
      wait = FIRST_WAIT_MS;
      tellConnection('on');
    };
    while (eventListeners.size > 0) {
      const isWorthIt = await follow(onOpen).catch(() => true);
      if (!isWorthIt) return tellConnection('refused');
      tellConnection('lost');
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
    isListening = false;
  }

  async function post(
    name: string,
    body: BodyInit,
    more: Record<string, string>,
    keepalive = false,
  ): Promise<CallResult> {
    const options = { method: 'POST', headers: { ...headers, ...more }, body, keepalive };
    const response = await fetch(`${base}/api/${name}`, options).catch(() => undefined);
    if (response === undefined) return refused(message('api.connectionLost'));
    const isRefused = response.status === 401 || response.status === 403;
    if (isRefused) tellConnection('refused');
    const answer = (await response.json().catch(() => undefined)) as CallResult | undefined;
    if (answer !== undefined) return answer;
    if (isRefused) return refused(message('api.oldAddress'));
    return {
      ok: false,
      message: message('api.httpStatus', { status: String(response.status) }),
      isBug: response.status >= 500,
    };
  }

  const call = (method: Method, args: unknown) => {
    const body = JSON.stringify(args);
    // What was typed arrives even if the page goes meanwhile. A longer text does as a rule: it is
    // sent before the browser asks whether to leave.
    const mayOutlive =
      method === 'drafts.keep' && new TextEncoder().encode(body).length < MOST_KEPT_ALIVE_BYTES;
    return post(method, body, { 'Content-Type': 'application/json' }, mayOutlive);
  };

  /** The browser sends it from the disk, piece by piece. */
  const upload = (file: File) =>
    post('upload', file, {
      'Content-Type': 'application/octet-stream',
      'X-File-Name': encodeURIComponent(file.name),
    });

  return {
    kind: 'browser',
    call,
    async choose(choice, onSending) {
      if (choice.kind === 'target')
        return (await call('archive.target', {
          project: choice.project,
        })) as CallResult<ChosenFile>;
      if (choice.kind === 'folder') return refused(message('api.noFolders'));
      const file = await pickFile('.zip,application/zip');
      if (file === null) return { ok: true, value: null };
      onSending?.();
      return (await upload(file)) as CallResult<ChosenFile>;
    },
    download: async ({ id, name }) => downloadLink(`${base}/download/${id}`, name),
    onEvent(listener) {
      eventListeners.add(listener);
      if (!isListening) {
        isListening = true;
        void listen();
      }
      return () => eventListeners.delete(listener);
    },
    onConnection(listener) {
      connectionListeners.add(listener);
      return () => connectionListeners.delete(listener);
    },
    async openLink(url) {
      if (/^https?:\/\//i.test(url)) window.open(url, '_blank', 'noopener,noreferrer');
    },
  };
}

function refused(reason: Message): CallResult<never> {
  return { ok: false, message: reason, isBug: false };
}

/** A line that is cut off, or is no JSON, is left out: the next state brings everything again. */
async function* jsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<EngineEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    // ends the read below
    const silence = setTimeout(() => void reader.cancel().catch(() => undefined), SILENT_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = parsed(line);
      if (event !== undefined) yield event;
    }
  }
}

function parsed(line: string): EngineEvent | undefined {
  if (line.trim() === '') return undefined; // a sign of life
  try {
    return JSON.parse(line) as EngineEvent;
  } catch {
    return undefined;
  }
}
