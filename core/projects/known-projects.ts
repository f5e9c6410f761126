/**
 * Every project that has a memory, for a search over all of them (M17) and for the window. Claude
 * Code removes its transcripts after a month, so the folders in which it was used are also written
 * down: `known-projects.json` in our own folder.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { attempt } from '../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../platform/store/document.ts';
import { type Places, projectRoot } from '../platform/store/places.ts';
import { type ProjectMemory, projectMemory } from './project-memory.ts';
import { firstDirectory } from './project-transcripts.ts';

const KnownProjects = v.looseObject({ roots: v.fallback(v.array(v.string()), []) });
type KnownProjects = v.InferOutput<typeof KnownProjects>;

const knownProjectsFile: DocumentKind<KnownProjects> = {
  version: 1,
  schema: KnownProjects,
  empty: () => ({ roots: [] }),
};

const knownProjectsPath = (places: Places) => join(places.home, 'known-projects.json');

export function rememberProject(places: Places, root: string): void {
  if (rememberedRoots(places).includes(root)) return;
  updateDocument(knownProjectsPath(places), knownProjectsFile, (file) =>
    file.roots.includes(root) ? file : { ...file, roots: [...file.roots, root] },
  );
}

/** Those with a memory. */
export function knownProjects(places: Places, env: NodeJS.ProcessEnv): ProjectMemory[] {
  const roots = new Set([...rootsOfTranscripts(places, env), ...rememberedRoots(places)]);
  return [...roots]
    .map((root) => projectMemory(places, root))
    .filter(({ index }) => existsSync(index));
}

function rememberedRoots(places: Places): string[] {
  const reading = readDocument(knownProjectsPath(places), knownProjectsFile);
  return reading.state === 'ok' ? reading.value.roots : [];
}

function rootsOfTranscripts(places: Places, env: NodeJS.ProcessEnv): string[] {
  const projects = join(places.claude, 'projects');
  return attempt(() => readdirSync(projects), []).flatMap((folder) => {
    const names = attempt(() => readdirSync(join(projects, folder)), []).filter((name) =>
      name.endsWith('.jsonl'),
    );
    for (const name of names) {
      const cwd = firstDirectory(join(projects, folder, name));
      if (cwd !== undefined) return [projectRoot(cwd, env)];
    }
    return [];
  });
}
