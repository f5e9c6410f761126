/**
 * A project in which the real CLI runs with the built plugin, and turns with it. The mock model
 * answers the plugin's own agents, does what the plugin asks of the session if it is told to, and
 * takes the rest from what a test has put in the queue.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readL1 } from '../../core/memory/log/l1-store.ts';
import { type MemoryIndex, readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { type ProjectMemory, projectMemory } from '../../core/projects/project-memory.ts';
import { ClaudeBed, type ClaudeOptions, type ClaudeSession } from './claude.ts';
import { MockApi, type MockReply, type RecordedRequest } from './mock-api.ts';
import { waitFor } from './wait-for.ts';

export const PLUGIN = join(import.meta.dirname, '../../dist/plugin');
const MODEL = 'claude-sonnet-4-5';

type Agent = 'delta-summarizer' | 'l2-summarizer';

/** What the plugin's agents answer, once they have read the file that they were sent to. */
type AgentAnswers = Partial<Record<Agent, (file: string) => string>>;

export class PluginBed {
  readonly bed: ClaudeBed;
  readonly api: MockApi;
  /** Whether the session calls the agents that it is asked to call. */
  isObedient = true;
  agents: AgentAnswers = {};
  /**
   * A copy: Claude Code notices at once when the plugin's files change, and another test may build
   * them anew.
   */
  readonly plugin: string;
  /** Asked first about each request. */
  answer: (request: RecordedRequest) => MockReply | undefined = () => undefined;
  /** What a mod's own questions get. */
  completion: (request: RecordedRequest) => MockReply = () => ({ text: '[]' });

  static async start(binary: string): Promise<PluginBed> {
    return new PluginBed(new ClaudeBed(binary), await MockApi.start());
  }

  private constructor(bed: ClaudeBed, api: MockApi) {
    this.bed = bed;
    this.api = api;
    this.plugin = join(bed.root, 'plugin');
    cpSync(PLUGIN, this.plugin, { recursive: true });
    api.script((request) => this.answer(request) ?? this.#reply(request));
    writeFileSync(join(bed.project, 'login.ts'), 'export const attempts = 3;\n');
  }

  /** Settings of the user, for all projects. */
  configure(settings: object): void {
    mkdirSync(this.bed.places.home, { recursive: true });
    writeFileSync(join(this.bed.places.home, 'config.json'), JSON.stringify(settings));
  }

  start(options: Partial<ClaudeOptions> = {}): Promise<ClaudeSession> {
    const args = ['--plugin-dir', this.plugin, ...(options.args ?? [])];
    return this.bed.start({ api: this.api, model: MODEL, ...options, args });
  }

  /** Says something; Claude reads a file some times and gives the answer. */
  async turn(
    session: ClaudeSession,
    request: string,
    answer: string,
    tools: MockReply[] = [],
  ): Promise<void> {
    await session.waitForState('idle');
    this.api.enqueue(...tools, { text: answer });
    await session.say(request);
    await session.waitForScreen(answer);
    await session.waitForState('idle');
  }

  reads(times: number): MockReply[] {
    const read = { name: 'Read', input: { file_path: join(this.bed.project, 'login.ts') } };
    return Array.from({ length: times }, () => ({ toolUses: [read] }));
  }

  get memory(): ProjectMemory {
    return projectMemory(this.bed.places, this.bed.project);
  }

  get index(): MemoryIndex {
    return readMemoryIndex(this.memory);
  }

  get memoryMd(): string {
    const path = join(this.memory.folder, 'memory.md');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  has(file: string): boolean {
    return existsSync(join(this.memory.folder, file));
  }

  /** All that stands in L1, as text. */
  get said(): string[] {
    if (!existsSync(this.memory.sessions)) return [];
    const files = readdirSync(this.memory.sessions).filter((name) => name.endsWith('.l1.jsonl'));
    const entries = files.flatMap((name) => readL1(join(this.memory.sessions, name)));
    return entries.map((entry) => ('text' in entry ? entry.text : `${entry.name} ${entry.cmd}`));
  }

  async kept(words: string): Promise<void> {
    await waitFor(
      () => `"${words}" in L1, which has ${JSON.stringify(this.said)}`,
      () => this.said.includes(words),
    );
  }

  /** Requests of the conversation itself. */
  get conversation(): RecordedRequest[] {
    return this.api.requests.filter(({ body }) => (body.tools?.length ?? 0) > 1);
  }

  /** Requests of one of the plugin's agents. */
  requestsOf(agent: Agent): RecordedRequest[] {
    return this.api.requests.filter((request) => agentOf(request) === agent);
  }

  get completions(): RecordedRequest[] {
    return this.api.requests.filter(({ body }) => body.stream !== true);
  }

  async remove(): Promise<void> {
    await this.bed.remove();
    await this.api.stop();
  }

  #reply(request: RecordedRequest): MockReply | undefined {
    if (request.body.stream !== true) return this.completion(request);
    const agent = agentOf(request);
    if (agent !== undefined) return this.#agentReply(agent, request);
    if ((request.body.tools?.length ?? 0) <= 1) return undefined; // a title or the like
    const words = newestWords(request);
    if (words.includes('"tool_result"')) return undefined;
    if (words.includes('<task-notification>')) return { text: 'Noted.' };
    return this.isObedient ? callsWanted(words) : undefined;
  }

  #agentReply(agent: Agent, request: RecordedRequest): MockReply {
    const told = JSON.stringify(request.body.messages);
    if (told.includes('"tool_result"'))
      return { text: this.agents[agent]?.(told) ?? 'Nothing to say.' };
    const file_path = /Read (\/[^"]*?) and answer/.exec(told)?.[1] ?? '/nowhere';
    return { toolUses: [{ name: 'Read', input: { file_path } }] };
  }
}

/** What was added to the conversation since Claude last spoke. */
export function newestWords({ body }: RecordedRequest): string {
  const last = body.messages.findLastIndex(({ role }) => role === 'assistant');
  return JSON.stringify(body.messages.slice(last + 1));
}

/** The calls of agents that notes of the plugin ask for. */
function callsWanted(words: string): MockReply | undefined {
  const plain = words.replaceAll('\\n', ' ').replaceAll('\\"', '"');
  const notes = plain.matchAll(
    /\[MEMORY_KEEPER_\w+\] file=.*?subagent_type "([^"]+)".*?prompt "([^"]+)"/g,
  );
  const toolUses = [...notes].map(([, subagent_type, prompt]) => ({
    name: 'Agent',
    input: { subagent_type, prompt, description: 'Keep memory', run_in_background: false },
  }));
  return toolUses.length === 0 ? undefined : { toolUses };
}

/** An agent's instructions stand in its request; it has no tool but Read. */
function agentOf({ body }: RecordedRequest): Agent | undefined {
  const names = body.tools?.map(({ name }) => name).join();
  if (names !== 'Read') return undefined;
  return JSON.stringify(body.system).includes('JSON list') ? 'l2-summarizer' : 'delta-summarizer';
}
