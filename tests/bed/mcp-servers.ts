/** Which MCP servers of a plugin run, by Linux's list of processes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The servers that were started from this plugin folder and run now. */
export function serversOf(plugin: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => commandLine(pid).includes(join(plugin, 'hooks/mcp.cjs')));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // gone meanwhile
  }
}
