/**
 * A session of the real CLI, without a screen, that is brought to compact: the mock model answers at
 * the length and in the form of a real one and says how full the context is. Hooks of the user and of
 * another plugin write down that they were run.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readL1 } from '../../core/memory/log/l1-store.ts';
import { projectMemory } from '../../core/projects/project-memory.ts';
import { ClaudeBed } from './claude.ts';
import { HeadlessSession } from './headless.ts';
import { MockApi, type MockReply, type RecordedRequest } from './mock-api.ts';
import { PLUGIN } from './plugin-bed.ts';
import { waitFor } from './wait-for.ts';

/** With this setting Claude Code compacts at 167,000 tokens. */
const WINDOW = 200_000;
const FULL_TOKENS = 175_000;
const SMALL_TOKENS = 30_000;
const MODEL = 'claude-opus-5-5';
/** Of Claude Code's request for a summary. */
const ASKS_SUMMARY = /create a detailed summary/i;
const OWN_SUMMARY = `<analysis>The user and Claude worked on the login form.</analysis>
<summary>
1. Primary Request and Intent: Claude Code's own summary.
2. Pending Tasks: none.
</summary>`;
/** How our briefing begins. */
export const BRIEFING_START = '[MEMORY KEEPER] Conversation compacted';

interface CompactingOptions {
  /** Settings of Memory Keeper. */
  settings?: object;
  /** Settings of Claude Code, over those of the bed. */
  claudeSettings?: object;
  /** Done with the plugin's copy before the session starts. */
  changePlugin?: (folder: string, home: string) => void;
}

interface Compaction {
  trigger: string;
  preTokens: number;
  postTokens: number;
  durationMs: number;
}

/** A reply as a model would write it: headings, a list, code, a closing sentence. */
export function formattedReply(subject: string, sections = 3): string {
  const section = (n: number) => `## Part ${n} of ${subject}

I looked at \`src/${subject}/part-${n}.ts\` and changed how **${subject}** is checked:

1. \`${subject}Check${n}()\` now returns a reason instead of \`false\`, which \`${subject}_form_${n}\` shows.
2. The limit \`${subject}.limits.part${n}\` stands in \`config/${subject}/limits-${n}.json\`, where the form reads it too.

\`\`\`ts
export function ${subject}Check${n}(value: string): Reason | undefined {
  return value.length > LIMITS.part${n} ? { code: 'too-long', limit: LIMITS.part${n} } : undefined;
}
\`\`\`

| file | lines |
|---|---|
| src/${subject}/part-${n}.ts | +${n + 4} −${n} |
`;
  const parts = Array.from({ length: sections }, (_, at) => section(at + 1));
  return `${parts.join('\n')}\nAll of ${subject} is done; the tests pass.`;
}

export class CompactingSession {
  /** What the user and the model said, in order. */
  readonly typed: string[] = [];
  readonly replied: string[] = [];
  readonly bed: ClaudeBed;
  readonly api: MockApi;
  summaries = 0;
  readonly #session: HeadlessSession;
  readonly #hookLog: string;
  #isFull = false;
  #steps: MockReply[] = [];
  #reply = '';

  static async start(binary: string, options: CompactingOptions = {}): Promise<CompactingSession> {
    return new CompactingSession(new ClaudeBed(binary), await MockApi.start(), options);
  }

