/**
 * Sees what happens to the sessions, from outside and whatever Memory Keeper says of it: keys in
 * tmux's log, states and ids in Claude Code's registry with the CLI's own times, requests to the
 * mod as they appear, and what L1 held at the moment of each of them.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { modRequestPrefix } from '../../core/clear/delivery/mod.ts';
import type { Places } from '../../core/platform/store/places.ts';
import { findProjectMemory } from '../../core/projects/project-memory.ts';
import type { KeyLog, WrittenKey } from './key-log.ts';

const LOOK_EVERY_MS = 15;

export interface Sighting {
  at: number;
  status: string;
  sessionId: string;
}

export interface Clear {
  from: string;
  to: string;
  at: number;
  /** L1 of the project when the last key or request before it was seen; undefined if none was. */
  l1: string | undefined;
}

/** One session, as far as it was seen in this trial. */
export class Trace {
  readonly pid: number;
  readonly pane: string;
  readonly project: string;
  sightings: Sighting[] = [];
  /** Keys that the test did not send. */
  foreign: WrittenKey[] = [];
  asks: number[] = [];
  clears: Clear[] = [];
  /** Since the beginning. */
  ownKeys = 0;
  l1: string | undefined;
  lastAsk = '';

  constructor(pid: number, pane: string, project: string) {
    this.pid = pid;
    this.pane = pane;
    this.project = project;
  }

  get now(): Sighting | undefined {
    return this.sightings.at(-1);
  }

  /** How long the session had not been idle at a time, in milliseconds; 0 if it was. */
  notIdleFor(time: number): number {
    const before = this.sightings.filter(({ at }) => at <= time);
    const lastIdle = before.findLastIndex(({ status }) => status === 'idle' || status === 'shell');
    const since = before[lastIdle + 1];
    return since === undefined ? 0 : time - since.at;
  }

  startAnew(): void {
    this.sightings = this.sightings.slice(-1);
    this.foreign = [];
    this.asks = [];
    this.clears = [];
    this.l1 = undefined;
  }
}

export class Witness {
  readonly traces: Trace[] = [];
  /** Keys to panes that no session lives in. */
  stray: WrittenKey[] = [];
  readonly #places: Places;
  readonly #logs: readonly { server: string; log: KeyLog }[];
  readonly #l1 = new Map<string, { mark: string; text: string }>();
  readonly #timer: NodeJS.Timeout;

  constructor(places: Places, logs: readonly { server: string; log: KeyLog }[]) {
    this.#places = places;
    this.#logs = logs;
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    for (const { server, log } of this.#logs)
      for (const key of log.read()) this.#meetKey(server, key);
    for (const trace of this.traces) this.#lookForAsk(trace);
    for (const trace of this.traces) this.#lookAtRegistry(trace);
  }

  startAnew(): void {
    this.look();
    for (const { log } of this.#logs) log.shorten();
    for (const trace of this.traces) trace.startAnew();
    this.stray = [];
  }

  /** All that stands in L1 of a project. */
  l1Of(project: string): string {
    const folder = findProjectMemory(this.#places, project)?.sessions ?? '';
    const names = ifThere(() => readdirSync(folder), []).filter((name) =>
      name.endsWith('.l1.jsonl'),
    );
    return names.map((name) => this.#l1Text(join(folder, name))).join('\n');
  }

  #meetKey(server: string, key: WrittenKey): void {
    const trace = this.traces.find(({ pane }) => pane === `${server} ${key.pane}`);
    if (trace === undefined) this.stray.push(key);
    else if (!key.isForeign) trace.ownKeys++;
    else {
      trace.foreign.push(key);
      trace.l1 = this.l1Of(trace.project);
    }
  }

  #lookForAsk(trace: Trace): void {
    const path = `${modRequestPrefix(this.#places, trace.pid)}${trace.now?.sessionId}.json`;
    const ask = ifThere(() => JSON.parse(readFileSync(path, 'utf8')), undefined);
    if (ask?.action !== 'clear' || ask.id === trace.lastAsk) return;
    trace.lastAsk = ask.id;
    trace.asks.push(Date.now());
    trace.l1 = this.l1Of(trace.project);
  }

  #lookAtRegistry(trace: Trace): void {
    const path = join(this.#places.claude, 'sessions', `${trace.pid}.json`);
    const entry = ifThere(() => JSON.parse(readFileSync(path, 'utf8')), undefined); // rewritten just now
    if (entry === undefined) return;
    const { now } = trace;
    const { status, sessionId } = entry;
    if (now?.status === status && now?.sessionId === sessionId) return;
    const isNewStatus = now?.status !== status && typeof entry.statusUpdatedAt === 'number';
    const at = Math.max(isNewStatus ? entry.statusUpdatedAt : Date.now(), now?.at ?? 0);
    trace.sightings.push({ at, status, sessionId });
    if (now !== undefined && now.sessionId !== sessionId)
      trace.clears.push({ from: now.sessionId, to: sessionId, at: Date.now(), l1: trace.l1 });
  }

  #l1Text(path: string): string {
    const info = statSync(path, { throwIfNoEntry: false });
    const mark = `${info?.size} ${info?.mtimeMs}`;
    const known = this.#l1.get(path);
    if (known?.mark === mark) return known.text;
    const text = ifThere(() => readFileSync(path, 'utf8'), '');
    this.#l1.set(path, { mark, text });
    return text;
  }
}

function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
