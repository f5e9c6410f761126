/**
 * The plugin's scripts for Windows, run by the cmd of Wine with a real node.exe. Not a part of the
 * bed that is prepared by itself: whoever has both names them, `WINE=/usr/lib/wine/wine64
 * WINE_NODE=…/node.exe WINEPREFIX=… npm test -- tests/e2e/windows.test.ts`, with a prefix that was
 * told to be Windows 10 (`winecfg -v win10`). `WINE_RECORD=true` writes the record anew.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyFolder, writeCopy } from '../../core/plugin/plugin-copy.ts';
import { PLUGIN } from './plugin-bed.ts';
import { tempFolder } from './temp-folder.ts';

export const WINE = process.env.WINE;
const WINE_NODE = process.env.WINE_NODE ?? '';

const TIMEOUT_MS = 120_000;

export class WineMachine {
  /** A user's name with all that can go wrong in it. */
  readonly root = join(tempFolder(), '내 집 (A & B)');
  readonly project = join(this.root, 'project');
  readonly places = {
    claude: join(this.root, '.claude'),
    home: join(this.root, '.claude/memory-keeper'),
  };
  readonly #env: Record<string, string>;

  constructor() {
    mkdirSync(this.project, { recursive: true });
    writeCopy(this.places, PLUGIN, 'win32');
    this.#env = {
      CLAUDE_CONFIG_DIR: this.windows(this.places.claude),
      CLAUDE_PROJECT_DIR: this.windows(this.project),
    };
  }

  windows(path: string): string {
    return `Z:${path.replaceAll('/', '\\')}`;
  }

  install(folder: string, name = 'node.exe'): string {
    const path = join(this.root, folder, name);
    cpSync(WINE_NODE, path);
    return path;
  }

  onPath(folder: string): this {
    this.#env.WINEPATH = this.windows(join(this.root, folder));
    return this;
  }

  variable(name: string, folder: string): this {
    this.#env[name] = this.windows(join(this.root, folder));
    return this;
  }

  hook(task: string, input: object): { code: number | null; stdout: string } {
    return this.#run(
      ['call', this.windows(join(copyFolder(this.places), 'hooks/run.cmd')), task],
      input,
    );
  }

  commandLine(...args: string[]): { code: number | null; stdout: string } {
    return this.#run(
      ['call', this.windows(join(copyFolder(this.places), 'bin/memory-keeper.cmd')), ...args],
      {},
    );
  }

  /** Through files: node.exe does not take Wine's pipes for what they are. */
  #run(words: string[], input: object): { code: number | null; stdout: string } {
    const [stdin, stdout] = [join(this.root, 'stdin'), join(this.root, 'stdout')];
    writeFileSync(stdin, JSON.stringify(input));
    const env = {
      PATH: process.env.PATH,
      HOME: this.root,
      LC_ALL: 'C.UTF-8',
      WINEDEBUG: '-all',
      ...this.#env,
    };
    const { status } = spawnSync(WINE ?? '', ['cmd', '/d', '/c', ...words], {
      env: { ...env, WINEARCH: 'win64', WINEPREFIX: process.env.WINEPREFIX },
      stdio: [openSync(stdin, 'r'), openSync(stdout, 'w'), 'ignore'],
      timeout: TIMEOUT_MS,
    });
    return {
      code: status,
      stdout: readFileSync(stdout, 'utf8').replaceAll(this.windows(this.root), '<root>'),
    };
  }
}
