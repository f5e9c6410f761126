/**
 * Where a project's memory lives (M1, F5): `<project>/.claude/memory/` and `<project>/.claude/sessions/`, kept out of git by a
 * `.gitignore` of their own.
 */
import { join } from 'node:path';
import { ExpectedError } from '../expected-error.ts';
import { exists, writeFileAtomic } from '../store/atomic-write.ts';
import { isWithin } from '../store/places.ts';

export interface ProjectMemory {
  root: string;
  /** memory.md, facts.json, concepts.json, config.json, memory-index.json. */
  folder: string;
  /** `YYYY-MM-DD_HHMM.l1.jsonl` and what is made of it. */
  sessions: string;
  index: string;
}

export function projectMemory(root: string): ProjectMemory {
  const folder = join(root, '.claude', 'memory');
  return { root, folder, sessions: join(root, '.claude', 'sessions'), index: join(folder, 'memory-index.json') };
}

const GITIGNORE = '# Memory Keeper: what was said in this project stays on this machine.\n*\n';

/** Before the first word is written. A `.gitignore` that the user has changed stays as it is. */
export async function prepareProjectMemory({ root, folder, sessions }: ProjectMemory): Promise<void> {
  for (const path of [folder, sessions])
    if (!(await isWithin(path, root))) throw new ExpectedError(`${path} leads out of the project; nothing is written there`);
  for (const path of [join(folder, '.gitignore'), join(sessions, '.gitignore')])
    if (!(await exists(path))) await writeFileAtomic(path, GITIGNORE);
}
