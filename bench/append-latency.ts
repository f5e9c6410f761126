/**
 * How soon a turn that Claude Code writes is shown: from the append to the line of `status --watch
 * --json` that has its tokens. The limit is a bare fs.watch that sees the same append, the peer a
 * look every second.
 */
import { once } from 'node:events';
import { appendFileSync, unwatchFile, watch, watchFile, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bulkRow, type MadeSession, promptRow, replyRow } from '../tests/bed/made-session.ts';
import { type Bench, type Figure, figure, interleave, type Result, ratio } from './harness.ts';
import { LiveWatch } from './live-watch.ts';
import { type MadeHome, madeHome } from './made-home.ts';
import type { Scene } from './scene.ts';

const MANY = 50;
const ROUNDS = 24;
const PEER_ROUNDS = 6;
const SETTLE_MS = 1500;
const MOST_MS = 200;
const PROMISE = `95 % of appended turns are shown within ${MOST_MS} ms`;

export const appendLatency: Bench = {
  name: 'append-latency',
  about: 'from an appended turn to its line in the live status',
  promise: PROMISE,
  async run(scene, tell) {
    const one = await followed(scene, madeHome(scene, 1));
    const many = await followed(scene, madeHome(scene, MANY));
    const limitFile = join(scene.folder(), 'limit.jsonl');
    const peerFile = join(scene.folder(), 'peer.jsonl');
    for (const path of [limitFile, peerFile]) writeFileSync(path, '');
    await sleep(SETTLE_MS);
    tell('appending');
    const samples = await interleave(
      {
        one: { measure: () => one.seeReply() },
        many: { measure: () => many.seeReply() },
        oneInBurst: { measure: () => one.seeReplyAfterAnotherRow() },
        manyInBurst: { measure: () => many.seeReplyAfterAnotherRow() },
        limit: { measure: () => seeByWatch(limitFile) },
        peer: { measure: () => seeByPoll(peerFile), rounds: PEER_ROUNDS },
      },
      { rounds: ROUNDS },
    );
    const limit = figure('a bare fs.watch', 'limit', 'ms', samples.limit);
    const peer = figure('a look every second', 'peer', 'ms', samples.peer);
    const result = (name: string, product: Figure): Result => ({
      name: `append-latency: ${name}`,
      promise: PROMISE,
      figures: [product, peer, limit],
      ratios: [ratio(peer, product), ratio(product, limit)],
      holds: product.p95 <= MOST_MS,
    });
    return [
      result('one session', figure('the watch over 1 session', 'product', 'ms', samples.one)),
      result(
        `${MANY} sessions`,
        figure(`the watch over ${MANY} sessions`, 'product', 'ms', samples.many),
      ),
      result(
        'one session, just after another row',
        figure('the watch over 1 session', 'product', 'ms', samples.oneInBurst),
      ),
      result(
        `${MANY} sessions, just after another row`,
        figure(`the watch over ${MANY} sessions`, 'product', 'ms', samples.manyInBurst),
      ),
    ];
  },
};

async function followed(scene: Scene, { env, sessions }: MadeHome): Promise<Followed> {
  const live = new LiveWatch(scene, env);
  await live.when(
    'all sessions',
    (seen) => seen.filter(({ tokens }) => tokens !== null).length === sessions.length,
  );
  return new Followed(live, sessions);
}

/** Sessions that a watch follows, one of which says something now and then. */
class Followed {
  readonly #live: LiveWatch;
  readonly #sessions: readonly MadeSession[];
  /** A new number each time, so that it is this very reply that is seen. */
  #tokens = 50_000;

  constructor(live: LiveWatch, sessions: readonly MadeSession[]) {
    this.#live = live;
    this.#sessions = sessions;
  }

  async seeReply(): Promise<number> {
    await randomPause(50, 400);
    return this.#appendReply(this.#anyone(), [promptRow('go on')]);
  }

  /** As Claude Code does: what surrounds a reply is written some milliseconds before it. */
  async seeReplyAfterAnotherRow(): Promise<number> {
    await randomPause(50, 400);
    const session = this.#anyone();
    session.append(promptRow('go on'), bulkRow(2000));
    await randomPause(5, 45);
    return this.#appendReply(session, []);
  }

  async #appendReply(session: MadeSession, before: string[]): Promise<number> {
    const tokens = ++this.#tokens;
    const rows = [...before, replyRow(tokens)];
    const seen = this.#live.when(`${tokens} tokens`, (sessions) =>
      sessions.some((status) => status.sessionId === session.sessionId && status.tokens === tokens),
    );
    const start = performance.now();
    session.append(...rows);
    return (await seen) - start;
  }

  #anyone(): MadeSession {
    return this.#sessions[Math.floor(Math.random() * this.#sessions.length)] as MadeSession;
  }
}

async function seeByWatch(path: string): Promise<number> {
  const watcher = watch(path);
  const seen = once(watcher, 'change').then(() => performance.now());
  await randomPause(50, 100);
  const start = performance.now();
  appendFileSync(path, `${replyRow(1000)}\n`);
  const took = (await seen) - start;
  watcher.close();
  return took;
}

async function seeByPoll(path: string): Promise<number> {
  const seen = new Promise<number>((resolve) => {
    watchFile(path, { interval: 1000 }, () => resolve(performance.now()));
  });
  await randomPause(50, 1050);
  const start = performance.now();
  appendFileSync(path, `${replyRow(1000)}\n`);
  const took = (await seen) - start;
  unwatchFile(path);
  return took;
}

function randomPause(leastMs: number, mostMs: number): Promise<void> {
  return sleep(leastMs + Math.random() * (mostMs - leastMs));
}
