/**
 * Keeping what was said must be far cheaper than understanding a transcript as a whole. Working
 * sessions of the real Claude Code against a mock model are grown to 1 GB and refined to L1, from
 * reading to the last byte on disk; the peer only parses every line. How much memory it takes is
 * seen in a process of its own, built as users get it.
 */
import { closeSync, createReadStream, mkdirSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readAppended } from '../core/claude/transcript/lines.ts';
import { parseRow } from '../core/claude/transcript/rows.ts';
import { Refiner } from '../core/memory/log/l1-refine.ts';
import { saveL1 } from '../core/memory/log/l1-store.ts';
import { redact } from '../core/memory/redact/redact.ts';
import { ClaudeBed } from '../tests/bed/claude.ts';
import { MockApi } from '../tests/bed/mock-api.ts';
import { prepareBed } from '../tests/bed/prepare.ts';
import { memoryAt } from '../tests/bed/recorded-work.ts';
import { WORKING_SESSIONS, workingSession } from '../tests/bed/working-session.ts';
import { growTranscript } from './grown-transcript.ts';
import { type Bench, figure, interleave, NotRun, ratio, timed } from './harness.ts';
import { memoryPeak, PEAK_NAME } from './memory-peak.ts';
import type { Scene } from './scene.ts';

const GB = 1024 ** 3;
const BLOCK_BYTES = 8 * 1024 ** 2;
const ROUNDS = 5;
const LEAST_UNDER_PEER = 4;
const MOST_MB = 150;
const TIME_PROMISE = `at least ${LEAST_UNDER_PEER} × less time than parsing every line`;
const MEMORY_PROMISE = `under ${MOST_MB} MB of memory`;

export const l1Refine: Bench = {
  name: 'l1-refine',
  about: 'a 1 GB transcript of the real Claude Code to L1, against parsing it',
  promise: `${TIME_PROMISE}; ${MEMORY_PROMISE}`,
  async run(scene, tell) {
    const transcripts = await realTranscripts(scene, tell);
    const path = join(scene.folder(), 'grown.jsonl');
    tell('growing them to 1 GB');
    const copies = growTranscript(path, transcripts, GB);
    const expected = copies * transcripts.reduce((sum, text) => sum + entryCount(text), 0);
    tell('measuring memory');
    const reader = new URL('./l1-refine.reader.ts', import.meta.url);
    const mb = await memoryPeak(scene, reader, [path, projectIn(scene)]);
    tell('measuring time');
    const samples = await interleave(
      {
        refine: { measure: timed(() => refine(path, projectIn(scene), expected)) },
        parse: { measure: timed(() => parseAll(path)) },
        parseBlocks: { measure: timed(() => parseBlocks(path)) },
        limit: { measure: timed(() => readAll(path)) },
      },
      { rounds: ROUNDS },
    );
    const product = figure('1 GB to L1', 'product', 'ms', samples.refine);
    const peer = figure('JSON.parse of every line, read by readline', 'peer', 'ms', samples.parse);
    const leanPeer = figure(
      'JSON.parse of every line, read in blocks of 8 MB',
      'peer',
      'ms',
      samples.parseBlocks,
    );
    const limit = figure('reading 1 GB', 'limit', 'ms', samples.limit);
    const memory = figure(PEAK_NAME, 'product', 'MB', [mb]);
    const underPeer = ratio(peer, product);
    return [
      {
        name: 'l1-refine: against parsing every line',
        promise: TIME_PROMISE,
        figures: [product, peer, leanPeer, limit],
        ratios: [underPeer, ratio(leanPeer, product), ratio(product, limit)],
        holds: underPeer.value >= LEAST_UNDER_PEER,
      },
      {
        name: 'l1-refine: memory',
        promise: MEMORY_PROMISE,
        figures: [memory],
        ratios: [],
        holds: mb < MOST_MB,
      },
    ];
  },
};

async function realTranscripts(scene: Scene, tell: (progress: string) => void): Promise<string[]> {
  const { claude } = await prepareBed(['claude'], tell);
  if ('missing' in claude) throw new NotRun(claude.missing);
  const api = await MockApi.start();
  scene.atEnd(() => api.stop());
  const bed = new ClaudeBed(claude.path);
  scene.atEnd(() => bed.remove());
  const transcripts: string[] = [];
  for (const [turns, model] of WORKING_SESSIONS) {
    scene.assertOn();
    tell(`working ${turns} turns with the real CLI`);
    transcripts.push(
      readFileSync((await workingSession(bed, api, turns, model)).transcript, 'utf8'),
    );
  }
  return transcripts;
}

function projectIn(scene: Scene): string {
  const project = join(scene.folder(), 'project');
  mkdirSync(project);
  return project;
}

/** The whole path, as a hook goes it. */
function refine(transcript: string, project: string, expected: number): void {
  const memory = memoryAt(project);
  const saved = saveL1(memory, { sessionId: 'bench', transcript }, { isOver: true });
  if (saved?.added !== expected) throw new Error(`L1 has ${saved?.added} entries, not ${expected}`);
}

/** As most scripts read a transcript. */
async function parseAll(transcript: string): Promise<void> {
  for await (const line of createInterface({
    input: createReadStream(transcript),
    crlfDelay: Number.POSITIVE_INFINITY,
  }))
    JSON.parse(line);
}

/** Nearly nothing but JSON.parse. */
function parseBlocks(transcript: string): void {
  for (let cursor = { offset: 0, inode: 0 }, more = true; more; ) {
    const appended = readAppended(transcript, cursor, BLOCK_BYTES);
    for (const line of appended.lines) JSON.parse(line.toString('utf8'));
    ({ cursor, more } = appended);
  }
}

function readAll(transcript: string): void {
  const file = openSync(transcript, 'r');
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  while (readSync(file, block) > 0);
  closeSync(file);
}

/** A fast wrong answer would be worth nothing. */
function entryCount(transcript: string): number {
  const refiner = new Refiner(redact);
  const entries = transcript.split('\n').flatMap((line) => refiner.add(parseRow(line)));
  return entries.length + refiner.giveUpPending().length;
}
