/**
 * Keeps programs that only open connections from locking the user's browser out: of the connections
 * that have not shown the token, the oldest ends when there are too many.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const MAX_WITHOUT_TOKEN = 64;

export class ConnectionQuota {
  readonly #withoutToken = new Set<Socket>();

  constructor(server: Server, max = MAX_WITHOUT_TOKEN) {
    server.on('connection', (socket: Socket) => {
      this.#withoutToken.add(socket);
      socket.once('close', () => this.#withoutToken.delete(socket));
      const [oldest] = this.#withoutToken;
      if (this.#withoutToken.size > max) oldest?.destroy();
    });
  }

  /** It has shown the token. */
  trust(socket: Socket): void {
    this.#withoutToken.delete(socket);
  }
}
