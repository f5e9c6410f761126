/**
 * The id of this machine, which journal events and the names of L1 files carry, so that memory
 * written on several machines can be joined. `machine.json` in our home has one random id for each
 * host: a home that is copied to another machine, or shared with it, gives that one an id of its own.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { attempt, parseJson } from './attempt.ts';
import { type DocumentKind, updateDocument } from './document.ts';
import { hostName, randomHex, shortHash } from './owner.ts';
import { readSmallFile } from './read-file.ts';

const ID_DIGITS = 12;
const ID = /^[0-9a-f]{12}$/;
const MAX_BYTES = 64 * 1024;
/** Containers often have a new name at each start; the oldest are dropped. */
const MAX_HOSTS = 100;

/** For another process that makes an id; nothing waits for this longer. */
const MAX_WAIT_MS = 1000;

interface Machines {
  /** By a hash of what the host is known by, the oldest first. */
  hosts: Record<string, string>;
}

/** Built on first use: hooks mostly read, and a schema costs them more than the file. */
const machinesFile: DocumentKind<Machines> = {
  version: 1,
  get schema() {
    return v.looseObject({ hosts: v.fallback(v.record(v.string(), v.string()), () => ({})) });
  },
  empty: () => ({ hosts: {} }),
};

let home: string | undefined;
let known: { home: string; id: string } | undefined;

/** Each process says once where its home is. */
export function keepMachineIdIn(folder: string): void {
  home = folder;
}

/** Undefined if no home was named, or if it cannot be written: memory is kept all the same. */
export function machineId(): string | undefined {
  if (home === undefined) return undefined;
  if (known?.home === home) return known.id;
  const id = attempt(() => machineIdIn(home ?? ''), undefined);
  if (id !== undefined) known = { home, id };
  return id;
}

/** Made at the first call. */
export function machineIdIn(folder: string, host = hostMark()): string {
  const path = join(folder, 'machine.json');
  const file = readSmallFile(path, MAX_BYTES);
  const machines = file.state === 'ok' ? (parseJson(file.text) as Partial<Machines>) : undefined;
  const id = machines?.hosts?.[host];
  if (typeof id === 'string' && ID.test(id)) return id;
  const { value } = updateDocument(
    path,
    machinesFile,
    (current) => {
      if (ID.test(current.hosts[host] ?? '')) return current; // another process was faster
      const hosts = Object.entries(current.hosts).filter(([other]) => other !== host);
      const added: [string, string] = [host, randomHex(ID_DIGITS)];
      return { ...current, hosts: Object.fromEntries([...hosts, added].slice(-MAX_HOSTS)) };
    },
    { timeoutMs: MAX_WAIT_MS },
  );
  return value.hosts[host] ?? '';
}

/** Linux has an id of the installation; elsewhere the host's name has to do. */
function hostMark(): string {
  const installation = attempt(() => readFileSync('/etc/machine-id', 'utf8').trim(), '');
  return `h${shortHash(`${hostName()} ${installation}`)}`;
}
