/**
 * Finds the transcripts to be measured in a folder and its subfolders. Packed ones are unpacked
 * into the scene, because the product reads plain files only; nothing is written beside them.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Scene } from '../scene.ts';

export interface Transcript {
  /** As it is called in the folder. */
  name: string;
  /** Where it can be read as plain lines. */
  path: string;
  bytes: number;
  /** Which versions of Claude Code wrote it, in groups that write rows alike. */
  versions: string;
}

const LATER_PATCH = 100;

export function corpusIn(folder: string, scene: Scene): Transcript[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Error(`there is no folder "${folder}" (--data)`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name) && statSync(join(folder, name)).isFile())
    .sort();
  if (names.length === 0) throw new Error(`no *.jsonl or *.jsonl.gz in "${folder}" (--data)`);
  const unpackedFolder = scene.folder();
  return names.map((name, index) => {
    scene.assertOn();
    const path = join(folder, name);
    if (!name.endsWith('.gz')) return described(name, path, readFileSync(path));
    const plain = join(unpackedFolder, `${index}.jsonl`);
    const content = gunzipSync(readFileSync(path));
    writeFileSync(plain, content);
    return described(name, plain, content);
  });
}

function described(name: string, path: string, content: Buffer): Transcript {
  return { name, path, bytes: content.length, versions: versionsOf(content) };
}

/** By the first row that tells: `2.0`, `2.1.0–99`, `2.1.100–`. */
function versionsOf(content: Buffer): string {
  const at = content.indexOf('"version":"');
  const found = /^"version":"(\d+)\.(\d+)\.(\d+)/.exec(content.toString('latin1', at, at + 40));
  if (at < 0 || found === null) return 'no version';
  const [, major, minor, patch] = found;
  if (major !== '2' || minor !== '1') return `${major}.${minor}`;
  return Number(patch) < LATER_PATCH ? '2.1.0–99' : '2.1.100–';
}

/** Transcripts by the versions that wrote them, the oldest first. */
export function byVersions(transcripts: readonly Transcript[]): Map<string, Transcript[]> {
  const groups = Map.groupBy(transcripts, ({ versions }) => versions);
  const inOrder = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });
  return new Map([...groups].sort(([one], [other]) => inOrder(one, other)));
}
