/**
 * Keeps a copy of a project's memory in its `.claude` folder, for users who want to see it there
 * (setting `storage: project`, M1). It is written and never read back: what lies in a repository is
 * not believed (T1). Only a file that we wrote, by the hash that our home has recorded, is replaced;
 * any other stays as it is, even one that git put there with the same content: it would be committed
 * with what we write into it. Nothing is written through a link, or where a `.gitignore` that is not
 * ours decides what git takes.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { readHeadInProject, readInProject } from '../../platform/project/read-in-project.ts';
import { writeFileAtomic } from '../../platform/store/atomic-write.ts';
import { type DocumentKind, readDocument, updateDocument } from '../../platform/store/document.ts';
import { fileMark } from '../../platform/store/file-mark.ts';
import type { Places } from '../../platform/store/places.ts';
import { GITIGNORE, type ProjectMemory } from '../../projects/project-memory.ts';
import { listMemoryFiles } from './contents.ts';

const Copied = v.looseObject({
  /** Of the file in our home. */
  mark: v.string(),
  sha256: v.string(),
  /** Of the copy. */
  copyMark: v.fallback(v.string(), ''),
});
type Copied = v.InferOutput<typeof Copied>;
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
  const record = recordPath(memory);
  const known = knownCopies(memory);
  const files: CopiedFiles['files'] = {};
  for (const { name, path } of listMemoryFiles(memory).files) {
    const before = known[name];
    const mark = fileMark(path);
    const to = join(target, name);
    if (before?.mark === mark && existsSync(to)) {
      files[name] = before;
      continue;
    }
    const isFree = isPlainPath(memory.root, to) && isOurs(memory.root, name, before);
    if (!isFree || !keepOutOfGit(memory.root, dirname(name))) {
      if (before !== undefined) files[name] = before;
      result.leftAlone.push(name);
      continue;
    }
    const content = readFileSync(path);
    writeFileAtomic(to, content);
    files[name] = { mark, sha256: hashOf(content), copyMark: fileMark(to) };
    result.copied++;
  }
  if (result.copied > 0) updateDocument(record, copiedFiles, (now) => ({ ...now, files }));
  return result;
}

const recordPath = ({ base }: ProjectMemory): string => join(base, 'project-copy.json');

function knownCopies(memory: ProjectMemory): CopiedFiles['files'] {
  const reading = readDocument(recordPath(memory), copiedFiles);
  return 'value' in reading ? reading.value.files : {};
}

/** Tells, of a text in the project's `.claude` folder, whether it is the copy that we wrote last. */
export function ourCopies(memory: ProjectMemory): (name: string, text: string) => boolean {
  const known = knownCopies(memory);
  return (name, text) =>
    Object.hasOwn(known, name) && known[name]?.sha256 === hashOf(Buffer.from(text));
}

/** No part of it below the root is a link, and each that exists is a folder but the last. */
function isPlainPath(root: string, path: string): boolean {
  for (let at = dirname(path); at !== root; at = dirname(at)) {
    const info = lstatSync(at, { throwIfNoEntry: false });
    if (info !== undefined && !info.isDirectory()) return false;
  }
  return true;
}

/** Nothing is there, or the very file that we wrote last. */
function isOurs(root: string, name: string, before: Copied | undefined): boolean {
  const path = join(root, '.claude', name);
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return true;
  if (!info.isFile() || before === undefined || fileMark(path) !== before.copyMark) return false;
  const content = readHeadInProject(root, `.claude/${name}`, info.size);
  return content !== undefined && hashOf(content) === before.sha256;
}

/** Whether git takes nothing of what is put into this folder of the project. */
function keepOutOfGit(root: string, folder: string): boolean {
  const name = `.claude/${folder}/.gitignore`;
  const path = join(root, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) writeFileAtomic(path, GITIGNORE);
  const file = readInProject(root, name, GITIGNORE.length);
  return file.state === 'ok' && file.text === GITIGNORE;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
