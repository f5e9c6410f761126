/**
 * Whoever installs Memory Keeper waits once for their history (L1d): 500 transcripts and 400 MB or more
 * of several projects (past-home.ts) are imported in one run; the limit is reading the files, the
 * peer parses every line of them. The same is then imported in another home, cancelled once, killed
 * several times and continued: what is in memory at the end must be the same.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJournal } from '../core/memory/log/journal.ts';
import { readL1Range } from '../core/memory/log/l1-store.ts';
import { readMemoryIndex, type SessionProgress } from '../core/memory/log/memory-index.ts';
import { attempt } from '../core/platform/store/attempt.ts';
import { placesFrom } from '../core/platform/store/places.ts';
import { knownProjects } from '../core/projects/known-projects.ts';
import type { ProjectMemory } from '../core/projects/project-memory.ts';
import type { BackfillResult } from '../core/usecases/contract.ts';
import { createEngine } from '../core/usecases/engine.ts';
import { parseHookInput } from '../core/usecases/hooks/hook-input.ts';
import { briefSession } from '../core/usecases/hooks/session-briefing.ts';
import { builtCli } from './built-cli.ts';
import { type Bench, count, figure, type Result, ratio, timed } from './harness.ts';
import { type MadeHome, madePastHome, PROJECTS } from './past-home.ts';
import type { Scene } from './scene.ts';

const MB = 1024 * 1024;
const ALL = { only: [], except: [], since: undefined, goOn: false };
/** When so many of a hundred conversations are in: a cancel, then kills. */
const CANCELLED_AT = 10;
const KILLED_AT = [25, 45, 65, 85];
const LOOK_EVERY_MS = 20;
const PROMISE =
  'every conversation has a dated summary, the largest project names its current work, and nothing is lost or doubled by a cancel or a kill';

export const backfill: Bench = {
  name: 'backfill',
  about: 'importing 500 past conversations of 400 MB, against reading the files',
  promise: PROMISE,
  async run(scene, tell, given: { data?: string | undefined } = {}) {
    builtCli();
    tell('making a home with past conversations');
    const home = madePastHome(scene, given.data);
    const engine = engineIn(home.folder);
    tell(`importing ${home.files.length} transcripts`);
    const reading = await timed(() => home.files.map((path) => readFileSync(path).length))();
    let result: BackfillResult | undefined;
    const importing = await timed(async () => {
      result = await engine.call('backfill.run', ALL);
    })();
    const parsing = await timed(() => home.files.forEach(parseLines))();
    tell('importing again, when there is nothing to do');
    const again = await timed(() => engine.call('backfill.run', ALL))();
    const left = (await engine.call('backfill.preview', ALL)).sessions;
    tell(
      `${result?.sessions} sessions, ${result?.entries} entries, ${result?.problems.length} problems, ${left} left`,
    );
    const imported = importedIn(home.folder);
    const other = await interrupted(scene, home, imported.sessions.size, tell);
    return [
      timesOf(home, { reading, importing, parsing, again }, result),
      await outcomeOf(home, imported, { left, ...other }),
    ];
  },
};

type Times = Record<'reading' | 'importing' | 'parsing' | 'again', number>;

