/**
 * The address of our own pages, `app://memory-keeper/…`: which addresses are ours, and which file
 * of the built window each stands for. Nothing outside that folder has an address (G3).
 */
import { isAbsolute, join, relative } from 'node:path';
import { CONTENT_POLICY } from '../core/usecases/content-policy.ts';

export const SCHEME = 'app';
const ORIGIN = `${SCHEME}://memory-keeper`;
export const WINDOW_ADDRESS = `${ORIGIN}/index.html`;
export const COUNTDOWN_ADDRESS = `${ORIGIN}/countdown/index.html`;

/**
 * The window with the sessions of a project; the page takes it from behind the `#`
 * (renderer/app/wanted-place.ts).
 */
export function sessionsAddress(project: string): string {
  return `${WINDOW_ADDRESS}#sessions=${encodeURIComponent(project)}`;
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
};

export const HEADERS = {
  'Content-Security-Policy': CONTENT_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

export function isOurAddress(address: string): boolean {
  return address.startsWith(`${ORIGIN}/`);
}

/** The file behind an address, and its type; undefined if there is none. */
export function fileBehind(
  address: string,
  folder: string,
): { path: string; type: string } | undefined {
  if (!isOurAddress(address)) return undefined;
  let name: string;
  try {
    name = decodeURIComponent(new URL(address).pathname);
  } catch {
    return undefined; // not an address at all
  }
  const path = join(folder, name);
  const way = relative(folder, path);
  const type = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ''];
  if (type === undefined || name.includes('\0') || way.startsWith('..') || isAbsolute(way))
    return undefined;
  return { path, type };
}
