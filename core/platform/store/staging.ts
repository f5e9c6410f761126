/**
 * Folders in which a change of many files is made ready (M20, M21), and the swap that makes it
 * count: what was made ready takes the place of what is there by renames alone, which need no room
 * on the disk. A swap that fails is turned back, one that was killed is finished.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { keepUnder, PRIVATE_FOLDER, writeFileAtomic } from './atomic-write.ts';
import { attempt, parseJson } from './attempt.ts';
import { disk } from './disk.ts';
import { mayBeAlive, thisProcess, unlikelyName } from './owner.ts';

const STAGING_NAME = /^\.staging-(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}$/;
const MARK = 'swap.json';

/** A plain file name, no path. */
const Name = v.pipe(
  v.string(),
  v.check((name) => isSwapped(name) && !/[/\\]/.test(name)),
);
const Mark = v.record(v.string(), v.object({ coming: v.array(Name), going: v.array(Name) }));
type Mark = v.InferOutput<typeof Mark>;

/** Name of a part, such as `memory`, to the folder that is in use. */
export type LiveFolders = Record<string, string>;

export function makeStaging(parent: string): string {
  const { pid, startTime, host } = thisProcess();
  const folder = join(parent, `.staging-${pid}-${startTime}-${host}-${unlikelyName(8)}`);
  disk.mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  return folder;
}

/**
 * What counts as the folder's content: no locks, no temporary files, no other stagings, and no
 * `.gitignore`.
 */
export function isSwapped(name: string): boolean {
  return name === '.history' || (!name.startsWith('.') && !name.endsWith('.lock') && name !== '');
}

/**
 * What stands in `<staging>/new/<part>` becomes the content of each live folder, but for the names
 * that stay there whatever comes. To be called under the locks of what is in them.
 */
export function swapIn(staging: string, live: LiveFolders, staying: readonly string[] = []): void {
  const mark: Mark = {};
  for (const [part, folder] of Object.entries(live)) {
    const coming = namesIn(join(staging, 'new', part));
    mark[part] = {
      coming,
      going: namesIn(folder).filter((name) => !coming.includes(name) && !staying.includes(name)),
    };
  }
  writeFileAtomic(join(staging, MARK), JSON.stringify(mark));
  try {
    finish(staging, live, mark);
  } catch (error) {
    turnBack(staging, live, mark);
    throw error;
  }
  disk.rmSync(staging, { recursive: true, force: true });
}

/** Whether a process that was killed has left something. */
export function hasLeftovers(parent: string): boolean {
  return leftovers(parent).length > 0;
}

function leftovers(parent: string): string[] {
  const names = attempt(() => readdirSync(parent), []).filter((name) => {
    const [, pid, startTime = '', host = ''] = STAGING_NAME.exec(name) ?? [];
    return pid !== undefined && !mayBeAlive({ pid: Number(pid), startTime, host });
  });
  return names.map((name) => join(parent, name));
}

/** A swap that had begun is finished, everything else goes. To be called under the same locks. */
export function finishStagings(parent: string, live: LiveFolders): void {
  for (const staging of leftovers(parent)) {
    const mark = v.safeParse(
      Mark,
      parseJson(attempt(() => readFileSync(join(staging, MARK), 'utf8'), '')),
    );
    if (mark.success) finish(staging, live, mark.output);
    disk.rmSync(staging, { recursive: true, force: true });
  }
}

/** Each step looks whether it has been done, so all of it may be done again. */
function finish(staging: string, live: LiveFolders, mark: Mark): void {
  for (const [part, folder] of Object.entries(live)) {
    const { coming = [], going = [] } = mark[part] ?? {};
    const old = join(staging, 'old', part);
    disk.mkdirSync(old, { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of coming)
      takeIn(join(staging, 'new', part, name), join(folder, name), join(old, name));
    for (const name of going)
      if (existsSync(join(folder, name))) disk.renameSync(join(folder, name), join(old, name));
  }
}

/** A file is never missing: the new one is renamed over it. */
function takeIn(coming: string, live: string, old: string): void {
  const isThere = lstatSync(live, { throwIfNoEntry: false });
  if (!existsSync(coming)) return;
  const madeSince =
    isThere?.isDirectory() && existsSync(old) ? join(old, unlikelyName(8)) : undefined;
  if (isThere?.isFile() && !existsSync(old)) keepUnder(live, old);
  else if (isThere?.isDirectory()) disk.renameSync(live, madeSince ?? old);
  disk.renameSync(coming, live);
  if (madeSince !== undefined) linkMissing(madeSince, live);
}

/**
 * A hook has made the folder anew after a kill between the two renames: what it wrote there, and
 * nobody else has, stays.
 */
function linkMissing(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!existsSync(target))
      entry.isDirectory() ? linkFolder(source, target) : linkInto(source, target);
    else if (entry.isDirectory()) linkMissing(source, target);
  }
}

function turnBack(staging: string, live: LiveFolders, mark: Mark): void {
  for (const [part, folder] of Object.entries(live)) {
    const { coming = [] } = mark[part] ?? {};
    for (const name of coming) {
      const ready = join(staging, 'new', part, name);
      if (!existsSync(ready) && existsSync(join(folder, name)))
        disk.renameSync(join(folder, name), ready);
    }
    for (const name of namesIn(join(staging, 'old', part)))
      disk.renameSync(join(staging, 'old', part, name), join(folder, name));
  }
  disk.rmSync(join(staging, MARK), { force: true });
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder), []).filter(isSwapped);
}

/**
 * The file as it is now, under another name; nothing is copied where that can be helped. What is
 * appended to one is in the other too.
 */
export function linkInto(from: string, to: string): void {
  disk.mkdirSync(dirname(to), { recursive: true, mode: PRIVATE_FOLDER });
  keepUnder(from, to);
}

/** The same for a folder of files that are only ever replaced as a whole. */
export function linkFolder(from: string, to: string): void {
  for (const entry of attempt(() => readdirSync(from, { withFileTypes: true }), [])) {
    if (entry.isDirectory()) linkFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) linkInto(join(from, entry.name), join(to, entry.name));
  }
}
