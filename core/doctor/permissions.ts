/**
 * Checks who may read and write our own folder and the memories of all known projects (M18, G8).
 * Reports the worst kind of problem, with one fix for all of them: it takes rights from others and
 * gives the owner what they need, from the outside in, and touches no link.
 */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { trashFolder } from '../memory/tiers/trash.ts';
import { type Message, message } from '../messages/message.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../platform/store/atomic-write.ts';
import { attempt } from '../platform/store/attempt.ts';
import { changeMode } from '../platform/store/file-changes.ts';
import { isInaccessible, nearestFolder } from '../platform/store/places.ts';
import { marketplaceFolder } from '../plugin/plugin-copy.ts';
import { firstFew, notice, type Patient, problem, type Result, well } from './check.ts';
import type { Fix } from './finding.ts';

const MOST_ENTRIES = 50_000;
const OTHERS_READ = 0o044;
const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
const OWNER_EXECUTES = 0o100;

/** Another user's; we may not use it; others may change it; others may read it. The worst first. */
const KINDS = ['foreign', 'shut', 'writable', 'open'] as const;
const FOUND = {
  foreign: 'doctor.permissionsForeign',
  shut: 'doctor.permissionsDenied',
  writable: 'doctor.permissionsWritable',
  open: 'doctor.permissionsReadable',
} as const;

interface WrongMode {
  path: string;
  kind: (typeof KINDS)[number];
  mode: number;
  wanted: number;
}

export async function checkPermissions(patient: Patient): Promise<Result> {
  const { claude, home } = patient.options.places;
  // Our own folder has a fix; those around it are the user's.
  const shutFolder = [claude, home]
    .map(nearestFolder)
    .find((folder) => folder !== home && isInaccessible(folder));
  if (shutFolder !== undefined) return problemOfFolder(shutFolder);
  const wrong: WrongMode[] = [];
  for await (const one of wrongModes(patient)) wrong.push(one);
  const worst = KINDS.find((kind) => wrong.some((one) => one.kind === kind));
  const ofKind = wrong.filter(({ kind }) => kind === worst);
  const [first] = ofKind;
  if (worst === undefined || first === undefined) return well(message('doctor.permissionsFound'));
  const found = message(FOUND[worst], { files: listed(ofKind) });
  const fix = fixFor(wrong.filter(({ kind }) => kind !== 'foreign'));
  if (worst === 'foreign')
    return problem(found, message('doctor.permissionsForeignMend', { path: first.path }), fix);
  return (worst === 'open' ? notice : problem)(found, undefined, fix);
}

function problemOfFolder(folder: string): Result {
  const isOurs = statSync(folder).uid === process.geteuid?.();
  return problem(
    message('doctor.permissionsFolder', { folder }),
    message(isOurs ? 'doctor.permissionsFolderMode' : 'doctor.permissionsFolderOwner', { folder }),
  );
}

function fixFor(wrong: readonly WrongMode[]): Fix | undefined {
  if (wrong.length === 0) return undefined;
  const label = message('doctor.permissionsFix');
  return { id: 'permissions', label, preview: wrong.map(modeChange) };
}

function listed(wrong: readonly WrongMode[]): (Message | string)[] {
  return firstFew(
    wrong.map(({ path, mode }) => message('doctor.fileMode', { path, mode: octal(mode) })),
  );
}

/** A folder that we may not read is mended before what is in it. */
export async function makeAllPrivate(patient: Patient): Promise<Message[]> {
  const done: Message[] = [];
  for await (const wrong of wrongModes(patient)) {
    if (wrong.kind === 'foreign') continue;
    changeMode(wrong.path, wrong.wanted);
    done.push(modeChange(wrong));
  }
  return done;
}

function modeChange({ path, mode, wanted }: WrongMode): Message {
  return message('doctor.permissionsChange', { path, from: octal(mode), to: octal(wanted) });
}

const octal = (mode: number) => mode.toString(8).padStart(4, '0');

async function* wrongModes(patient: Patient): AsyncGenerator<WrongMode> {
  if (patient.platform === 'win32') return;
  const { home } = patient.options.places;
  const memories = patient
    .projects()
    .flatMap((memory) => [memory.folder, memory.sessions, trashFolder(memory)]);
  for (const top of [home, ...memories.filter((folder) => !folder.startsWith(home))])
    yield* wrongModesBelow(top, marketplaceFolder(patient.options.places));
}

/** Yields a folder before it reads what lies in it. */
async function* wrongModesBelow(top: string, copy: string): AsyncGenerator<WrongMode> {
  const waiting = [top];
  let seen = 0;
  for (let path = waiting.pop(); path !== undefined && seen < MOST_ENTRIES; path = waiting.pop()) {
    seen++;
    const info = await lstat(path).catch(() => undefined); // gone meanwhile
    if (!info?.isDirectory() && !info?.isFile()) continue; // a link, a pipe
    const wrong = wrongModeOf(path, info, path.startsWith(copy));
    if (wrong !== undefined) yield wrong;
    if (!info.isDirectory()) continue;
    const names = await readdir(path).catch(() => []); // shut, and reported already
    waiting.push(...names.map((name) => join(path, name)));
  }
}

/** `isCopy`: copied from the application with its rights, so it holds nothing of the user's. */
function wrongModeOf(path: string, info: Stats, isCopy: boolean): WrongMode | undefined {
  const mode = info.mode & 0o777;
  const isFolder = info.isDirectory();
  const owned = isFolder ? PRIVATE_FOLDER : PRIVATE_FILE | (mode & OWNER_EXECUTES);
  const wanted = isCopy ? mode & ~OTHERS_WRITE : owned;
  if (info.uid !== process.geteuid?.()) return { path, kind: 'foreign', mode, wanted };
  if (!isUsable(path, mode, isFolder))
    return { path, kind: 'shut', mode, wanted: isCopy ? wanted | PRIVATE_FOLDER : wanted };
  if ((mode & OTHERS_WRITE) !== 0) return { path, kind: 'writable', mode, wanted };
  const isOpen = (mode & (isFolder ? OTHERS : OTHERS_READ)) !== 0;
  return isOpen && !isCopy ? { path, kind: 'open', mode, wanted } : undefined;
}

/** By the mode too: an administrator can write everything, the hooks of a session may not. */
function isUsable(path: string, mode: number, isFolder: boolean): boolean {
  const needed = isFolder ? PRIVATE_FOLDER : PRIVATE_FILE;
  if ((mode & needed) !== needed) return false;
  return attempt(() => accessSync(path, constants.R_OK | constants.W_OK), false) !== false;
}
