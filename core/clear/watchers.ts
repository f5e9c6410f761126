/**
 * Which applications watch and clear now: `watching/<pid>-<host>.json` in our own folder, for as
 * long as each runs. Two are no harm, since each clear belongs to one of them; the user is told.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import { attempt, parseJson } from '../platform/store/attempt.ts';
import { mayBeAlive, type Owner, thisProcess } from '../platform/store/owner.ts';
import type { Places } from '../platform/store/places.ts';
import { removeFile } from '../platform/store/prune.ts';
import { readOwnFile } from '../platform/store/read-file.ts';

const MAX_BYTES = 4096;
const Watcher = v.object({ pid: v.number(), startTime: v.string(), host: v.string() });

const watchersFolder = (places: Places) => join(places.home, 'watching');
const watcherPath = (places: Places, { pid, host }: Owner) =>
  join(watchersFolder(places), `${pid}-${host}.json`);

/** It is only for the user to know: with a full disk nobody is told. */
export function announceWatcher(places: Places): void {
  attempt(
    () =>
      writeFileAtomic(watcherPath(places, thisProcess()), JSON.stringify(thisProcess()), {
        durable: false,
      }),
    undefined,
  );
}

export function withdrawWatcher(places: Places): void {
  attempt(() => removeFile(watcherPath(places, thisProcess())), undefined);
}

/**
 * Pids of the other applications that run on this machine. Removes the files of those that have
 * ended.
 */
export function otherWatchers(places: Places): number[] {
  const names = attempt(() => readdirSync(watchersFolder(places)), []).filter(
    (name) => !name.startsWith('.'),
  );
  return names.flatMap((name) => {
    const path = join(watchersFolder(places), name);
    const file = readOwnFile(path, MAX_BYTES);
    const parsed = v.safeParse(Watcher, file.state === 'ok' ? parseJson(file.text) : undefined);
    if (!parsed.success) return [];
    const owner = parsed.output;
    if (!mayBeAlive(owner)) attempt(() => removeFile(path), undefined);
    else if (owner.host === thisProcess().host && owner.pid !== process.pid) return [owner.pid];
    return [];
  });
}
