import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { killedAt } from '../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import {
  copyFolder,
  findBundledPlugin,
  holdsAllOf,
  isCopyWhole,
  marketplaceFolder,
  pluginVersion,
  writeCopy,
} from './plugin-copy.ts';
import { lastSeenAt } from './plugin-status.ts';

function made(folder: string, version: string): string {
  for (const [name, text] of [
    ['.claude-plugin/plugin.json', JSON.stringify({ name: 'memory-keeper', version })],
    ['hooks/run.sh', `echo ${version}`],
  ] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  return folder;
}

const placesIn = (folder: string) => ({ claude: folder, home: join(folder, 'memory-keeper') });

describe('the copy of the plugin', () => {
  it('B4 lies at the same path whatever its version, and old files go with the old one', () => {
    const folder = tempFolder();
    const places = placesIn(folder);
    const old = made(join(folder, 'a'), '0.1.0');
    writeFileSync(join(old, 'hooks/old.cjs'), '');
    writeCopy(places, old);
    writeCopy(places, made(join(folder, 'b'), '0.2.0'));
    expect(pluginVersion(copyFolder(places))).toBe('0.2.0');
    expect(copyFolder(places)).not.toMatch(/\d\.\d/);
    expect(readdirSync(join(copyFolder(places), 'hooks'))).toEqual(['run.sh']);
    expect(
      statSync(join(copyFolder(places), 'hooks/run.sh')).mode & 0o111,
      'it still can be run',
    ).not.toBe(0);
    expect(readdirSync(marketplaceFolder(places)).sort(), 'and nothing else is left').toEqual([
      '.claude-plugin',
      'memory-keeper',
    ]);
    expect(
      JSON.parse(
        readFileSync(join(marketplaceFolder(places), '.claude-plugin/marketplace.json'), 'utf8'),
      ),
    ).toMatchObject({
      plugins: [{ name: 'memory-keeper', source: './memory-keeper' }],
    });
  });

  it('G4 is not touched where it is as it should be, nor copied over itself', () => {
    const folder = tempFolder();
    const places = placesIn(folder);
    const bundledPlugin = made(join(folder, 'a'), '0.1.0');
    writeCopy(places, bundledPlugin);
    const before = statSync(copyFolder(places)).ino;
    writeCopy(places, bundledPlugin);
    writeCopy(places, copyFolder(places));
    expect(statSync(copyFolder(places)).ino).toBe(before);
    expect(isCopyWhole(places)).toBe(true);
  });

  it('G4 comes back after a kill between the two renames', () => {
    const folder = tempFolder();
    const places = placesIn(folder);
    writeCopy(places, made(join(folder, 'a'), '0.1.0'));
    renameSync(copyFolder(places), join(marketplaceFolder(places), '.memory-keeper.0123abcd.old'));
    mkdirSync(join(marketplaceFolder(places), '.memory-keeper.0123abce.new'));
    expect(isCopyWhole(places)).toBe(false);
    writeCopy(places, made(join(folder, 'b'), '0.2.0'));
    expect(pluginVersion(copyFolder(places))).toBe('0.2.0');
    expect(readdirSync(marketplaceFolder(places)).sort()).toEqual([
      '.claude-plugin',
      'memory-keeper',
    ]);
  });

  it('G4 killed at any step of an update it is the old one, the new one, or comes back with the next', async () => {
    const seen = { old: 0, new: 0, away: 0 };
    for (let step = 0, isOver = false; !isOver; step++) {
      const folder = tempFolder();
      const places = placesIn(folder);
      const [old, wanted] = [made(join(folder, 'a'), '0.1.0'), made(join(folder, 'b'), '0.2.0')];
      writeCopy(places, old);
      const { isKilled } = await killedAt(step, () => writeCopy(places, wanted));
      isOver = !isKilled;
      const copy = copyFolder(places);
      if (!existsSync(copy)) seen.away++;
      else if (holdsAllOf(copy, old)) seen.old++;
      else if (holdsAllOf(copy, wanted)) seen.new++;
      else throw new Error(`neither the old nor the new one after a kill at step ${step}`);
      writeCopy(places, wanted);
      expect(holdsAllOf(copy, wanted), `killed at step ${step}`).toBe(true);
      writeCopy(places, made(join(folder, 'c'), '0.3.0'));
      expect(readdirSync(marketplaceFolder(places)).sort(), `killed at step ${step}`).toEqual([
        '.claude-plugin',
        'memory-keeper',
      ]);
    }
    expect(seen.old).toBeGreaterThan(2);
    expect(seen.away).toBe(1);
    expect(seen.new).toBeGreaterThan(1);
  });

  it('G4 is another one if a single byte is, or a file is missing', () => {
    const folder = tempFolder();
    const [a, b] = [made(join(folder, 'a'), '0.1.0'), made(join(folder, 'b'), '0.1.0')];
    writeFileSync(join(a, 'hooks/.in_use'), 'what Claude Code adds does not count');
    expect(holdsAllOf(a, b)).toBe(true);
    writeFileSync(join(a, 'hooks/run.sh'), 'echo 0.1.1');
    expect(holdsAllOf(a, b)).toBe(false);
    rmSync(join(a, 'hooks/run.sh'));
    expect(holdsAllOf(a, b)).toBe(false);
  });

  it('G4 is not another one for the typings that Claude Code writes into the plugin', () => {
    const folder = tempFolder();
    const [one, other] = [made(join(folder, 'a'), '1.0.0'), made(join(folder, 'b'), '1.0.0')];
    mkdirSync(join(other, '.claude-plugin/types/claude-code'), { recursive: true });
    writeFileSync(join(other, '.claude-plugin/types/claude-code/index.d.ts'), 'export {};');
    writeFileSync(join(other, 'tsconfig.json'), '{}');
    expect(holdsAllOf(one, other)).toBe(true);
  });

  it('G4 is taken from beside the program, from around it, or from the resources of the application', () => {
    const folder = tempFolder();
    const dist = made(join(folder, 'dist/plugin'), '0.1.0');
    const resources = made(join(folder, 'resources/plugin'), '0.1.0');
    for (const name of ['dist/cli', 'dist/plugin/cli', 'cli/commands', 'elsewhere/x/y'])
      mkdirSync(join(folder, name), { recursive: true });
    for (const name of ['dist/cli', 'dist/plugin/cli', 'cli/commands'])
      expect(findBundledPlugin(join(folder, name))).toBe(dist);
    expect(findBundledPlugin(join(folder, 'dist/cli'), join(folder, 'resources'))).toBe(resources);
    expect(findBundledPlugin(join(folder, 'elsewhere/x/y'))).toBeNull();
  });

  it('G4 was last seen at work when it last left something', () => {
    const folder = tempFolder();
    const places = placesIn(folder);
    expect(lastSeenAt(places)).toBeNull();
    mkdirSync(join(places.home, 'given'), { recursive: true });
    const file = join(places.home, 'given/one.txt');
    writeFileSync(file, '');
    const at = new Date('2026-11-16T09:30:00Z');
    utimesSync(file, at, at);
    expect(lastSeenAt(places)).toBe(at.toISOString());
  });
});
