/**
 * Whoever installs Memory Keeper waits once for their history (L1d). Transcripts, made up or of a folder
 * that is given, are copied with new ids and dates into several projects of a made-up home, up to 500
 * files or 400 MB, and imported; the limit is reading the files, the peer parses every line of them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BackfillResult } from '../core/usecases/contract.ts';
import { createEngine } from '../core/usecases/engine.ts';
import { type Bench, figure, type Result, ratio, timed } from './harness.ts';
import type { Scene } from './scene.ts';
import { turns } from './transcript-file.ts';

const MOST_FILES = 500;
const MOST_BYTES = 400 * 1024 * 1024;
const MADE_UP_BYTES = 800 * 1024;
const PROJECTS = ['shop', 'api', 'notes', 'gone', 'tools'];
/** Its folder is not made: the project no longer exists. */
const GONE = 'gone';
const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2026, 5, 1);
const MB = 1024 * 1024;

export const backfill: Bench = {
  name: 'backfill',
  about: 'importing 400 MB of past conversations, against reading the files',
  promise: null,
  async run(scene, tell, given: { data?: string | undefined } = {}) {
    tell('making a home with past conversations');
    const home = madeHome(scene, given.data);
    const engine = createEngine({ env: { PATH: process.env.PATH, HOME: home.folder } });
    const all = { only: [], except: [], since: undefined };
    tell(`importing ${home.files.length} transcripts`);
    const reading = await timed(() => home.files.map((path) => readFileSync(path).length))();
    let result: BackfillResult | undefined;
    const importing = await timed(async () => {
      result = await engine.call('backfill.run', { ...all, goOn: false });
    })();
    const parsing = await timed(() => home.files.forEach(parseLines))();
    tell('importing again, when there is nothing to do');
    const again = await timed(() => engine.call('backfill.run', { ...all, goOn: false }))();
    const preview = await engine.call('backfill.preview', all);
    const problems = result?.problems.length ?? 0;
    tell(
      `${result?.sessions} sessions, ${result?.entries} entries, ${problems} problems, ${preview.sessions} left`,
    );
    return [resultOf(home, { reading, importing, parsing, again }, result)];
  },
};

interface MadeHome {
  folder: string;
  files: string[];
  bytes: number;
}

type Times = Record<'reading' | 'importing' | 'parsing' | 'again', number>;

function resultOf(home: MadeHome, times: Times, result: BackfillResult | undefined): Result {
  const importing = figure('import', 'product', 'ms', [times.importing]);
  const reading = figure('read the files', 'limit', 'ms', [times.reading]);
  const parsing = figure('JSON.parse of every line', 'peer', 'ms', [times.parsing]);
  const again = figure('import again', 'product', 'ms', [times.again]);
  const l1 = figure('L1', 'product', 'MB', [(result?.l1Bytes ?? 0) / MB]);
  const read = figure('transcripts', 'limit', 'MB', [home.bytes / MB]);
  return {
    name: `backfill of ${home.files.length} transcripts in ${PROJECTS.length} projects`,
    promise: null,
    figures: [importing, again, parsing, reading, l1, read],
    ratios: [
      ratio(importing, reading),
      ratio(importing, parsing),
      ratio(again, importing),
      ratio(l1, read),
    ],
    holds: null,
  };
}

function madeHome(scene: Scene, data: string | undefined): MadeHome {
  const folder = scene.folder();
  for (const project of PROJECTS.filter((name) => name !== GONE))
    mkdirSync(join(folder, project, '.git'), { recursive: true });
  const sources = data === undefined ? [] : transcriptsBelow(data);
  const made: MadeHome = { folder, files: [], bytes: 0 };
  for (let n = 0; made.files.length < MOST_FILES && made.bytes < MOST_BYTES; n++) {
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
  const shift = Number.isNaN(began) ? 0 : FIRST_DAY + (n * DAY_MS) / 4 - began;
  const salt = createHash('sha256').update(id).digest('hex').slice(0, 8);
  const copy = text
    .replaceAll(/"cwd":"(?:[^"\\]|\\.)*"/g, () => `"cwd":${JSON.stringify(cwd)}`)
    .replaceAll(/"sessionId":"[^"]*"/g, `"sessionId":"${id}"`)
    .replaceAll(/"(uuid|parentUuid|leafUuid)":"[0-9a-f]{8}/g, `"$1":"${salt}`)
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

function parseLines(path: string): void {
  for (const line of readFileSync(path, 'utf8').split('\n'))
    try {
      JSON.parse(line);
    } catch {
      // a torn line, as the product meets it
    }
}
