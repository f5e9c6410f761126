/**
 * Kills and full disks without a process and a mount: an action runs with a disk of its own, which
 * dies at the given step and changes nothing any more, whatever the action catches or cleans up, or
 * has no room from there on. Steps are the moments before each change, and the middle of those that
 * can be torn. What the action leaves looks like that of a process that has ended. Power cuts are
 * another matter: fsync does nothing here.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { type Disk, disk } from '../../core/platform/store/disk.ts';
import { actAs, thisProcess } from '../../core/platform/store/owner.ts';

/** No system gives out this process number, nor those after it. */
let nobody = 2 ** 22 + 1;
const actAsNobody = () =>
  actAs({ ...thisProcess(), pid: nobody++, startTime: thisProcess().startTime && '1' });

export interface Moment {
  step: number;
  call: keyof Disk;
  args: readonly unknown[];
}

type AtMoment = (moment: Moment) => 'die' | 'full' | undefined;

const NEEDS_ROOM = new Set<keyof Disk>([
  ...(['appendFileSync', 'copyFileSync', 'cpSync', 'createWriteStream', 'linkSync'] as const),
  ...(['mkdirSync', 'openSync', 'writeFileSync', 'writeSync'] as const),
]);

/** As the system tells it. */
const DISK_FULL = { code: 'ENOSPC', errno: -28, syscall: 'write' };

/** One simulated process. Work of it that goes on in the background dies with it. */
class Life {
  readonly moments: Moment[] = [];
  isOver = false;
  isFull = false;
  readonly #atMoment: AtMoment;
  /** Bytes that are still to come of a write that was cut in two, by file. */
  readonly toCome = new Map<number, number>();

  constructor(atMoment: AtMoment) {
    this.#atMoment = atMoment;
  }

  /** Counts a step; throws if the change cannot be made (any more). */
  step(call: keyof Disk, args: readonly unknown[]): void {
    this.#assertPossible(call);
    const moment = { step: this.moments.length, call, args };
    this.moments.push(moment);
    // What is done there is done by others.
    const outcome = current.exit(() => this.#atMoment(moment));
    this.isOver = outcome === 'die';
    // Its own locks are a dead process's from now on: it must not wait for them.
    if (this.isOver) actAsNobody();
    this.isFull ||= outcome === 'full';
    this.#assertPossible(call);
  }

  /** The same in the middle of a change, which then leaves a part behind. */
  halfway(call: keyof Disk, args: readonly unknown[], leave: () => void): void {
    try {
      this.step(call, args);
    } catch (error) {
      leave();
      throw error;
    }
  }

  #assertPossible(call: keyof Disk): void {
    if (this.isOver) throw new Error('the simulated process was killed');
    if (this.isFull && NEEDS_ROOM.has(call))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), DISK_FULL);
  }
}

const current = new AsyncLocalStorage<Life>();
const real: Disk = { ...disk };

export interface Outcome {
  moments: Moment[];
  isKilled: boolean;
  isFull: boolean;
}

/** Runs an action, looks at each of its steps, and ends it where that says so. */
export async function stepThrough(
  action: () => unknown,
  atMoment: AtMoment = () => undefined,
): Promise<Outcome> {
  Object.assign(disk, simulated);
  const life = new Life(atMoment);
  actAsNobody();
  try {
    await current.run(life, async () => action());
  } catch (error) {
    if (!life.isOver) throw error;
  } finally {
    actAs(undefined);
  }
  return { moments: life.moments, isKilled: life.isOver, isFull: life.isFull };
}

/** Ends the simulated process at a step. */
export function killedAt(step: number, action: () => unknown): Promise<Outcome> {
  return stepThrough(action, (moment) => (moment.step === step ? 'die' : undefined));
}

/** Leaves no room on the disk from a step on. The action's own error goes on. */
export function fullFrom(step: number, action: () => unknown): Promise<Outcome> {
  return stepThrough(action, (moment) => (moment.step === step ? 'full' : undefined));
}

/** A change that is made as a whole or not at all. */
function atomic<N extends keyof Disk>(name: N): Disk[N] {
  return torn(name, () => undefined);
}

/** A change that can be torn: `half` gives back what leaves a part of it behind. */
function torn<N extends keyof Disk>(
  name: N,
  half: (...args: Parameters<Disk[N]>) => (() => void) | undefined,
): Disk[N] {
  const call = real[name] as (...args: unknown[]) => unknown;
  const change = (...args: Parameters<Disk[N]>) => {
    const life = current.getStore();
    life?.step(name, args);
    const leave = life && half(...args);
    if (leave) life.halfway(name, args, leave);
    return call(...args);
  };
  return change as unknown as Disk[N];
}

