/**
 * The field of the trials: one user's home, three projects, two servers of tmux with six real
 * sessions of two versions of Claude Code, and two decoys that look like a prompt box. One
 * `memory-keeper watch` is at work there.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedTranscript } from '../../core/claude/transcript/locate.ts';
import { writeClearRequest } from '../../core/clear/clear-requests.ts';
import { signalsFolder, writeSignal } from '../../core/clear/write-signal.ts';
import { ClaudeBed } from '../bed/claude.ts';
import { MockApi } from '../bed/mock-api.ts';
import { PLUGIN } from '../bed/plugin-bed.ts';
import { run } from '../bed/run.ts';
import { waitFor } from '../bed/wait-for.ts';
import { Watch } from '../bed/watch.ts';
import { Conversation } from './conversation.ts';
import { KeyLog } from './key-log.ts';
import { CAST, type Cast, type Sabotage } from './plan.ts';
import { TrialSession } from './trial-session.ts';
import { Trace, Witness } from './witness.ts';

const MODEL = 'claude-sonnet-4-5';
const SETTINGS = {
  autoClear: { countdownSeconds: 0, cooldownMinutes: 0, summary: false, maxPerHour: 1000 },
};
const ROOT = join(import.meta.dirname, '../..');

export interface Pieces {
  claude: string;
  claudeWithoutMods: string;
  /** Whether a pid can be given out again here. */
  hasPidChoice: boolean;
}

/** A session that has ended, with its pid. */
interface Ended {
  pid: number;
  sessionId: string;
}

export class Field {
  readonly sessions: TrialSession[] = [];
  readonly witness: Witness;
  readonly talk: Conversation;
  ended: Ended | undefined;
  watch!: Watch;
  readonly #bed: ClaudeBed;
  readonly #api: MockApi;
  readonly #pieces: Pieces;
  readonly #plugin: string;
  readonly #servers: string[];
  readonly #projects: string[];

