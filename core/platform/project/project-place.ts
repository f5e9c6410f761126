/**
 * Where the memory of a project lies (M1): in a folder of the user's home with a random id, never in
 * the project. The repository's git folder leads to it, so that all worktrees share one memory; a
 * folder without a repository leads to it by its path; and a package of a monorepo has its own if
 * the user's setting `scopes` names it.
 *
 * A path alone proves nothing: a hostile repository can lie where another one was. So each path is
 * noted together with the folder's birth, and a folder that was made anew is another project, until
 * the user links it (`memory link`).
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Message, message } from '../../messages/message.ts';
import { writeFileAtomic } from '../store/atomic-write.ts';
import { attempt } from '../store/attempt.ts';
import { withLock } from '../store/lock.ts';
import { randomHex, shortHash } from '../store/owner.ts';
import { type Places, userFolder } from '../store/places.ts';
import { stringAt } from '../text/json.ts';
import { isUnchanged, keyPath, markOf, readKey, recordIn, writeKey } from './project-keys.ts';
import { type Checkout, checkoutAt } from './repository.ts';

export interface ProjectPlace {
  /** Unique everywhere; empty if the project could not get a place. */
  id: string;
  /** The main checkout, the scope in it, or the folder; the place itself if that is another's now. */
  root: string;
  name: string;
  /** `<home>/projects/<name>-<id>`: `memory/` and `sessions/` are in it. */
  base: string;
  /** Why it has no place: the home cannot be written. */
  problem?: Message;
}

/** A project as it is found in a folder, before it is known whether it has a place. */
export interface Found {
  /** The git folder, or the folder itself. */
  path: string;
  /** The main checkout, or the folder itself. */
  root: string;
  /** Of a package with a memory of its own, relative to the root; else empty. */
  scope: string;
}

const MAX_NOTE_BYTES = 64 * 1024;
const MAX_SETTINGS_BYTES = 1024 * 1024;
const ID_DIGITS = 12;

const projectsFolder = (places: Places): string => join(places.home, 'projects');

/** The place of the project that a folder belongs to; a new one if it has none yet. */
export function projectPlace(
  places: Places,
  folder: string,
  env?: NodeJS.ProcessEnv,
): ProjectPlace {
  const named = placeWithoutFolder(places, folder);
  if (named !== undefined) return named;
  const found = findProject(places, folder, env);
  return placeOf(places, found) ?? register(places, found);
}

/** Undefined if the project has no place yet. */
export function findProjectPlace(
  places: Places,
  folder: string,
  env?: NodeJS.ProcessEnv,
): ProjectPlace | undefined {
  const named = placeWithoutFolder(places, folder);
  return named ?? placeOf(places, findProject(places, folder, env));
}

/** The files that lead from a folder to its project's place, whether they are there or not. */
export function keyFilesOf(places: Places, folder: string, env?: NodeJS.ProcessEnv): string[] {
  return pathsOf(findProject(places, folder, env)).map((path) => keyPath(places, path));
}

/** Every place, with memory or without, but for those that only hold what is in another by now. */
export function allProjectPlaces(places: Places): ProjectPlace[] {
  return storedPlaces(places).filter((place) => !isLeftBehind(place));
}

/** Places whose memory was joined into another (`memory link`): a backup, for a while. */
export function placesLeftBehind(places: Places): { base: string; joinedAt: string }[] {
  return storedPlaces(places)
    .filter(isLeftBehind)
    .map(({ base }) => ({ base, joinedAt: noteIn(base).joinedAt ?? '' }));
}

function storedPlaces(places: Places): ProjectPlace[] {
  const names = attempt(() => readdirSync(projectsFolder(places)), []);
  return names.flatMap((name) => placeNamed(places, name) ?? []);
}

function isLeftBehind({ root, base }: ProjectPlace): boolean {
  return root === base && noteIn(base).joinedAt !== undefined;
}

/** The root of the project that a folder belongs to: in a worktree, the main checkout. */
export function projectRoot(places: Places, folder: string, env?: NodeJS.ProcessEnv): string {
  const named = placeWithoutFolder(places, folder);
  return named?.root ?? rootOf(findProject(places, folder, env));
}

/** The root of the checkout that a folder is in: of a worktree its own, not the main one. */
export function checkoutRoot(folder: string, env?: NodeJS.ProcessEnv): string {
  const real = attempt(() => realpathSync.native(folder), resolve(folder));
  return checkoutAbove(real, env)?.root ?? real;
}

