/** Where the MCP server of a Claude Code process listens for its mod (K7): `recall/<pid>.sock`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../platform/store/attempt.ts';
import { removeFile } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { isSocketPath } from '../../platform/store/private-socket.ts';

const folderOf = (places: Places): string => join(places.home, 'recall');

/** Undefined if the process is not known, or where no such socket can be. */
export function recallSocketPath(places: Places, claudePid: string): string | undefined {
  const path = join(folderOf(places), `${claudePid}.sock`);
  return /^\d+$/.test(claudePid) && isSocketPath(path) ? path : undefined;
}

/** Those of processes that have ended: a server that is killed leaves its own. */
export function removeLeftSockets(places: Places): void {
  for (const name of attempt(() => readdirSync(folderOf(places)), [])) {
    const isAlive = attempt(() => process.kill(Number.parseInt(name, 10), 0), false);
    if (!isAlive) attempt(() => removeFile(join(folderOf(places), name)), undefined);
  }
}
