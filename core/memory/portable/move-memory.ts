/** Moves a project's memory to where the user wants it (M1, setting `storage`). */

import { moveFolder } from '../../platform/store/file-changes.ts';
import {
  foldersIn,
  type Places,
  projectFolders,
  wantedStorage,
} from '../../platform/store/places.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { trashFolder } from '../tiers/trash.ts';
import { whileNobodyWrites } from './contents.ts';

export type MoveResult =
  | { isMoved: false; folder: string }
  | { isMoved: true; from: string; folder: string };

export function moveMemory(places: Places, root: string): MoveResult {
  const from = projectFolders(places, root);
  const to = foldersIn(places, root, wantedStorage(places));
  if (from.memory === to.memory) return { isMoved: false, folder: to.memory };
  // A process that waits meanwhile finds the new place at its next run.
  whileNobodyWrites(projectMemory(places, root), () => {
    moveFolder(trashFolder(from), trashFolder(to));
    moveFolder(from.sessions, to.sessions);
    moveFolder(from.memory, to.memory);
  });
  return { isMoved: true, from: from.memory, folder: to.memory };
}
