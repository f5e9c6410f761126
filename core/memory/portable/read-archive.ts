/**
 * Unpacks an archive from any source into a folder of ours (M20). Checks every name, size and kind
 * first, and keeps the files only if each is what the manifest says. Never writes outside of that
 * folder.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as v from 'valibot';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ExpectedError, messageOf } from '../../messages/expected-error.ts';
import { type Message, message } from '../../messages/message.ts';
import { parseJson } from '../../platform/store/attempt.ts';
import { writeStream } from '../../platform/store/stream-file.ts';
import {
  FORMAT,
  isArchivable,
  isPassing,
  MANIFEST,
  MAX_ARCHIVE_BYTES,
  MAX_FILE_BYTES,
  MAX_FILES,
  MAX_MANIFEST_BYTES,
  MAX_RATIO,
  MAX_TOTAL_BYTES,
  Manifest,
  nameKey,
  PRODUCT,
  RATIO_COUNTS_FROM_BYTES,
} from './manifest.ts';
import type { OnProgress } from './write-archive.ts';

const FILE_KIND = 0o170000;
const PLAIN_FILE = 0o100000;
const STORED = 0;
const DEFLATED = 8;

export async function unpackArchive(
  file: string,
  into: string,
  onProgress: OnProgress,
): Promise<Manifest> {
  const info = statSync(file, { throwIfNoEntry: false });
  if (info === undefined) throw new ExpectedError(message('archive.missing', { file }));
  try {
    if (!info.isFile()) throw new ExpectedError(message('archive.notAFile'));
    if (info.size > MAX_ARCHIVE_BYTES) throw new ExpectedError(message('archive.tooLarge'));
    return await unpackAll(file, into, onProgress);
  } catch (error) {
    // An error of the file system is not the archive's.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    const reason =
      error instanceof ExpectedError
        ? messageOf(error)
        : message('archive.damaged', { words: (error as Error).message });
    throw new ExpectedError(message('archive.refused', { file: basename(file), reason }));
  }
}

async function unpackAll(file: string, into: string, onProgress: OnProgress): Promise<Manifest> {
  const options = { lazyEntries: true, autoClose: false, strictFileNames: true };
  const zip = await openPromise(file, options);
  try {
    const entries = await checkedEntries(zip);
    const manifest = await readManifest(zip, entries);
    for (const [index, { name, sha256 }] of manifest.files.entries()) {
      onProgress('unpacking', index + 1, manifest.files.length);
      const entry = entries.get(name);
      if (entry === undefined || isPassing(name)) continue;
      const path = join(into, name);
      await unpack(zip, entry, path, sha256);
      if (name.endsWith('.gz')) await checkPacked(path, name);
    }
    return manifest;
  } finally {
    zip.close();
  }
}

/** By name, before a single byte is unpacked. */
async function checkedEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries: Entry[] = [];
  const tooMany = new ExpectedError(message('archive.tooManyFiles', { most: MAX_FILES }));
  if (zip.entryCount > MAX_FILES + 1) throw tooMany;
  for await (const entry of zip.eachEntry()) {
    if (entries.length > MAX_FILES) throw tooMany;
    if (!isEmptyFolder(entry)) entries.push(entry);
  }
  const reasons = entries.flatMap((entry) => reasonAgainst(entry) ?? []);
  const reason = reasons[0] ?? reasonAgainstAll(entries, zip.fileSize);
  if (reason !== undefined) throw new ExpectedError(reason);
  return new Map(entries.map((entry) => [entry.fileName, entry]));
}

function reasonAgainstAll(entries: readonly Entry[], archiveBytes: number): Message | undefined {
  const keys = new Set<string>();
  let total = 0;
  for (const { fileName, uncompressedSize } of entries) {
    const key = nameKey(fileName);
    if (keys.has(key)) return message('archive.duplicate', { name: JSON.stringify(fileName) });
    keys.add(key);
    total += uncompressedSize;
  }
  if (total > MAX_TOTAL_BYTES) return message('archive.contentsTooLarge');
  if (isTooDense(total, archiveBytes)) return message('archive.contentsTooDense');
  const both = [...keys].find((key) => isInFile(keys, key));
  return both === undefined
    ? undefined
    : message('archive.insideFile', { name: JSON.stringify(both) });
}

