/**
 * The files of koffi that the plugin's own command line needs on Windows to ask about processes
 * (P3). They are native and belong to one system, so the plugin as it is built has none: whoever
 * installs it there has them, and puts them beside that command line.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { attempt } from '../platform/store/attempt.ts';

const MODULES = join('cli', 'node_modules');
const KOFFI = ['package.json', 'index.cjs', 'src/koffi/index.cjs', 'src/koffi/src/static.cjs'];

/** Where each goes in the plugin's copy, and where it is; none where koffi has no binary. */
export function windowsCallFiles(
  koffi = attempt(() => dirname(createRequire(import.meta.url).resolve('koffi')), undefined),
  arch: string = process.arch,
): Map<string, string> {
  const files = new Map<string, string>();
  if (koffi === undefined) return files;
  const binary = join(koffi, '..', '@koromix', `koffi-win32-${arch}`);
  if (!existsSync(binary)) return files;
  for (const name of KOFFI) files.set(join(MODULES, 'koffi', name), join(koffi, name));
  for (const entry of readdirSync(binary, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(join(MODULES, relative(join(koffi, '..'), path)), path);
  }
  return files;
}
