/**
 * Defines an archive of a project's memory (M20): `manifest.json` and the files that it names, each
 * with its size and SHA-256. Export and import share the rules for names and sizes: what an export
 * leaves out, an import refuses.
 */
import * as v from 'valibot';
import { minuteStamp } from '../../platform/text/stamp.ts';

export const MANIFEST = 'manifest.json';
export const FORMAT = 1;
export const PRODUCT = 'memory-keeper';

const MB = 1024 * 1024;
export const MAX_ARCHIVE_BYTES = 2048 * MB;
export const MAX_FILE_BYTES = 256 * MB;
export const MAX_TOTAL_BYTES = 4096 * MB;
export const MAX_FILES = 100_000;
export const MAX_MANIFEST_BYTES = 32 * MB;
/** Text is compressed about ten times; what grows more than this is a bomb. */
export const MAX_RATIO = 250;
/** Small files may be as repetitive as they like. */
export const RATIO_COUNTS_FROM_BYTES = 8 * MB;

const MAX_NAME_BYTES = 200;
const MAX_DEPTH = 4;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Forbidden in a file name, or with a special meaning, on some system. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f<>:"|?*\\/]/;

export const Manifest = v.looseObject({
  product: v.string(),
  format: v.pipe(v.number(), v.integer(), v.minValue(1)),
  project: v.string(),
  createdAt: v.string(),
  files: v.array(
    v.looseObject({
      name: v.string(),
      bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
    }),
  ),
});

export type Manifest = v.InferOutput<typeof Manifest>;

/** The default name of the archive of a project with this name. */
export function archiveName(name: string): string {
  return `${name.replace(/[/\\]/g, '-')}-memory-${minuteStamp(new Date())}.zip`;
}

/** `memory/…` or `sessions/…`, in plain names that mean the same on every system. */
export function isArchivable(name: string): boolean {
  const [top = '', ...path] = name.split('/');
  const isInside = ['memory', 'sessions'].includes(top) && path.length > 0;
  return isInside && path.length <= MAX_DEPTH && path.every(isPlainName);
}

function isPlainName(name: string): boolean {
  const isHidden = name === '' || name.startsWith('.') || name.endsWith('.lock');
  const isAmbiguous = /[. ]$/.test(name) || RESERVED.test(name) || FORBIDDEN.test(name);
  return !isHidden && !isAmbiguous && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** Two names that are one file on some systems have the same key. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Can be rebuilt, or is only of use to a running process. */
const PASSING = new Set(
  ['digest.json', 'unfinished.json', 'delta_temp.txt', 'hand-overs.json'].map(
    (name) => `memory/${name}`,
  ),
);

export function isPassing(name: string): boolean {
  return PASSING.has(nameKey(name));
}
