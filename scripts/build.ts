/**
 * Builds everything into dist/: the command line as one file that needs nothing beside it but Node, and the Claude Code plugin as a
 * folder that can be installed as it is.
 */
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'rolldown';
import { iconPng } from './icon.ts';

const CLI = 'dist/cli/memory-keeper.js';
const PLUGIN = 'dist/plugin';

async function bundle(input: string, file: string, format: 'esm' | 'cjs', target: string): Promise<void> {
  const output = { file, format, codeSplitting: false };
  await build({ input, platform: 'node', output, transform: { target }, logLevel: 'warn' });
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

await rm('dist', { recursive: true, force: true });
await bundle('cli/memory-keeper.ts', CLI, 'esm', 'node20.19');
await chmod(CLI, 0o755);

// Hooks run on whatever Node the user has; CommonJS starts sooner there.
await bundle('hooks-plugin/src/hook.ts', `${PLUGIN}/hooks/hook.cjs`, 'cjs', 'node18');
await copy('hooks-plugin/hooks.json', `${PLUGIN}/hooks/hooks.json`);
await copy('hooks-plugin/plugin.json', `${PLUGIN}/.claude-plugin/plugin.json`);
await copy('hooks-plugin/README.md', `${PLUGIN}/README.md`);
await copy('LICENSE', `${PLUGIN}/LICENSE`);
await writeFile(`${PLUGIN}/.claude-plugin/icon.png`, iconPng(512));
