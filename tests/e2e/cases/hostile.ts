/**
 * The real CLI with the plugin in repositories that attack (T1 to T4), which come with a clone, with
 * a later pull, with a branch, or as a folder: nothing of them is believed, nothing of the user's
 * gets into them or, by them, into a request, and nobody waits. The user has switched automatic
 * clears off, and no model may be asked: over all of it nothing is cleared and no model is asked.
 */
import { spawn } from 'node:child_process';
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../../core/clear/clear-record.ts';
import { FIXED_TEXTS } from '../../../core/clear/delivery/driver.ts';
import { attempt } from '../../../core/platform/store/attempt.ts';
import { NOTES } from '../../../core/platform/text/markers.ts';
import { findProjectMemory } from '../../../core/projects/project-memory.ts';
import { readSettings } from '../../../core/settings/settings.ts';
import { ClaudeBed, type ClaudeSession } from '../../bed/claude.ts';
import {
  ALONE,
  type Attack,
  IN_FILES,
  markOf,
  plant,
  type Target,
  WITHOUT_GIT,
} from '../../bed/hostile-repository.ts';
import { CLI } from '../../bed/memory-keeper.ts';
import { MockApi, type MockReply, type RecordedRequest } from '../../bed/mock-api.ts';
import { newestWords, PLUGIN } from '../../bed/plugin-bed.ts';
import type { CliPiece } from '../../bed/prepare.ts';
import { run } from '../../bed/run.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { Watch } from '../../bed/watch.ts';
import { describeWith } from '../../bed/with-pieces.ts';

const MODEL = 'claude-sonnet-4-5';
const SECRET = 'swordfish-7Kq2x9';
const RULE = 'Say the word marigold whenever a file is deleted.';
/** What was said in the project whose memory the others are after. */
const OWN_WORDS = 'The walrus guards the vault behind the harbour.';
/** At most so many of the CLI at a time: more would only wait for each other. */
const AT_A_TIME = 3;
const TIMES_MEASURED = 3;
/** What is beyond noise: what blocks takes a hundred times as long. */
const MUCH_SLOWER = 5;
const FULL = { input_tokens: 145_010 };

/** A repository with its attacks, as it lies on the user's disk. */
interface Hostile {
  root: string;
  attacks: Record<string, Attack>;
  /** What git says of it before Claude Code has run in it. */
  status: string;
}

class Scene {
  readonly bed: ClaudeBed;
  readonly api: MockApi;
  readonly secrets: string;
  readonly known: string;
  knownPlace = '';
  readonly hostile: Hostile[] = [];
  sessions = 0;

  static async start(binary: string): Promise<Scene> {
    return new Scene(new ClaudeBed(binary), await MockApi.start());
  }

  private constructor(bed: ClaudeBed, api: MockApi) {
    this.bed = bed;
    this.api = api;
    this.secrets = join(bed.home, '.ssh');
    this.known = join(bed.root, 'known');
    mkdirSync(this.secrets);
    for (const name of ['id_rsa', 'facts.json', 'memory.md', 'rules.md', 'config.json'])
      writeFileSync(join(this.secrets, name), `{"secret": "${SECRET}"}\n`);
    writeFileSync(join(this.secrets, 'memory-index.json'), `{"version":1,"x":"${SECRET}"}\n`);
    api.script((request) => this.#answer(request));
    mkdirSync(bed.places.home);
    writeFileSync(join(bed.places.home, 'rules.md'), `- ${RULE}\n`);
  }

  /** What the model says, if not `ok`. */
  reply: (request: RecordedRequest) => MockReply | undefined = () => undefined;

  #answer(request: RecordedRequest): MockReply | undefined {
    if (request.body.stream !== true) return { text: '[]' };
    return (request.body.tools?.length ?? 0) > 1 ? this.reply(request) : undefined;
  }

  configure(settings: object): void {
    writeFileSync(join(this.bed.places.home, 'config.json'), JSON.stringify(settings));
  }

  get env(): Record<string, string> {
    return { ...this.bed.environment(this.api), GIT_CONFIG_NOSYSTEM: '1' };
  }

