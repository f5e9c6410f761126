/**
 * Holds the files that the user has chosen for an export or an import (M20). The window gets only
 * their ids, so that no page can name a path. Uploads, and exports for a browser, lie in a private
 * folder that is removed when the program ends.
 */
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { MAX_ARCHIVE_BYTES } from '../../memory/portable/manifest.ts';
import { ExpectedError } from '../../messages/expected-error.ts';
import { message } from '../../messages/message.ts';
import { makePrivateFolder } from '../../platform/store/atomic-write.ts';
import { removeFolder } from '../../platform/store/file-changes.ts';
import type { Places } from '../../platform/store/places.ts';
import { finishStagings, makeStaging } from '../../platform/store/staging.ts';
import { writeStream } from '../../platform/store/stream-file.ts';

/** What the window asks the user to choose. */
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

type Use = 'source' | 'target';

interface StoredFile {
  path: string;
  use: Use;
  /** In a folder of our own. */
  isOurs: boolean;
}

/** A window needs one at a time. */
const MAX_FILES = 8;
const MAX_NAME_CHARS = 100;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const NOT_IN_NAMES = /[\u0000-\u001f\u007f<>:"|?*\\/]/g;

export class ChosenFiles {
  readonly #parent: string;
  readonly #maxBytes: number;
  readonly #files = new Map<string, StoredFile>();
  #folder: string | undefined;

  constructor(places: Places, maxBytes = MAX_ARCHIVE_BYTES) {
    this.#parent = join(places.home, 'transfers');
    this.#maxBytes = maxBytes;
  }

  /** What the user chose in a dialog of the host. */
  offer(path: string, use: Use): ChosenFile {
    return this.#add({ path, use, isOurs: false });
  }

  /** What a browser uploads. */
  async receive(name: string, stream: Readable): Promise<ChosenFile> {
    const path = this.#newPath(name);
    try {
      await writeStream(path, Readable.from(limited(stream, this.#maxBytes)));
    } catch (error) {
      removeFolder(dirname(path));
      throw error;
    }
    return this.#add({ path, use: 'source', isOurs: true });
  }

  /** A place for an export that a browser downloads. */
  makeTarget(name: string): ChosenFile {
    return this.#add({ path: this.#newPath(name), use: 'target', isOurs: true });
  }

  pathOf(id: string, use: Use): string {
    const file = this.#files.get(id);
    if (file?.use !== use) throw new ExpectedError(message('api.fileGone'));
    return file.path;
  }

  /** An export in our own folder. It can be downloaded once. */
  takeDownload(id: string): { path: string; name: string; remove(): void } | undefined {
    const { path, use, isOurs } = this.#files.get(id) ?? {};
    if (path === undefined || !isOurs || use !== 'target') return undefined;
    this.#files.delete(id);
    return { path, name: basename(path), remove: () => removeFolder(dirname(path)) };
  }

  close(): void {
    this.#files.clear();
    if (this.#folder !== undefined) removeFolder(this.#folder);
    this.#folder = undefined;
  }

  #add(file: StoredFile): ChosenFile {
    const id = randomUUID();
    this.#files.set(id, file);
    for (const [old, { path, isOurs }] of [...this.#files].slice(0, -MAX_FILES)) {
      if (isOurs) removeFolder(dirname(path));
      this.#files.delete(old);
    }
    return { id, name: basename(file.path) };
  }

  /** In a folder of its own, so that the file can have the name that the user knows. */
  #newPath(name: string): string {
    if (this.#folder === undefined) {
      finishStagings(this.#parent, {}); // of a program that was killed
      this.#folder = makeStaging(this.#parent);
    }
    const folder = join(this.#folder, randomUUID());
    makePrivateFolder(folder);
    return join(folder, plainName(name));
  }
}

function plainName(name: string): string {
  const plain = name
    .replace(/^.*[/\\]/s, '')
    .replace(NOT_IN_NAMES, '')
    .replace(/^\.+|[. ]+$/g, '');
  return [...plain].slice(-MAX_NAME_CHARS).join('') || 'archive.zip';
}

async function* limited(stream: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ExpectedError(message('api.fileTooLarge'));
    yield chunk;
  }
}
