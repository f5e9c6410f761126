/**
 * Ten sessions of one project at once, each with many hook runs, a tenth of them killed at a random
 * moment (M21, B7, B18). Sessions answer what hooks ask of their agents, as Claude would. In
 * the end nothing is lost, nothing is doubled and nothing is torn.
 */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJournal } from '../../../core/memory/log/journal.ts';
import { readL1 } from '../../../core/memory/log/l1-store.ts';
import { readMemoryIndex } from '../../../core/memory/log/memory-index.ts';
import { verifyMemory } from '../../../core/memory/state/verify.ts';
import type { Places } from '../../../core/platform/store/places.ts';
import { type ProjectMemory, projectMemory } from '../../../core/projects/project-memory.ts';
import { letLeasesExpire } from '../../bed/expired-leases.ts';
import { promptRow, replyRow } from '../../bed/made-session.ts';

const HOOK = join(import.meta.dirname, '../../../dist/plugin/hooks/hook.cjs');
const SESSIONS = 10;
const KILLED_SHARE = 0.1;
const BROKEN_FOR_MS = 1000;
const STORM_LIMIT_MS = 20 * 60 * 1000; // ends a test that hangs; nobody asserts a time

export interface Outcome {
  isKilled: boolean;
  code: number;
  stdout: string;
  stderr: string;
}

/** The computer in which hooks run. */
export interface StormPlace {
  places: Places;
  project: string;
  /** No hook that is to be killed lives longer. */
  maxLifeMs: number;
  /** The path that a hook is told. */
  path(path: string): string;
  runHook(task: string[], input: string, lifeMs: number | undefined): Promise<Outcome>;
  /** The first call may come before the first hook has run. */
  memory(): ProjectMemory;
  /** As if the minutes had passed after which a job is free again. */
  letLeasesExpire(): Promise<void>;
  remove(): Promise<void>;
}

async function thisComputer(): Promise<StormPlace> {
  const home = mkdtempSync(join(tmpdir(), 'memory-keeper-storm-'));
  const project = join(home, 'project');
  mkdirSync(project);
  const claude = join(home, '.claude');
  const places = { claude, home: join(claude, 'memory-keeper') };
  const memory = projectMemory(places, project);
  const env = { HOME: home, PATH: process.env.PATH, CLAUDE_PROJECT_DIR: project };
  return {
    places,
    project,
    maxLifeMs: 80,
    path: (path) => path,
    runHook: (task, input, lifeMs) =>
      new Promise((resolve) => {
        const options = { cwd: project, env };
        const child = execFile(
          process.execPath,
          [HOOK, ...task],
          options,
          (error, stdout, stderr) => {
            const isKilled = error?.signal === 'SIGKILL';
            resolve({ isKilled, code: error === null ? 0 : Number(error.code), stdout, stderr });
          },
        );
        child.stdin?.on('error', () => undefined); // killed before it had read
        child.stdin?.end(input);
        if (lifeMs !== undefined) setTimeout(() => child.kill('SIGKILL'), lifeMs);
      }),
    memory: () => memory,
    letLeasesExpire: async () => letLeasesExpire(memory),
    remove: async () => rmSync(home, { recursive: true, force: true }),
  };
}