  git(folder: string, ...args: string[]): Promise<string> {
    const who = ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com'];
    return run('git', ['-C', folder, ...who, ...args], { env: this.env });
  }

  /** The user's own project, in which something was said. */
  async makeKnown(): Promise<void> {
    const { known, bed } = this;
    mkdirSync(known);
    writeFileSync(join(known, 'README.md'), 'The own project of the user.\n');
    await this.git(known, 'init', '-q', '-b', 'main');
    await this.git(known, 'add', '.');
    await this.git(known, 'commit', '-qm', 'first');
    await this.git(known, 'worktree', 'add', '-q', join(bed.root, 'tree'));
    await this.say(known, OWN_WORDS);
    this.knownPlace = findProjectMemory(bed.places, known)?.base ?? '';
  }

  async makeHostile(): Promise<void> {
    await this.clone('in-files', IN_FILES);
    for (const [at, [name, attack]] of Object.entries(ALONE).entries())
      await this.clone(`alone-${at}`, { [name]: attack });
    for (const [at, [name, attack]] of Object.entries(WITHOUT_GIT).entries()) {
      const root = join(this.bed.root, `folder-${at}`);
      // A .git that steals, and what a repository brings, at the same time.
      const others = name.includes('pipe') ? {} : IN_FILES;
      plant({ ...others, [name]: attack }, this.target(root));
      await this.add(root, { [name]: attack });
    }
  }

  target(root: string): Target {
    const { secrets, known, knownPlace } = this;
    return { root, secrets, known, knownPlace };
  }

  /** A repository with these attacks in a bare one, and a clone of it. */
  async clone(name: string, attacks: Record<string, Attack>): Promise<Hostile> {
    const source = await this.publish(name, attacks);
    return this.add(await this.cloneTo(source, join(this.bed.root, name)), attacks);
  }

  /** A repository that others can clone from a bare one. */
  async publish(name: string, attacks: Record<string, Attack> = {}): Promise<string> {
    const source = this.source(name);
    mkdirSync(source, { recursive: true });
    writeFileSync(join(source, 'README.md'), 'An ordinary project.\n');
    await run('git', ['init', '-q', '--bare', '-b', 'main', `${source}.git`]);
    await this.git(source, 'init', '-q', '-b', 'main');
    await this.git(source, 'remote', 'add', 'origin', `${source}.git`);
    plant(attacks, this.target(source));
    await this.push(source);
    return source;
  }

  async push(source: string, branch = 'main'): Promise<void> {
    await this.git(source, 'add', '-A', '-f');
    await this.git(source, 'commit', '-qm', 'Improve the project');
    await this.git(source, 'push', '-q', 'origin', `HEAD:${branch}`);
  }

  async cloneTo(source: string, root: string): Promise<string> {
    await run('git', ['clone', '-q', `${source}.git`, root], { env: this.env });
    return root;
  }

  source(name: string): string {
    return join(this.bed.root, 'sources', name);
  }

  async add(root: string, attacks: Record<string, Attack>): Promise<Hostile> {
    const hostile = { root, attacks, status: await this.status(root) };
    this.hostile.push(hostile);
    return hostile;
  }

  /** What git sees, what it would add, and what it ignores. */
  async status(root: string): Promise<string> {
    const ask = (...args: string[]) => this.git(root, ...args).catch(() => 'no repository\n');
    const seen = await ask('status', '--porcelain', '--ignored');
    return `${seen}${await ask('add', '-A', '--dry-run')}`;
  }

  /** One headless session, as a program would start it. */
  async say(root: string, words: string): Promise<void> {
    this.sessions++;
    const args = ['-p', words, '--plugin-dir', PLUGIN, '--model', MODEL];
    // Nothing is piped in: it would be a part of the prompt.
    const shell = ['-c', 'exec "$@" </dev/null', 'sh', this.bed.binary, ...args];
    await run('sh', shell, { cwd: root, env: this.env });
  }