/**
 * Makes places of the folders that 0.1.0 filled with `storage: home`, so that they are listed even
 * if their checkout is gone. `roots`: what 0.1.0 knew. Returns those that belong to a project with
 * another place: the memory of a worktree, for one.
 */
export function placeEarlierFolders(
  places: Places,
  roots: readonly string[],
  env?: NodeJS.ProcessEnv,
): { base: string; root: string }[] {
  const rootOfName = new Map(roots.map((root) => [earlierName(places, root), root]));
  const names = attempt(() => readdirSync(projectsFolder(places)), []);
  return names.flatMap((name) => {
    const base = join(projectsFolder(places), name);
    const isEarlier = existsSync(join(base, 'memory')) && noteIn(base).id === undefined;
    if (!isEarlier) return [];
    const root = rootOfName.get(name);
    if (root !== undefined && existsSync(root))
      return projectPlace(places, root, env).base === base ? [] : [{ base, root }];
    writeNote(base, { id: randomHex(2 * ID_DIGITS), root: root ?? base });
    if (root !== undefined && readKey(places, root) === undefined) writeKey(places, root, name);
    return [];
  });
}

/** Lets the path of a worktree lead to the project when the worktree is gone. */
export function rememberCheckout(places: Places, folder: string, env?: NodeJS.ProcessEnv): void {
  const checkout = checkoutAbove(folder, env);
  if (checkout?.repository === undefined || checkout.root === checkout.repository.root) return;
  const place = placeOf(places, foundIn(checkout));
  if (place === undefined) return;
  const project = basename(place.base);
  const key = readKey(places, checkout.root);
  if (key?.project !== project || !isUnchanged(key)) writeKey(places, checkout.root, project);
}

export function findProject(places: Places, folder: string, env?: NodeJS.ProcessEnv): Found {
  const real = attempt(() => realpathSync.native(folder), resolve(folder));
  const checkout = checkoutAbove(real, env);
  if (checkout === undefined) return { path: real, root: real, scope: '' };
  const found = foundIn(checkout);
  if (checkout.root === real) return found;
  return { ...found, scope: scopeFor(places, found, relative(checkout.root, real)) };
}

function foundIn({ root, repository }: Checkout): Found {
  return repository === undefined
    ? { path: root, root, scope: '' }
    : { path: repository.gitFolder, root: repository.root, scope: '' };
}

/** The home folder is never the project of what is in it: people keep their dotfiles in git. */
function checkoutAbove(folder: string, env: NodeJS.ProcessEnv = process.env): Checkout | undefined {
  const home = attempt(() => realpathSync.native(userFolder(env)), '');
  for (let at = folder; at !== home; at = dirname(at)) {
    const checkout = checkoutAt(at);
    if (checkout !== undefined) return checkout;
    if (dirname(at) === at) break;
  }
  return undefined;
}

export const rootOf = ({ root, scope }: Found): string => join(root, scope);
export const nameOf = (root: string): string => basename(root) || root;

/** All that leads to a project, the surest first. */
export function pathsOf({ path, root, scope }: Found): string[] {
  if (scope !== '') return [`${path}\n${scope}`, join(root, scope)];
  return path === root ? [path] : [path, root];
}

function placeOf(places: Places, found: Found): ProjectPlace | undefined {
  const [path = '', ...others] = pathsOf(found);
  let key = readKey(places, path);
  if (key === undefined) {
    // A folder that has become a repository is the same project.
    key = others.map((other) => readKey(places, other)).find((other) => other !== undefined);
    if (key !== undefined && isUnchanged(key))
      attempt(() => writeKey(places, path, key?.project ?? ''), undefined);
  }
  if (key === undefined || !isUnchanged(key)) return undefined;
  const base = join(projectsFolder(places), key.project);
  const { id } = noteIn(base);
  const root = rootOf(found);
  return id === undefined ? undefined : { id, root, name: nameOf(root), base };
}

/** For a path at which no project can be found: that of a place, or one that is gone. */
function placeWithoutFolder(places: Places, folder: string): ProjectPlace | undefined {
  if (dirname(folder) === projectsFolder(places)) return placeNamed(places, basename(folder));
  if (existsSync(folder)) return undefined;
  const key = readKey(places, join(folder, '.git')) ?? readKey(places, folder);
  return key === undefined ? undefined : placeNamed(places, key.project);
}