/** The same numbers in every run of the test. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

class StormySession {
  readonly id: string;
  readonly said: string[] = [];
  readonly outcomes: (Outcome & { event: string })[] = [];
  readonly #transcript: string;
  readonly #random: () => number;
  #turn = 0;

  readonly #runs: number;
  readonly #place: StormPlace;

  constructor(place: StormPlace, number: number, runs: number) {
    this.#place = place;
    this.#runs = runs;
    this.id = `storm-${number}`;
    this.#transcript = join(place.project, '..', `${this.id}.jsonl`);
    this.#random = seeded(number + 1);
    writeFileSync(this.#transcript, '');
  }

  async weather(): Promise<void> {
    await this.#hook('SessionStart', { source: 'startup' });
    while (this.outcomes.length < this.#runs) await this.#takeTurn();
    // What was killed last is made good by the next run, as in life.
    await this.#run('Stop', {}, false);
    await this.#run('SessionEnd', { reason: 'other' }, false);
  }

  async #takeTurn(): Promise<void> {
    const turn = `${this.id} turn ${++this.#turn}`;
    const { stdout, isKilled } = await this.#hook('UserPromptSubmit', { prompt: `${turn} asked` });
    if (isKilled) await this.#place.letLeasesExpire(); // it may have taken a job with it
    this.#say(
      promptRow(`The limit of part ${turn} is ${this.#turn * 7 + 100} requests, from now on.`),
      turn,
    );
    await this.#answerAgents(stdout);
    this.#use(turn);
    await this.#hook('PostToolUse', { tool_name: 'Bash' });
    this.#say(replyRow(50_000, { text: `${turn} is answered.` }), `${turn} is answered.`);
    await this.#hook(this.#turn % 7 === 0 ? 'PreCompact' : 'Stop', {});
    if (this.#turn % 5 === 0) await this.#hook('SessionStart', { source: 'compact' });
  }

  #say(row: string, words: string): void {
    this.said.push(words);
    appendFileSync(this.#transcript, `${row}\n`);
  }

  #use(turn: string): void {
    const row = JSON.parse(replyRow(50_000));
    row.message.content = [
      { type: 'tool_use', id: `tool-${turn}`, name: 'Bash', input: { command: `echo ${turn}` } },
    ];
    const result = JSON.parse(promptRow(''));
    result.message.content = [{ type: 'tool_result', tool_use_id: `tool-${turn}`, content: 'ok' }];
    appendFileSync(this.#transcript, `${JSON.stringify(row)}\n${JSON.stringify(result)}\n`);
  }

  /**
   * As Claude does when a hook asks for an agent; an agent whose answer was lost is called again.
   */
  async #answerAgents(stdout: string): Promise<void> {
    if (stdout.includes('[MEMORY_KEEPER_SAVE]')) {
      const path = join(this.#place.memory().folder, 'facts_temp.txt');
      const fact = existsSync(path) ? factIn(readFileSync(path, 'utf8')) : undefined; // another was asked meanwhile, and has answered
      await this.#answer(
        'memory-keeper:l2-summarizer',
        JSON.stringify(fact === undefined ? [] : [fact]),
      );
    } else if (stdout.includes('[MEMORY_KEEPER_DELTA]') || stdout.includes('[MEMORY_KEEPER_FINAL]'))
      await this.#answer(
        'memory-keeper:delta-summarizer',
        `The limit of a part was set in ${this.id}.`,
      );
  }

  async #answer(agent: string, last_assistant_message: string): Promise<void> {
    const answer = { agent_type: agent, last_assistant_message };
    const { isKilled } = await this.#hook('SubagentStop', answer);
    if (isKilled) await this.#run('SubagentStop', answer, false);
  }

  #hook(event: string, more: object): Promise<Outcome> {
    return this.#run(event, more, this.#random() < KILLED_SHARE);
  }

  async #run(event: string, more: object, isVictim: boolean): Promise<Outcome> {
    const input = {
      hook_event_name: event,
      session_id: this.id,
      transcript_path: this.#place.path(this.#transcript),
      cwd: this.#place.path(this.#place.project),
      ...more,
    };
    const { maxLifeMs } = this.#place;
    const lifeMs = isVictim ? this.#random() * maxLifeMs : undefined;
    const outcome = await this.#place.runHook([], JSON.stringify(input), lifeMs);
    this.outcomes.push({ event, ...outcome });
    return outcome;
  }
}

/** What a model would find in the question: the last thing that a user said, word for word. */
function factIn(
  question: string,
): { kind: string; content: string; entry: string; quote: string } | undefined {
  const said = [
    ...question.matchAll(
      /^\[([\w-]+)\] user: (The limit of part .* is \d+ requests, from now on\.)$/gm,
    ),
  ].at(-1);
  if (said === undefined) return undefined;
  const [, entry = '', words = ''] = said;
  return { kind: 'decision', content: words.replace(', from now on', ''), entry, quote: words };
}

