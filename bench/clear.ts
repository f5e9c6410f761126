/**
 * How soon a session is cleared: from a signal to the first thing done about it, and, with the real
 * Claude Code, from the moment it is idle to the new session. The peer of the first is a look every
 * two seconds; the limit of the second a `/clear` that is sent by hand.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeSignal } from '../core/clear/write-signal.ts';
import { MadeSession, promptRow, replyRow } from '../tests/bed/made-session.ts';
import { PluginBed } from '../tests/bed/plugin-bed.ts';
import { prepareBed } from '../tests/bed/prepare.ts';
import { Watch } from '../tests/bed/watch.ts';
import { type Bench, figure, NotRun, type Result, ratio } from './harness.ts';
import type { Scene } from './scene.ts';

const SIGNALS = 25;
const CLEARS = 8;
const MOST_TO_ACTION_MS = 100;
const MOST_TO_NEW_SESSION_MS = 1000;
const POLL_EVERY_MS = 2000;
const LOOK_EVERY_MS = 2;
const FULL = { input_tokens: 145_010 };
const SETTINGS = { autoClear: { countdownSeconds: 0, cooldownMinutes: 0, summary: false } };

export const clear: Bench = {
  name: 'clear',
  about: 'from a signal to the first action, and from idle to the new session',
  promise: `the first action within ${MOST_TO_ACTION_MS} ms, a new session within ${MOST_TO_NEW_SESSION_MS / 1000} s (medians)`,
  async run(scene, tell) {
    const results = [await measureSignals(scene, tell)];
    const { claude, claudeWithoutMods, tmux } = await prepareBed(
      ['claude', 'claudeWithoutMods', 'tmux'],
      tell,
    );
    for (const piece of [claude, claudeWithoutMods, tmux])
      if ('missing' in piece) throw new NotRun(piece.missing);
    const pathOf = (piece: typeof claude) => (piece as { path: string }).path;
    results.push(await measureClears(scene, tell, 'mod', pathOf(claude)));
    results.push(await measureClears(scene, tell, 'tmux', pathOf(claudeWithoutMods)));
    return results;
  },
};

async function measureSignals(scene: Scene, tell: (progress: string) => void): Promise<Result> {
  const home = scene.folder();
  const places = { claude: join(home, '.claude'), home: join(home, '.claude', 'memory-keeper') };
  mkdirSync(places.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(places.home, 'config.json'), JSON.stringify(SETTINGS));
  const sessions = Array.from({ length: SIGNALS }, (_, index) => {
    const cwd = join(home, `project-${index}`);
    mkdirSync(cwd);
    const session = new MadeSession(places.claude, cwd);
    scene.atEnd(async () => session.end());
    session.append(promptRow('hello'), replyRow(FULL.input_tokens));
    return session;
  });
  const watch = new Watch({ HOME: home, PATH: process.env.PATH });
  scene.atEnd(() => watch.stop());
  const samples: number[] = [];
  const polled: number[] = [];
  const unseen: number[] = [];
  const poll = setInterval(
    () => polled.push(...unseen.splice(0).map((start) => performance.now() - start)),
    POLL_EVERY_MS,
  );
  await until(() => existsSync(join(places.home, 'clear-signal')));
  for (const { sessionId, pid } of sessions) {
    tell(`signal ${samples.length + 1} of ${SIGNALS}`);
    await sleep(100 + Math.random() * 200); // not in time with the look every second
    const start = performance.now();
    const signal = {
      sessionId,
      pid,
      tokens: FULL.input_tokens,
      window: 200_000,
      at: new Date().toISOString(),
    };
    writeSignal(places, signal);
    await until(() => watch.steps(sessionId).length > 0);
    samples.push(performance.now() - start);
    unseen.push(start);
  }
  await until(() => unseen.length === 0);
  clearInterval(poll);
  const product = figure('signal to first action', 'product', 'ms', samples);
  const peer = figure('a look every two seconds', 'peer', 'ms', polled);
  return {
    name: 'clear: from a signal to the first action',
    promise: `within ${MOST_TO_ACTION_MS} ms (median)`,
    figures: [product, peer],
    ratios: [ratio(peer, product)],
    holds: product.median < MOST_TO_ACTION_MS,
  };
}

async function measureClears(
  scene: Scene,
  tell: (progress: string) => void,
  way: string,
  binary: string,
): Promise<Result> {
  const plugin = await PluginBed.start(binary);
  scene.atEnd(() => plugin.remove());
  plugin.configure(SETTINGS);
  plugin.isObedient = false; // an agent's end would begin turns of its own
  const session = await plugin.start();
  const idOf = () => session.registry()?.sessionId;
  const byHand: number[] = [];
  for (let count = 0; count < CLEARS; count++) {
    tell(`${way}: by hand ${count + 1} of ${CLEARS}`);
    await plugin.turn(session, `hello ${count}`, `Answer ${count}.`);
    const old = idOf();
    await session.type('/clear');
    await session.waitForScreen('/clear');
    // Claude Code takes an Enter that comes in one burst with the text for a part of it
    await sleep(400);
    const start = performance.now();
    await session.press('Enter');
    await until(() => idOf() !== undefined && idOf() !== old);
    byHand.push(performance.now() - start);
  }
  const watch = new Watch({ ...plugin.bed.environment(plugin.api) });
  scene.atEnd(() => watch.stop());
  const samples: number[] = [];
  for (let count = 0; count < CLEARS; count++) {
    tell(`${way}: ${count + 1} of ${CLEARS}`);
    const { sessionId: old } = await session.waitForState('idle');
    plugin.api.enqueue({ text: `Full ${count}.`, usage: FULL });
    await session.say(`fill ${count}`);
    await session.waitForState('busy');
    await until(() => session.registry()?.status === 'idle');
    const start = performance.now();
    await until(() => idOf() !== undefined && idOf() !== old).catch(() =>
      watch.step(old, 'restored'),
    );
    samples.push(performance.now() - start);
    await watch.step(old, 'restored');
  }
  await watch.stop();
  const product = figure(`idle to new session, ${way}`, 'product', 'ms', samples);
  const limit = figure('Enter behind /clear to new session, by hand', 'limit', 'ms', byHand);
  return {
    name: `clear: from idle to the new session, by ${way}`,
    promise: way === 'mod' ? `within ${MOST_TO_NEW_SESSION_MS / 1000} s (median)` : null,
    figures: [product, limit],
    ratios: [ratio(product, limit)],
    holds: way === 'mod' ? product.median < MOST_TO_NEW_SESSION_MS : null,
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const giveUpAt = performance.now() + 30_000; !isTrue(); await sleep(LOOK_EVERY_MS))
    if (performance.now() > giveUpAt) throw new Error('what was waited for never came');
}
