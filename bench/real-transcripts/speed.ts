/**
 * Refining real transcripts, redaction included, must be faster than parsing every line, whichever
 * version of Claude Code wrote the rows; and it must stay small. Saving is measured too: there each
 * session also costs its place in the index and on disk, however short it was.
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Figure,
  figure,
  interleave,
  type Ratio,
  type Result,
  ratio,
  timed,
} from '../harness.ts';
import { memoryPeak, PEAK_NAME } from '../memory-peak.ts';
import type { Scene } from '../scene.ts';
import { byVersions, type Transcript } from './corpus.ts';
import { madeMemory, refineAll, saveAll } from './product.ts';

const ROUNDS = 3;
const LEAST_UNDER_PEER = 1.3;
const MOST_MB = 150;
const MB = 1024 ** 2;

export async function measureSpeed(
  transcripts: readonly Transcript[],
  scene: Scene,
  tell: (progress: string) => void,
): Promise<Result[]> {
  tell('measuring memory');
  const mb = await mostMemory(transcripts, scene);
  tell('measuring time');
  const groups = [...byVersions(transcripts)];
  const samples = await interleave(
    Object.fromEntries(
      groups.flatMap(([versions, own]) => [
        [`refine ${versions}`, { measure: timed(() => refineAll(own)) }],
        [`parse ${versions}`, { measure: timed(() => parseAll(own)) }],
        [`save ${versions}`, { measure: timed(() => save(own, scene)) }],
        [`readline ${versions}`, { measure: timed(() => parseByReadline(own)) }],
      ]),
    ),
    { rounds: ROUNDS },
  );
  const ofGroup = (what: string, versions: string) => samples[`${what} ${versions}`] ?? [];
  const ofAll = (what: string) =>
    Array.from({ length: ROUNDS }, (_, round) =>
      groups.reduce((sum, [versions]) => sum + (ofGroup(what, versions)[round] ?? 0), 0),
    );
  const byGroup = (what: string) =>
    groups.map(([versions, own]): Ratio => {
      const peer = figure('', 'peer', 'ms', ofGroup('parse', versions));
      const product = figure('', 'product', 'ms', ofGroup(what, versions));
      const name = `the same for rows of ${versions} (${own.length} transcripts, ${size(own)})`;
      return { name, value: ratio(peer, product).value };
    });
  const peers = [
    figure('JSON.parse of every line', 'peer', 'ms', ofAll('parse')),
    figure('JSON.parse of every line, read by readline', 'peer', 'ms', ofAll('readline')),
  ] as const;
  const against = (name: string, what: string, product: Figure): Result => {
    const [underPeer, ...others] = peers.map((peer) => ratio(peer, product)) as [Ratio, Ratio];
    return {
      name: `real-transcripts: ${name}, against parsing every line`,
      promise: `at least ${LEAST_UNDER_PEER} × less time than parsing every line`,
      figures: [product, ...peers],
      ratios: [underPeer, ...byGroup(what), ...others],
      holds: underPeer.value >= LEAST_UNDER_PEER,
    };
  };
  const refined = `reading and refining ${size(transcripts)}, redaction included`;
  const saved = `the same to L1 on disk, ${transcripts.length} sessions of one project`;
  return [
    against('refining', 'refine', figure(refined, 'product', 'ms', ofAll('refine'))),
    against('saving', 'save', figure(saved, 'product', 'ms', ofAll('save'))),
    {
      name: 'real-transcripts: memory',
      promise: `under ${MOST_MB} MB of memory`,
      figures: [figure(PEAK_NAME, 'product', 'MB', [mb])],
      ratios: [],
      holds: mb < MOST_MB,
    },
  ];
}

function size(transcripts: readonly Transcript[]): string {
  return `${Math.round(transcripts.reduce((sum, { bytes }) => sum + bytes, 0) / MB)} MB`;
}

function save(transcripts: readonly Transcript[], scene: Scene): void {
  saveAll(madeMemory(scene.folder()), transcripts);
}

/** Nearly nothing but JSON.parse. */
function parseAll(transcripts: readonly Transcript[]): void {
  for (const { path } of transcripts)
    for (const line of readFileSync(path, 'utf8').split('\n')) parseIfWhole(line);
}

/** As most scripts read a transcript. */
async function parseByReadline(transcripts: readonly Transcript[]): Promise<void> {
  for (const { path } of transcripts) {
    const input = createReadStream(path);
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      parseIfWhole(line);
  }
}

/** Empty and torn lines are in real transcripts, too. */
function parseIfWhole(line: string): unknown {
  try {
    return line === '' ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function mostMemory(transcripts: readonly Transcript[], scene: Scene): Promise<number> {
  const folder = scene.folder();
  const list = join(folder, 'transcripts.json');
  writeFileSync(list, JSON.stringify(transcripts));
  return memoryPeak(scene, new URL('./refine.reader.ts', import.meta.url), [list, folder]);
}