function timesOf(home: MadeHome, times: Times, result: BackfillResult | undefined): Result {
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

interface Imported {
  /** The ids of their entries, by session. */
  sessions: Map<string, string[]>;
  undated: number;
  projects: { memory: ProjectMemory; newest: string; sessions: number }[];
}

/** What is in the memories of a home, as anybody can read it. */
function importedIn(folder: string): Imported {
  const imported: Imported = { sessions: new Map(), undated: 0, projects: [] };
  for (const memory of knownProjects(placesFrom({ HOME: folder }))) {
    const { events } = readJournal(memory, 0);
    const dated = new Map(
      events.flatMap((event) =>
        event.type === 'delta' && event.backfill !== undefined
          ? Object.keys(event.ends).map((id) => [id, event.backfill?.from ?? ''] as const)
          : [],
      ),
    );
    const spoken = Object.entries(readMemoryIndex(memory).sessions).filter(
      ([, { file }]) => file !== '',
    );
    for (const [id, { file }] of spoken) {
      const entries = readL1Range(memory, file) ?? [];
      imported.sessions.set(
        id,
        entries.map((entry) => entry.id),
      );
      const began = entries.find(({ ts }) => ts !== '')?.ts ?? '';
      if (dated.get(id) === undefined || (began !== '' && dated.get(id) !== began))
        imported.undated++;
    }
    const newest = newestName(spoken.map(([, progress]) => progress));
    imported.projects.push({ memory, newest, sessions: spoken.length });
  }
  return imported;
}

/** L1 files are named after the time at which their sessions began. */
function newestName(sessions: readonly SessionProgress[]): string {
  const [newest] = [...sessions].sort((one, other) => (one.file > other.file ? -1 : 1));
  return newest?.backfilled?.name ?? '';
}

interface Interrupted {
  other: Imported;
  /** How often it was ended before it was done. */
  kills: number;
  isCancelled: boolean;
}

/** The same transcripts in another home, with a cancel and kills on the way. */
async function interrupted(
  scene: Scene,
  home: MadeHome,
  total: number,
  tell: (progress: string) => void,
): Promise<Interrupted> {
  const folder = scene.folder();
  mkdirSync(join(folder, '.claude'));
  symlinkSync(join(home.folder, '.claude', 'projects'), join(folder, '.claude', 'projects'));
  tell('importing in another home, and cancelling');
  const engine = engineIn(folder);
  let isAsked = false;
  const first = await engine.call('backfill.run', ALL, undefined, ({ sessionsDone }) => {
    if (isAsked || sessionsDone < (total * CANCELLED_AT) / 100) return;
    isAsked = true;
    void engine.call('backfill.cancel', {});
  });
  let kills = 0;
  for (const at of KILLED_AT) {
    tell(`going on, and killing it at ${at} %`);
    if (await killedAt(scene, folder, Math.round((total * at) / 100))) kills++;
  }
  await engine.call('backfill.run', { ...ALL, goOn: true });
  const other = importedIn(folder);
  return { other, kills, isCancelled: first.state === 'cancelled' };
}

/** The command line, killed when so many conversations are in; false if it was done before. */
async function killedAt(scene: Scene, folder: string, sessions: number): Promise<boolean> {
  const env = { PATH: process.env.PATH, HOME: folder };
  const child = scene.child(() =>
    spawn(process.execPath, [builtCli(), 'memory', 'import-history'], { env, stdio: 'ignore' }),
  );
  const ended = once(child, 'exit');
  while (child.exitCode === null && l1Files(folder) < sessions) await sleep(LOOK_EVERY_MS);
  child.kill('SIGKILL');
  await ended;
  return child.signalCode === 'SIGKILL';
}

function l1Files(folder: string): number {
  return knownProjects(placesFrom({ HOME: folder })).reduce((sum, { sessions }) => {
    const names = attempt(() => readdirSync(sessions), []);
    return sum + names.filter((name) => /\.l1\.jsonl(?:\.gz)?$/.test(name)).length;
  }, 0);
}

async function outcomeOf(
  home: MadeHome,
  imported: Imported,
  { left, other, kills, isCancelled }: Interrupted & { left: number },
): Promise<Result> {
  const [largest] = [...imported.projects].sort((one, two) => two.sessions - one.sessions);
  const isNamed = largest !== undefined && (await namesWork(home, largest.memory, largest.newest));
  const counts = [...imported.sessions].map(([id, ids]) => {
    const there = other.sessions.get(id) ?? [];
    return { isSame: there.join() === ids.join(), isLonger: there.length > ids.length };
  });
  const differing = counts.filter(({ isSame }) => !isSame).length;
  const doubled = counts.filter(({ isLonger }) => isLonger).length;
  const figures = [
    count('conversations imported', 'files', imported.sessions.size),
    count('left after it', 'files', left),
    count('without a summary of their own date', 'files', imported.undated + other.undated),
    count('times cancelled on the way in another home', 'calls', isCancelled ? 1 : 0),
    count('times killed there', 'calls', kills),
    count('conversations that are not the same there, entry for entry', 'files', differing),
    count('conversations with an entry twice there', 'files', doubled),
    count('largest project whose briefing names its newest conversation', 'files', +isNamed),
  ];
  const isSame = differing === 0 && other.sessions.size === imported.sessions.size;
  return {
    name: 'backfill: what is in memory',
    promise: PROMISE,
    figures,
    ratios: [],
    holds:
      isSame &&
      imported.undated + other.undated + left === 0 &&
      isCancelled &&
      kills > 0 &&
      isNamed,
  };
}

/** Whether a new session of the project is told what was worked on last. */
async function namesWork(
  { folder }: MadeHome,
  memory: ProjectMemory,
  newest: string,
): Promise<boolean> {
  const input = { session_id: 'new', hook_event_name: 'SessionStart', source: 'startup' };
  const env = { HOME: folder, CLAUDE_PROJECT_DIR: join(folder, basename(memory.root)) };
  const output = await briefSession(parseHookInput(JSON.stringify(input), env));
  const told = output?.hookSpecificOutput?.additionalContext ?? '';
  return newest !== '' && told.includes(newest);
}

function engineIn(folder: string) {
  return createEngine({ env: { PATH: process.env.PATH, HOME: folder } });
}

function parseLines(path: string): void {
  for (const line of readFileSync(path, 'utf8').split('\n'))
    try {
      JSON.parse(line);
    } catch {
      // a torn line, as the product meets it
    }
}