/** `runs`: of hooks in each session. */
export function hookStorm(runs: number, open: () => Promise<StormPlace> = thisComputer): void {
  describe('ten sessions in a storm', () => {
    let place: StormPlace;
    let sessions: StormySession[] = [];
    let memory: ProjectMemory;

    beforeAll(async () => {
      place = await open();
      sessions = Array.from(
        { length: SESSIONS },
        (_, number) => new StormySession(place, number, runs),
      );
      const config = join(place.places.home, 'config.json');
      mkdirSync(place.places.home, { recursive: true });
      writeFileSync(config, '{"saveInterval": 3}');
      // Half of the time the settings are broken.
      const breaking = setInterval(() => {
        const isBroken = readFileSync(config, 'utf8').startsWith('{ broken');
        writeFileSync(config, isBroken ? '{"saveInterval": 3}' : '{ broken');
      }, BROKEN_FOR_MS);
      await Promise.all(sessions.map((session) => session.weather()));
      clearInterval(breaking);
      writeFileSync(config, '{"saveInterval": 3}');
      // As at the next session's start: what the killed have left lying about is swept up.
      const cwd = place.path(place.project);
      const input = { hook_event_name: 'SessionStart', session_id: 'next', cwd };
      const { code } = await place.runHook(['tidy'], JSON.stringify(input), undefined);
      expect(code).toBe(0);
      memory = place.memory();
    }, STORM_LIMIT_MS);

    afterAll(() => place?.remove());

    const outcomes = () => sessions.flatMap((session) => session.outcomes);
    const survivors = () => outcomes().filter(({ isKilled }) => !isKilled);

    it('M21 kills really happened, and many ran to their end', () => {
      expect(outcomes().filter(({ isKilled }) => isKilled).length).toBeGreaterThan(
        SESSIONS * runs * KILLED_SHARE * 0.3,
      );
      expect(survivors().length).toBeGreaterThan(SESSIONS * runs * 0.5);
    });

    it('M14 no hook that was not killed fails or prints anything but JSON', () => {
      for (const { event, code, stdout, stderr } of survivors()) {
        expect({ event, code, stderr }).toEqual({ event, code: 0, stderr: '' });
        if (stdout !== '')
          expect(JSON.parse(stdout)).toMatchObject({
            hookSpecificOutput: { hookEventName: event },
          });
      }
      const log = join(place.places.home, 'hooks.log');
      expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toBe('');
    });

    it('M14 the rules went along with every prompt, also while the settings were broken', () => {
      const prompts = survivors().filter(({ event }) => event === 'UserPromptSubmit');
      expect(prompts.some(({ stdout }) => stdout.includes('rules injection error'))).toBe(true);
      for (const { stdout } of prompts) expect(stdout).toContain('Never delete files');
    });

    it('M4 M5 every word is in L1, once and in order', () => {
      for (const { id, said } of sessions) {
        const entries = readL1(
          join(memory.sessions, readMemoryIndex(memory).sessions[id]?.file ?? ''),
        );
        const words = entries.flatMap((entry) => ('text' in entry ? [entry.text] : []));
        expect(words).toHaveLength(said.length);
        for (const [at, part] of said.entries()) expect(words[at]).toContain(part);
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
      }
    });

    it('M9 no fact that was taken is lost, none is there twice, and no session has more than ten', () => {
      const facts: { content: string; session: string }[] = JSON.parse(
        readFileSync(join(memory.folder, 'facts.json'), 'utf8'),
      ).decisions;
      const refused = readdirSync(memory.sessions)
        .filter((name) => name.endsWith('.l2.json'))
        .flatMap((name) =>
          JSON.parse(readFileSync(join(memory.sessions, name), 'utf8')).refused.map(
            ({ content }: { content: string }) => content,
          ),
        );
      // An answer that came when another had been asked may go unheard: the words are in L1, and are
      // asked about again.
      const taken = readJournal(memory, 0).events.flatMap((event) =>
        event.type === 'facts' ? JSON.parse(event.text) : [],
      );
      expect(taken.length).toBeGreaterThan(runs / 20);
      const known = new Set([...facts.map(({ content }) => content), ...refused]);
      expect(taken.filter(({ content }: { content: string }) => !known.has(content))).toEqual([]);
      expect(new Set(facts.map(({ content }) => content)).size).toBe(facts.length);
      for (const { id } of sessions)
        expect(facts.filter(({ session }) => session === id).length).toBeLessThanOrEqual(10);
    });

    it('M2 M21 every file is whole, and nothing lies about', () => {
      expect(verifyMemory(memory).problems).toEqual([]);
      const names = [memory.folder, memory.sessions].flatMap((folder) => readdirSync(folder));
      expect(names.filter((name) => /\.tmp$|\.lock$|\.broken-|unfinished/.test(name))).toEqual([]);
    });
  });
}
