/**
 * Talks to a running browser host as its page does, and as others might try to: with any header and
 * any path, byte for byte.
 */

import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { ExpectedError } from '../../core/messages/expected-error.ts';
import type {
  Arguments,
  CallResult,
  EngineEvent,
  EventName,
  Events,
  Method,
  Results,
} from '../../core/usecases/contract.ts';
import { waitFor } from './wait-for.ts';

interface RawOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

interface RawAnswer {
  status: number;
  text: string;
  headers: IncomingMessage['headers'];
}

export class ServeClient {
  readonly port: number;
  readonly token: string;
  readonly events: EngineEvent[] = [];
  #stream: ClientRequest | undefined;

  constructor(address: string) {
    const [, port, token] = /^http:\/\/127\.0\.0\.1:(\d+)\/#token=([\w-]+)$/.exec(address) ?? [];
    if (port === undefined || token === undefined) throw new Error('this is no address of serve');
    this.port = Number(port);
    this.token = token;
  }

  get authorized(): Record<string, string> {
    return { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' };
  }

  /** The path goes out as it is given. */
  raw(path: string, { method = 'GET', headers = {}, body }: RawOptions = {}): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        { host: '127.0.0.1', port: this.port, path, method, headers, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => (text += part));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(body);
    });
  }

  async answer(method: string, args: unknown): Promise<CallResult> {
    const { text } = await this.raw(`/api/${method}`, {
      method: 'POST',
      headers: this.authorized,
      body: JSON.stringify(args),
    });
    return JSON.parse(text);
  }

  async call<M extends Method>(method: M, args: Arguments<M>): Promise<Results[M]> {
    const answer = await this.answer(method, args);
    if (!answer.ok) throw new ExpectedError(answer.message);
    return answer.value as Results[M];
  }

  /** From now on events are heard. */
  listen(): this {
    const options = {
      host: '127.0.0.1',
      port: this.port,
      path: '/api/events',
      headers: this.authorized,
      agent: false as const,
    };
    this.#stream = request(options, (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (part) => {
        const lines = (rest + part).split('\n');
        rest = lines.pop() ?? '';
        this.events.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)));
      });
    });
    this.#stream.on('error', () => undefined).end();
    return this;
  }

  told<N extends EventName>(name: N): Events[N][] {
    return this.events.flatMap((event) => (event.name === name ? [event.value as Events[N]] : []));
  }

  see<N extends EventName>(
    name: N,
    what: string,
    wanted: (value: Events[N]) => boolean,
  ): Promise<Events[N]> {
    return waitFor(
      () => `${what}; told last: ${JSON.stringify(this.told(name).at(-1))}`,
      () => this.told(name).find(wanted),
    );
  }

  stop(): void {
    this.#stream?.destroy();
  }
}
