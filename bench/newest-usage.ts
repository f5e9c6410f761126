/**
 * Reading the newest usage must cost the same however long a session has lasted. The same last
 * megabyte stands at the end of a short and of a very long transcript; the peer parses the long one
 * line by line, the limit only fetches its last bytes.
 */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readContextHistory, readRecentTurns } from '../core/claude/transcript/context-history.ts';
import { type Bench, figure, interleave, ratio, timed } from './harness.ts';
import { turns, writeTranscript } from './transcript-file.ts';

const MB = 1024 * 1024;
const SHORT_BYTES = MB;
const LONG_BYTES = 1024 * MB;
const TAIL_BYTES = 64 * 1024;
const ROUNDS = 300;
const MOST_OVER_SHORT = 1.3;
const LEAST_UNDER_PEER = 100;
const SIZE_PROMISE = `1 GB at most ${MOST_OVER_SHORT} × the time of 1 MB`;
const PEER_PROMISE = `at least ${LEAST_UNDER_PEER} × less time than parsing all of 1 GB`;

export const newestUsage: Bench = {
  name: 'newest-usage',
  about: 'the newest usage of a 1 GB transcript, against a 1 MB one',
  promise: `${SIZE_PROMISE}; ${PEER_PROMISE}`,
  async run(scene, tell) {
    const folder = scene.folder();
    const long = join(folder, 'long.jsonl');
    const short = join(folder, 'short.jsonl');
    tell('writing 1 GB');
    const ending = turns(SHORT_BYTES);
    await writeTranscript(short, 0, ending);
    await writeTranscript(long, LONG_BYTES, ending);
    await checkReading(long);
    tell('measuring');
    const samples = await interleave(
      {
        // so that both come right after one of their kind
        before: { measure: timed(() => readRecentTurns(short, 1)) },
        long: { measure: timed(() => readRecentTurns(long, 1)) },
        short: { measure: timed(() => readRecentTurns(short, 1)) },
        limit: { measure: timed(() => fetchTail(long)) },
        longTurns: { measure: timed(() => readContextHistory(long)) },
        shortTurns: { measure: timed(() => readContextHistory(short)) },
        peer: { measure: timed(() => newestUsageByParsingAll(long)), rounds: 1 },
      },
      { rounds: ROUNDS, warmUps: 50 },
    );
    const ofLong = figure('newest usage of 1 GB', 'product', 'ms', samples.long);
    const ofShort = figure('newest usage of 1 MB', 'product', 'ms', samples.short);
    const limit = figure('open, stat, read the last 64 KB, close', 'limit', 'ms', samples.limit);
    const longTurns = figure('the last 30 turns of 1 GB', 'product', 'ms', samples.longTurns);
    const shortTurns = figure('the turns in 1 MB', 'product', 'ms', samples.shortTurns);
    const peer = figure('parsing all lines of 1 GB', 'peer', 'ms', samples.peer);
    const overShort = ratio(ofLong, ofShort);
    const underPeer = ratio(peer, ofLong);
    return [
      {
        name: 'newest-usage: a gigabyte and a megabyte',
        promise: SIZE_PROMISE,
        figures: [ofLong, ofShort, limit, longTurns, shortTurns],
        ratios: [overShort, ratio(ofLong, limit), ratio(longTurns, ofLong)],
        holds: overShort.value <= MOST_OVER_SHORT,
      },
      {
        name: 'newest-usage: against reading the whole file',
        promise: PEER_PROMISE,
        figures: [ofLong, peer],
        ratios: [underPeer],
        holds: underPeer.value >= LEAST_UNDER_PEER,
      },
    ];
  },
};

/** A fast wrong answer would be worth nothing. */
async function checkReading(path: string): Promise<void> {
  const expected = await newestUsageByParsingAll(path);
  const read = readRecentTurns(path, 1).at(-1)?.tokens;
  if (read !== expected)
    throw new Error(`the reader says ${read} tokens, the whole file says ${expected}`);
}

/** As most scripts that show a session's context do it. */
async function newestUsageByParsingAll(path: string): Promise<number> {
  let tokens = 0;
  for await (const line of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const { type, message } = JSON.parse(line);
    if (type !== 'assistant') continue;
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = message.usage;
    tokens = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
  }
  return tokens;
}

const tail = Buffer.allocUnsafe(TAIL_BYTES);

function fetchTail(path: string): void {
  const file = openSync(path, 'r');
  readSync(file, tail, 0, TAIL_BYTES, fstatSync(file).size - TAIL_BYTES);
  closeSync(file);
}
