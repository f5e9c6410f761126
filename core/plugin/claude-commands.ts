/**
 * Runs `claude plugin …`, which changes Claude Code's settings for us (G4). The arguments work in
 * 2.1.139, 2.1.240 and 2.1.326. What it prints as JSON is parsed leniently.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import * as v from 'valibot';
import type { TrackerOptions } from '../claude/status/status-tracker.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { message } from '../messages/message.ts';
import { parseJson } from '../platform/store/attempt.ts';
import { type ClaudeProgram, claudeEnvironment } from './find-claude.ts';
import { MARKETPLACE_NAME, marketplaceFolder, PLUGIN_ID } from './plugin-copy.ts';

const TIMEOUT_MS = 60_000;

const ListedPlugin = v.looseObject({
  id: v.string(),
  version: v.optional(v.string()),
  scope: v.optional(v.string()),
  enabled: v.optional(v.boolean()),
  installPath: v.optional(v.string()),
  /** Newer ones do not read their own copy, but the marketplace's folder. */
  readFromFolder: v.optional(v.string()),
  errors: v.optional(v.array(v.string())),
});
export type ListedPlugin = v.InferOutput<typeof ListedPlugin>;

const ListedMarketplace = v.looseObject({ name: v.string() });

type CommandOptions = Pick<TrackerOptions, 'places' | 'env' | 'run'>;

export class ClaudeCommands {
  readonly claude: ClaudeProgram;
  readonly #options: CommandOptions;

  constructor(claude: ClaudeProgram, options: CommandOptions) {
    this.claude = claude;
    this.#options = options;
  }

  /** Our plugin as the user has it; undefined if not at all. */
  async plugin(): Promise<ListedPlugin | undefined> {
    const listed = await this.plugins();
    return listed.find(({ id, scope }) => id === PLUGIN_ID && (scope ?? 'user') === 'user');
  }

  plugins(): Promise<ListedPlugin[]> {
    return this.#list(ListedPlugin, 'list', '--json');
  }

  async hasMarketplace(): Promise<boolean> {
    const listed = await this.#list(ListedMarketplace, 'marketplace', 'list', '--json');
    return listed.some(({ name }) => name === MARKETPLACE_NAME);
  }

  /** One of our name that is there already, from whatever folder, becomes this one. */
  addMarketplace(): Promise<string> {
    return this.#run('marketplace', 'add', marketplaceFolder(this.#options.places));
  }

  removeMarketplace(): Promise<string> {
    return this.#run('marketplace', 'remove', MARKETPLACE_NAME);
  }

  /** `install` also switches on a plugin that is off; one that is there and on stays as it is. */
  change(action: 'install' | 'update' | 'disable' | 'uninstall'): Promise<string> {
    return this.#run(action, PLUGIN_ID, '--scope', 'user');
  }

  async #list<T>(schema: v.GenericSchema<unknown, T>, ...words: string[]): Promise<T[]> {
    const json = parseJson(await this.#run(...words));
    if (!Array.isArray(json))
      throw new ExpectedError(message('plugin.noList', { command: commandLine(words) }));
    return json.flatMap((item) => {
      const parsed = v.safeParse(schema, item);
      return parsed.success ? [parsed.output] : [];
    });
  }

  async #run(...words: string[]): Promise<string> {
    const { places, env, run } = this.#options;
    const { path } = this.claude;
    const answer = await run(path, ['plugin', ...words], {
      timeoutMs: TIMEOUT_MS,
      env: claudeEnvironment(path, env),
      // In a project, Claude Code would remove a marketplace from that project's settings too.
      cwd: [places.home, places.claude].find(existsSync) ?? homedir(),
    });
    if (answer.ok) return answer.stdout;
    // Its line with a cross has the reason; the others are progress.
    const printed = typeof answer.reason === 'string' ? answer.reason : '';
    const [, why] = /✘\s*(.+)/.exec(`${answer.stdout}\n${printed}`) ?? [];
    const reason = why?.trim() ?? answer.reason;
    throw new ExpectedError(
      message('plugin.commandFailed', { command: commandLine(words), reason }),
    );
  }
}

const commandLine = (words: readonly string[]) => `claude plugin ${words.join(' ')}`;
