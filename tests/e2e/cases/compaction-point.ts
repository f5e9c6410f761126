/**
 * The point at which Claude Code compacts, as status shows it, against the real CLI (K5): a turn
 * below that point nothing happens, and with the first turn above it the CLI compacts. The mock API
 * says how large the context is, so four turns are enough.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { SessionStatus } from '../../../core/claude/status/session-status.ts';
import { ClaudeBed } from '../../bed/claude.ts';
import { HeadlessSession } from '../../bed/headless.ts';
import { status } from '../../bed/memory-keeper.ts';
import { MockApi, type MockReply, type RecordedRequest } from '../../bed/mock-api.ts';
import { PLUGIN } from '../../bed/plugin-bed.ts';
import type { PieceName } from '../../bed/prepare.ts';
import { waitFor } from '../../bed/wait-for.ts';
import { describeWith } from '../../bed/with-pieces.ts';

export interface PointCase {
  /** What sets it. */
  name: string;
  model: string;
  shown: { tokens: number | null; source: SessionStatus['compactsAtSource'] };
  /** Files of settings, by their path in the bed: `home/.claude/settings.json`. */
  files?: Record<string, object>;
  env?: Record<string, string>;
  args?: string[];
  /** With the mod, which asks Claude Code itself. */
  hasPlugin?: boolean;
}

const OPUS = 'claude-opus-5-5';
export const USER = 'home/.claude/settings.json';
export const PROJECT = 'project/.claude/settings.json';
export const LOCAL = 'project/.claude/settings.local.json';
export const SMALL = { autoCompactWindow: 200_000 };

export const at = (tokens: number | null, source: PointCase['shown']['source']) => ({
  tokens,
  source,
});

/** With one override of each kind, and with none. */
export const POINTS: readonly PointCase[] = [
  { name: 'nothing, of a large model', model: OPUS, shown: at(967_000, 'default') },
  { name: 'nothing, of a small one', model: 'claude-sonnet-4-5', shown: at(200_000, 'limit') },
  {
    name: 'autoCompactWindow of the user',
    model: OPUS,
    files: { [USER]: SMALL },
    shown: at(167_000, 'setting'),
  },
  {
    name: 'CLAUDE_CODE_AUTO_COMPACT_WINDOW, over the settings',
    model: OPUS,
    files: { [USER]: SMALL },
    env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '300k' },
    shown: at(267_000, 'environment'),
  },
  {
    name: 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE',
    model: OPUS,
    files: { [USER]: SMALL },
    env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' },
    shown: at(90_000, 'environment'),
  },
  {
    name: 'a flag of its command line, which Claude Code tells the mod',
    model: OPUS,
    args: ['--autocompact', '200k'],
    hasPlugin: true,
    shown: at(167_000, 'setting'),
  },
];

/** A turn of this many tokens lies between "not yet" and "now". */
const TURN = 4000;
const BEYOND = 500;
/** Of the CLI's request for a summary. */
const ASKS_SUMMARY = /create a detailed summary/i;

export function compactionPoints(piece: PieceName, cases: readonly PointCase[]): void {
  describeWith(`where ${piece} compacts`, [piece], (paths) => {
    it.each([...cases])('K5 is where it is said to: $name', async (wanted) => {
      const trial = await PointTrial.start(paths[piece], wanted);
      try {
        const { tokens, source } = wanted.shown;
        await trial.turn(20_000);
        await trial.see(wanted.shown);
        const point = tokens ?? 190_000;
        // The API refuses what the window does not hold; there is nothing beyond.
        const last = source === 'limit' ? point - BEYOND : point + BEYOND;
        await trial.turn(point - TURN);
        await trial.turn(last);
        trial.limit = source === 'limit' ? point : Number.POSITIVE_INFINITY;
        await trial.turn(20_000);
        // Written a moment after the turn; its figure tells with which turn it came.
        if (tokens !== null) await waitFor('the compaction', () => trial.compactedAt.length > 0);
        const turns = trial.compactedAt.map((at) => Math.floor((at - last) / TURN));
        expect(turns).toEqual(tokens === null ? [] : [0]);
        expect(trial.refused > 0).toBe(source === 'limit');
      } finally {
        await trial.end();
      }
    });
  });
}

class PointTrial {
  /** The API refuses the next prompt, as if it were larger than this. */
  limit = Number.POSITIVE_INFINITY;
  refused = 0;
  readonly #bed: ClaudeBed;
  readonly #api: MockApi;
  readonly #session: HeadlessSession;
  #next = 0;

  static async start(binary: string, wanted: PointCase): Promise<PointTrial> {
    return new PointTrial(new ClaudeBed(binary), await MockApi.start(), wanted);
  }

  private constructor(
    bed: ClaudeBed,
    api: MockApi,
    { model, files = {}, env, args = [], hasPlugin = false }: PointCase,
  ) {
    this.#bed = bed;
    this.#api = api;
    const plugin = join(bed.root, 'plugin');
    if (hasPlugin) cpSync(PLUGIN, plugin, { recursive: true });
    for (const [path, settings] of Object.entries(files)) {
      mkdirSync(dirname(join(bed.root, path)), { recursive: true });
      writeFileSync(join(bed.root, path), JSON.stringify(settings));
    }
    api.script((request) => this.#reply(request));
    this.#session = new HeadlessSession(bed, api, {
      model,
      ...(env && { env }),
      args: [...args, ...(hasPlugin ? ['--plugin-dir', plugin] : [])],
    });
  }

  /** The mod says it a moment after the turn. */
  async see({ tokens, source }: PointCase['shown']): Promise<void> {
    const env = this.#bed.environment(this.#api);
    let seen: SessionStatus | undefined;
    await waitFor(
      () => `${tokens} (${source}) in the status, which has ${JSON.stringify(seen)}`,
      async () => {
        seen = (await status(env)).find((session) => session.tokens !== null);
        return seen?.compactsAtTokens === tokens && seen.compactsAtSource === source;
      },
    );
  }

  /** After it, so many tokens are in the context. */
  async turn(tokens: number): Promise<void> {
    this.#next = tokens;
    await this.#session.say('go on');
  }

  /** How large the context was, by the CLI's own rows. */
  get compactedAt(): number[] {
    const folder = join(this.#bed.configDir, 'projects');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .filter((line) => line.includes('"compact_boundary"') && line.endsWith('}'))
      .map((line) => JSON.parse(line).compactMetadata.preTokens);
  }

  async end(): Promise<void> {
    await this.#session.end();
    await this.#bed.remove();
    await this.#api.stop();
  }

  #reply({ body }: RecordedRequest): MockReply {
    const newest = JSON.stringify(body.messages.slice(-2));
    if (ASKS_SUMMARY.test(newest)) return { text: '<summary>All of it.</summary>' };
    if (this.limit < Number.POSITIVE_INFINITY && this.refused === 0) {
      this.refused++;
      const errorMessage = `prompt is too long: ${this.limit + 1} tokens > ${this.limit} maximum`;
      return { errorStatus: 400, errorMessage };
    }
    return { text: 'Done.', usage: { input_tokens: this.#next } };
  }
}
