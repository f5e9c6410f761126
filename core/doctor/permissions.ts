/**
 * Who may read and write what we keep (M18, G8): our own folder and the memories of all known
 * projects. Looking gives back what is not as it should be; mending takes rights from others and
 * gives the owner what they need, from the outside in, and touches no link.
 */
import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, message } from '../messages/message.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../platform/store/atomic-write.ts';
import { changeMode } from '../platform/store/prune.ts';
import { marketplaceFolder } from '../plugin/plugin-copy.ts';
import type { Patient } from './check.ts';

const MOST_ENTRIES = 50_000;
const OTHERS_READ = 0o044;
const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
const OWNER_EXECUTES = 0o100;

export interface Amiss {
  path: string;
  /**
   * `open`: others may read it. `writable`: others may change it. `shut`: we may not use it.
   * `foreign`: another user's.
   */
  how: 'open' | 'writable' | 'shut' | 'foreign';
  mode: number;
  wanted: number;
}

export async function permissionsAmiss(patient: Patient): Promise<Amiss[]> {
  const amiss: Amiss[] = [];
  for (const folder of foldersOf(patient))
    for await (const found of lookInto(patient, folder)) amiss.push(found);
  return amiss;
}

/** A folder that we may not look into is mended first, and then what is in it. */
export async function makeAllPrivate(patient: Patient): Promise<Message[]> {
  const done: Message[] = [];
  for (const folder of foldersOf(patient))
    for await (const amiss of lookInto(patient, folder)) {
      if (amiss.how === 'foreign') continue;
      changeMode(amiss.path, amiss.wanted);
      done.push(modeChange(amiss));
    }
  return done;
}

export function modeChange({ path, mode, wanted }: Amiss): Message {
  return message('doctor.permissionsChange', { path, from: octal(mode), to: octal(wanted) });
}

export const octal = (mode: number) => mode.toString(8).padStart(4, '0');

function foldersOf(patient: Patient): string[] {
  const { home } = patient.options.places;
  const memories = patient.projects().flatMap(({ folder, sessions }) => [folder, sessions]);
  return [home, ...memories.filter((folder) => !folder.startsWith(home))];
}

/** Each one is told before what lies in it is looked at. */
async function* lookInto(patient: Patient, top: string): AsyncGenerator<Amiss> {
  const waiting = [top];
  let seen = 0;
  for (let path = waiting.pop(); path !== undefined && seen < MOST_ENTRIES; path = waiting.pop()) {
    seen++;
    const info = await lstat(path).catch(() => undefined); // gone meanwhile
    if (info === undefined) continue;
    const isFolder = info.isDirectory();
    if (!isFolder && !info.isFile()) continue; // a link, a pipe
    const found = await amissAt(patient, path, {
      mode: info.mode & 0o777,
      uid: info.uid,
      isFolder,
    });
    if (found !== undefined) yield found;
    if (!isFolder) continue;
    const names = await readdir(path).catch(() => []); // shut, and told already
    waiting.push(...names.map((name) => join(path, name)));
  }
}

async function amissAt(
  patient: Patient,
  path: string,
  { mode, uid, isFolder }: { mode: number; uid: number; isFolder: boolean },
): Promise<Amiss | undefined> {
  if (patient.platform === 'win32') return undefined;
  const user = process.geteuid?.();
  // What is copied from the application has its rights: it holds nothing of the user's, and some of
  // it is started.
  const isCopy = path.startsWith(marketplaceFolder(patient.options.places));
  const wanted = isCopy
    ? mode & ~OTHERS_WRITE
    : isFolder
      ? PRIVATE_FOLDER
      : PRIVATE_FILE | (mode & OWNER_EXECUTES);
  const at = (how: Amiss['how']): Amiss => ({
    path,
    how,
    mode,
    wanted: how === 'shut' && isCopy ? wanted | PRIVATE_FOLDER : wanted,
  });
  if (user !== undefined && uid !== user) return at('foreign');
  if (!(await isUsable(path, mode, isFolder))) return at('shut');
  if ((mode & OTHERS_WRITE) !== 0) return at('writable');
  const isOpen = isFolder ? (mode & OTHERS) !== 0 : (mode & OTHERS_READ) !== 0;
  return isOpen && !isCopy ? at('open') : undefined;
}

/**
 * By the rights and not only by trying: for an administrator everything can be written, and for the
 * hooks of a session it may not be.
 */
async function isUsable(path: string, mode: number, isFolder: boolean): Promise<boolean> {
  const needed = isFolder ? PRIVATE_FOLDER : PRIVATE_FILE;
  if ((mode & needed) !== needed) return false;
  const tried = access(path, constants.R_OK | constants.W_OK);
  return tried.then(
    () => true,
    () => false,
  );
}
