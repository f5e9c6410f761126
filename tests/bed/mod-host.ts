/**
 * The mod outside of Claude Code: the real register.js, and this node answers what it asks for. What
 * it costs Claude Code to pass questions on is not in it.
 */
import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export interface HookEvent {
  hook_event_name: string;
  session_id: string;
  cwd: string;
  source?: string;
}

type Environment = Record<string, string>;
export type HookResult = { additionalContext?: string[]; block?: string };
type Next = (e: HookEvent) => Promise<HookResult>;
type Hook = ($: unknown, e: object, next: Next) => Promise<HookResult>;

export interface HostOptions {
  /** The folder with `hooks/register.js`. */
  plugin: string;
  project: string;
  env: Environment;
  /** The program of the mod. */
  run(argv: string[], init: { stdin: string }): Promise<{ stdout: string }>;
  /** The command hooks of an event. */
  runHooks(input: HookEvent, env: Environment): Promise<HookResult>;
}

const MODEL = 'claude-sonnet-4-5';
let hosts = 0;

export class ModHost {
  sessionId = 'with-mod';
  context: { tokens?: number; window: number } = { tokens: 60_000, window: 200_000 };
  /** What the user was shown. */
  readonly shown: string[] = [];
  readonly env: Environment;
  readonly #options: HostOptions;
  readonly #hooks = new Map<string, { matcher: { source?: string | string[] }; hook: Hook }[]>();
  #timers: (() => Promise<void>)[] = [];

  static async start(options: HostOptions): Promise<ModHost> {
    const host = new ModHost(options);
    const url = pathToFileURL(join(options.plugin, 'hooks/register.js'));
    url.searchParams.set('host', String(hosts++)); // it has a state of its own
    const { register } = await import(url.href);
    register((event: string, ...rest: [Hook] | [object, Hook]) => {
      const hook = rest.at(-1) as Hook;
      const matcher = rest.length === 1 ? {} : (rest[0] as object);
      host.#hooks.set(event, [...(host.#hooks.get(event) ?? []), { matcher, hook }]);
    });
    return host;
  }

  private constructor(options: HostOptions) {
    this.#options = options;
    this.env = { ...options.env };
  }

  async startTurn(): Promise<void> {
    await this.#dispatch('turn.start', {}, async () => ({}));
  }

  /** The end of a turn: the program of the mod prepares what comes next. */
  async endTurn(): Promise<void> {
    this.#timers = [];
    await this.#dispatch('turn.complete', {}, async () => ({}));
    for (const timer of this.#timers) await timer();
  }

  /** An event with command hooks, as Claude Code raises it. */
  raise(e: HookEvent): Promise<HookResult> {
    return this.#dispatch(`classic.${e.hook_event_name}`, e, (given) =>
      this.#options.runHooks(given, { ...this.env, CLAUDE_CODE_SESSION_ID: e.session_id }),
    );
  }

  #dispatch(name: string, e: object, core: Next): Promise<HookResult> {
    const source = 'source' in e ? String(e.source) : '';
    const hooks = (this.#hooks.get(name) ?? [])
      .filter(({ matcher }) => matcher.source === undefined || matcher.source.includes(source))
      .map(({ hook }) => hook);
    const world = this.#world();
    const from = (n: number, now: object): Promise<HookResult> => {
      const hook = hooks[n];
      if (hook === undefined) return core(now as HookEvent);
      return hook(world, now, (changed) => from(n + 1, changed));
    };
    return from(0, e);
  }

  /** What the mod reaches through `$`, as far as these events need it. */
  #world() {
    const { plugin, project, run } = this.#options;
    return {
      plugin: { root: plugin },
      session: {
        id: async () => this.sessionId,
        root: async () => project,
        model: async () => MODEL,
        usage: async () => ({ context: { ...this.context } }),
      },
      fs: { stat, read: (path: string) => readFile(path, 'utf8') },
      env: {
        set: async (name: string, value: string | undefined) => {
          if (value === undefined) delete this.env[name];
          else this.env[name] = value;
        },
      },
      ui: { log: (text: string) => this.shown.push(text) },
      clock: {
        after: (_: number, timer: () => Promise<void>) => this.#timers.push(timer),
        sleep: (ms: number) => setTimeout(ms, undefined, { ref: false }),
      },
      model: { complete: async () => ({ isAnswered: false, reason: 'no model here' }) },
      process: { run },
      http: { fetch: fetchOverSocket },
    };
  }
}

interface HttpInit {
  method: string;
  body: string;
  socketPath: string;
}

function fetchOverSocket(url: string, { body, ...init }: HttpInit) {
  return new Promise((resolve, reject) => {
    const { pathname } = new URL(url);
    const sent = request({ ...init, path: pathname }, async (response) => {
      const status = response.statusCode ?? 0;
      resolve({ status, ok: status >= 200 && status < 300, text: await text(response) });
    });
    sent.once('error', reject).end(body);
  });
}
