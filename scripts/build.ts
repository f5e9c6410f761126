/**
 * Builds everything into dist/: the command line as one file that needs nothing beside it but Node,
 * the Claude Code plugin as a folder that can be installed as it is, and the window as plain files
 * that both hosts show.
 */
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { build } from 'rolldown';
import { build as buildWindow } from 'vite';
import { OLDEST_CLAUDE_CODE } from '../core/claude/sessions/claude-version.ts';
import { buildCli } from './build-cli.ts';
import { buildElectron } from './build-electron.ts';
import { compileAtOnce } from './compile-at-once.ts';
import { iconPng } from './icon.ts';

const CLI = 'dist/cli/memory-keeper.js';
const PLUGIN = 'dist/plugin';

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}

await rm('dist', { recursive: true, force: true });
await buildCli(CLI);
await chmod(CLI, 0o755);

// The children that type stand beside it and not beside the plugin's copy: their libraries are
// native and come from npm or the application.
for (const child of ['desktop/typist-child', 'console-child'])
  await build({
    input: `core/clear/delivery/${child}.ts`,
    external: ['@nut-tree/nut-js', '@miniben90/x-win', 'x11'],
    platform: 'node',
    output: { file: `dist/cli/${basename(child)}.js`, format: 'esm', codeSplitting: false },
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });

// The thread in which the window's questions about memory are answered.
await build({
  input: 'core/usecases/threads/memory-thread-child.ts',
  platform: 'node',
  output: { file: 'dist/cli/memory-thread-child.js', format: 'esm', codeSplitting: false },
  transform: { target: 'node20.19' },
  logLevel: 'warn',
});

/**
 * Started by hooks-plugin/run.sh, a program reads its input itself; hook.cjs hands it over. A
 * Node.js that is too old says so, and another is looked for.
 */
const startedByItself = {
  banner: 'if (Number.parseInt(process.versions.node, 10) < 18) process.exit(69);',
  footer:
    'if (require.main === module) exports.run(require("node:fs").readFileSync(0, "utf8"), process.argv[2]);',
};

/** Everywhere in a hook but in the file itself. */
const QUICK_PATH = {
  name: 'quick-path',
  resolveId: (id: string, importer: string | undefined) =>
    id === 'node:path' && importer?.endsWith('quick-path.ts') !== true
      ? resolve('hooks-plugin/src/quick-path.ts')
      : undefined,
};

/** What hooks load only when they need it: imports of these, and the programs that hold them. */
const LATER = ['loaded-later.ts', 'loaded-after-reply.ts'].map((name) =>
  resolve('core/usecases/hooks', name),
);
const LOADED_LATER = new Map([
  ['./due-work.ts', './work.cjs'],
  ['./prepared-answers.ts', './work.cjs'],
  ['./continued-briefing.ts', './briefing.cjs'],
  ['./keeping-turn.ts', './keep.cjs'],
  ['../../messages/all-messages.ts', './problem-text.cjs'],
  ['./earlier-memory.ts', './earlier-memory.cjs'],
]);
const LOAD_LATER = {
  name: 'loaded-later',
  resolveId: (id: string, importer: string | undefined) => {
    if (importer === undefined || !LATER.includes(importer)) return undefined;
    const program = LOADED_LATER.get(id);
    if (program === undefined) throw new Error(`${importer} imports ${id}, which no program holds`);
    return { id: program, external: true };
  },
};

const PROGRAMS = [
  'prompt',
  'session-start',
  'keep',
  'stop',
  'permit',
  'work',
  'status-line',
  'compaction',
];

// Hooks run on whatever Node the user has; CommonJS starts sooner there. Each program stands alone
// but for what is loaded later.
for (const [program, input] of [
  ...PROGRAMS.map((name) => [name, `hooks-plugin/src/${name}.ts`]),
  ['problem-text', 'core/messages/all-messages.ts'],
  ['earlier-memory', 'core/usecases/hooks/earlier-memory.ts'],
  ['briefing', 'core/usecases/hooks/continued-briefing.ts'],
])
  await build({
    input: input as string,
    platform: 'node',
    // Names stay, for the log; but a hook that is half as long starts sooner.
    output: {
      file: `${PLUGIN}/hooks/${program}.cjs`,
      format: 'cjs',
      codeSplitting: false,
      minify: { mangle: false, compress: true, codegen: true },
      ...startedByItself,
    },
    transform: { target: 'node18' },
    plugins: [LOAD_LATER, QUICK_PATH],
    logLevel: 'warn',
  });
compileAtOnce(`${PLUGIN}/hooks`);
const SDK_SHIMS = {
  name: 'sdk-shims',
  resolveId: (id: string) =>
    id === '@modelcontextprotocol/server/_shims'
      ? resolve('hooks-plugin/src/sdk-shims.ts')
      : undefined,
};
// The MCP server, in one file with its SDK. What answers a call is in it, but run only when the first comes. The SDK needs Node 20, and so
// does the search; run.sh and run.cmd look at the version before they start it.
await build({
  input: 'hooks-plugin/src/mcp.ts',
  platform: 'node',
  output: {
    file: `${PLUGIN}/hooks/mcp.cjs`,
    format: 'cjs',
    codeSplitting: false,
    minify: { mangle: false, compress: true, codegen: true },
  },
  transform: { target: 'node20.19' },
  plugins: [SDK_SHIMS],
  logLevel: 'warn',
});
await writeFile(
  `${PLUGIN}/hooks/run.sh`,
  (await readFile('hooks-plugin/run.sh', 'utf8')).replace(
    '@OLDEST_CLAUDE_CODE@',
    OLDEST_CLAUDE_CODE,
  ),
);
for (const file of [
  'hook.cjs',
  'run.cmd',
  'status-line.sh',
  'register.js',
  'compactor.js',
  'recall.js',
  'hooks.json',
])
  await copy(`hooks-plugin/${file}`, `${PLUGIN}/hooks/${file}`);
await copy('hooks-plugin/plugin.json', `${PLUGIN}/.claude-plugin/plugin.json`);
await copy('hooks-plugin/mcp.json', `${PLUGIN}/.mcp.json`);
await copy('hooks-plugin/README.md', `${PLUGIN}/README.md`);
for (const name of ['memory-keeper', 'memory-keeper.cmd'])
  await copy(`hooks-plugin/bin/${name}`, `${PLUGIN}/bin/${name}`);
await copy(CLI, `${PLUGIN}/cli/memory-keeper.mjs`);
await copy('cli/start.cjs', `${PLUGIN}/cli/start.cjs`);
await copy('LICENSE', `${PLUGIN}/LICENSE`);
await cp('agents', `${PLUGIN}/agents`, { recursive: true });
await cp('skills', `${PLUGIN}/skills`, { recursive: true });
await chmod(`${PLUGIN}/bin/memory-keeper`, 0o755);
await writeFile(`${PLUGIN}/.claude-plugin/icon.png`, iconPng(512));

await buildWindow({ configFile: 'renderer/vite.config.ts' });
await buildElectron();