function placeNamed(places: Places, project: string): ProjectPlace | undefined {
  const base = join(projectsFolder(places), project);
  const { id, root } = noteIn(base);
  if (id === undefined || root === undefined) return undefined;
  return { id, root: isLedTo(places, root, base) ? root : base, name: nameOf(root), base };
}

/** Whether a root still leads to a place: another repository may lie there now. */
function isLedTo(places: Places, root: string, base: string): boolean {
  const keys = [join(root, '.git'), root].flatMap((path) => readKey(places, path) ?? []);
  if (!existsSync(root)) return keys.some(({ project }) => project === basename(base));
  return placeOf(places, findProject(places, root))?.base === base;
}

function register(places: Places, found: Found): ProjectPlace {
  const root = rootOf(found);
  const name = nameOf(root);
  const folder = join(projectsFolder(places), `${plainName(name)}-new`);
  try {
    return withLock(keyPath(places, pathsOf(found)[0] ?? ''), () => {
      const place = placeOf(places, found); // another process may have been faster
      if (place !== undefined) return place;
      const project = earlierFolder(places, root) ?? `${plainName(name)}-${randomHex(ID_DIGITS)}`;
      const base = join(projectsFolder(places), project);
      const id = randomHex(2 * ID_DIGITS);
      // First what the keys lead to.
      writeNote(base, { id, root, mark: markOf(pathsOf(found)[0] ?? '') });
      for (const path of pathsOf(found).reverse()) writeKey(places, path, project);
      return { id, root, name, base };
    });
  } catch (error) {
    const words = (error as Error).message;
    return { id: '', root, name, base: folder, problem: message('store.noPlace', { words }) };
  }
}

/** The folder in which 0.1.0 kept the memory of this project with `storage: home`. */
function earlierFolder(places: Places, root: string): string | undefined {
  const name = earlierName(places, root);
  const base = join(projectsFolder(places), name);
  return existsSync(join(base, 'memory')) && noteIn(base).id === undefined ? name : undefined;
}

function earlierName(places: Places, root: string): string {
  const isClaudes = join(root, '.claude') === places.claude;
  return isClaudes ? 'home' : `${plainName(basename(root))}-${shortHash(root)}`;
}

/** (`\p{L}` would take a hook two milliseconds to compile.) */
function plainName(name: string): string {
  return name.replace(/[^a-zA-Z0-9.\u0080-\uffff-]/g, '-');
}

/** The package that a folder below the root is in, if the user's setting gives it its own memory. */
function scopeFor(places: Places, found: Found, below: string): string {
  const place = placeOf(places, found);
  const own = place === undefined ? '' : scopesIn(join(place.base, 'memory', 'config.json'));
  const scopes = own || scopesIn(join(places.home, 'config.json'));
  if (scopes === '' || scopes === 'none') return '';
  const parts = below.split(sep);
  for (const scope of scopes.split(',')) {
    const pattern = scope.trim().split('/');
    const isMatch = pattern.every((part, at) => (part === '*' ? parts[at] : part) === parts[at]);
    if (isMatch && pattern.length <= parts.length) return parts.slice(0, pattern.length).join('/');
  }
  return '';
}

/** Read before all other settings, because it says where the others are. */
function scopesIn(path: string): string {
  const { scopes } = recordIn(path, MAX_SETTINGS_BYTES);
  return typeof scopes === 'string' ? scopes : '';
}

/** `project.json`, in the place itself. */
export interface Note {
  id?: string | undefined;
  root?: string | undefined;
  /** Of what led here, to recognise it elsewhere. */
  mark?: string | undefined;
  /** Places that the user does not want to be linked with this one. */
  apart?: readonly string[] | undefined;
  /** The id of the place that its memory joins. */
  joins?: string | undefined;
  /** When all of its memory was in that. */
  joinedAt?: string | undefined;
}

const notePath = (base: string): string => join(base, 'project.json');

export function noteIn(base: string): Note {
  const note = recordIn(notePath(base), MAX_NOTE_BYTES);
  const [id, root, mark] = ['id', 'root', 'mark'].map((field) => stringAt(note, field));
  const [joins, joinedAt] = ['joins', 'joinedAt'].map((field) => stringAt(note, field));
  const apart = Array.isArray(note.apart) ? note.apart.map(String) : undefined;
  return { ...note, id, root, mark, joins, joinedAt, apart };
}

export function writeNote(base: string, note: Note): void {
  writeFileAtomic(notePath(base), `${JSON.stringify({ version: 1, ...note }, null, 2)}\n`);
}
