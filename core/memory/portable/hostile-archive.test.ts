import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { madeArchive, madeZip, textEntry } from '../../../tests/bed/made-zip.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { importMemory } from './import-memory.ts';

const MB = 1024 * 1024;
const MEMORY_MD = textEntry(
  'memory/memory.md',
  '# Project Memory: app\n\n## Core Decisions\n\n- Taken in.\n',
);

/** Every file below a folder, with what it says. */
function everything(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]));
}

function scene() {
  const folder = tempFolder();
  const made = new MadeMemory({ root: join(folder, 'place') });
  made.decide('s1', 'Prices are kept in cents.');
  const file = join(tempFolder(), 'memory.zip');
  const take = (archive: Buffer) => {
    writeFileSync(file, archive);
    const { places, memory } = made;
    return importMemory({
      places,
      memory,
      source: file,
      isPreview: false,
      isReplacing: false,
      onProgress: () => undefined,
    });
  };
  return { made, folder, take };
}

async function isRefused(archive: Buffer, reason: RegExp | string): Promise<void> {
  const { folder, take } = scene();
  const before = everything(folder);
  await expect(take(archive)).rejects.toThrow(reason);
  expect(everything(folder)).toEqual(before);
}

describe('an archive that somebody else has made', () => {
  it('M20 is taken in if it is honest', async () => {
    const { made, take } = scene();
    await take(madeArchive([MEMORY_MD]));
    expect(made.memoryMd).toContain('- Taken in.');
  });

  it.each([
    '../evil.md',
    'memory/../../evil.md',
    'memory/..',
    '/etc/evil.md',
    'C:/evil.md',
    'C:evil.md',
    'memory/C:evil.md',
    'memory\\evil.md',
    'memory/..\\..\\evil.md',
    'memory/evil\u0000.md',
    'memory/evil\n.md',
    'memory//evil.md',
    'memory/./evil.md',
    'memory/CON',
    'memory/nul.md',
    'memory/evil.md.',
    'memory/evil.md ',
    'memory/evil.md:stream',
    'memory/.history/memory.md/ours',
    'memory/.gitignore',
    'memory/.staging-1-1-00000000-00000000/swap.json',
    'memory/journal.jsonl.lock/1',
    'evil.md',
    'hooks/evil.sh',
    'memory/a/b/c/d/e/f.md',
    `memory/${'x'.repeat(300)}.md`,
  ])('M20 zip slip and other names: %j is refused and nothing is changed', async (name) => {
    await isRefused(madeArchive([MEMORY_MD, textEntry(name)]), /archive\.(?:foreignName|damaged)/);
  });

  it.each([
    ['a symbolic link', 0o120777],
    ['a device', 0o020666],
    ['a pipe', 0o010666],
    ['a folder that is a file', 0o040700],
  ])('M20 %s is refused and nothing is changed', async (_, mode) => {
    await isRefused(
      madeArchive([textEntry('memory/link.md', '/etc/passwd', { mode })]),
      'archive.notPlain',
    );
  });

  const zeros = Buffer.alloc(64 * MB);
  const bomb = deflateRawSync(zeros);
  const cases: [string, () => Buffer, RegExp | string][] = [
    [
      'a bomb',
      () => madeArchive([{ name: 'memory/x.md', content: zeros, packed: bomb }]),
      'archive.entryTooDense',
    ],
    [
      'many small bombs',
      () =>
        madeArchive(
          Array.from({ length: 20 }, (_, n) => textEntry(`memory/${n}.md`, '0'.repeat(2 * MB))),
        ),
      'archive.contentsTooDense',
    ],
    [
      'a bomb that calls itself small',
      () => madeArchive([{ name: 'memory/x.md', content: zeros, packed: bomb, claimedBytes: 100 }]),
      'archive.damaged',
    ],
    [
      'a bomb inside of compressed L1',
      () =>
        madeArchive([
          { name: 'sessions/2026-11-16_0900.l1.jsonl.gz', content: gzipSync(zeros), method: 0 },
        ]),
      /archive\.entryTooDense.*l1\.jsonl\.gz/,
    ],
    [
      'compressed L1 that is none',
      () => madeArchive([textEntry('sessions/2026-11-16_0900.l1.jsonl.gz', 'no gzip')]),
      'archive.damaged',
    ],
    [
      'a size beyond all',
      () => madeArchive([textEntry('memory/x.md', 'x', { claimedBytes: 2 ** 31 })]),
      'archive.entryTooLarge',
    ],
    [
      'the same name twice',
      () => madeArchive([textEntry('memory/x.md'), textEntry('memory/x.md')]),
      'archive.duplicate',
    ],
    [
      'names that differ in case',
      () => madeArchive([textEntry('memory/x.md'), textEntry('memory/X.md')]),
      'archive.duplicate',
    ],
    [
      'names that differ in how they are composed',
      () => madeArchive([textEntry('memory/é.md'), textEntry('memory/e\u0301.md')]),
      'archive.duplicate',
    ],
    [
      'a file in a file',
      () => madeArchive([textEntry('memory/x.md'), textEntry('memory/x.md/y.md')]),
      'archive.insideFile',
    ],
    [
      'an encrypted file',
      () => madeArchive([textEntry('memory/x.md', 'x', { flags: 0x0801 })]),
      'archive.encrypted',
    ],
    [
      'an unknown packing',
      () => madeArchive([textEntry('memory/x.md', 'x', { method: 99 })]),
      'archive.unknownPacking',
    ],
    ['another content than promised', () => wronglyNamed(), 'archive.badChecksum'],
    [
      'a file that the manifest does not name',
      () => madeArchive([textEntry('memory/x.md')], { files: [] }),
      'archive.manifestMismatch',
    ],
    [
      'a file that is missing',
      () => madeArchive([], { files: [{ name: 'memory/x.md', bytes: 1, sha256: '0'.repeat(64) }] }),
      'archive.manifestMismatch',
    ],
    [
      'a zip of another program',
      () => madeZip([textEntry('memory/memory.md')]),
      'archive.noManifest',
    ],
    [
      'a manifest of another program',
      () => madeArchive([MEMORY_MD], { product: 'other' }),
      'archive.foreignManifest',
    ],
    [
      'a manifest that is no JSON',
      () => madeZip([textEntry('manifest.json', '{"product"')]),
      'archive.foreignManifest',
    ],
    [
      'a newer format',
      () => madeArchive([MEMORY_MD], { format: 2 }),
      'archive.newer","values":{"format":2,"known":1}',
    ],
    ['no zip at all', () => Buffer.from('hello'), 'archive.damaged'],
    ['an empty file', () => Buffer.alloc(0), 'archive.damaged'],
    ['more files than anybody has', () => zip64Claiming(200_000), 'archive.tooManyFiles'],
    [
      'facts of a newer version',
      () => madeArchive([textEntry('memory/facts.json', '{"version": 99}')]),
      /archive\.notImported.*newer/i,
    ],
    [
      'facts that are no JSON',
      () => madeArchive([textEntry('memory/facts.json', '{')]),
      /archive\.notImported.*facts\.json/,
    ],
    [
      'an index that leads elsewhere',
      () => madeArchive([textEntry('memory/memory-index.json', indexWith('../../../evil'))]),
      'archive.foreignIndex',
    ],
  ];

  function wronglyNamed(): Buffer {
    const archive = madeArchive([textEntry('memory/x.md', 'right', { method: 0 })]);
    archive.write('wrong', archive.indexOf('right', archive.indexOf('memory/x.md')), 'latin1');
    return archive;
  }

  /** The count of entries in the directory's end is 64 bits wide there. */
  function zip64Claiming(count: number): Buffer {
    const zip = madeZip([textEntry('memory/x.md')]);
    const end = zip.subarray(-22);
    const record = Buffer.alloc(56);
    record.write('PK\x06\x06', 'latin1');
    record.writeBigUInt64LE(44n, 4);
    record.writeBigUInt64LE(BigInt(count), 24);
    record.writeBigUInt64LE(BigInt(count), 32);
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
    const locator = Buffer.alloc(20);
    locator.write('PK\x06\x07', 'latin1');
    locator.writeBigUInt64LE(BigInt(zip.length - 22), 8);
    locator.writeUInt32LE(1, 16);
    const last = Buffer.from(end);
    last.fill(0xff, 8, 20);
    return Buffer.concat([zip.subarray(0, -22), record, locator, last]);
  }

  function indexWith(file: string): string {
    return JSON.stringify({
      version: 1,
      sessions: { s1: { file, offset: 0, inode: 0, l1Bytes: 0 } },
    });
  }

  it.each(cases)('M20 %s is refused and nothing is changed', async (_, archive, reason) => {
    await isRefused(archive(), reason);
  });

  it('M20 cut short at any place it is refused and nothing is changed', async () => {
    const { folder, take } = scene();
    const whole = madeArchive([MEMORY_MD, textEntry('sessions/2026-11-01_0900.md', 'A page.\n')]);
    const before = everything(folder);
    for (let length = 0; length < whole.length; length += 37) {
      await expect(take(whole.subarray(0, length)), `${length} bytes`).rejects.toThrow(
        'archive.refused',
      );
      expect(everything(folder), `${length} bytes`).toEqual(before);
    }
  });

  it('M20 with any byte changed it is refused in words, or says what was written', async () => {
    const { made, folder } = scene();
    const file = join(tempFolder(), 'memory.zip');
    const whole = madeArchive([MEMORY_MD, textEntry('sessions/2026-11-01_0900.md', 'A page.\n')]);
    const { places, memory } = made;
    const before = everything(folder);
    let refused = 0;
    for (let at = 0; at < whole.length; at += 11) {
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at);
      writeFileSync(file, damaged);
      const request = {
        places,
        memory,
        source: file,
        isPreview: true,
        isReplacing: false,
        onProgress: () => undefined,
      };
      const outcome = await importMemory(request).catch((error: Error) => error.message);
      if (typeof outcome === 'string')
        expect(outcome, `byte ${at}`).toMatch(/^archive\.(?:refused|notImported) /);
      else expect(outcome.after, `byte ${at}`).toMatchObject({ facts: 1, sessions: 1 });
      refused += typeof outcome === 'string' ? 1 : 0;
    }
    expect(refused).toBeGreaterThan(20);
    expect(everything(folder)).toEqual(before);
  });

  it('M20 transcripts of another place are not believed, nor what its processes were at', async () => {
    const made = new MadeMemory();
    const progress = {
      file: '2026-11-16_0900.l1.jsonl',
      offset: 5,
      inode: 1,
      l1Bytes: 15,
      transcript: '/etc/passwd',
      pending: {},
    };
    const index = {
      version: 1,
      sessions: { s1: progress },
      cleared: { 7: 's1' },
      attempts: { x: { tries: 1, subject: 1 } },
      extra: 1,
    };
    const archive = madeArchive([
      textEntry('memory/memory-index.json', JSON.stringify(index)),
      textEntry(
        'memory/unfinished.json',
        JSON.stringify({ edited: [], ofSessions: [{ name: 'x.l2.json', content: 'evil' }] }),
      ),
      textEntry('sessions/2026-11-16_0900.l1.jsonl', '{"session":"s1"}\n'),
    ]);
    const file = join(tempFolder(), 'memory.zip');
    writeFileSync(file, archive);
    mkdirSync(made.places.home, { recursive: true });
    const { places, memory } = made;
    await importMemory({
      places,
      memory,
      source: file,
      isPreview: false,
      isReplacing: false,
      onProgress: () => undefined,
    });
    const taken = JSON.parse(readFileSync(memory.index, 'utf8'));
    expect(taken).toMatchObject({ extra: 1, sessions: { s1: { file: progress.file, offset: 5 } } });
    expect(JSON.stringify(taken)).not.toMatch(/passwd|cleared|attempts/);
    expect(existsSync(join(memory.sessions, 'x.l2.json'))).toBe(false);
  });
});
