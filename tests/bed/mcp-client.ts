/**
 * A small MCP client over stdin and stdout, which starts the plugin's server as Claude Code does:
 * by the command of its .mcp.json.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export interface ToolResult {
  content: { type: string; text: string }[];
  isError?: boolean;
}

interface Response {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

interface ClientOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Another program than the plugin's. */
  command?: readonly string[];
}

/** What .mcp.json names, with the plugin's folder put in as Claude Code does it. */
function serverCommand(plugin: string): string[] {
  const { mcpServers } = JSON.parse(readFileSync(join(plugin, '.mcp.json'), 'utf8'));
  const { command, args } = mcpServers.memory as { command: string; args: string[] };
  return [command, ...args].map((word) => word.replaceAll(`\${CLAUDE_PLUGIN_ROOT}`, plugin));
}

export class McpClient {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<unknown>;
  stderr = '';
  readonly #waiting = new Map<number, (response: Response) => void>();
  #id = 0;

  constructor(plugin: string, { cwd, env, command = serverCommand(plugin) }: ClientOptions) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = once(this.child, 'exit');
    this.child.stderr.on('data', (data) => {
      this.stderr += data;
    });
    this.child.stdin.on('error', () => undefined); // where there is no node nobody reads it
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const response = JSON.parse(line) as Response;
      this.#waiting.get(response.id ?? -1)?.(response);
    });
  }

  /** Initializes the connection; gives back the names of the tools. */
  async open(): Promise<string[]> {
    await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
    const { tools } = (await this.request('tools/list', {})) as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  }

  async call(name: string, args: unknown): Promise<{ text: string; isError: boolean }> {
    const params = { name, arguments: args };
    const { content, isError = false } = (await this.request('tools/call', params)) as ToolResult;
    return { text: content.map(({ text }) => text).join('\n'), isError };
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#id;
    const answered = new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) =>
        error === undefined ? resolve(result) : reject(new Error(error.message)),
      );
    });
    this.send({ id, method, params });
    return Promise.race([
      answered,
      this.ended.then(() => Promise.reject(new Error(`the server ended: ${this.stderr}`))),
    ]);
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async close(): Promise<void> {
    this.child.stdin.end();
    await this.ended;
  }
}