function isTooDense(bytes: number, packed: number): boolean {
  return bytes > RATIO_COUNTS_FROM_BYTES && bytes > packed * MAX_RATIO;
}

function isInFile(keys: ReadonlySet<string>, key: string): boolean {
  const path = key.split('/');
  return path.some((_, depth) => depth > 0 && keys.has(path.slice(0, depth).join('/')));
}

/** Other zip programs store these. */
function isEmptyFolder({ fileName, uncompressedSize }: Entry): boolean {
  const folder = fileName.slice(0, -1);
  const isPlain = isArchivable(`${folder}/x`) || isArchivable(folder);
  return fileName.endsWith('/') && uncompressedSize === 0 && isPlain;
}

function reasonAgainst(entry: Entry): Message | undefined {
  const { fileName, compressionMethod, uncompressedSize } = entry;
  const name = JSON.stringify(fileName);
  if (fileName !== MANIFEST && !isArchivable(fileName))
    return message('archive.foreignName', { name });
  const kind = (entry.externalFileAttributes >>> 16) & FILE_KIND;
  if (kind !== 0 && kind !== PLAIN_FILE) return message('archive.notPlain', { name });
  if (entry.isEncrypted()) return message('archive.encrypted', { name });
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    return message('archive.unknownPacking', { name });
  if (uncompressedSize > (fileName === MANIFEST ? MAX_MANIFEST_BYTES : MAX_FILE_BYTES))
    return message('archive.entryTooLarge', { name });
  return isTooDense(uncompressedSize, entry.compressedSize)
    ? message('archive.entryTooDense', { name })
    : undefined;
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (entry === undefined) throw new ExpectedError(message('archive.noManifest'));
  const chunks = await (await zip.openReadStreamPromise(entry)).toArray();
  const parsed = v.safeParse(Manifest, parseJson(Buffer.concat(chunks).toString('utf8')));
  if (!parsed.success || parsed.output.product !== PRODUCT)
    throw new ExpectedError(message('archive.foreignManifest'));
  const { files, format } = parsed.output;
  if (format > FORMAT) throw new ExpectedError(message('archive.newer', { format, known: FORMAT }));
  const names = new Set(files.map(({ name }) => name));
  const isComplete =
    files.every(({ name, bytes }) => entries.get(name)?.uncompressedSize === bytes) &&
    !names.has(MANIFEST) &&
    names.size === files.length &&
    names.size === entries.size - 1;
  if (!isComplete) throw new ExpectedError(message('archive.manifestMismatch'));
  return parsed.output;
}

/** yauzl never unpacks more than the size that the entry promises. */
async function unpack(zip: ZipFile, entry: Entry, path: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  const content: Readable = await zip.openReadStreamPromise(entry);
  async function* hashed() {
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await writeStream(path, Readable.from(hashed()));
  if (hash.digest('hex') !== sha256)
    throw new ExpectedError(message('archive.badChecksum', { name: `"${entry.fileName}"` }));
}

/** Only measures compressed L1, which is later read as a whole: it may be a bomb. */
async function checkPacked(path: string, name: string): Promise<void> {
  const packed = statSync(path).size;
  // Raw copies are never read as a whole.
  const maxBytes = name.startsWith('sessions/raw/') ? MAX_TOTAL_BYTES : MAX_FILE_BYTES;
  let bytes = 0;
  await pipeline(createReadStream(path), createGunzip(), async (source) => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes || isTooDense(bytes, packed))
        throw new ExpectedError(message('archive.entryTooDense', { name: `"${name}"` }));
    }
  });
}
