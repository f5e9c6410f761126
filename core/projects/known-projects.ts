/**
 * Lists every project that has a memory (M17). Claude Code removes its transcripts after a month,
 * so projects are also written down in `known-projects.json` in our own folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type DocumentKind, readDocument, updateDocument } from '../platform/store/document.ts';
import { type Places, projectRoot } from '../platform/store/places.ts';
import { type ProjectMemory, projectMemory } from './project-memory.ts';
import { firstDirectory, transcriptFolders, transcriptsIn } from './project-transcripts.ts';

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
  return transcriptFolders(places).flatMap((folder) => {
    for (const transcript of transcriptsIn(folder)) {
      const cwd = firstDirectory(transcript);
      if (cwd !== undefined) return [projectRoot(cwd, env)];
    }
    return [];
  });
}
