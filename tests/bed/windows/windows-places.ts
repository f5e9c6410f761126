/** Where the pieces of the Windows bed lie (prepare-windows.ts makes them). */
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface WindowsPlaces {
  /** The root folder of a Debian with Wine. */
  debian: string;
  /** The product's npm packages for Windows, and node.exe. */
  packages: string;
  /** A Wine prefix that was set up and not used. */
  template: string;
  claude(version: string): string;
}

/** A Korean name with a blank, as the people have whom this is for. */
export const TEMPLATE_USER = '홍 길동';

export function testCache(): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'memory-keeper-tests');
}

export function windowsCache(): string {
  return join(testCache(), 'windows');
}
