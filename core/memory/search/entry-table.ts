/**
 * What the index stores of each entry except its words (M17), and which entries pass a filter. The
 * text stays in the files; with it the index would be twice as large.
 */
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { Column, type Numbers, StringTable } from './column.ts';

export const LAYERS = ['memory', 'l1', 'l2', 'l3', 'l4', 'summary'] as const;
const ROLES = ['user', 'assistant', 'tool'] as const;

export type Layer = (typeof LAYERS)[number];
type Role = (typeof ROLES)[number];

export interface EntryInfo {
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
  /** Entries that nobody said pass. */
  roles?: readonly Role[];
  session?: string;
  /** Leaves out a session, if a time is given from then on. */
  except?: { session: string; since?: string | undefined };
  /** ISO 8601, inclusive. Entries without a time pass only if neither is set. */
  since?: string;
  until?: string;
}

/** The time is in milliseconds, NaN where unknown; the length is in terms. */
type ColumnName = 'layer' | 'role' | 'project' | 'session' | 'at' | 'length';

export interface SavedEntries {
  ids: string[];
  titles: [entry: number, title: string][];
  projects: string[];
  sessions: string[];
  columns: Record<ColumnName, Numbers>;
}

/** Stored like a session of that name. */
const NO_SESSION = '';
const REMOVED = 255;

export class EntryTable {
  readonly #ids: string[];
  /** Made on demand: a search does not need it. */
  #numbers: Map<string, number> | undefined;
  readonly #titles: Map<number, string>;
  readonly #projects: StringTable;
  readonly #sessions: StringTable;
  readonly #columns: Record<ColumnName, Column>;
  #removed = 0;

  constructor(saved: SavedEntries = noEntries()) {
    this.#ids = saved.ids;
    this.#titles = new Map(saved.titles);
    this.#projects = new StringTable(saved.projects);
    this.#sessions = new StringTable(saved.sessions);
    this.#columns = mapColumns(saved.columns, (values) => new Column(values));
  }

  toSaved(): SavedEntries {
    return {
      ids: this.#ids,
      titles: [...this.#titles],
      projects: this.#projects.all,
      sessions: this.#sessions.all,
      columns: mapColumns(this.#columns, (column) => column.trimmed()),
    };
  }

  /** How many numbers are in use, those of removed entries included. */
  get numbers(): number {
    return this.#ids.length;
  }

  get size(): number {
    return this.#ids.length - this.#removed;
  }

  find(id: string): number | undefined {
    this.#numbers ??= new Map(this.#ids.map((known, number) => [known, number]));
    return this.#numbers.get(id);
  }

  add(entry: EntryInfo, length: number): number {
    const { id, layer, project, session = NO_SESSION, role, at, title } = entry;
    const number = this.#ids.push(id) - 1;
    this.#numbers?.set(id, number);
    if (title !== undefined) this.#titles.set(number, title);
    this.#columns.layer.push(LAYERS.indexOf(layer));
    this.#columns.role.push(role === undefined ? ROLES.length : ROLES.indexOf(role));
    this.#columns.project.push(this.#projects.findOrAdd(project));
    this.#columns.session.push(this.#sessions.findOrAdd(session));
    this.#columns.at.push(at === undefined ? Number.NaN : Date.parse(at));
    this.#columns.length.push(length);
    return number;
  }

  remove(id: string): boolean {
    const number = this.find(id);
    if (number === undefined) return false;
    this.#numbers?.delete(id);
    this.#columns.layer.set(number, REMOVED);
    this.#titles.delete(number);
    this.#removed++;
    return true;
  }

  isRemoved(number: number): boolean {
    return this.#columns.layer.get(number) === REMOVED;
  }

  hasSession(number: number): boolean {
    return this.#sessions.at(this.#columns.session.get(number)) !== NO_SESSION;
  }

  /** By entry number, for passes over all entries. A layer is its place in `LAYERS`. */
  values(name: ColumnName): Numbers {
    return this.#columns[name].values;
  }

  info(number: number): EntryInfo {
    const columns = mapColumns(this.#columns, (column) => column.get(number));
    const session = this.#sessions.at(columns.session);
    const role = ROLES[columns.role];
    const title = this.#titles.get(number);
    return {
      id: this.#ids[number] as string,
      layer: LAYERS[columns.layer] as Layer,
      project: this.#projects.at(columns.project),
      ...(session !== NO_SESSION && { session }),
      ...(role !== undefined && { role }),
      ...(!Number.isNaN(columns.at) && { at: new Date(columns.at).toISOString() }),
      ...(title !== undefined && { title }),
    };
  }

  /** 1 for each entry that is not removed and passes the filter. */
  allowed({ layers, roles, session, except, since, until }: EntryFilter): Uint8Array {
    const isWanted = new Uint8Array(REMOVED + 1);
    for (const layer of layers ?? LAYERS) isWanted[LAYERS.indexOf(layer)] = 1;
    const allowed = new Uint8Array(this.numbers);
    const layerOf = this.values('layer');
    for (let number = 0; number < allowed.length; number++)
      allowed[number] = isWanted[layerOf[number] as number] as number;
    const keepOnly = (name: ColumnName, isKept: (value: number) => boolean) => {
      const values = this.values(name);
      for (let number = 0; number < allowed.length; number++)
        if (!isKept(values[number] as number)) allowed[number] = 0;
    };
    if (roles !== undefined) {
      const wanted = new Set([...roles.map((role) => ROLES.indexOf(role)), ROLES.length]);
      keepOnly('role', (value) => wanted.has(value));
    }
    if (except !== undefined) this.#leaveOut(except, allowed);
    if (session !== undefined) {
      const wanted = this.#sessions.find(session);
      keepOnly('session', (value) => value === wanted);
    }
    if (since !== undefined || until !== undefined) {
      const from = since === undefined ? Number.NEGATIVE_INFINITY : timeIn(since);
      const to = until === undefined ? Number.POSITIVE_INFINITY : timeIn(until);
      keepOnly('at', (at) => at >= from && at <= to);
    }
    return allowed;
  }

  #leaveOut({ session, since }: NonNullable<EntryFilter['except']>, allowed: Uint8Array): void {
    const left = this.#sessions.find(session);
    const from = since === undefined ? Number.NEGATIVE_INFINITY : timeIn(since);
    const [times, sessions] = [this.values('at'), this.values('session')];
    for (let number = 0; number < allowed.length; number++)
      // A time that is not known is not before it.
      if (sessions[number] === left && !((times[number] as number) < from)) allowed[number] = 0;
  }
}

function noEntries(): SavedEntries {
  const columns = {
    layer: new Uint8Array(),
    role: new Uint8Array(),
    project: new Uint32Array(),
    session: new Uint32Array(),
    at: new Float64Array(),
    length: new Uint32Array(),
  };
  return { ids: [], titles: [], projects: [], sessions: [], columns };
}

function mapColumns<T, U>(
  columns: Record<ColumnName, T>,
  change: (column: T) => U,
): Record<ColumnName, U> {
  const changed = Object.entries(columns).map(([name, column]) => [name, change(column)]);
  return Object.fromEntries(changed);
}

function timeIn(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new ExpectedError(message('memory.notATime', { text }));
  return time;
}