  static async open(pieces: Pieces): Promise<Field> {
    const field = new Field(pieces, await MockApi.start());
    await Promise.all(field.#servers.map((server, number) => field.#openServer(server, number)));
    await field.#openSessions();
    return field;
  }

  private constructor(pieces: Pieces, api: MockApi) {
    this.#pieces = pieces;
    this.#api = api;
    this.#bed = new ClaudeBed(pieces.claude);
    this.talk = new Conversation(api);
    this.#plugin = join(this.#bed.root, 'plugin');
    cpSync(PLUGIN, this.#plugin, { recursive: true });
    this.#projects = [
      this.#bed.project,
      this.#bed.addProject('second'),
      this.#bed.addProject('third'),
    ];
    for (const project of this.#projects)
      writeFileSync(join(project, 'login.ts'), 'export const attempts = 3;\n');
    mkdirSync(this.#bed.places.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#bed.places.home, 'config.json'), JSON.stringify(SETTINGS));
    this.#servers = ['left', 'right'].map((name) => join(this.#bed.root, name));
    const logs = this.#servers.map((server) => ({ server, log: new KeyLog(server) }));
    for (const server of this.#servers) mkdirSync(server);
    this.witness = new Witness(this.#bed.places, logs);
  }

  /** Begins to watch, if it is wanted with a part switched off. */
  async startWatch(sabotage?: Sabotage): Promise<void> {
    await this.watch?.stop();
    const env = this.#bed.environment(this.#api);
    const source = [
      '--import',
      join(ROOT, 'tests/trials/sabotage/loader.ts'),
      join(ROOT, 'cli/memory-keeper.ts'),
    ];
    this.watch =
      sabotage === undefined
        ? new Watch(env)
        : Watch.withClock({ ...env, SABOTAGE: sabotage }, source);
  }

  signal({ sessionId, pid }: { sessionId: string; pid: number }): void {
    writeSignal(this.#bed.places, {
      sessionId,
      pid,
      tokens: 145_010,
      window: 200_000,
      at: new Date().toISOString(),
    });
  }

  cancel(sessionId: string): void {
    writeClearRequest(this.#bed.places, sessionId, 'cancel');
  }

  isSignalTaken(sessionId: string): boolean {
    return !existsSync(join(signalsFolder(this.#bed.places), `${sessionId}.json`));
  }

  /**
   * Lets the pid of the session that has ended be given out once more, on the terminal of a decoy,
   * while `during` goes on.
   */
  async reusePid(): Promise<void> {
    writeFileSync(join(this.#servers[0] as string, 'wanted'), String(this.ended?.pid));
    await waitFor('the pid to be given out again', () =>
      existsSync(join(this.#servers[0] as string, 'there')),
    );
  }

  async freePid(): Promise<void> {
    rmSync(join(this.#servers[0] as string, 'wanted'), { force: true });
    await waitFor(
      'the pid to be free',
      () => !existsSync(join(this.#servers[0] as string, 'there')),
    );
  }

  /** What the decoys heard since they were asked last. */
  heardByDecoys(): string {
    return this.#servers
      .map((server) => {
        const path = join(server, 'heard');
        const heard = existsSync(path) ? readFileSync(path, 'latin1') : '';
        rmSync(path, { force: true });
        return heard;
      })
      .join('');
  }

  async close(): Promise<void> {
    await this.watch?.stop();
    this.witness.close();
    for (const { release } of this.talk.prompts) release();
    await this.#bed.remove();
    await this.#api.stop();
  }

  async #openServer(server: string, number: number): Promise<void> {
    const size = ['-x', '220', '-y', '40'];
    const decoy = [process.execPath, join(ROOT, 'tests/trials/decoy.ts'), server];
    const options = ['-vv', '-u', '-S', join(server, 'sock'), '-f', '/dev/null'];
    await run('tmux', [...options, 'new-session', '-d', '-s', `work${number}`, ...size, ...decoy], {
      cwd: server,
    });
  }

  /** In pairs, side by side in a window; the third of a server stands beside the decoy. */
  async #openSessions(): Promise<void> {
    const places = ['0 first', '0 beside', '0 decoy', '1 first', '1 beside', '1 decoy'];
    const open = async (cast: Cast, number: number) => {
      const [server, place] = (places[number] as string).split(' ');
      return this.#openSession(
        cast,
        number,
        this.#servers[Number(server)] as string,
        place as string,
      );
    };
    // A pane beside another needs that one to be there.
    const first = await Promise.all(
      CAST.map((cast, number) => (number % 3 === 1 ? undefined : open(cast, number))),
    );
    const second = await Promise.all(
      CAST.map((cast, number) => (number % 3 === 1 ? open(cast, number) : undefined)),
    );
    this.sessions.push(
      ...CAST.map((_, number) => (first[number] ?? second[number]) as TrialSession),
    );
    if (this.#pieces.hasPidChoice) this.ended = await this.#endSession();
  }

  async #openSession(
    cast: Cast,
    number: number,
    server: string,
    place: string,
  ): Promise<TrialSession> {
    const socket = join(server, 'sock');
    const project = this.#projects[cast.project] as string;
    const tmux = (...args: string[]) =>
      run('tmux', ['-u', '-S', socket, ...args, ...this.#command(cast)]);
    const asked = ['-d', '-P', '-F', '#{pane_id}', '-c', project];
    const pane = await (place === 'first'
      ? tmux('new-window', '-t', ':1', ...asked)
      : tmux('split-window', '-h', '-t', place === 'beside' ? ':1' : ':0', ...asked));
    const claude = await this.#bed.attach(socket, pane.trim());
    const trace = new Trace(claude.pid, `${server} ${pane.trim()}`, project);
    this.witness.traces.push(trace);
    return new TrialSession(number, cast, claude, this.#bed.configDir, trace, this.talk);
  }

  #command({ isNew, kind, isVim }: Cast): string[] {
    const plugin = kind === 'bare' ? [] : ['--plugin-dir', this.#plugin];
    const vim = isVim ? ['--settings', '{"editorMode":"vim"}'] : [];
    const binary = isNew ? this.#pieces.claude : this.#pieces.claudeWithoutMods;
    return this.#bed.commandLine({
      api: this.#api,
      model: MODEL,
      binary,
      args: [...plugin, ...vim],
    });
  }

  /** One that says enough to be cleared, and crashes. */
  async #endSession(): Promise<Ended> {
    const claude = await this.#bed.start({
      api: this.#api,
      model: MODEL,
      binary: this.#pieces.claudeWithoutMods,
    });
    const prompt = this.talk.short('before the crash', true);
    await claude.say(prompt.text);
    await waitFor('the reply', () => prompt.said.length === 2);
    const { sessionId } = await claude.waitForState('idle');
    await waitFor('its transcript', () => {
      const path = expectedTranscript(this.#bed.configDir, this.#bed.project, sessionId);
      return path !== undefined && readFileSync(path, 'utf8').includes(prompt.said[1] as string);
    });
    process.kill(claude.pid, 'SIGKILL');
    await claude.ended();
    return { pid: claude.pid, sessionId };
  }
}
