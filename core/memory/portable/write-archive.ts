/** Exports one project's memory, as it is at one moment, to one zip file with a manifest (M20). */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { removeFolder } from '../../platform/store/prune.ts';
import { makeStaging } from '../../platform/store/staging.ts';
import { writeNewFile } from '../../platform/store/stream-file.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { journalBytes } from '../log/journal.ts';
import { record } from '../state/derive.ts';
import { type KeptFile, keptFiles, takeSnapshot, whileNobodyWrites } from './contents.ts';
import { FORMAT, MANIFEST, MAX_FILE_BYTES, MAX_FILES, type Manifest, PRODUCT } from './manifest.ts';

/** What is being done, and how far it is; `total` 0: that is not known. */
export type Tell = (step: Step, done: number, total: number) => void;
export type Step = 'preparing' | 'reading' | 'packing' | 'unpacking';

export interface Exported {
  file: string;
  files: number;
  bytes: number;
  leftOut: string[];
  /** Copies of conversations, secrets and all (`retention.rawCopy`). */
  rawCopies: number;
}

/** `mayReplace`: the user was asked already whether a file that is there may go. */
export async function exportMemory(
  memory: ProjectMemory,
  file: string,
  tell: Tell,
  { mayReplace = false } = {},
): Promise<Exported> {
  if (keptFiles(memory).files.length === 0)
    throw new ExpectedError(message('memory.empty', { root: memory.root }));
  bringUpToDate(memory);
  const staging = makeStaging(memory.folder);
  try {
    const { files, leftOut } = whileNobodyWrites(memory, () => takeSnapshot(memory, staging));
    await writeArchive(files, basename(memory.root), file, tell, { mayReplace });
    const rawCopies = files.filter(({ name }) => name.startsWith('sessions/raw/')).length;
    return {
      file,
      files: files.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      leftOut,
      rawCopies,
    };
  } finally {
    removeFolder(staging);
  }
}

/**
 * What people changed with an editor goes into the journal first, so that all that is taken along
 * agrees.
 */
export function bringUpToDate(memory: ProjectMemory): void {
  const documents = [memoryMdPath(memory), factsPath(memory), conceptsPath(memory)];
  if (journalBytes(memory) > 0 || documents.some((path) => existsSync(path))) record(memory);
}

/** None of the files may be written to meanwhile, but they may be appended to. */
export async function writeArchive(
  files: readonly KeptFile[],
  project: string,
  file: string,
  tell: Tell,
  { mayReplace = false } = {},
): Promise<void> {
  const tooLarge = files.find(({ bytes }) => bytes > MAX_FILE_BYTES);
  if (tooLarge !== undefined)
    throw new ExpectedError(message('archive.cannotExportFile', { name: tooLarge.name }));
  if (files.length > MAX_FILES)
    throw new ExpectedError(message('archive.cannotExportSoMany', { count: files.length }));
  const manifest: Manifest = {
    product: PRODUCT,
    format: FORMAT,
    project,
    createdAt: new Date().toISOString(),
    files: [],
  };
  for (const [index, kept] of files.entries()) {
    tell('reading', index + 1, files.length);
    manifest.files.push({ name: kept.name, bytes: kept.bytes, sha256: await sha256(kept) });
  }
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.on('error', (error) => output.destroy(error as Error));
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), MANIFEST, {
    mode: 0o100600,
  });
  for (const [index, kept] of files.entries()) {
    const options = { size: kept.bytes, mode: 0o100600, compress: !kept.name.endsWith('.gz') };
    zip.addReadStreamLazy(kept.name, options, (give) => {
      tell('packing', index + 1, files.length);
      const content = contentOf(kept);
      // yazl does not look for errors here, and one that nobody looks for ends the process.
      content.on('error', (error) => output.destroy(error));
      give(undefined, content);
    });
  }
  zip.end();
  zip.outputStream.pipe(output);
  try {
    await writeNewFile(file, output, { mayReplace });
  } finally {
    output.destroy(); // what is still being read then has nobody to tell an error to
  }
}

/** As much as there was when it was listed: L1 may have grown. */
function contentOf({ path, bytes }: KeptFile): Readable {
  return bytes === 0 ? Readable.from([]) : createReadStream(path, { end: bytes - 1 });
}

async function sha256(file: KeptFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of contentOf(file)) hash.update(chunk);
  return hash.digest('hex');
}
