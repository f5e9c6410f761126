import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asOrdinaryUser } from '../../../tests/bed/ordinary-user.ts';
import { killedAt } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { sweepTempFiles, writeFileAtomic } from './atomic-write.ts';
import { thisProcess } from './owner.ts';

const OLD = 'old '.repeat(50_000);
const NEW = 'new '.repeat(50_000);

describe('writeFileAtomic', () => {
  it('M18 makes files and folders that only the user can read', () => {
    const path = join(tempFolder(), 'deep', 'er', 'file.json');
    writeFileAtomic(path, 'content');
    expect(readFileSync(path, 'utf8')).toBe('content');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
  });

  it('M21 leaves the old or the new content, never a mix, when killed at any step of a write', async () => {
    const seen = { old: 0, new: 0 };
    let step = 0;
    for (let finished = false; !finished; step++) {
      const folder = tempFolder();
      const path = join(folder, 'file.txt');
      writeFileSync(path, OLD);
      const { isKilled } = await killedAt(step, () => writeFileAtomic(path, NEW));
      finished = !isKilled;
      const content = readFileSync(path, 'utf8');
      expect([OLD, NEW]).toContain(content);
      seen[content === OLD ? 'old' : 'new']++;
      sweepTempFiles(folder);
      expect(readdirSync(folder)).toEqual(['file.txt']);
    }
    // Every step was tried: all up to the rename, and the write that nobody disturbs.
    expect(seen).toEqual({ old: 4, new: 1 });
  });

  it('keeps a link that the user made and writes the file behind it', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'real.json'), 'old');
    symlinkSync(join(folder, 'real.json'), join(folder, 'link.json'));
    writeFileAtomic(join(folder, 'link.json'), 'new');
    expect(lstatSync(join(folder, 'link.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real.json'), 'utf8')).toBe('new');
  });

  it('leaves the old content and nothing else behind when a write is cancelled', () => {
    const folder = tempFolder();
    const path = join(folder, 'file.txt');
    writeFileSync(path, 'old');
    const giveUp = () => {
      throw new Error('changed my mind');
    };
    expect(() => writeFileAtomic(path, 'new', { beforeCommit: giveUp })).toThrow('changed my mind');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['file.txt']);
  });

  it('fails with the reason and loses nothing where a folder is in the way', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'file.txt'));
    expect(() => writeFileAtomic(join(folder, 'file.txt'), 'new')).toThrow(
      /EISDIR|ENOTEMPTY|EEXIST/,
    );
    expect(readdirSync(folder)).toEqual(['file.txt']);
  });

  it('fails with the reason where the folder is not writable', async () => {
    const folder = tempFolder();
    chmodSync(folder, 0o555);
    await asOrdinaryUser(() =>
      expect(() => writeFileAtomic(join(folder, 'file.txt'), 'new')).toThrow('EACCES'),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('sweeps only what dead writers left', () => {
    const folder = tempFolder();
    const ofTheDead = join(folder, `.a.json.999999999-${thisProcess().host}-0123456789ab.tmp`);
    const ofTheLiving = join(
      folder,
      `.a.json.${process.pid}-${thisProcess().host}-0123456789ab.tmp`,
    );
    const ofAnotherMachine = join(folder, '.a.json.999999999-ffffffff-0123456789ab.tmp');
    for (const path of [ofTheDead, ofTheLiving, ofAnotherMachine, join(folder, 'notes.tmp')])
      writeFileSync(path, '');
    sweepTempFiles(folder);
    expect(existsSync(ofTheDead)).toBe(false);
    expect(readdirSync(folder)).toHaveLength(3);
  });
});
