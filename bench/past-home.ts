/**
 * A home with the past of somebody who has used Claude Code for months, for benchmarks: transcripts,
 * made up or of a folder that is given, copied with new ids and dates into several projects until
 * there are 500 files and 400 MB.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Scene } from './scene.ts';
import { turns } from './transcript-file.ts';

const LEAST_FILES = 500;
const LEAST_BYTES = 400 * 1024 * 1024;
/** If what is given is so small that it would take more, it is what it is. */
const MOST_FILES = 5000;
const MADE_UP_BYTES = 850 * 1024;
export const PROJECTS = ['shop', 'api', 'notes', 'gone', 'tools'];
/** Its folder is not made: the project no longer exists. */
const GONE = 'gone';
const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2026, 5, 1);
const COPIES_A_DAY = 4;
const DAYS = 150;

export interface MadeHome {
  folder: string;
  files: string[];
  bytes: number;
}

export function madePastHome(scene: Scene, data: string | undefined): MadeHome {
  const folder = scene.folder();
  for (const project of PROJECTS.filter((name) => name !== GONE))
    mkdirSync(join(folder, project, '.git'), { recursive: true });
  const sources = data === undefined ? [] : transcriptsBelow(data);
  const made: MadeHome = { folder, files: [], bytes: 0 };
  const isEnough = () => made.files.length >= LEAST_FILES && made.bytes >= LEAST_BYTES;
  for (let n = 0; !isEnough() && n < MOST_FILES; n++) {
    scene.assertOn();
    const source = sources[n % sources.length];
    const text = source === undefined ? turns(MADE_UP_BYTES) : textOf(source);
    addCopy(made, n, text);
  }
  return made;
}

function transcriptsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name))
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** The same rows, of another session, in another project, on other days. */
function addCopy(made: MadeHome, n: number, text: string): void {
  const project = PROJECTS[n % PROJECTS.length] as string;
  const cwd = join(made.folder, project);
  const id = randomUUID();
  const [, first = ''] = /"timestamp":"([^"]{10,40})"/.exec(text) ?? [];
  const began = Date.parse(first);
  const shift = Number.isNaN(began) ? 0 : FIRST_DAY + ((n / COPIES_A_DAY) % DAYS) * DAY_MS - began;
  // Ids stay as different from each other as they were.
  const salt = createHash('sha256').update(id).digest().readUInt32BE();
  const salted = (digits: string) =>
    ((Number.parseInt(digits, 16) ^ salt) >>> 0).toString(16).padStart(8, '0');
  const copy = text
    .replaceAll(/"cwd":"(?:[^"\\]|\\.)*"/g, () => `"cwd":${JSON.stringify(cwd)}`)
    .replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":"${id}"`)
    .replaceAll(
      /"(uuid|parentUuid|leafUuid)":"([0-9a-f]{8})/g,
      (_, name: string, digits: string) => `"${name}":"${salted(digits)}`,
    )
    .replaceAll(/"timestamp":"([^"]{10,40})"/g, (all, at: string) => moved(all, at, shift));
  const folder = join(made.folder, '.claude', 'projects', cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, withDirectory(copy, cwd));
  made.files.push(path);
  made.bytes += Buffer.byteLength(copy);
}

function moved(all: string, at: string, shift: number): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? all : `"timestamp":"${new Date(time + shift).toISOString()}"`;
}

/** Made-up rows name none. */
function withDirectory(text: string, cwd: string): string {
  const row = { type: 'system', subtype: 'init', cwd, isMeta: true };
  return text.includes('"cwd":') ? text : `${JSON.stringify(row)}\n${text}`;
}
