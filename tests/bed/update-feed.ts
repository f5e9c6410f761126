/**
 * An address for updates on loopback: it has one newer version to offer, and remembers what it was
 * asked for.
 */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const FILE = 'Memory-Keeper-x86_64.AppImage';

export class UpdateFeed {
  readonly asked: string[] = [];
  readonly #server: Server;

  static async start(version: string, content: string): Promise<UpdateFeed> {
    const feed = new UpdateFeed(version, content);
    await new Promise<void>((resolve) => feed.#server.listen(0, '127.0.0.1', resolve));
    return feed;
  }

  private constructor(version: string, content: string) {
    const sha512 = createHash('sha512').update(content).digest('base64');
    const news = {
      version,
      files: [{ url: FILE, sha512, size: content.length }],
      path: FILE,
      sha512,
    };
    this.#server = createServer(({ url = '' }, answer) => {
      const [path = ''] = url.slice(1).split('?');
      this.asked.push(path);
      answer.end(path === FILE ? content : JSON.stringify(news)); // every JSON is YAML
    });
  }

  /** As electron-builder writes it into a package that is made with this address. */
  get appUpdateYml(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `provider: generic\nurl: http://127.0.0.1:${port}\nupdaterCacheDirName: memory-keeper-updater\n`;
  }

  stop(): void {
    this.#server.close();
  }
}
