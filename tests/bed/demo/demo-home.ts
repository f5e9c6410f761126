/**
 * A home folder that looks like somebody's at work: three projects with months of memory and one
 * that is new, four live sessions, and a day's activity. Everything lies below one folder, and
 * nothing of the machine's own is seen or touched.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSignal } from '../../../core/clear/write-signal.ts';
import type { Places } from '../../../core/platform/store/places.ts';
import { run } from '../run.ts';
import { clinicStory } from './clinic-story.ts';
import { addDemoActivity } from './demo-activity.ts';
import { type DemoProject, makeDemoProject } from './demo-memory.ts';
import { DemoSession } from './demo-session.ts';
import { shopStory } from './shop-story.ts';
import { toolStory } from './tool-story.ts';

const MILLION = 1_000_000;
const STANDARD = 200_000;

export interface DemoProjects {
  shop: DemoProject;
  clinic: DemoProject;
  tool: DemoProject;
  /** Without a memory yet. */
  fresh: { root: string };
}

export interface DemoSessions {
  /** At 71 %, idle: what a clear is for. */
  shop: DemoSession;
  /** At 58 %, at work. */
  tool: DemoSession;
  /** At 34 %. */
  clinic: DemoSession;
  /** Waits for a permission. */
  fresh: DemoSession;
}

export class DemoHome {
  readonly home: string;
  readonly places: Places;
  readonly projects: DemoProjects;
  sessions: DemoSessions | undefined;
  readonly #socket: string;

  constructor(home = join(mkdtempSync(join(tmpdir(), 'memory-keeper-demo-')), 'home', 'mina')) {
    this.home = home;
    this.#socket = join(home, '.tmux.sock');
    const claude = join(home, '.claude');
    this.places = { claude, home: join(claude, 'memory-keeper') };
    mkdirSync(this.places.home, { recursive: true, mode: 0o700 });
    const project = (name: string) => join(home, 'work', name);
    this.projects = {
      shop: makeDemoProject(this.places, project(shopStory.name), shopStory),
      clinic: makeDemoProject(this.places, project(clinicStory.name), clinicStory),
      tool: makeDemoProject(this.places, project(toolStory.name), toolStory),
      fresh: { root: project('field-notes') },
    };
    mkdirSync(join(this.projects.fresh.root, '.git'), { recursive: true });
  }

  /** What the command line and the application are started with. */
  environment(more: Record<string, string> = {}): Record<string, string> {
    return {
      HOME: this.home,
      PATH: process.env.PATH ?? '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'Asia/Seoul',
      ...more,
    };
  }

  /** Settings of the user, for all projects. */
  configure(settings: object): void {
    writeFileSync(join(this.places.home, 'config.json'), JSON.stringify(settings));
  }

  async startSessions(): Promise<DemoSessions> {
    const start = (plan: Parameters<typeof DemoSession.start>[2]) =>
      DemoSession.start(this.places, this.#socket, plan);
    const { shop, clinic, tool, fresh } = this.projects;
    this.sessions = {
      shop: await start({
        root: shop.root,
        place: 'shop',
        model: 'claude-opus-5-5',
        status: 'idle',
        tokensBefore: grown(9, 640_000, 741_200),
        tokens: grown(72, 31_000, 712_400),
        window: MILLION,
        minutesOld: 347,
        words: [
          'Show the balance of a gift card in the checkout.',
          'The checkout shows it once the code is known to be valid.',
        ],
      }),
      tool: await start({
        root: tool.root,
        place: 'sift',
        model: 'claude-sonnet-4-5',
        status: 'busy',
        tokensBefore: grown(11, 98_000, 140_900),
        tokens: grown(19, 31_000, 116_300),
        window: STANDARD,
        minutesOld: 92,
        words: [
          'A torn last block must warn and go on.',
          'I read up to the last whole block and warn on stderr.',
        ],
      }),
      clinic: await start({
        root: clinic.root,
        place: 'clinic',
        model: 'claude-sonnet-5-5',
        status: 'idle',
        tokensBefore: grown(6, 620_000, 718_000),
        tokens: grown(44, 29_000, 338_900),
        minutesOld: 511,
        words: [
          '대체휴무일을 달력에 넣어 줘.',
          '11월에 받아 둔 공휴일 데이터에서 대체휴무일을 읽어 달력에 표시했습니다.',
        ],
      }),
      fresh: await start({
        root: fresh.root,
        place: 'notes',
        model: 'claude-haiku-4-5',
        status: 'waiting',
        waitingFor: 'permission prompt',
        tokens: grown(5, 17_000, 41_500),
        minutesOld: 9,
        words: ['Make a first page from my notes.', 'I would like to run npm create to begin.'],
      }),
    };
    addDemoActivity(this.places, this.projects, this.sessions);
    return this.sessions;
  }

  /** As the plugin would say that a session has reached its threshold. */
  signal(session: DemoSession, tokens: number, window: number): void {
    const at = new Date().toISOString();
    writeSignal(this.places, {
      sessionId: session.sessionId,
      pid: session.pid,
      tokens,
      window,
      at,
    });
  }

  async remove(): Promise<void> {
    if (this.sessions !== undefined)
      await run('tmux', ['-S', this.#socket, 'kill-server']).catch(() => undefined);
    rmSync(join(this.home, '..', '..'), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Turns are not all alike: some read a long file, some only talk. */
function grown(turns: number, from: number, to: number): number[] {
  const weights = Array.from(
    { length: turns - 1 },
    (_, turn) => [1, 0.5, 1.9, 0.8, 1.2, 0.3, 2.4, 0.7][turn % 8] as number,
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let tokens = from;
  return [from, ...weights.map((weight) => (tokens += (weight / sum) * (to - from)))].map(
    Math.round,
  );
}
