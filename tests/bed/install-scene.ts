/**
 * One machine on which the plugin is installed, renewed, mended and taken out by the real CLI (G4),
 * with settings of the user in it.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { runProgram } from '../../core/platform/process/run-program.ts';
import { pluginVersion } from '../../core/plugin/plugin-copy.ts';
import type { PluginOptions } from '../../core/plugin/plugin-status.ts';
import { HeadlessSession } from './headless.ts';
import { PLUGIN, PluginBed } from './plugin-bed.ts';
import { run } from './run.ts';
import { tempFolder } from './temp-folder.ts';

export const MODEL = 'claude-sonnet-4-5';
export const VERSION = pluginVersion(PLUGIN);
export const SETTINGS = {
  zeta: 1,
  unknownKey: { b: [1, 2], a: '한글' },
  autoMemoryEnabled: true,
  hooks: {},
  permissions: { allow: ['Bash(ls:*)'] },
  enabledPlugins: { 'other@somewhere': false },
};

export class Scene {
  readonly #plugin: PluginBed;
  readonly options: PluginOptions;

  static async start(binary: string): Promise<Scene> {
    const folder = join(tempFolder(), '내 집 in a folder');
    mkdirSync(folder);
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const plugin = await PluginBed.start(binary);
    onTestFinished(() => plugin.remove());
    return new Scene(plugin, binary);
  }

  private constructor(plugin: PluginBed, binary: string) {
    this.#plugin = plugin;
    const { bed, api } = plugin;
    const env = bed.environment(api);
    this.options = {
      places: bed.places,
      env,
      run: runProgram,
      bundledPlugin: plugin.plugin,
      candidates: [binary],
    };
    this.write(JSON.stringify(SETTINGS, null, 2));
  }

  get api() {
    return this.#plugin.api;
  }

  get plugin() {
    return this.#plugin;
  }

  get settingsFile(): string {
    return join(this.options.places.claude, 'settings.json');
  }

  write(settings: string): void {
    writeFileSync(this.settingsFile, settings);
  }

  get text(): string {
    return readFileSync(this.settingsFile, 'utf8');
  }

  /** As Claude Code tells it. */
  async listed(): Promise<Record<string, unknown>[]> {
    const { bed } = this.#plugin;
    return JSON.parse(
      await run(bed.binary, ['plugin', 'list', '--json'], {
        env: this.options.env,
        cwd: bed.project,
      }),
    );
  }

  async memoryKeeper(...args: string[]): Promise<string> {
    return this.#plugin.bed.memoryKeeper(this.api, ...args);
  }

  /** A session of one turn, with whatever is installed; what is said is kept while it goes on. */
  async session(words: string, answer: string): Promise<string> {
    const session = new HeadlessSession(this.#plugin.bed, this.api, { model: MODEL });
    this.api.enqueue({ text: answer });
    await session.say(words);
    await this.#plugin.kept(answer);
    await session.end();
    return session.sessionId;
  }

  /** The carried plugin in another state: another version, another file. */
  variant(name: string, version: string | null, extra = ''): string {
    const folder = join(this.#plugin.bed.root, name);
    cpSync(PLUGIN, folder, { recursive: true });
    const manifest = join(folder, '.claude-plugin/plugin.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"${VERSION}"`, `"${version}"`));
    if (extra !== '') writeFileSync(join(folder, 'README.md'), extra);
    return folder;
  }
}
