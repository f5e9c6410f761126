/**
 * What the index knows of each entry except its words (M17), and which entries a filter lets
 * through. It does not hold the text: the files have it, and the index would be twice as large.
 */
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { Column, type Numbers } from './column.ts';

export const LAYERS = ['memory', 'l1', 'l2', 'l3', 'l4', 'summary'] as const;
const ROLES = ['user', 'assistant', 'tool'] as const;

export type Layer = (typeof LAYERS)[number];
export type Role = (typeof ROLES)[number];

export interface EntryFacts {
  id: string;
  layer: Layer;
  project: string;
  session?: string;
  role?: Role;
  /** ISO 8601. */
  at?: string;
  title?: string;
}

export interface EntryFilter {
  layers?: readonly Layer[];
  project?: string;
  session?: string;
  role?: Role;
  /** ISO 8601, both included. Entries without a time are let through only when neither is given. */
  since?: string;
  until?: string;
}

export interface EntryColumns {
  strings: Uint8Array;
  layer: Uint8Array;
  role: Uint8Array;
  project: Uint32Array;
  session: Uint32Array;
  at: Float64Array;
  length: Uint32Array;
}

/** Kept as a number beside the real ones. */
const NONE = '';
const REMOVED = 255;

export class EntryTable {
  readonly #ids: string[];
  /** Made when it is asked for: a search needs none. */
  #numbers: Map<string, number> | undefined;
  readonly #titles: Map<number, string>;
  readonly #projects: Names;
  readonly #sessions: Names;
  readonly #layer: Column<Uint8Array>;
  readonly #role: Column<Uint8Array>;
  readonly #project: Column<Uint32Array>;
  readonly #session: Column<Uint32Array>;
  /** Milliseconds, NaN where unknown. */
  readonly #at: Column<Float64Array>;
  readonly #length: Column<Uint32Array>;
  #totalLength = 0;
  #removed = 0;

  constructor(saved: EntryColumns = noColumns()) {
    const { ids, titles, projects, sessions } = JSON.parse(
      Buffer.from(saved.strings).toString('utf8'),
    );
    this.#ids = ids;
    this.#titles = new Map(titles);
    this.#projects = new Names(projects);
    this.#sessions = new Names(sessions);
    this.#layer = new Column(saved.layer);
    this.#role = new Column(saved.role);
    this.#project = new Column(saved.project);
    this.#session = new Column(saved.session);
    this.#at = new Column(saved.at);
    this.#length = new Column(saved.length);
    for (const length of saved.length) this.#totalLength += length;
  }

