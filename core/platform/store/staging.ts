/**
 * Changes many files at once (M20, M21). The new files are made ready in a staging folder; a swap
 * then puts them in place by renames alone, which need no room on the disk. A swap that fails is
 * turned back, one that was killed is finished.
 */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { linkOrCopy, makePrivateFolder, writeFileAtomic } from './atomic-write.ts';
import { attempt, parseJson } from './attempt.ts';
import { disk } from './disk.ts';
import { mayBeAlive, randomHex, thisProcess } from './owner.ts';

const STAGING_NAME = /^\.staging-(\d+)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}$/;
const MARK = 'swap.json';

/** A plain file name, no path. */
const Name = v.pipe(
  v.string(),
  v.check((name) => isContent(name) && !/[/\\]/.test(name)),
);
const Mark = v.record(v.string(), v.object({ coming: v.array(Name), going: v.array(Name) }));
type Mark = v.InferOutput<typeof Mark>;

/** Name of a part, such as `memory`, to the folder that is in use. */
export type LiveFolders = Record<string, string>;

export function makeStaging(parent: string): string {
  const { pid, startTime, host } = thisProcess();
  const folder = join(parent, `.staging-${pid}-${startTime}-${host}-${randomHex(8)}`);
  makePrivateFolder(folder);
  return folder;
}

/** What counts as content: no locks, temporary files, other stagings, nor a `.gitignore`. */
export function isContent(name: string): boolean {
  return name === '.history' || (!name.startsWith('.') && !name.endsWith('.lock') && name !== '');
}

/**
 * Makes `<staging>/new/<part>` the content of each live folder; the names in `staying` remain there
 * in any case. Call it under the locks of what is in the folders.
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

/** Whether a killed process has left a staging. */
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

/** Finishes swaps that had begun and removes all other leftovers, under the same locks. */
export function finishStagings(parent: string, live: LiveFolders): void {
  for (const staging of leftovers(parent)) {
    const text = attempt(() => readFileSync(join(staging, MARK), 'utf8'), '');
    const mark = v.safeParse(Mark, parseJson(text));
    if (mark.success) finish(staging, live, mark.output);
    disk.rmSync(staging, { recursive: true, force: true });
  }
}

/** Each step checks whether it has been done, so all of it can be repeated. */
function finish(staging: string, live: LiveFolders, mark: Mark): void {
  for (const [part, folder] of Object.entries(live)) {
    const { coming = [], going = [] } = mark[part] ?? {};
    const old = join(staging, 'old', part);
    makePrivateFolder(old);
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
  const madeSince = isThere?.isDirectory() && existsSync(old) ? join(old, randomHex(8)) : undefined;
  if (isThere?.isFile() && !existsSync(old)) linkOrCopy(live, old);
  else if (isThere?.isDirectory()) disk.renameSync(live, madeSince ?? old);
  disk.renameSync(coming, live);
  if (madeSince !== undefined) linkMissing(madeSince, live);
}

/** After a kill between two renames, a hook made the folder again: what only it wrote stays. */
function linkMissing(from: string, to: string): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!existsSync(target))
      entry.isDirectory() ? linkFolder(source, target) : linkFile(source, target);
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
  return attempt(() => readdirSync(folder), []).filter(isContent);
}

/** Gives the file a second name without copying; what is appended to one is in the other too. */
export function linkFile(from: string, to: string): void {
  makePrivateFolder(dirname(to));
  linkOrCopy(from, to);
}

/** For a folder whose files are only ever replaced as a whole. */
export function linkFolder(from: string, to: string): void {
  for (const entry of attempt(() => readdirSync(from, { withFileTypes: true }), [])) {
    if (entry.isDirectory()) linkFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) linkFile(join(from, entry.name), join(to, entry.name));
  }
}
