import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { removeRuntime, runtimeProgram, writeRuntime } from './hook-runtime.ts';
import { renewRuntime } from './install.ts';

function made() {
  const root = tempFolder();
  const places = { claude: root, home: join(root, 'memory-keeper') };
  return { root, places, runtime: join(places.home, 'runtime') };
}

/** Tells what it was given. */
function program(path: string): string {
  writeFileSync(path, '#!/bin/sh\nprintf "%s|" "$@"\n');
  chmodSync(path, 0o755);
  return path;
}

describe('the runtime for hooks', () => {
  it('G8 starts the application with all that it is given, whatever the path is called', () => {
    const { root, places, runtime } = made();
    const app = program(join(root, `it's "내 앱" $HOME %s`));
    writeRuntime(places, app);
    expect(execFileSync(runtime, ['a b', '$HOME', '"']).toString()).toBe('a b|$HOME|"|');
    expect(runtimeProgram(places)).toBe(app);
    expect(statSync(runtime).mode & 0o777).toBe(0o700);
    expect(readdirSync(places.home)).toEqual(['runtime']);
  });

  it('G8 never writes through a link that somebody has put there: the program behind it is not ours', () => {
    const { root, places, runtime } = made();
    const theirs = program(join(root, 'node'));
    mkdirSync(places.home);
    symlinkSync(theirs, runtime);
    const before = readFileSync(theirs, 'utf8');
    writeRuntime(places, program(join(root, 'app')));
    expect(readFileSync(theirs, 'utf8')).toBe(before);
    expect(runtimeProgram(places)).toBe(join(root, 'app'));
  });

  it('G8 leaves Windows a script for cmd, which goes with the plugin too', () => {
    const { places } = made();
    writeRuntime(places, 'C:\\Apps\\Memory Keeper\\Memory Keeper.exe', 'win32');
    expect(readdirSync(places.home)).toEqual(['runtime.cmd']);
    expect(readFileSync(join(places.home, 'runtime.cmd'), 'utf8')).toContain(
      '@"C:\\Apps\\Memory Keeper\\Memory Keeper.exe" %*',
    );
    removeRuntime(places);
    expect(readdirSync(places.home)).toEqual([]);
  });

  it('G8 B4 follows the application when that was moved, as long as the plugin is there, and goes with it', () => {
    const { places } = made();
    renewRuntime({ places, runtime: '/opt/Memory Keeper/memory-keeper' });
    expect(existsSync(places.home)).toBe(false); // no plugin, no hooks
    const copy = join(places.home, 'plugin-marketplace');
    for (const [name, text] of [
      ['.claude-plugin/marketplace.json', '{}'],
      ['memory-keeper/.claude-plugin/plugin.json', '{"name":"memory-keeper","version":"0.1.0"}'],
    ] as const) {
      mkdirSync(join(copy, name, '..'), { recursive: true });
      writeFileSync(join(copy, name), text);
    }
    renewRuntime({ places, runtime: '/opt/Memory Keeper/memory-keeper' });
    expect(runtimeProgram(places)).toBe('/opt/Memory Keeper/memory-keeper');
    renewRuntime({ places, runtime: undefined }); // run from its sources
    expect(runtimeProgram(places)).toBe('/opt/Memory Keeper/memory-keeper');
    renewRuntime({ places, runtime: '/home/kim/apps/memory-keeper' });
    expect(runtimeProgram(places)).toBe('/home/kim/apps/memory-keeper');
    removeRuntime(places);
    expect(runtimeProgram(places)).toBeUndefined();
  });
});
