/**
 * Builds everything into dist/: the command line as one file that needs nothing beside it but Node, and the Claude Code plugin as a
 * folder that can be installed as it is.
 */
import { chmod, copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'rolldown';
import { iconPng } from './icon.ts';

const CLI = 'dist/cli/memory-keeper.js';
const PLUGIN = 'dist/plugin';

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

await rm('dist', { recursive: true, force: true });
await build({
  input: 'cli/memory-keeper.ts',
  platform: 'node',
  output: { file: CLI, format: 'esm', codeSplitting: false },
  transform: { target: 'node20.19' },
  logLevel: 'warn',
});
await chmod(CLI, 0o755);

// The child that types stands beside it and not beside the plugin's copy: its libraries are native and come from npm or the application.
await build({
  input: 'core/clear/delivery/desktop/typist-child.ts',
  external: ['@nut-tree/nut-js', '@miniben90/x-win', 'x11'],
  platform: 'node',
  output: { file: 'dist/cli/typist-child.js', format: 'esm', codeSplitting: false },
  transform: { target: 'node20.19' },
  logLevel: 'warn',
});

// Hooks run on whatever Node the user has; CommonJS starts sooner there. Each program stands alone but for the one that does the heavy work.
for (const program of ['prompt', 'session-start', 'keep', 'stop', 'work'])
  await build({
    input: `hooks-plugin/src/${program}.ts`,
    platform: 'node',
    // Names stay, for the log; but a hook that is half as long starts sooner.
    output: {
      file: `${PLUGIN}/hooks/${program}.cjs`,
      format: 'cjs',
      codeSplitting: false,
      minify: { mangle: false, compress: true, codegen: true },
    },
    transform: { target: 'node18' },
    plugins: [{ name: 'work', resolveId: (id) => (id === './work.ts' ? { id: './work.cjs', external: true } : undefined) }],
    logLevel: 'warn',
  });
for (const file of ['hook.cjs', 'run.sh', 'register.js', 'hooks.json'])
  await copy(`hooks-plugin/${file}`, `${PLUGIN}/hooks/${file}`);
await copy('hooks-plugin/plugin.json', `${PLUGIN}/.claude-plugin/plugin.json`);
await copy('hooks-plugin/README.md', `${PLUGIN}/README.md`);
await copy('hooks-plugin/bin/memory-keeper', `${PLUGIN}/bin/memory-keeper`);
await copy(CLI, `${PLUGIN}/cli/memory-keeper.mjs`);
await copy('cli/start.cjs', `${PLUGIN}/cli/start.cjs`);
await copy('LICENSE', `${PLUGIN}/LICENSE`);
await cp('agents', `${PLUGIN}/agents`, { recursive: true });
await cp('skills', `${PLUGIN}/skills`, { recursive: true });
await chmod(`${PLUGIN}/bin/memory-keeper`, 0o755);
await writeFile(`${PLUGIN}/.claude-plugin/icon.png`, iconPng(512));
