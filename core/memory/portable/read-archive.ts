/**
 * Unpacks an archive from any source into a folder of ours (M20). Checks every name, size and kind
 * first, and keeps the files only if each is what the manifest says. Never writes outside of that
 * folder.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as v from 'valibot';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { ExpectedError } from '../../messages/expected-error.ts';
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
import type { Tell } from './write-archive.ts';

const FILE_KIND = 0o170000;
const PLAIN_FILE = 0o100000;
const STORED = 0;
const DEFLATED = 8;

export async function unpackArchive(file: string, into: string, tell: Tell): Promise<Manifest> {
  const zip = await openArchive(file);
  try {
    const entries = await judgedEntries(zip, file);
    const manifest = await readManifest(zip, entries, file);
    for (const [index, { name, sha256 }] of manifest.files.entries()) {
      tell('unpacking', index + 1, manifest.files.length);
      const entry = entries.get(name);
      if (entry === undefined || isPassing(name)) continue;
      const path = join(into, name);
      await unpack(zip, entry, path, sha256, file);
      if (name.endsWith('.gz')) await judgePacked(path, name, file);
    }
    return manifest;
  } finally {
    zip.close();
  }
}

function refusal(file: string, reason: Message): ExpectedError {
  return new ExpectedError(message('archive.refused', { file: basename(file), reason }));
}

async function openArchive(file: string): Promise<ZipFile> {
  const info = statSync(file, { throwIfNoEntry: false });
  if (info === undefined) throw new ExpectedError(message('archive.missing', { file }));
  if (!info.isFile()) throw refusal(file, message('archive.notAFile'));
  if (info.size > MAX_ARCHIVE_BYTES) throw refusal(file, message('archive.tooLarge'));
  return toldOf(file, () =>
    openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true }),
  );
}

/** What the system says of its files is told as it is; all else is about the archive. */
async function toldOf<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ExpectedError || (error as NodeJS.ErrnoException).syscall !== undefined)
      throw error;
    throw refusal(file, message('archive.damaged', { words: (error as Error).message }));
  }
}

/** By name, before a single byte is unpacked. */
function judgedEntries(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  const tooMany = refusal(file, message('archive.tooManyFiles', { most: MAX_FILES }));
  if (zip.entryCount > MAX_FILES + 1) throw tooMany;
  return toldOf(file, async () => {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      if (entries.length > MAX_FILES) throw tooMany;
      if (!isEmptyFolder(entry)) entries.push(entry);
    }
    const reason = entries.reduce<Message | undefined>(
      (found, entry) => found ?? reasonAgainst(entry),
      undefined,
    );
    const together = reason ?? reasonAgainstAll(entries, zip.fileSize);
    if (together !== undefined) throw refusal(file, together);
    return new Map(entries.map((entry) => [entry.fileName, entry]));
  });
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
  const way = key.split('/');
  return way.some((_, depth) => depth > 0 && keys.has(way.slice(0, depth).join('/')));
}

/** Other programs that pack a folder write these down. */
function isEmptyFolder({ fileName, uncompressedSize }: Entry): boolean {
  const way = fileName.slice(0, -1);
  return (
    fileName.endsWith('/') &&
    uncompressedSize === 0 &&
    (isArchivable(`${way}/x`) || isArchivable(way))
  );
}

function reasonAgainst(entry: Entry): Message | undefined {
  const { fileName, externalFileAttributes, compressionMethod, compressedSize, uncompressedSize } =
    entry;
  const name = JSON.stringify(fileName);
  if (fileName !== MANIFEST && !isArchivable(fileName))
    return message('archive.foreignName', { name });
  const kind = (externalFileAttributes >>> 16) & FILE_KIND;
  if (kind !== 0 && kind !== PLAIN_FILE) return message('archive.notPlain', { name });
  if (entry.isEncrypted()) return message('archive.encrypted', { name });
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    return message('archive.unknownPacking', { name });
  if (uncompressedSize > (fileName === MANIFEST ? MAX_MANIFEST_BYTES : MAX_FILE_BYTES))
    return message('archive.entryTooLarge', { name });
  return isTooDense(uncompressedSize, compressedSize)
    ? message('archive.entryTooDense', { name })
    : undefined;
}

async function readManifest(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  file: string,
): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (entry === undefined) throw refusal(file, message('archive.noManifest'));
  const chunks = await toldOf(file, async () => (await zip.openReadStreamPromise(entry)).toArray());
  const parsed = v.safeParse(Manifest, parseJson(Buffer.concat(chunks).toString('utf8')));
  if (!parsed.success || parsed.output.product !== PRODUCT)
    throw refusal(file, message('archive.foreignManifest'));
  const manifest = parsed.output;
  if (manifest.format > FORMAT)
    throw refusal(file, message('archive.newer', { format: manifest.format, known: FORMAT }));
  const named = new Set(manifest.files.map(({ name }) => name));
  const isAsNamed = manifest.files.every(
    ({ name, bytes }) => entries.get(name)?.uncompressedSize === bytes,
  );
  if (
    !isAsNamed ||
    named.has(MANIFEST) ||
    named.size !== manifest.files.length ||
    named.size !== entries.size - 1
  )
    throw refusal(file, message('archive.manifestMismatch'));
  return manifest;
}

/** What does not hold the promised bytes is never more than the promised size. */
function unpack(
  zip: ZipFile,
  entry: Entry,
  path: string,
  sha256: string,
  file: string,
): Promise<void> {
  return toldOf(file, async () => {
    const hash = createHash('sha256');
    const hashed = new Transform({
      transform(chunk, _encoding, done) {
        hash.update(chunk);
        done(undefined, chunk);
      },
    });
    const content: Readable = await zip.openReadStreamPromise(entry);
    content.on('error', (error) => hashed.destroy(error));
    await writeStream(path, content.pipe(hashed));
    if (hash.digest('hex') !== sha256)
      throw refusal(file, message('archive.badChecksum', { name: `"${entry.fileName}"` }));
  });
}

/**
 * Compressed L1 is read later, all at once: a bomb in it must not get so far. It is not unpacked
 * here, only measured.
 */
function judgePacked(path: string, name: string, file: string): Promise<void> {
  const packed = statSync(path).size;
  const most = name.startsWith('sessions/raw/') ? MAX_TOTAL_BYTES : MAX_FILE_BYTES; // raw copies are never read as a whole
  let bytes = 0;
  const measure = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > most || isTooDense(bytes, packed))
        throw refusal(file, message('archive.entryTooDense', { name: `"${name}"` }));
    }
  };
  return toldOf(file, () => pipeline(createReadStream(path), createGunzip(), measure));
}
