/**
 * Keeps a copy of a project's memory in its `.claude` folder, for users who want to see it there
 * (setting `storage: project`, M1). It is written and never read back: what lies in a repository is
 * not believed (T1). Only a file that we wrote, by the hash that our home has recorded, is replaced;
 * any other stays as it is. Nothing is written through a link.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { attempt } from '../../platform/store/attempt.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { GITIGNORE, type ProjectMemory } from '../../projects/project-memory.ts';
import { listMemoryFiles } from './contents.ts';

const Copied = v.looseObject({ mark: v.string(), sha256: v.string() });
const CopiedFiles = v.looseObject({ files: v.fallback(v.record(v.string(), Copied), {}) });
type CopiedFiles = v.InferOutput<typeof CopiedFiles>;

const copiedFiles: DocumentKind<CopiedFiles> = {
  version: 1,
  schema: CopiedFiles,
  empty: () => ({ files: {} }),
};

export interface ProjectCopy {
  copied: number;
  /** Names of files in the project that are not ours and were left alone. */
  leftAlone: string[];
}

export function copyToProject(places: Places, memory: ProjectMemory): ProjectCopy {
  const result: ProjectCopy = { copied: 0, leftAlone: [] };
  const target = join(memory.root, '.claude');
  const hasCheckout = existsSync(memory.root) && memory.root !== memory.base;
  if (!hasCheckout || target === places.claude) return result;
  const record = join(memory.base, 'project-copy.json');
  const reading = readDocument(record, copiedFiles);
  const known = 'value' in reading ? reading.value.files : {};
  const files: CopiedFiles['files'] = {};
  for (const { name, path } of listMemoryFiles(memory).files) {
    const before = known[name];
    const mark = fileMark(path);
    const to = join(target, name);
    if (before?.mark === mark && existsSync(to)) {
      files[name] = before;
      continue;
    }
    if (!isPlainPath(memory.root, to) || !isOurs(to, before?.sha256)) {
      result.leftAlone.push(name);
      continue;
    }
    const content = readFileSync(path);
    keepOutOfGit(dirname(to));
    writeFileAtomic(to, content);
    files[name] = { mark, sha256: hashOf(content) };
    result.copied++;
  }
  if (result.copied > 0) updateDocument(record, copiedFiles, (now) => ({ ...now, files }));
  return result;
}

/** Whether the index in a project is the copy that we wrote, and no memory of 0.1.0. */
export function isProjectCopy({ base }: ProjectMemory, content: string): boolean {
  const reading = readDocument(join(base, 'project-copy.json'), copiedFiles);
  const copied = 'value' in reading ? reading.value.files['memory/memory-index.json'] : undefined;
  return copied !== undefined && copied.sha256 === hashOf(Buffer.from(content));
}

/** No part of it below the root is a link, and each that exists is a folder but the last. */
function isPlainPath(root: string, path: string): boolean {
  for (let at = dirname(path); at !== root; at = dirname(at)) {
    const info = lstatSync(at, { throwIfNoEntry: false });
    if (info !== undefined && !info.isDirectory()) return false;
  }
  return true;
}

/** Nothing is there, or what we wrote last. */
function isOurs(path: string, sha256: string | undefined): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return true;
  return info.isFile() && attempt(() => hashOf(readFileSync(path)), '') === sha256;
}

function keepOutOfGit(folder: string): void {
  const path = join(folder, '.gitignore');
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) writeFileAtomic(path, GITIGNORE);
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
