/** Moves a project's memory to where the user wants it (M1, setting `storage`). */
import { withLock } from '../../platform/store/lock.ts';
import {
  foldersIn,
  type Places,
  projectFolders,
  wantedStorage,
} from '../../platform/store/places.ts';
import { moveFolder } from '../../platform/store/prune.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { journalPath } from '../log/journal.ts';

export type Moved =
  | { isMoved: false; folder: string }
  | { isMoved: true; from: string; folder: string };

export function moveMemory(places: Places, root: string): Moved {
  const from = projectFolders(places, root);
  const to = foldersIn(places, root, wantedStorage(places));
  if (from.memory === to.memory) return { isMoved: false, folder: to.memory };
  const memory = projectMemory(places, root);
  // Nobody writes meanwhile. Who waited finds the new place at its next run, and reads on from
  // where it stands there.
  withLock(journalPath(memory), () =>
    withLock(memory.index, () => {
      moveFolder(from.sessions, to.sessions);
      moveFolder(from.memory, to.memory);
    }),
  );
  return { isMoved: true, from: from.memory, folder: to.memory };
}
