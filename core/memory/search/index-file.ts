/**
 * Saves and loads the search index as one buffer of named arrays (M17). The index can be rebuilt
 * from the files, so a damaged buffer, or one of another version or byte order, gives `undefined`.
 */
import { crc32 } from 'node:zlib';
import type { Numbers } from './column.ts';

/**
 * Raised whenever the sections or the tokenizer change: words that are cut otherwise are not found
 * in an older index.
 */
const VERSION = 1;
const MAGIC = 0x584b4d53;
/** Checksum of all that follows, magic, version, length of the table of contents. */
const HEAD_BYTES = 16;
const CHECKSUM_BYTES = 4;

const KINDS = { Uint8Array, Uint32Array, Float64Array };

interface Section {
  kind: keyof typeof KINDS;
  /** In bytes, from the end of the table of contents. */
  start: number;
  bytes: number;
}

export function packColumns(columns: Record<string, Numbers>): Buffer {
  const contents: Record<string, Section> = {};
  let bytes = 0;
  for (const [name, column] of Object.entries(columns)) {
    contents[name] = { kind: kindOf(column), start: bytes, bytes: column.byteLength };
    bytes += column.byteLength;
  }
  const table = Buffer.from(JSON.stringify(contents));
  const head = Uint32Array.of(0, MAGIC, VERSION, table.length);
  const packed = Buffer.concat([head, table, ...Object.values(columns)].map(bytesOf));
  head[0] = crc32(packed.subarray(CHECKSUM_BYTES));
  packed.set(bytesOf(head));
  return packed;
}

export function unpackColumns(packed: Buffer): Record<string, Numbers> | undefined {
  if (packed.length < HEAD_BYTES) return undefined;
  const [checksum, magic, version, tableBytes = 0] = new Uint32Array(copied(packed, 0, HEAD_BYTES));
  if (magic !== MAGIC || version !== VERSION || checksum !== crc32(packed.subarray(CHECKSUM_BYTES)))
    return undefined;
  const start = HEAD_BYTES + tableBytes;
  const contents: Record<string, Section> = JSON.parse(packed.toString('utf8', HEAD_BYTES, start));
  return Object.fromEntries(
    Object.entries(contents).map(([name, section]) => [
      name,
      new KINDS[section.kind](copied(packed, start + section.start, section.bytes)),
    ]),
  );
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** A copy is aligned as its kind needs it, and does not keep the whole file in memory. */
function copied(packed: Buffer, start: number, bytes: number): ArrayBuffer {
  return new Uint8Array(packed.subarray(start, start + bytes)).buffer;
}

function kindOf(column: Numbers): Section['kind'] {
  if (column instanceof Float64Array) return 'Float64Array';
  return column instanceof Uint32Array ? 'Uint32Array' : 'Uint8Array';
}
