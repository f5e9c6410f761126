/**
 * How soon a turn that Claude Code writes is seen in the window: from the append to the page whose
 * gauge has its tokens, in the browser and in Electron. The peer is the same engine in the terminal
 * (`status --watch`), which sees the very same append.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTS, type HostKind, type OpenApp } from '../tests/bed/app-bed.ts';
import { AppPage } from '../tests/bed/app-page.ts';
import { type MadeSession, promptRow, replyRow } from '../tests/bed/made-session.ts';
import { openHost } from './app-host.ts';
import { type Bench, figure, type Result, ratio } from './harness.ts';
import { LiveWatch } from './live-watch.ts';
import { madeHome } from './made-home.ts';
import type { Scene } from './scene.ts';

const SESSIONS = 3;
const ROUNDS = 30;
const WARM_UPS = 3;
const MOST_MS = 500;
const MOST_PAUSE_MS = 400;
const PROMISE = `95 % of changed percentages are in the window within ${MOST_MS} ms`;

export const appLatency: Bench = {
  name: 'app-latency',
  about: 'from an appended turn to the gauge in the window',
  promise: PROMISE,
  async run(scene, tell) {
    const results: Result[] = [];
    for (const kind of HOSTS) results.push(await measure(scene, tell, kind));
    return results;
  },
};

async function measure(
  scene: Scene,
  tell: (progress: string) => void,
  kind: HostKind,
): Promise<Result> {
  const { env, sessions } = madeHome(scene, SESSIONS);
  const live = new LiveWatch(scene, env);
  const app = await openHost(scene, kind, env, tell);
  await app.page
    .getByRole('meter')
    .nth(SESSIONS - 1)
    .waitFor();
  tell(`appending turns, ${kind}`);
  const samples = { window: [] as number[], terminal: [] as number[] };
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    await sleep(Math.random() * MOST_PAUSE_MS);
    const session = sessions[Math.abs(round) % SESSIONS] as MadeSession;
    const seen = await appended(app, live, session, 30_000 + (round + WARM_UPS) * 1234);
    if (round < 0) continue;
    samples.window.push(seen.window);
    samples.terminal.push(seen.terminal);
  }
  const product = figure(`the window, ${kind}`, 'product', 'ms', samples.window);
  const peer = figure('status --watch in a terminal', 'peer', 'ms', samples.terminal);
  return {
    name: `app-latency: a changed percentage, ${kind}`,
    promise: PROMISE,
    figures: [product, peer],
    ratios: [ratio(product, peer)],
    holds: product.p95 <= MOST_MS,
  };
}

async function appended(
  app: OpenApp,
  live: LiveWatch,
  session: MadeSession,
  tokens: number,
): Promise<Record<'window' | 'terminal', number>> {
  const inWindow = new AppPage(app.page)
    .frameWith(`[role="meter"][aria-valuenow="${tokens}"]`)
    .then(() => performance.now());
  const inTerminal = live.when(`${tokens} tokens`, (seen) =>
    seen.some((status) => status.tokens === tokens),
  );
  await app.page.evaluate('0'); // the page has begun to look
  const start = performance.now();
  session.append(promptRow('And now?'), replyRow(tokens));
  const [window, terminal] = await Promise.all([inWindow, inTerminal]);
  return { window: window - start, terminal: terminal - start };
}
