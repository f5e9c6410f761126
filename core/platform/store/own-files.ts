/**
 * Checks that folders hold nothing but the project's own files (M1), and returns the first link
 * that must not be followed. A cloned repository can bring links that lead anywhere; their targets
 * would be shown, given to Claude, or written to.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { attempt } from './attempt.ts';
import { isWithin } from './places.ts';

/** A folder's time may stay the same while it is changed again within a moment. */
const SETTLED_MS = 1000;

/** Folders without links, with their subfolders, so that years of sessions are not read each time. */
const withoutLinks = new Map<string, { mark: string; folders: string[] }>();

/** Undefined if there is none. The user may have made a link to a file within the project. */
export function linkLeadingOut(folders: readonly string[], within: string): Message | undefined {
  for (const folder of folders) {
    const link = isWithin(folder, within) ? linkBelow(folder, within) : folder;
    if (link !== undefined) return message('store.leadsOut', { path: link });
  }
  return undefined;
}

/** What a hook has time to check: the folders themselves, and what is directly in the first. */
export function linkAtTop(folders: readonly string[], within: string): Message | undefined {
  const [first = ''] = folders;
  const out =
    folders.find((folder) => !isWithin(folder, within)) ??
    strayLink(first, entriesOf(first), within);
  return out === undefined ? undefined : message('store.leadsOut', { path: out });
}

export function assertNoLinkOut(folders: readonly string[], within: string): void {
  const problem = linkLeadingOut(folders, within);
  if (problem !== undefined) throw new ExpectedError(problem);
}

function linkBelow(folder: string, within: string): string | undefined {
  const info = statSync(folder, { bigint: true, throwIfNoEntry: false });
  if (info === undefined) return undefined;
  const mark = `${info.ino} ${info.mtimeNs}`;
  let checked = withoutLinks.get(folder);
  if (checked?.mark !== mark) {
    const entries = entriesOf(folder);
    const stray = strayLink(folder, entries, within);
    if (stray !== undefined) return stray;
    const folders = entries.filter((entry) => entry.isDirectory());
    checked = { mark, folders: folders.map(({ name }) => join(folder, name)) };
    const isSettled = Date.now() - Number(info.mtimeMs) > SETTLED_MS;
    if (isSettled && !entries.some((entry) => entry.isSymbolicLink()))
      withoutLinks.set(folder, checked);
  }
  for (const inner of checked.folders) {
    const link = linkBelow(inner, within);
    if (link !== undefined) return link;
  }
  return undefined;
}

function entriesOf(folder: string): Dirent[] {
  return attempt(() => readdirSync(folder, { withFileTypes: true }), []); // not there yet
}

function strayLink(folder: string, entries: readonly Dirent[], within: string): string | undefined {
  return entries
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
    .find((link) => !isFileWithin(link, within));
}

/**
 * False for a link to nothing yet, because appending would create the file there, and for a link to
 * a folder, which may hold links of its own.
 */
function isFileWithin(link: string, within: string): boolean {
  const target = attempt(() => realpathSync.native(link), undefined);
  return (
    target !== undefined &&
    isWithin(target, within) &&
    statSync(target, { throwIfNoEntry: false })?.isDirectory() === false
  );
}
