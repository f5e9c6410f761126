/**
 * Files that the user has chosen for an export or an import (M20): a host turns what its dialog or
 * an upload gave into an id, and that is all the window has, so that no page can name a path.
 * Uploads, and exports for a browser, lie in a private folder that goes with the program.
 */
import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { MAX_ARCHIVE_BYTES } from '../../memory/portable/manifest.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import type { Places } from '../../platform/store/places.ts';
import { removeFolder } from '../../platform/store/prune.ts';
import { finishStagings, hasLeftovers, makeStaging } from '../../platform/store/staging.ts';
import { writeStream } from '../../platform/store/stream-file.ts';

/** What the window wants chosen. */
export const Choice = v.variant('kind', [
  v.strictObject({ kind: v.literal('archive') }),
  v.strictObject({ kind: v.literal('folder') }),
  v.strictObject({ kind: v.literal('target'), project: v.pipe(v.string(), v.maxLength(4096)) }),
]);
export type Choice = v.InferOutput<typeof Choice>;

export interface ChosenFile {
  id: string;
  /** For people. */
  name: string;
}

interface Known {
  path: string;
  name: string;
  use: 'source' | 'target';
  /** In our own folder. */
  isOurs: boolean;
}

/** A window needs one at a time. */
const MOST_KNOWN = 8;
const LONGEST_NAME = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const NOT_IN_NAMES = /[\u0000-\u001f\u007f<>:"|?*\\/]/g;

export class ChosenFiles {
  readonly #parent: string;
  readonly #mostBytes: number;
  readonly #known = new Map<string, Known>();
  #folder: string | undefined;

  constructor(places: Places, mostBytes = MAX_ARCHIVE_BYTES) {
    this.#parent = join(places.home, 'transfers');
    this.#mostBytes = mostBytes;
  }

  /** What the user chose in a dialog of the host. */
  offer(path: string, use: Known['use']): ChosenFile {
    return this.#keep({ path, name: basename(path), use, isOurs: false });
  }

  /** What a browser sends; written as it comes. */
  async receive(name: string, stream: Readable): Promise<ChosenFile> {
    const path = this.#newPath(name);
    try {
      await writeStream(path, Readable.from(limited(stream, this.#mostBytes)));
    } catch (error) {
      removeFolder(join(path, '..'));
      throw error;
    }
    return this.#keep({ path, name: basename(path), use: 'source', isOurs: true });
  }

  /** A place for an export that a browser downloads. */
  makeTarget(name: string): ChosenFile {
    const path = this.#newPath(name);
    return this.#keep({ path, name: basename(path), use: 'target', isOurs: true });
  }

  pathOf(id: string, use: Known['use']): string {
    const known = this.#known.get(id);
    if (known?.use !== use) throw new ExpectedError(message('api.fileGone'));
    return known.path;
  }

  /** An export in our own folder, to be given away once: from then on its id leads nowhere. */
  takeDownload(id: string): (Pick<Known, 'path' | 'name'> & { remove(): void }) | undefined {
    const known = this.#known.get(id);
    if (known === undefined || !known.isOurs || known.use !== 'target') return undefined;
    this.#known.delete(id);
    return {
      path: known.path,
      name: known.name,
      remove: () => removeFolder(join(known.path, '..')),
    };
  }

  close(): void {
    this.#known.clear();
    if (this.#folder !== undefined) removeFolder(this.#folder);
    this.#folder = undefined;
  }

  #keep(known: Known): ChosenFile {
    const id = randomUUID();
    this.#known.set(id, known);
    for (const old of [...this.#known.keys()].slice(0, -MOST_KNOWN)) this.#forget(old);
    return { id, name: known.name };
  }

  #forget(id: string): void {
    const known = this.#known.get(id);
    if (known?.isOurs === true) removeFolder(join(known.path, '..'));
    this.#known.delete(id);
  }

  /** Each in a folder of its own, so that its name can be the one that the user knows. */
  #newPath(name: string): string {
    if (this.#folder === undefined) {
      // of a program that was killed
      if (hasLeftovers(this.#parent)) finishStagings(this.#parent, {});
      this.#folder = makeStaging(this.#parent);
    }
    return join(this.#folder, randomUUID(), plainName(name));
  }
}

/** A plain file name, no path. */
function plainName(name: string): string {
  const plain = name
    .replace(/^.*[/\\]/s, '')
    .replace(NOT_IN_NAMES, '')
    .replace(/^\.+|[. ]+$/g, '');
  return [...plain].slice(-LONGEST_NAME).join('') || 'archive.zip';
}

async function* limited(stream: Readable, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw new ExpectedError(message('api.fileTooLarge'));
    yield chunk;
  }
}
