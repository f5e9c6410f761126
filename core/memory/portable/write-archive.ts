/** Exports one project's memory, as it is at one moment, to one zip file with a manifest (M20). */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { removeFolder } from '../../platform/store/file-changes.ts';
import { makeStaging } from '../../platform/store/staging.ts';
import { writeNewFile } from '../../platform/store/stream-file.ts';
import { conceptsPath, factsPath, memoryMdPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { journalBytes } from '../log/journal.ts';
import { record } from '../state/derive.ts';
import { listMemoryFiles, type MemoryFile, takeSnapshot, whileNobodyWrites } from './contents.ts';
import { FORMAT, MANIFEST, MAX_FILE_BYTES, MAX_FILES, type Manifest, PRODUCT } from './manifest.ts';

const FILE_MODE = 0o100600;

/** Reports progress; `total` is 0 while it is unknown. */
export type OnProgress = (step: ArchiveStep, done: number, total: number) => void;
export type ArchiveStep = 'preparing' | 'reading' | 'packing' | 'unpacking';

export interface ExportResult {
  file: string;
  files: number;
  bytes: number;
  leftOut: string[];
  /** How many unredacted transcripts it contains (`retention.rawCopy`). */
  rawCopies: number;
}

/** `mayReplace`: the user has agreed to replace an existing file. */
export async function exportMemory(
  memory: ProjectMemory,
  file: string,
  onProgress: OnProgress,
  { mayReplace = false } = {},
): Promise<ExportResult> {
  if (listMemoryFiles(memory).files.length === 0)
    throw new ExpectedError(message('memory.empty', { root: memory.root }));
  bringUpToDate(memory);
  const staging = makeStaging(memory.folder);
  try {
    const { files, leftOut } = whileNobodyWrites(memory, () => takeSnapshot(memory, staging));
    await writeArchive(files, memory.name, file, onProgress, { mayReplace });
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const rawCopies = files.filter(({ name }) => name.startsWith('sessions/raw/')).length;
    return { file, files: files.length, bytes, leftOut, rawCopies };
  } finally {
    removeFolder(staging);
  }
}

/** Records what people changed with an editor, so that all files agree. */
export function bringUpToDate(memory: ProjectMemory): void {
  const documents = [memoryMdPath(memory), factsPath(memory), conceptsPath(memory)];
  if (journalBytes(memory) > 0 || documents.some((path) => existsSync(path))) record(memory);
}

/** The files may grow meanwhile, but must not change otherwise. */
export async function writeArchive(
  files: readonly MemoryFile[],
  project: string,
  file: string,
  onProgress: OnProgress,
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
    onProgress('reading', index + 1, files.length);
    manifest.files.push({ name: kept.name, bytes: kept.bytes, sha256: await sha256(kept) });
  }
  const zip = new ZipFile();
  const output = new PassThrough();
  zip.on('error', (error) => output.destroy(error as Error));
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
  zip.addBuffer(Buffer.from(manifestText), MANIFEST, { mode: FILE_MODE });
  for (const [index, kept] of files.entries()) {
    const options = { size: kept.bytes, mode: FILE_MODE, compress: !kept.name.endsWith('.gz') };
    zip.addReadStreamLazy(kept.name, options, (callback) => {
      onProgress('packing', index + 1, files.length);
      const content = contentOf(kept);
      // yazl ignores errors of the stream, and an unhandled one ends the process.
      content.on('error', (error) => output.destroy(error));
      callback(undefined, content);
    });
  }
  zip.end();
  zip.outputStream.pipe(output);
  try {
    await writeNewFile(file, output, { mayReplace });
  } finally {
    output.destroy(); // after a failure, stops what is still being read
  }
}

/** As much as was listed: L1 may have grown. */
function contentOf({ path, bytes }: MemoryFile): Readable {
  return bytes === 0 ? Readable.from([]) : createReadStream(path, { end: bytes - 1 });
}

async function sha256(file: MemoryFile): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of contentOf(file)) hash.update(chunk);
  return hash.digest('hex');
}