  toColumns(): EntryColumns {
    const names = { projects: this.#projects.all, sessions: this.#sessions.all };
    return {
      strings: Buffer.from(JSON.stringify({ ids: this.#ids, titles: [...this.#titles], ...names })),
      layer: this.#layer.trimmed(),
      role: this.#role.trimmed(),
      project: this.#project.trimmed(),
      session: this.#session.trimmed(),
      at: this.#at.trimmed(),
      length: this.#length.trimmed(),
    };
  }

  /** How many numbers were given, those of removed entries too. */
  get numbers(): number {
    return this.#ids.length;
  }

  get size(): number {
    return this.#ids.length - this.#removed;
  }

  get averageLength(): number {
    return this.size === 0 ? 1 : Math.max(1, this.#totalLength / this.size);
  }

  find(id: string): number | undefined {
    this.#numbers ??= new Map(this.#ids.map((known, number) => [known, number]));
    return this.#numbers.get(id);
  }

  add({ id, layer, project, session, role, at, title }: EntryFacts, length: number): number {
    const number = this.#ids.push(id) - 1;
    this.#numbers?.set(id, number);
    this.#layer.push(LAYERS.indexOf(layer));
    this.#role.push(role === undefined ? ROLES.length : ROLES.indexOf(role));
    this.#project.push(this.#projects.findOrAdd(project));
    this.#session.push(this.#sessions.findOrAdd(session ?? NONE));
    this.#at.push(at === undefined ? Number.NaN : Date.parse(at));
    if (title !== undefined) this.#titles.set(number, title);
    this.#length.push(length);
    this.#totalLength += length;
    return number;
  }

  remove(id: string): boolean {
    const number = this.find(id);
    if (number === undefined) return false;
    this.#numbers?.delete(id);
    this.#layer.set(number, REMOVED);
    this.#titles.delete(number);
    this.#totalLength -= this.#length.get(number);
    this.#removed++;
    return true;
  }

  isRemoved(number: number): boolean {
    return this.#layer.get(number) === REMOVED;
  }

  lengthOf(number: number): number {
    return this.#length.get(number);
  }

  /**
   * By number, for passes over all entries: the place in `LAYERS`, milliseconds or NaN, and how
   * many terms.
   */
  get layers(): Uint8Array {
    return this.#layer.values;
  }

  get times(): Float64Array {
    return this.#at.values;
  }

  get lengths(): Uint32Array {
    return this.#length.values;
  }

  factsOf(number: number): EntryFacts {
    const session = this.#sessions.name(this.#session.get(number));
    const role = ROLES[this.#role.get(number)];
    const at = this.#at.get(number);
    const title = this.#titles.get(number);
    return {
      id: this.#ids[number] as string,
      layer: LAYERS[this.#layer.get(number)] as Layer,
      project: this.#projects.name(this.#project.get(number)),
      ...(session === NONE ? {} : { session }),
      ...(role === undefined ? {} : { role }),
      ...(Number.isNaN(at) ? {} : { at: new Date(at).toISOString() }),
      ...(title === undefined ? {} : { title }),
    };
  }

  /** 1 for each entry that is there and passes. */
  allowed({ layers, project, session, role, since, until }: EntryFilter): Uint8Array {
    const isWanted = new Uint8Array(REMOVED + 1);
    for (const layer of layers ?? LAYERS) isWanted[LAYERS.indexOf(layer)] = 1;
    const allowed = new Uint8Array(this.numbers);
    const { values } = this.#layer;
    for (let number = 0; number < allowed.length; number++)
      allowed[number] = isWanted[values[number] as number] as number;
    if (project !== undefined)
      keepOnly(allowed, this.#project.values, this.#projects.find(project));
    if (session !== undefined)
      keepOnly(allowed, this.#session.values, this.#sessions.find(session));
    if (role !== undefined) keepOnly(allowed, this.#role.values, ROLES.indexOf(role));
    if (since === undefined && until === undefined) return allowed;
    const from = since === undefined ? Number.NEGATIVE_INFINITY : timeIn(since);
    const to = until === undefined ? Number.POSITIVE_INFINITY : timeIn(until);
    const { times } = this;
    for (let number = 0; number < allowed.length; number++) {
      const at = times[number] as number;
      if (!(at >= from && at <= to)) allowed[number] = 0;
    }
    return allowed;
  }
}

function noColumns(): EntryColumns {
  return {
    strings: Buffer.from(JSON.stringify({ ids: [], titles: [], projects: [], sessions: [] })),
    layer: new Uint8Array(),
    role: new Uint8Array(),
    project: new Uint32Array(),
    session: new Uint32Array(),
    at: new Float64Array(),
    length: new Uint32Array(),
  };
}

function keepOnly(allowed: Uint8Array, column: Numbers, wanted: number | undefined): void {
  for (let number = 0; number < allowed.length; number++)
    if (column[number] !== wanted) allowed[number] = 0;
}

function timeIn(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new ExpectedError(message('memory.notATime', { text }));
  return time;
}

/** Projects and sessions are few and long: entries hold their numbers. */
class Names {
  readonly all: string[];
  readonly #numbers: Map<string, number>;

  constructor(all: string[] = []) {
    this.all = all;
    this.#numbers = new Map(all.map((name, number) => [name, number]));
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  findOrAdd(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.all.length);
    return this.all.push(name) - 1;
  }

  name(number: number): string {
    return this.all[number] as string;
  }
}
