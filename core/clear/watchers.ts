/**
 * Which applications watch and clear now: `watching/<pid>-<host>.json` in our own folder, for as
 * long as each runs. Two do no harm, since each clear belongs to one of them, but the user is told.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt } from '../platform/store/attempt.ts';
import { removeFile } from '../platform/store/file-changes.ts';
import { mayBeAlive, thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import { readOwnFile } from '../platform/store/read-file.ts';
import { parseAs } from './delivery/parse-as.ts';

const MAX_BYTES = 4096;
const Watcher = v.object({ pid: v.number(), startTime: v.string(), host: v.string() });

const watchersFolder = (places: Places) => join(places.home, 'watching');

function ownPath(places: Places): string {
  const { pid, host } = thisProcess();
  return join(watchersFolder(places), `${pid}-${host}.json`);
}

/** Only informs the user, so a full disk does not matter. */
export function announceWatcher(places: Places): void {
  const write = () =>
    writeFileAtomic(ownPath(places), JSON.stringify(thisProcess()), { durable: false });
  attempt(write, undefined);
}

export function withdrawWatcher(places: Places): void {
  attempt(() => removeFile(ownPath(places)), undefined);
}

/** Pids of the other applications on this machine. Removes the files of those that have ended. */
export function otherWatchers(places: Places): number[] {
  const folder = watchersFolder(places);
  const names = attempt(() => readdirSync(folder), []).filter((name) => !name.startsWith('.'));
  return names.flatMap((name) => {
    const path = join(folder, name);
    const file = readOwnFile(path, MAX_BYTES);
    const owner = file.state === 'ok' ? parseAs(Watcher, file.text) : undefined;
    if (owner === undefined) return [];
    if (!mayBeAlive(owner)) attempt(() => removeFile(path), undefined);
    else if (owner.host === thisProcess().host && owner.pid !== process.pid) return [owner.pid];
    return [];
  });
}