  private constructor(bed: ClaudeBed, api: MockApi, options: CompactingOptions) {
    this.bed = bed;
    this.api = api;
    this.#hookLog = join(bed.root, 'hooks.txt');
    const plugin = join(bed.root, 'plugin');
    cpSync(PLUGIN, plugin, { recursive: true });
    mkdirSync(bed.places.home, { recursive: true });
    writeFileSync(join(bed.places.home, 'config.json'), JSON.stringify(options.settings ?? {}));
    options.changePlugin?.(plugin, bed.places.home);
    const settings = { autoCompactWindow: WINDOW, hooks: this.#hooksOf('user') };
    writeFileSync(
      join(bed.configDir, 'settings.json'),
      JSON.stringify({ ...settings, ...options.claudeSettings }),
    );
    api.script((request) => this.#answer(request));
    this.#session = new HeadlessSession(bed, api, {
      model: MODEL,
      args: ['--plugin-dir', plugin, '--plugin-dir', this.#otherPlugin()],
    });
  }

  get sessionId(): string {
    return this.#session.sessionId;
  }

  /**
   * A turn: the model takes some steps with tools, then replies. `isFull`: from its first step on the
   * context is so full that Claude Code compacts before the next request.
   */
  async turn(
    words: string,
    { reply = formattedReply('login'), steps = [] as string[], isFull = false } = {},
  ): Promise<void> {
    this.#isFull = isFull;
    this.#reply = reply;
    this.#steps = steps.map((command) => {
      const text = `Next I run \`${command}\`.`;
      this.replied.push(text);
      return { text, toolUses: [{ name: 'Bash', input: { command, description: 'A step' } }] };
    });
    this.typed.push(words);
    this.replied.push(reply);
    await this.#session.say(words);
  }

  async compact(instructions = ''): Promise<void> {
    const before = this.compactions.length;
    await this.#session.say(`/compact ${instructions}`.trim());
    await waitFor('the compaction', () => this.compactions.length > before);
  }

  /** By Claude Code's own rows. */
  get compactions(): Compaction[] {
    return this.#rows
      .filter(({ subtype }) => subtype === 'compact_boundary')
      .map(({ compactMetadata }) => compactMetadata as Compaction);
  }

  /** What the model was asked last in the conversation. */
  get newestRequest(): RecordedRequest['body']['messages'] {
    const asked = this.api.requests.filter(({ body }) => (body.tools?.length ?? 0) > 1);
    return asked.findLast((request) => !asksSummary(request))?.body.messages ?? [];
  }

  /** The texts of the newest request that hold our notes. */
  get briefings(): string[] {
    return this.newestRequest
      .flatMap(({ content }) => (typeof content === 'string' ? content : content.map(textOf)))
      .filter((text) => text.includes('<remembered-notes '));
  }

  /** What stands in L1, as text. */
  get saved(): string[] {
    const { sessions } = projectMemory(this.bed.places, this.bed.project);
    const files = readdirSync(sessions).filter((name) => name.endsWith('.l1.jsonl'));
    const entries = files.flatMap((name) => readL1(join(sessions, name)));
    return entries.map((entry) => ('text' in entry ? entry.text : `${entry.name}: ${entry.cmd}`));
  }

  /** `user PreCompact`, `plugin PostCompact`, …, in the order in which they were run. */
  get hooksRun(): string[] {
    if (!existsSync(this.#hookLog)) return [];
    return readFileSync(this.#hookLog, 'utf8').trim().split('\n');
  }

  async end(): Promise<void> {
    await this.#session.end();
  }

  async remove(): Promise<void> {
    await this.bed.remove();
    await this.api.stop();
  }

  get #rows(): Record<string, unknown>[] {
    const folder = join(this.bed.configDir, 'projects');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(`${this.sessionId}.jsonl`))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
  }

  #hooksOf(owner: string): object {
    const entry = (event: string) => [
      { hooks: [{ type: 'command', command: `echo ${owner} ${event} >> '${this.#hookLog}'` }] },
    ];
    return { PreCompact: entry('PreCompact'), PostCompact: entry('PostCompact') };
  }

  #otherPlugin(): string {
    const folder = join(this.bed.root, 'other-plugin');
    mkdirSync(join(folder, '.claude-plugin'), { recursive: true });
    mkdirSync(join(folder, 'hooks'));
    writeFileSync(
      join(folder, '.claude-plugin/plugin.json'),
      JSON.stringify({ name: 'other', version: '1.0.0', description: 'Another plugin.' }),
    );
    writeFileSync(
      join(folder, 'hooks/hooks.json'),
      JSON.stringify({ hooks: this.#hooksOf('plugin') }),
    );
    return folder;
  }

  #answer(request: RecordedRequest): MockReply {
    if (asksSummary(request)) {
      this.summaries++;
      return { text: OWN_SUMMARY };
    }
    // Titles and the mod's own questions.
    if (request.body.stream !== true) return { text: '[]' };
    if ((request.body.tools?.length ?? 0) <= 1) return { text: 'Login form' };
    const isFull = this.#isFull;
    // What is compacted has room again.
    if (isFull) this.#isFull = false;
    const usage = { input_tokens: isFull ? FULL_TOKENS : SMALL_TOKENS };
    return { ...(this.#steps.shift() ?? { text: this.#reply }), usage };
  }
}

function asksSummary({ body }: RecordedRequest): boolean {
  return ASKS_SUMMARY.test(JSON.stringify(body.messages.slice(-2)));
}

const textOf = ({ text = '' }: { text?: string }): string => text;
