/** Tells whether files are as they were when something was made from them. */
import { statSync } from 'node:fs';
import { attempt } from './attempt.ts';

/** How a file was; a size of -1 means that it was not there. */
export interface FileState {
  path: string;
  size: number;
  mtimeMs: number;
}

/** File systems tell times apart that are this far from each other; old ones only seconds. */
export const FINE_MS = 20;
const COARSE_MS = 2000;

/**
 * Undefined if one of them was changed so recently that a later change might leave it with the same
 * time.
 */
export function fileStates(paths: readonly string[], now: number): FileState[] | undefined {
  const states = paths.map(exactStateOf);
  return states.every(({ mtimeMs }) => isSettled(mtimeMs, now)) ? states.map(inWholeMs) : undefined;
}

/** The mod asks the same (`isCurrent` in hooks-plugin/register.js). */
export function isUnchanged({ path, size, mtimeMs }: FileState): boolean {
  const now = inWholeMs(exactStateOf(path));
  return now.size === size && now.mtimeMs === mtimeMs;
}

function exactStateOf(path: string): FileState {
  const stats = attempt(() => statSync(path, { throwIfNoEntry: false }), undefined);
  if (stats === undefined) return { path, size: -1, mtimeMs: 0 };
  return { path, size: stats.size, mtimeMs: stats.mtimeMs };
}

/** What the mod is told of a file's time may be rounded. */
function inWholeMs(state: FileState): FileState {
  return { ...state, mtimeMs: Math.floor(state.mtimeMs) };
}

function isSettled(mtimeMs: number, now: number): boolean {
  if (mtimeMs === 0) return true;
  return now - mtimeMs > (mtimeMs % 1000 === 0 ? COARSE_MS : FINE_MS);
}
