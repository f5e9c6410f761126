/**
 * The files of the window for the browser (G3): only what the build has put into its folder, found
 * by its exact name, so that there is no path to climb out by. Links in the folder are not files of
 * the build.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { attempt } from '../../core/usecases/host-files.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

export interface WindowFile {
  content: Buffer;
  type: string;
  /** Its name changes with its content. */
  isLasting: boolean;
}

export class WindowFiles {
  readonly folder: string;
  #paths = new Map<string, string>();

  constructor(folder: string) {
    this.folder = folder;
    this.#list();
  }

  get isThere(): boolean {
    return this.#paths.has('/index.html');
  }

  /** By the path of an address, as it came. */
  read(path: string): WindowFile | undefined {
    const name = path === '/' ? '/index.html' : path;
    if (name === '/index.html' || !this.#paths.has(name)) this.#list(); // built anew, perhaps
    const file = this.#paths.get(name);
    const type = TYPES[extname(name)];
    const content = file === undefined ? undefined : attempt(() => readFileSync(file), undefined);
    if (content === undefined || type === undefined) return undefined;
    return { content, type, isLasting: name.startsWith('/assets/') };
  }

  #list(): void {
    const paths = filesIn(this.folder).map(
      (file) => [`/${relative(this.folder, file).replaceAll(sep, '/')}`, file] as const,
    );
    this.#paths = new Map(paths);
  }
}

function filesIn(folder: string): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true }), []);
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Beside the built command line; or, where that runs from its source, where the build puts it. */
export function windowFolder(): string {
  const places = [
    join(import.meta.dirname, '../renderer'),
    join(import.meta.dirname, '../../dist/renderer'),
  ];
  const found = places.find((place) => new WindowFiles(place).isThere);
  return found ?? (places[0] as string);
}
