/** Every project that Claude Code has been used in, as far as its transcripts tell: for a search over all of them (M17). */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../store/attempt.ts';
import { type Places, projectRoot } from '../../store/places.ts';
import { firstDirectory } from '../l1/project-transcripts.ts';
import { type ProjectMemory, projectMemory } from '../project/project-memory.ts';

/** Those with a memory. */
export function knownProjects(places: Places, env: NodeJS.ProcessEnv): ProjectMemory[] {
  const projects = join(places.claude, 'projects');
  const roots = attempt(() => readdirSync(projects), []).flatMap((folder) => {
    const names = attempt(() => readdirSync(join(projects, folder)), []).filter((name) => name.endsWith('.jsonl'));
    for (const name of names) {
      const cwd = firstDirectory(join(projects, folder, name));
      if (cwd !== undefined) return [projectRoot(cwd, env)];
    }
    return [];
  });
  return [...new Set(roots)].map((root) => projectMemory(places, root)).filter(({ index }) => existsSync(index));
}
