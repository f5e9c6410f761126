/**
 * Opens the user's browser at an address with a secret in it. Every user of a machine can read the
 * arguments of programs, so the browser is given a private file of ours that leads there, and the
 * file is removed when it has been read.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Places } from '../../core/platform/store/places.ts';
import { removeFile, writeFileAtomic } from '../../core/usecases/host-files.ts';
import { printNote } from '../output.ts';

/** A browser that was not running yet takes its time. */
const READ_WITHIN_MS = 60_000;

const OPENERS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32.exe', 'url.dll,FileProtocolHandler'],
};

export function openInBrowser(places: Places, address: string): { forget(): void } {
  const path = join(places.home, `open-${randomUUID()}.html`);
  const page = `<!doctype html><meta charset="utf-8"><title>Memory Keeper</title><meta http-equiv="refresh" content="0; url=${address}">\n`;
  writeFileAtomic(path, page, { durable: false });
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, pathToFileURL(path).href], {
    detached: true,
    stdio: 'ignore',
  });
  child.on('error', () =>
    printNote(`note: ${program} could not be started; open the address yourself\n`),
  );
  child.unref();
  const forget = () => removeFile(path);
  setTimeout(forget, READ_WITHIN_MS).unref();
  return { forget };
}