const asBytes = (data: unknown) =>
  typeof data === 'string' ? Buffer.from(data) : (data as Uint8Array);
const firstHalf = (data: unknown) => asBytes(data).subarray(0, asBytes(data).length >> 1);

/** Neither reading nor making what is there leaves anything behind, so neither is a step. */
const WRITING = fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT;
const isWriting = (flags: unknown) =>
  typeof flags === 'number' ? (flags & WRITING) !== 0 : flags !== 'r';

/** Files below a folder, or the file itself. */
function filesIn(path: string): string[] {
  if (!fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return fs
    .readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

function copyHalf(from: string, to: string): void {
  const files = filesIn(from);
  for (const file of files.slice(0, (files.length >> 1) + 1)) {
    const copy = file === from ? to : join(to, file.slice(from.length));
    fs.mkdirSync(dirname(copy), { recursive: true });
    fs.writeFileSync(copy, firstHalf(fs.readFileSync(file)));
  }
}

function missingFolders(path: string): string[] {
  return fs.existsSync(path) ? [] : [...missingFolders(dirname(path)), path];
}

const makeFolder = torn('mkdirSync', (path) => {
  const [first, ...others] = missingFolders(String(path));
  return others.length > 0 ? () => fs.mkdirSync(String(first)) : undefined;
});

const simulated: Disk = {
  ...real,
  chmodSync: atomic('chmodSync'),
  linkSync: atomic('linkSync'),
  renameSync: atomic('renameSync'),
  rmdirSync: atomic('rmdirSync'),
  unlinkSync: atomic('unlinkSync'),
  utimesSync: atomic('utimesSync'),
  appendFileSync: torn('appendFileSync', (file, data) => () => {
    real.appendFileSync(file, firstHalf(data));
  }),
  writeFileSync: torn('writeFileSync', (file, data) => () => {
    real.writeFileSync(file, firstHalf(data));
  }),
  copyFileSync: torn('copyFileSync', (from, to) => () => copyHalf(String(from), String(to))),
  cpSync: torn('cpSync', (from, to) => () => copyHalf(String(from), String(to))),
  mkdirSync: ((path: string, options: fs.MakeDirectoryOptions) => {
    const isStep = current.getStore() !== undefined && !fs.existsSync(path);
    return isStep ? makeFolder(path, options) : real.mkdirSync(path, options);
  }) as Disk['mkdirSync'],
  rmSync: torn('rmSync', (path) => {
    const files = filesIn(String(path));
    if (files.length < 2) return undefined;
    return () => files.slice(0, files.length >> 1).forEach((file) => void fs.rmSync(file));
  }),
  openSync: ((path, flags, mode) => {
    if (isWriting(flags)) current.getStore()?.step('openSync', [path, flags]);
    return real.openSync(path, flags, mode);
  }) as Disk['openSync'],
  fsyncSync: (file) => {
    if (current.getStore() === undefined) real.fsyncSync(file);
  },
  /** The system may write less than it is given, so each write takes two calls. */
  writeSync: ((file: number, data: Uint8Array) => {
    const life = current.getStore();
    if (life === undefined) return real.writeSync(file, data);
    life.step('writeSync', [file, data]);
    const isRest = life.toCome.get(file) === data.length;
    const written = isRest ? data.length : (data.length + 1) >> 1;
    life.toCome.set(file, data.length - written);
    return real.writeSync(file, data.subarray(0, written));
  }) as Disk['writeSync'],
  createWriteStream: ((path: string, options: object) => {
    const life = current.getStore();
    if (life === undefined) return real.createWriteStream(path, options);
    life.step('createWriteStream', [path]);
    return real.createWriteStream(path, { ...options, fs: streamCalls(life) });
  }) as Disk['createWriteStream'],
};

function streamCalls(life: Life) {
  type Write = (file: number, data: Buffer, from: number, length: number, ...rest: never[]) => void;
  const write: Write = (file, data, from, length, ...rest) => {
    const done = rest.at(-1) as unknown as (error: Error | null, written: number) => void;
    try {
      life.step('writeSync', [file, data]);
      life.halfway('writeSync', [file, data], () => fs.writeSync(file, data, from, length >> 1));
      done(null, fs.writeSync(file, data, from, length));
    } catch (error) {
      done(error as Error, 0);
    }
  };
  const fsync = (_file: number, done: (error: Error | null) => void) => done(null);
  return { open: fs.open, close: fs.close, write, fsync };
}
