/** Zip files made by hand, byte for byte, so that they can hold what no honest program writes. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string | Buffer;
  content: Buffer;
  /** As Unix has it, in the upper half of the attributes. */
  mode?: number;
  /** What the directory says of the size; the truth if it is not told. */
  claimedBytes?: number;
  packed?: Buffer;
  method?: number;
  flags?: number;
}

const UTF8 = 0x0800;

export function madeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const {
      name,
      content,
      mode = 0o100600,
      claimedBytes = content.length,
      method = 8,
      flags = UTF8,
    } = entry;
    const nameBytes = Buffer.from(name as string);
    const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, nameBytes, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, tail, nameBytes]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** With a manifest that names all the others as they are; what is given changes it. */
export function madeArchive(entries: readonly ZipEntry[], changes: object = {}): Buffer {
  const files = entries.map(({ name, content, claimedBytes = content.length }) => ({
    name: String(name),
    bytes: claimedBytes,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const manifest = {
    product: 'memory-keeper',
    format: 1,
    project: 'app',
    createdAt: '2026-11-16T09:00:00Z',
    files,
    ...changes,
  };
  return madeZip([
    { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    ...entries,
  ]);
}

export function textEntry(name: string, text = 'x\n', more: Partial<ZipEntry> = {}): ZipEntry {
  return { name, content: Buffer.from(text), ...more };
}
