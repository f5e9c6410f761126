/**
 * Builds the desktop application into dist/electron: the main process, the sandboxed preload, and
 * beside them the icon and the children that core starts.
 */
import { writeFile } from 'node:fs/promises';
import { build } from 'rolldown';
import { iconPng } from './icon.ts';

const FOLDER = 'dist/electron';
/** Native, or part of Electron itself: they stay outside the bundle. */
const EXTERNAL = ['electron', '@nut-tree/nut-js', '@miniben90/x-win', 'x11'];
const CHILDREN = [
  'core/clear/delivery/desktop/typist-child.ts',
  'core/clear/delivery/console-child.ts',
  'core/usecases/threads/memory-thread-child.ts',
];
/** Of the oldest Electron that it is run with (scripts/electron-runtime.ts). */
const TARGET = 'node20.18';

export async function buildElectron(): Promise<void> {
  const common = {
    platform: 'node',
    external: EXTERNAL,
    transform: { target: TARGET },
    logLevel: 'warn',
  } as const;
  await build({
    ...common,
    input: 'electron/main.ts',
    // The engine becomes a file of its own, which is loaded when the tray is there. All in one
    // folder: core looks for its children there.
    output: { dir: FOLDER, format: 'esm', entryFileNames: 'main.js', chunkFileNames: '[name].js' },
  });
  // A sandboxed preload can only be CommonJS.
  await build({
    ...common,
    input: 'electron/preload.ts',
    output: { file: `${FOLDER}/preload.cjs`, format: 'cjs', codeSplitting: false },
  });
  for (const child of CHILDREN)
    await build({
      ...common,
      input: child,
      output: {
        file: child.replace(/^.*\/(.*)\.ts$/, `${FOLDER}/$1.js`),
        format: 'esm',
        codeSplitting: false,
      },
    });
  await writeFile(`${FOLDER}/icon.png`, iconPng(256));
}
