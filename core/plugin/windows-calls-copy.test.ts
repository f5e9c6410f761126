import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { windowsCallFiles } from './windows-calls-copy.ts';

it('P3 the files of koffi for Windows go beside the plugin’s command line, and no others', () => {
  const modules = tempFolder();
  const koffi = join(modules, 'koffi');
  for (const file of [
    'koffi/index.cjs',
    'koffi/lib/base.cc',
    '@koromix/koffi-win32-x64/package.json',
    '@koromix/koffi-win32-x64/win32_x64/koffi.node',
    '@koromix/koffi-linux-x64/linux_x64/koffi.node',
  ]) {
    mkdirSync(dirname(join(modules, file)), { recursive: true });
    writeFileSync(join(modules, file), file);
  }
  expect([...windowsCallFiles(koffi, 'x64').keys()].sort()).toEqual([
    'cli/node_modules/@koromix/koffi-win32-x64/package.json',
    'cli/node_modules/@koromix/koffi-win32-x64/win32_x64/koffi.node',
    'cli/node_modules/koffi/index.cjs',
    'cli/node_modules/koffi/package.json',
    'cli/node_modules/koffi/src/koffi/index.cjs',
    'cli/node_modules/koffi/src/koffi/src/static.cjs',
  ]);
  expect(windowsCallFiles(koffi, 'arm64').size).toBe(0);
});
