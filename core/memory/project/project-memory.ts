/**
 * Where a project's memory lives (M1, F5): `<project>/.claude/memory/` and `<project>/.claude/sessions/`, kept out of git by a
 * `.gitignore` of their own.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../expected-error.ts';
import { writeFileAtomic } from '../../store/atomic-write.ts';
import { isWithin, type Places, projectFolders } from '../../store/places.ts';

export interface ProjectMemory {
  root: string;
  /** memory.md, facts.json, concepts.json, config.json, memory-index.json. */
  folder: string;
  /** `YYYY-MM-DD_HHMM.l1.jsonl` and what is made of it. */
  sessions: string;
  index: string;
  within: string;
}

export function projectMemory(places: Places, root: string): ProjectMemory {
  const { memory, sessions, within } = projectFolders(places, root);
  return { root, folder: memory, sessions, index: join(memory, 'memory-index.json'), within };
}

const GITIGNORE = '# Memory Keeper: what was said in this project stays on this machine.\n*\n';

/** Before the first word is written. A `.gitignore` that the user has changed stays as it is. */
export function prepareProjectMemory({ folder, sessions, within }: ProjectMemory): void {
  for (const path of [folder, sessions])
    if (!isWithin(path, within)) throw new ExpectedError(`${path} leads out of the project; nothing is written there`);
  for (const path of [join(folder, '.gitignore'), join(sessions, '.gitignore')])
    if (!existsSync(path)) writeFileAtomic(path, GITIGNORE);
}
