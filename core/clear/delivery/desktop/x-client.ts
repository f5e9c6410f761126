/** The X protocol as promises: the connection, names of atoms, properties. */
import { createClient, type Reply, type XClient, type XDisplay, type XProperty } from 'x11';

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
    // A window may be gone by the time of a request: then the reply says so.
    this.client.on('error', () => undefined);
  }

  /** `x.call(x.client.QueryTree, window)` */
  call<A extends unknown[], T>(
    method: (this: XClient, ...args: [...A, Reply<T>]) => void,
    ...args: A
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const reply: Reply<T> = (error, value) => (error ? reject(error) : resolve(value));
      method.call(this.client, ...args, reply);
    });
  }

  atom(name: string): Promise<number> {
    const atom = this.#atoms.get(name) ?? this.call(this.client.InternAtom, false, name);
    this.#atoms.set(name, atom);
    return atom;
  }

  /** Empty if there is no such atom. */
  nameOf(atom: number): Promise<string> {
    return this.call(this.client.GetAtomName, atom).catch(() => '');
  }

  async property(window: number, name: string, { remove = false } = {}): Promise<XProperty> {
    const atom = await this.atom(name);
    return this.call(this.client.GetProperty, remove ? 1 : 0, window, atom, 0, 0, MAX_PROPERTY);
  }

  /** A property that is a list of numbers; empty if it is not there, or the window is not. */
  async numbers(window: number, name: string): Promise<number[]> {
    const property = await this.property(window, name).catch(() => undefined);
    return property?.format === 32 ? numbersIn(property.data) : [];
  }

  async text(window: number, name: string): Promise<string> {
    const property = await this.property(window, name).catch(() => undefined);
    return property?.data.toString('utf8') ?? '';
  }

  /** The process that made a window, as the X server sees it; 0 if it cannot tell. */
  async processOf(window: number): Promise<number> {
    const resources = await this.call(this.client.require, 'res').catch(() => undefined);
    if (resources === undefined) return 0;
    const spec = { client: window, mask: resources.ClientIdMask.LocalClientPID };
    const ids = await this.call(resources.QueryClientIds, [spec]).catch(() => []);
    return ids[0]?.value[0] ?? 0;
  }

  /** Whether two windows belong to one program's connection. */
  isSameProgram(a: number, b: number): boolean {
    const mask = ~this.display.resource_mask;
    return (a & mask) === (b & mask);
  }
}

export function numbersIn(data: Buffer): number[] {
  return Array.from({ length: data.length / 4 }, (_, index) => data.readUInt32LE(index * 4));
}