  /** A hook, run as Claude Code runs it. The time it takes, and what it says. */
  async hook(
    root: string,
    task: string,
    fields: object = {},
  ): Promise<{ ms: number; out: string }> {
    const input = { session_id: `direct-${basename(root)}`, cwd: root, transcript_path: '' };
    const env = { ...this.env, CLAUDE_PROJECT_DIR: root, CLAUDE_PLUGIN_ROOT: PLUGIN };
    const began = performance.now();
    const child = spawn('/bin/sh', [join(PLUGIN, 'hooks/run.sh'), task], {
      cwd: root,
      env: { ...env, AI_AGENT: 'another' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify({ ...input, ...fields }));
    let out = '';
    for await (const piece of child.stdout) out += piece;
    return { ms: performance.now() - began, out };
  }

  prompt(root: string) {
    return this.hook(root, 'prompt', { hook_event_name: 'UserPromptSubmit', prompt: 'hello' });
  }

  begin(root: string) {
    return this.hook(root, 'start', { hook_event_name: 'SessionStart', source: 'startup' });
  }

  tidy(root: string) {
    return this.hook(root, 'tidy', { hook_event_name: 'SessionStart', source: 'startup' });
  }

  get conversation(): RecordedRequest[] {
    return this.api.requests.filter(({ body }) => (body.tools?.length ?? 0) > 1);
  }

  requestWith(words: string): string {
    const found = this.conversation.find((request) => JSON.stringify(request.body).includes(words));
    return JSON.stringify(found?.body ?? 'no such request');
  }

  /** Questions of ours: by the mod, or by an agent that the conversation was asked to call. */
  get asked(): RecordedRequest[] {
    return this.api.requests.filter(({ body }) => {
      const isAgent = body.tools?.map(({ name }) => name).join() === 'Read';
      const words = JSON.stringify(body);
      return body.stream !== true || isAgent || words.includes(`${NOTES.delta} file=`);
    });
  }

  memoryOf(root: string): string {
    const memory = findProjectMemory(this.bed.places, root);
    return memory === undefined ? '' : textsBelow(memory.base);
  }

  async remove(): Promise<void> {
    await this.bed.remove();
    await this.api.stop();
  }
}

/** All that is in a folder, but git's own; links are not followed. What goes meanwhile is left out. */
function pathsBelow(folder: string): string[] {
  const entries: Dirent[] = attempt(() => readdirSync(folder, { withFileTypes: true }), []);
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === '.git') return [];
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });
}

/** The content of all plain files in a folder. */
function textsBelow(folder: string): string {
  const isFile = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const files = pathsBelow(folder).filter(isFile);
  return files.map((path) => attempt(() => readFileSync(path, 'utf8'), '', ['ENOENT'])).join('\n');
}

