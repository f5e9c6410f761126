/** X as promises: the connection, names of atoms, properties. */
import { createClient, type XClient, type XDisplay, type XProperty, type XResources } from 'x11';

/** In units of four bytes; no property of interest comes near it. */
const MAX_PROPERTY = 256 * 1024;

export class X {
  readonly client: XClient;
  readonly display: XDisplay;
  readonly root: number;
  readonly #atoms = new Map<string, Promise<number>>();

  static async connect(): Promise<X> {
    const display = await new Promise<XDisplay>((resolve, reject) => {
      createClient({}, (error, found) => (error ? reject(error) : resolve(found)));
    });
    return new X(display);
  }

  private constructor(display: XDisplay) {
    this.display = display;
    this.client = display.client;
    this.root = display.screen[0]?.root ?? 0;
    // A window may be gone by the time something is asked of it: then the answer says so.
    this.client.on('error', () => undefined);
  }

  call<T>(
    ask: (client: XClient, reply: (error: Error | null, value: T) => void) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) =>
      ask(this.client, (error, value) => (error ? reject(error) : resolve(value))),
    );
  }

  atom(name: string): Promise<number> {
    const known =
      this.#atoms.get(name) ??
      this.call<number>((client, reply) => client.InternAtom(false, name, reply));
    this.#atoms.set(name, known);
    return known;
  }

  nameOf(atom: number): Promise<string> {
    return this.call((client, reply) => client.GetAtomName(atom, reply));
  }

  async property(window: number, name: string, { remove = false } = {}): Promise<XProperty> {
    const atom = await this.atom(name);
    return this.call((client, reply) =>
      client.GetProperty(remove ? 1 : 0, window, atom, 0, 0, MAX_PROPERTY, reply),
    );
  }

  /** A property that is a list of numbers; empty if it is not there, or the window is not. */
  async numbers(window: number, name: string): Promise<number[]> {
    const property = await this.property(window, name).catch(() => undefined);
    if (property === undefined || property.format !== 32) return [];
    return Array.from({ length: property.data.length / 4 }, (_, index) =>
      property.data.readUInt32LE(index * 4),
    );
  }

  async text(window: number, name: string): Promise<string> {
    const property = await this.property(window, name).catch(() => undefined);
    return property?.data.toString('utf8') ?? '';
  }

  /**
   * The process at the other end of the connection that made a window, as the server sees it; 0 if
   * it cannot tell.
   */
  async processOf(window: number): Promise<number> {
    const resources = await this.call<XResources>((client, reply) =>
      client.require('res', reply),
    ).catch(() => undefined);
    if (resources === undefined) return 0;
    const spec = { client: window, mask: resources.ClientIdMask.LocalClientPID };
    const ids = await this.call<{ value: number[] }[]>((_, reply) =>
      resources.QueryClientIds([spec], reply),
    ).catch(() => []);
    return ids[0]?.value[0] ?? 0;
  }

  /** Whether two windows belong to one program's connection. */
  isSameProgram(a: number, b: number): boolean {
    const mask = ~this.display.resource_mask;
    return (a & mask) === (b & mask);
  }
}
