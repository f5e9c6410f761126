/**
 * The plugin's MCP server (K8): with the real CLI, and started where node is not on PATH.
 */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../core/usecases/tools/tool-list.ts';
import { McpClient } from '../bed/mcp-client.ts';
import { serversOf } from '../bed/mcp-servers.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { mcpServer } from './cases/mcp.ts';

mcpServer('claude');

/** A home with a Node.js where installers put it, and next to nothing on PATH. */
function homeWithNode(): { home: string; path: string; node: string } {
  const root = tempFolder();
  const [home, path] = [join(root, '내 집'), join(root, 'bin')];
  const node = join(home, '.volta/bin/node');
  for (const folder of [home, path, dirname(node)]) mkdirSync(folder, { recursive: true });
  program(node, `exec '${process.execPath}' "$@"`);
  return { home, path, node };
}

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

describe('the MCP server where node is not on PATH', () => {
  it('K8 G8 is started with what hooks are started with, past one that is too old, and stays alone', async () => {
    const { home, path } = homeWithNode();
    program(join(path, 'node'), 'echo v18.20.8');
    const plugin = join(home, 'it’s a $plugin');
    cpSync(PLUGIN, plugin, { recursive: true });
    const client = new McpClient(plugin, { cwd: home, env: { HOME: home, PATH: path } });
    expect(await client.open()).toEqual(TOOLS.map(({ name }) => name));
    // No shell around it: the process that was started is the server.
    expect(serversOf(plugin)).toEqual([client.child.pid]);
    expect(await client.call('search', { query: 'x' })).toMatchObject({ isError: true });
    await client.close();
    expect(client.child.exitCode).toBe(0);
  });

  it('K8 on Windows the same program comes by way of hook.cjs, and refuses an old node', async () => {
    const { home } = homeWithNode();
    const hook = join(PLUGIN, 'hooks/hook.cjs');
    const command = [process.execPath, hook, 'mcp'];
    const client = new McpClient(PLUGIN, { cwd: home, env: { HOME: home }, command });
    expect(await client.open()).toHaveLength(TOOLS.length);
    await client.close();
    const old = join(home, 'old.cjs');
    writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '20.18.3' });`);
    const refused = new McpClient(PLUGIN, {
      cwd: home,
      env: { HOME: home },
      command: [process.execPath, '-r', old, hook, 'mcp'],
    });
    await refused.ended;
    expect(refused.child.exitCode).toBe(69);
  });
});
