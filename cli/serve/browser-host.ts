/**
 * The window in a browser (G3): the engine's calls and events behind HTTP on loopback, archives of
 * memory in and out (M20), and nothing else. Each request is checked before it is looked at; the
 * window's own files need no token, because they are the same for everybody.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTENT_POLICY } from '../../core/usecases/content-policy.ts';
import type { LiveState } from '../../core/usecases/contract.ts';
import type { LiveEngine } from '../../core/usecases/live-engine.ts';
import { ExpectedError, message, renderMessage } from '../../core/usecases/messages.ts';
import { giveDownload, takeUpload } from './archive-transfer.ts';
import { ConnectionQuota } from './connection-quota.ts';
import { EventStream } from './event-stream.ts';
import { badMethod, type Refusal, type RequestCheck, requestCheck } from './request-check.ts';
import type { WindowFiles } from './window-files.ts';

const LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 20 * 1024 * 1024;
const MAX_STREAMS = 32;
const MAX_CONNECTIONS = 256;
/** Half a request holds a connection no longer than this. */
const HEADERS_TIMEOUT_MS = 10_000;
/** An archive of two gigabytes through a slow tunnel. */
const SENT_WITHIN_MS = 60 * 60_000;

const DOWNLOAD = '/download/';

const HEADERS = {
  'Content-Security-Policy': CONTENT_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export interface BrowserHost {
  port: number;
  /** With the token behind the `#`: browsers never send that part. */
  address: string;
  close(): Promise<void>;
}

export async function startBrowserHost(
  engine: LiveEngine,
  files: WindowFiles,
  wantedPort = 0,
): Promise<BrowserHost> {
  // Every command would start later if this stood at the file's head.
  const { createServer } = await import('node:http');
  const token = randomBytes(32).toString('base64url');
  const server = createServer({ connectionsCheckingInterval: HEADERS_TIMEOUT_MS / 2 });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = SENT_WITHIN_MS;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  const quota = new ConnectionQuota(server);
  await listen(server, wantedPort);
  const { port } = server.address() as AddressInfo;
  const host = new Host(engine, files, requestCheck(port, token), quota);
  server.on('request', (request, response) => host.answer(request, response));
  for (const event of ['upgrade', 'connect'] as const)
    server.on(event, (_request, socket) => socket.destroy());
  return {
    port,
    address: `http://${LOOPBACK}:${port}/#token=${token}`,
    async close() {
      host.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        return reject(new ExpectedError(message('serve.portInUse', { port: String(port) })));
      if (error.code === 'EACCES')
        return reject(new ExpectedError(message('serve.portDenied', { port: String(port) })));
      reject(error);
    });
    server.listen(port, LOOPBACK, resolve);
  });
}

class Host {
  readonly #engine: LiveEngine;
  readonly #files: WindowFiles;
  readonly #check: RequestCheck;
  readonly #quota: ConnectionQuota;
  readonly #streams = new Set<EventStream>();
  readonly #stopListening: () => void;

  constructor(engine: LiveEngine, files: WindowFiles, check: RequestCheck, quota: ConnectionQuota) {
    this.#engine = engine;
    this.#files = files;
    this.#check = check;
    this.#quota = quota;
    this.#stopListening = engine.onEvent((event) => {
      for (const stream of this.#streams) stream.send(event);
    });
  }

  close(): void {
    this.#stopListening();
    for (const stream of this.#streams) stream.close();
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader('Cache-Control', 'no-store');
    const refusal = this.#check.refusal(request) ?? this.#serve(request, response);
    if (refusal !== undefined) refuse(response, refusal);
  }

  /** Why not, if not. */
  #serve(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    const [path = ''] = (request.url ?? '').split('?', 1);
    // A download is a link, which carries no token: its id was told to whoever has the token, and
    // is good for one time.
    if (path.startsWith(DOWNLOAD))
      return giveDownload(this.#engine.files, path.slice(DOWNLOAD.length), request, response);
    if (!path.startsWith('/api/')) return this.#giveFile(request, response, path);
    if (!this.#check.hasToken(request)) return { status: 401, reason: message('serve.badToken') };
    this.#quota.trust(request.socket);
    const name = path.slice('/api/'.length);
    if (name === 'events') return this.#giveEvents(request, response);
    if (request.method !== 'POST') return badMethod(request);
    if (name === 'upload') void takeUpload(this.#engine.files, request, response);
    else void this.#call(name, request, response);
    return undefined;
  }

  #giveFile(request: IncomingMessage, response: ServerResponse, path: string): Refusal | undefined {
    if (request.method !== 'GET') return badMethod(request);
    const file = this.#files.read(path);
    if (file === undefined) return { status: 404, reason: message('serve.notFound') };
    response.setHeader('Content-Type', file.type);
    if (file.isLasting) response.setHeader('Cache-Control', 'private, max-age=31536000, immutable');
    response.end(file.content);
    return undefined;
  }

  #giveEvents(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    if (request.method !== 'GET') return badMethod(request);
    if (this.#streams.size >= MAX_STREAMS)
      return { status: 503, reason: message('serve.tooManyWindows') };
    response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
    const stream = new EventStream(response);
    this.#streams.add(stream);
    response.on('close', () => {
      this.#streams.delete(stream);
      stream.close();
    });
    response.flushHeaders();
    void this.#engine.call('sessions.state', {}).then((answer) => {
      if (answer.ok) stream.send({ name: 'state', value: answer.value as LiveState });
    });
    return undefined;
  }

  async #call(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if ('refusal' in body) {
      response.setHeader('Connection', 'close'); // what is still being sent is not waited for
      response.once('finish', () => response.socket?.destroySoon());
      refuse(response, body.refusal);
      return;
    }
    const answer = JSON.stringify(await this.#engine.call(name, body.args));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(answer);
  }
}

async function bodyOf(request: IncomingMessage): Promise<{ args: unknown } | { refusal: Refusal }> {
  const { headers } = request;
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    return { refusal: { status: 415, reason: message('serve.notJsonType') } };
  const tooLarge = { refusal: { status: 413, reason: message('serve.tooLarge') } };
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return tooLarge;
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    return { args: text === '' ? {} : JSON.parse(text) };
  } catch {
    return { refusal: { status: 400, reason: message('serve.notJson') } }; // or the browser has gone: then nobody reads this
  }
}

function refuse(response: ServerResponse, { status, reason }: Refusal): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`${renderMessage('en', reason)}\n`);
}
