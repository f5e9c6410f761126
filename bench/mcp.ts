/**
 * The MCP server starts with every session (K8), so it should cost little more than its SDK: from
 * the start of its process to the list of tools, beside a node that imports the SDK and does nothing
 * else. A second peer has the SDK bundled into one file as ours is, which is quicker to load; both
 * keep their compiled code as ours does.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { McpClient } from '../tests/bed/mcp-client.ts';
import { type Bench, figure, interleave, ratio } from './harness.ts';
import type { Scene } from './scene.ts';

const PLUGIN = join(import.meta.dirname, '../dist/plugin');
const PACKAGES = ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'];
const ROUNDS = 40;
const MOST_TIMES = 1.2;
const PROMISE = `at most ${MOST_TIMES} times a node that only imports the SDK`;
const KB = 1024;

export const mcp: Bench = {
  name: 'mcp',
  about: 'from the start of the MCP server to its list of tools, against importing the SDK',
  promise: PROMISE,
  async run(scene, tell) {
    const home = scene.folder();
    const project = join(home, 'project');
    mkdirSync(project);
    const env = {
      HOME: home,
      PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
      CLAUDE_PROJECT_DIR: project,
      NODE_COMPILE_CACHE: join(home, '.claude/memory-keeper/compiled'),
    };
    const plain = importingSdk(join(home, 'plain.mjs'));
    const bundled = await bundledSdk(home, plain);
    const memory: number[] = [];
    tell('starting');
    const samples = await interleave(
      {
        ours: { measure: () => startServer(scene, project, env, memory) },
        sdk: { measure: () => startNode(scene, [plain], env) },
        bundled: { measure: () => startNode(scene, [bundled], env) },
        node: { measure: () => startNode(scene, ['-e', `console.log('ready')`], env) },
      },
      { rounds: ROUNDS, warmUps: 3 },
    );
    const product = figure('the MCP server, to its list of tools', 'product', 'ms', samples.ours);
    const peer = figure('node importing the SDK', 'peer', 'ms', samples.sdk);
    const small = figure('node loading the SDK in one file', 'peer', 'ms', samples.bundled);
    const limit = figure('node -e', 'limit', 'ms', samples.node);
    const times = ratio(product, peer);
    return [
      {
        name: 'mcp: start to the list of tools',
        promise: PROMISE,
        figures: [
          product,
          peer,
          small,
          limit,
          figure('memory of the server, waiting', 'product', 'MB', memory),
        ],
        ratios: [times, ratio(product, small), ratio(product, limit)],
        holds: times.value <= MOST_TIMES,
      },
    ];
  },
};

/** Tells when it has the SDK. */
function importingSdk(path: string): string {
  const imports = PACKAGES.map(
    (name, at) => `import * as sdk${at} from '${import.meta.resolve(name)}';`,
  );
  const uses = PACKAGES.map((_, at) => `sdk${at}`).join(', ');
  writeFileSync(
    path,
    `${imports.join('\n')}\nglobalThis.sdk = [${uses}];\nconsole.log('ready');\n`,
  );
  return path;
}

/** What the server uses of the SDK and nothing else, by the same bundler. */
async function bundledSdk(home: string, plain: string): Promise<string> {
  const input = join(home, 'used.mjs');
  const [server = '', stdio = ''] = PACKAGES.map((name) =>
    fileURLToPath(import.meta.resolve(name)),
  );
  writeFileSync(
    input,
    `import { fromJsonSchema, McpServer } from '${server}';\nimport { serveStdio } from '${stdio}';\nglobalThis.sdk = [fromJsonSchema, McpServer, serveStdio];\nconsole.log('ready');\n`,
  );
  const file = join(dirname(plain), 'bundled.cjs');
  await build({
    input,
    platform: 'node',
    output: {
      file,
      format: 'cjs',
      codeSplitting: false,
      minify: { mangle: false, compress: true, codegen: true },
    },
    transform: { target: 'node20.19' },
    logLevel: 'silent',
  });
  return file;
}

async function startServer(
  scene: Scene,
  cwd: string,
  env: NodeJS.ProcessEnv,
  memory: number[],
): Promise<number> {
  scene.assertOn();
  const start = performance.now();
  const client = new McpClient(PLUGIN, { cwd, env });
  await client.open();
  const took = performance.now() - start;
  const [, used = ''] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${client.child.pid}/status`, 'utf8')) ?? [];
  memory.push(Number(used) / KB);
  await client.close();
  return took;
}

async function startNode(scene: Scene, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  scene.assertOn();
  const start = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const took = performance.now() - start;
  await once(child, 'exit');
  return took;
}
