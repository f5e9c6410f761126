/**
 * A scriptable stand-in for the Messages API, the only thing in the tests that is not real. It
 * listens on loopback, answers `POST /v1/messages` as an event stream, lets a test choose text,
 * tool calls, usage, delays, errors and cut streams, and records every request it was sent.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface MockUsage {
  input_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
  output_tokens?: number;
}

export interface MockToolUse {
  name: string;
  input: Record<string, unknown>;
}

export interface MockReply {
  text?: string;
  toolUses?: MockToolUse[];
  usage?: MockUsage;
  /** Answer with this HTTP status and an API error instead of a message (429, 500, 529, …). */
  errorStatus?: number;
  /** What the error says. */
  errorMessage?: string;
  /** Drop the connection after this many stream events. */
  cutAfterEvents?: number;
  /** Keep the reply open after its first event until this settles: a slow reply without a clock. */
  until?: Promise<unknown>;
}

export interface MockMessage {
  role: string;
  content: string | { type: string; text?: string; [field: string]: unknown }[];
}

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: {
    model: string;
    messages: MockMessage[];
    tools?: { name: string }[];
    stream?: boolean;
    [field: string]: unknown;
  };
}

type Script = (request: RecordedRequest) => MockReply | undefined;

export class MockApi {
  readonly requests: RecordedRequest[] = [];
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #queue: MockReply[] = [];
  #script: Script = () => undefined;
  #messageCount = 0;

  static async start(): Promise<MockApi> {
    const api = new MockApi();
    api.#server.listen(0, '127.0.0.1');
    await once(api.#server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replies for the next requests of the main conversation, first in, first out. */
  enqueue(...replies: MockReply[]): void {
    this.#queue.push(...replies);
  }

  /** Answers every request it returns a reply for, before the queue is looked at. */
  script(script: Script): void {
    this.#script = script;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = new URL(request.url ?? '/', this.url).pathname;
    if (request.method !== 'POST' || !path.startsWith('/v1/messages')) {
      response.writeHead(404).end();
      return;
    }
    const recorded: RecordedRequest = {
      method: request.method,
      path,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    };
    if (path === '/v1/messages/count_tokens') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
      return;
    }
    this.requests.push(recorded);
    const reply = this.#script(recorded) ??
      (isConversation(recorded) ? this.#queue.shift() : undefined) ?? { text: 'ok' };
    if (reply.errorStatus !== undefined) sendError(response, reply.errorStatus, reply.errorMessage);
    else if (recorded.body.stream === true) await this.#stream(response, recorded, reply);
    else await this.#send(response, recorded, reply);
  }

  /**
   * In one piece, as a mod's own questions are answered. A cut one stops in the middle of its body.
   */
  async #send(response: ServerResponse, request: RecordedRequest, reply: MockReply): Promise<void> {
    await reply.until;
    const id = `msg_mock_${++this.#messageCount}`;
    const body = JSON.stringify({
      id,
      type: 'message',
      role: 'assistant',
      model: request.body.model,
      content: [{ type: 'text', text: reply.text ?? '' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: usageOf(reply),
    });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    if (reply.cutAfterEvents === undefined) response.end(body);
    else response.write(body.slice(0, body.length / 2), () => response.destroy());
  }

  async #stream(
    response: ServerResponse,
    request: RecordedRequest,
    reply: MockReply,
  ): Promise<void> {
    const id = `msg_mock_${++this.#messageCount}`;
    const events = messageEvents(id, request.body.model, reply);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': `req_${id}` });
    for (const [index, event] of events.entries()) {
      if (index === reply.cutAfterEvents) {
        response.destroy();
        return;
      }
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      if (index === 0) await reply.until;
    }
    response.end();
  }
}

/** The conversation itself carries tools; titles, topic checks and other side questions do not. */
function isConversation(request: RecordedRequest): boolean {
  return (request.body.tools?.length ?? 0) > 1;
}

function sendError(response: ServerResponse, status: number, message = `mock ${status}`): void {
  const type =
    { 400: 'invalid_request_error', 429: 'rate_limit_error', 529: 'overloaded_error' }[status] ??
    'api_error';
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ type: 'error', error: { type, message } }));
}

function usageOf({ usage }: MockReply): Required<MockUsage> {
  return {
    input_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 5,
    ...usage,
  };
}

function messageEvents(
  id: string,
  model: string,
  reply: MockReply,
): { type: string; [field: string]: unknown }[] {
  const usage = usageOf(reply);
  const toolUses = reply.toolUses ?? [];
  const blocks = [
    ...(reply.text === undefined && toolUses.length > 0
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            delta: { type: 'text_delta', text: reply.text ?? '' },
          },
        ]),
    ...toolUses.map((tool, index) => ({
      start: { type: 'tool_use', id: `toolu_${id}_${index}`, name: tool.name, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) },
    })),
  ];
  return [
    {
      type: 'message_start',
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block.start },
      { type: 'content_block_delta', index, delta: block.delta },
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: toolUses.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage,
    },
    { type: 'message_stop' },
  ];
}