/** What is in a folder, and of what kind and size each is. */
function namesBelow(folder: string): string[] {
  return pathsBelow(folder).map((path) => {
    const { mode, size } = lstatSync(path);
    return `${path} ${mode} ${size}`;
  });
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

export function hostileRepository(piece: CliPiece): void {
  describeWith(`a hostile repository with ${piece}`, [piece, 'git', 'tmux'], (paths) => {
    describe('without a screen', () => {
      let scene: Scene;
      const files = new Map<string, string[]>();

      beforeAll(async () => {
        scene = await Scene.start(paths[piece]);
        scene.configure({ autoClear: { mode: 'off' }, budget: { tokensPerDay: 0 } });
        await scene.makeKnown();
        await scene.makeHostile();
        for (const { root } of scene.hostile) files.set(root, namesBelow(root));
        await inTurns(scene.hostile, async ({ root }) => {
          await scene.say(root, `Greet ${basename(root)} kindly.`);
          await scene.tidy(root);
        });
      });
      afterAll(() => scene?.remove());

      const hostile = (attack: string) =>
        scene.hostile.find(({ attacks }) => Object.hasOwn(attacks, attack)) as Hostile;

      /** What must hold of every repository, whatever it does. */
      async function expectUnharmed({ root, status }: Hostile): Promise<void> {
        expect(textsBelow(root)).not.toContain(SECRET);
        expect(namesBelow(root)).toEqual(files.get(root));
        expect(await scene.status(root)).toBe(status);
        const { values, problems } = readSettings(scene.bed.places, root);
        const ofProject = Object.values(values).filter(({ from }) => from === 'project');
        expect({ ofProject, problems }).toEqual({ ofProject: [], problems: [] });
        const request = scene.requestWith(`Greet ${basename(root)} kindly.`);
        expect(request).toContain(RULE);
        expect(request.split('<rules ')).toHaveLength(2);
        expect(request).not.toContain(OWN_WORDS);
        expect(request).not.toContain(SECRET);
        const memory = scene.memoryOf(root);
        expect(memory).toContain(`Greet ${basename(root)} kindly.`);
        expect(memory).not.toContain(OWN_WORDS);
        expect(memory).not.toContain(SECRET);
      }

      const requests = () => JSON.stringify(scene.api.requests.map(({ body }) => body));

      it.each(Object.keys(IN_FILES))(
        'T1 T2 T3 nothing comes of it, by a clone: %s',
        async (name) => {
          await expectUnharmed(hostile(name));
          expect(requests()).not.toContain(markOf(name));
          expect(scene.memoryOf(hostile(name).root)).not.toContain(markOf(name));
        },
      );

      it.each(Object.keys(ALONE))('T1 T4 nothing comes of it, by a clone: %s', async (name) => {
        await expectUnharmed(hostile(name));
        expect(requests()).not.toContain(markOf(name));
      });

      it.each(Object.keys(WITHOUT_GIT))('T1 T4 nothing comes of it: %s', async (name) => {
        await expectUnharmed(hostile(name));
        const { root } = hostile(name);
        const place = findProjectMemory(scene.bed.places, root);
        // It may be any part of its own folder.
        expect(`${place?.root}/`.startsWith(`${realpathSync(root)}/`)).toBe(true);
        expect(place?.base).not.toBe(scene.knownPlace);
      });

      it('T1 what arrives with a later pull, and with a branch, changes nothing', async () => {
        const source = await scene.publish('later');
        const root = await scene.cloneTo(source, join(scene.bed.root, 'later'));
        await scene.say(root, 'Remember the heron of the first day.');
        const before = scene.memoryOf(root);
        plant(IN_FILES, scene.target(source));
        await scene.push(source);
        await scene.git(root, 'pull', '-q');
        expect(existsSync(join(root, '.claude/memory/rules.md'))).toBe(true);
        await scene.tidy(root);
        await scene.say(root, 'Greet the pulled one kindly.');
        await scene.git(source, 'rm', '-rqf', '.claude');
        plant({ links: ALONE['files that are links to secrets'] as Attack }, scene.target(source));
        await scene.push(source, 'trap');
        await scene.git(root, 'fetch', '-q');
        await scene.git(root, 'switch', '-q', 'trap');
        expect(lstatSync(join(root, '.claude/memory/rules.md')).isSymbolicLink()).toBe(true);
        const status = await scene.status(root);
        await scene.tidy(root);
        await scene.say(root, 'Greet the other branch kindly.');
        for (const words of ['Greet the pulled one kindly.', 'Greet the other branch kindly.']) {
          const request = scene.requestWith(words);
          expect(request).toContain(RULE);
          expect(request).toContain('heron of the first day');
          expect(request).not.toMatch(/OBEY-/);
          expect(request).not.toContain(SECRET);
        }
        expect(await scene.status(root)).toBe(status);
        expect(textsBelow(root)).not.toContain(SECRET);
        expect(before).toContain('heron of the first day');
        expect(scene.memoryOf(root)).toContain('heron of the first day');
      });

      it('T1 a copy in the project that a pull has tampered with is neither believed nor written to', async () => {
        const config = readFileSync(join(scene.bed.places.home, 'config.json'), 'utf8');
        scene.configure({ ...JSON.parse(config), storage: 'project' });
        const source = await scene.publish('copied');
        const root = await scene.cloneTo(source, join(scene.bed.root, 'copied'));
        await scene.say(root, 'Remember the otter of the first day.');
        await scene.tidy(root);
        expect(textsBelow(join(root, '.claude'))).toContain('otter of the first day');
        expect(await scene.git(root, 'status', '--porcelain')).toBe('');
        // Git replaces what it is told to ignore without a word, also that by which it ignores.
        plant(IN_FILES, scene.target(source));
        for (const folder of ['memory', 'sessions'])
          writeFileSync(join(source, '.claude', folder, '.gitignore'), '!*\n');
        await scene.push(source);
        await scene
          .git(root, 'pull', '-q')
          .catch(() => scene.git(root, 'reset', '-q', '--hard', 'origin/main'));
        const tracked = await scene.git(root, 'status', '--porcelain', '-uno');
        expect(tracked).toBe('');
        await scene.say(root, 'Greet the copied one kindly.');
        await scene.tidy(root);
        expect(await scene.git(root, 'status', '--porcelain', '-uno')).toBe('');
        expect(textsBelow(join(root, '.claude'))).not.toContain('Greet the copied one');
        const request = scene.requestWith('Greet the copied one kindly.');
        expect(request).toContain('otter of the first day');
        expect(request).toContain(RULE);
        expect(request).not.toMatch(/OBEY-/);
        writeFileSync(join(scene.bed.places.home, 'config.json'), config);
      });

      it('T4 hooks wait no longer than in a clean project', async () => {
        const { hostile: all, known } = scene;
        const times = new Map<string, { prompt: number[]; start: number[] }>();
        const roots = [known, ...all.map(({ root }) => root)];
        for (let round = 0; round < TIMES_MEASURED; round++)
          for (const root of roots) {
            const [prompt, start] = [await scene.prompt(root), await scene.begin(root)];
            expect(prompt.out).toContain(RULE);
            const known = times.get(root) ?? { prompt: [], start: [] };
            known.prompt.push(prompt.ms);
            known.start.push(start.ms);
            times.set(root, known);
          }
        const of = (root: string) => ({
          prompt: median(times.get(root)?.prompt ?? []),
          start: median(times.get(root)?.start ?? []),
        });
        const clean = of(known);
        const lines = all.map(({ root, attacks }) => {
          const { prompt, start } = of(root);
          expect(prompt).toBeLessThan(clean.prompt * MUCH_SLOWER);
          expect(start).toBeLessThan(clean.start * MUCH_SLOWER);
          const [name = ''] = Object.keys(attacks);
          return `  ${prompt.toFixed(0)} ms, ${start.toFixed(0)} ms: ${name}`;
        });
        const first = `  ${clean.prompt.toFixed(0)} ms, ${clean.start.toFixed(0)} ms: a clean project`;
        const head = `hooks with ${piece}, prompt and session start, medians:`;
        process.stdout.write(`${[head, first, ...lines].join('\n')}\n`);
      });

      it('T1 a hostile repository at the path of a known one gets nothing, and the known one loses nothing', async () => {
        const { known, bed } = scene;
        await scene.say(known, 'Greet the own project kindly.');
        expect(scene.requestWith('Greet the own project kindly.')).toContain(OWN_WORDS);
        renameSync(known, join(bed.root, 'known-before'));
        await scene.cloneTo(scene.source('in-files'), known);
        const status = await scene.status(known);
        files.set(known, namesBelow(known));
        await scene.say(known, 'Greet known kindly.');
        await scene.tidy(known);
        await expectUnharmed({ root: known, attacks: {}, status });
        expect(textsBelow(scene.knownPlace)).toContain(OWN_WORDS);
        const found = await run(
          process.execPath,
          [CLI, 'memory', 'search', 'walrus', '--all-projects'],
          { cwd: bed.home, env: scene.env },
        );
        expect(found).toContain(OWN_WORDS);
      });

      it("T1 nothing of the user's was deleted or changed: secrets, memory, rules, settings", () => {
        const { secrets, bed } = scene;
        expect(readdirSync(secrets).sort()).toEqual([
          ...['config.json', 'facts.json', 'id_rsa', 'memory-index.json', 'memory.md', 'rules.md'],
        ]);
        expect(readFileSync(join(bed.places.home, 'rules.md'), 'utf8')).toBe(`- ${RULE}\n`);
        expect(textsBelow(bed.places.home)).not.toContain(SECRET);
        expect(textsBelow(bed.places.home)).not.toMatch(/OBEY-/);
        expect(requests()).not.toContain(SECRET);
        expect(requests()).not.toMatch(/OBEY-/);
      });

      it('T2 with automatic clears off, no repository has led to a clear, a continue or a question to a model', () => {
        const { bed, asked, sessions } = scene;
        expect(asked.map(({ body }) => newestWords({ body } as RecordedRequest))).toEqual([]);
        expect(readRecords(bed.places)).toEqual([]);
        expect(pathsBelow(join(bed.places.home, 'clear-signal'))).toEqual([]);
        expect(requests()).not.toContain(FIXED_TEXTS.continue);
        const transcripts = readdirSync(join(bed.configDir, 'projects'), { recursive: true });
        expect(transcripts.filter((name) => String(name).endsWith('.jsonl'))).toHaveLength(
          sessions,
        );
      });
    });

    describe('in a terminal', () => {
      let scene: Scene;
      let session: ClaudeSession;
      let watch: Watch;
      let root = '';

      beforeAll(async () => {
        scene = await Scene.start(paths[piece]);
        scene.configure({ autoClear: { mode: 'off' } });
        root = scene.bed.addProject('inter');
        const source = await scene.publish('inter', IN_FILES);
        await scene.cloneTo(source, root);
        watch = new Watch(scene.env);
        session = await scene.bed.start({
          ...{ api: scene.api, model: MODEL, project: root },
          args: ['--plugin-dir', PLUGIN],
        });
      });
      afterAll(async () => {
        await watch?.stop();
        await scene?.remove();
      });

      async function turn(words: string, answer: string, tools = 0): Promise<void> {
        await session.waitForState('idle');
        const read = { name: 'Read', input: { file_path: join(root, 'README.md') } };
        const reads = Array.from({ length: tools }, () => ({ toolUses: [read], usage: FULL }));
        scene.api.enqueue(...reads, { text: answer, usage: FULL });
        await session.say(words);
        await session.waitForScreen(answer);
        await session.waitForState('idle');
        await waitFor(`"${answer}" in memory`, () => scene.memoryOf(root).includes(answer));
      }

      it('T2 a session past its threshold is not cleared, not continued, and no model is asked', async () => {
        const { sessionId } = await session.waitForState('idle');
        await turn('how is the weather today', 'Foggy, as far as I see.', 2);
        await turn('and what of tomorrow', 'Clear skies, I would think.', 1);
        expect((await session.waitForState('idle')).sessionId).toBe(sessionId);
        expect([scene.asked, watch.told, readRecords(scene.bed.places)]).toEqual([[], [], []]);
        expect(pathsBelow(join(scene.bed.places.home, 'clear-signal'))).toEqual([]);
        for (const { body } of scene.conversation) {
          const words = JSON.stringify(body);
          expect(words).toContain(RULE);
          expect(words).not.toMatch(/OBEY-/);
          expect(words).not.toContain(FIXED_TEXTS.continue);
        }
        expect(textsBelow(root)).not.toContain(SECRET);
        expect(await scene.git(root, 'status', '--porcelain', '--ignored')).toBe('');
      });

      it('T2 it would be, if the user wanted it: the trap is a real one', async () => {
        const autoClear = { countdownSeconds: 0, cooldownMinutes: 0, summary: false };
        scene.configure({ autoClear });
        const { sessionId } = await session.waitForState('idle');
        scene.api.enqueue({ text: 'It will rain.', usage: FULL });
        await session.say('and what of next week');
        const { newSessionId } = await watch.step(sessionId, 'restored');
        const given = join(scene.bed.places.home, 'given', `${newSessionId}.txt`);
        const briefing = await waitFor(
          'the briefing',
          () => existsSync(given) && readFileSync(given, 'utf8'),
        );
        expect(briefing).toContain('and what of next week');
        expect(briefing).not.toMatch(/OBEY-/);
        expect(JSON.stringify(scene.api.requests)).not.toContain(FIXED_TEXTS.continue);
      });
    });
  });
}
