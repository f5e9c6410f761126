/**
 * What the user says and the mock model answers, for six sessions at once: each prompt carries a
 * mark by which its replies are found.
 */
import { join } from 'node:path';
import type { MockApi, MockReply, MockToolUse, RecordedRequest } from '../bed/mock-api.ts';

/** 73 % of the window of the model that the sessions use. */
const FULL = { input_tokens: 145_010 };

export interface Prompt {
  text: string;
  /** What the model is to say, one after the other; the last also whatever comes later. */
  replies: MockReply[];
  /** The session that asked, as it says itself. */
  sessionId?: string;
  /** What reached the session of it so far. */
  said: string[];
  /**
   * Full is the context only with what was said before it: if that was cleared meanwhile, it is
   * not.
   */
  isOnTop?: boolean;
  release(): void;
}

export class Conversation {
  readonly prompts: Prompt[] = [];
  readonly #api: MockApi;
  #judged = 0;

  constructor(api: MockApi) {
    this.#api = api;
    api.script((request) => this.#reply(request));
  }

  /**
   * A prompt that fills the context with its second reply and whose last one is held until it is
   * released. The first is short: a session that was full from its first reply is left alone.
   */
  full(mark: string, project: string): Prompt {
    const toolUses = [reading(project)];
    return this.#add(mark, (until) => [
      { text: `I look at it ${mark}`, toolUses },
      { text: `I read it ${mark}`, toolUses, usage: FULL },
      { text: `That is done ${mark}`, usage: FULL, until },
    ]);
  }

  /** A prompt that is answered at once, or when it is released. */
  short(mark: string, isFull: boolean, isHeld = false): Prompt {
    return this.#add(mark, (until) => [
      { text: `Here you are ${mark}`, ...(isFull && { usage: FULL }), ...(isHeld && { until }) },
    ]);
  }

  /** The same in the middle of a clear: it may reach the session that comes after it. */
  onTop(mark: string, isFull: boolean): Prompt {
    const prompt = this.short(mark, isFull);
    prompt.isOnTop = true;
    return prompt;
  }

  /** A prompt that leads to a question for permission. */
  asking(mark: string, project: string, file: string, isFull: boolean): Prompt {
    const bash = { name: 'Bash', input: { command: `touch ${file}`, description: 'Make a file' } };
    return this.#add(mark, () => [
      { text: `I look at it ${mark}`, toolUses: [reading(project)] },
      { text: `May I ${mark}`, toolUses: [bash], ...(isFull && { usage: FULL }) },
    ]);
  }

  /** Requests that came since this was asked last. */
  news(): RecordedRequest[] {
    const requests = this.#api.requests.slice(this.#judged);
    this.#judged = this.#api.requests.length;
    return requests;
  }

  #add(mark: string, makeReplies: (until: Promise<void>) => MockReply[]): Prompt {
    const { promise, resolve } = Promise.withResolvers<void>();
    const prompt: Prompt = {
      text: `please look into ${mark}`,
      replies: makeReplies(promise),
      said: [],
      release: resolve,
    };
    this.prompts.push(prompt);
    return prompt;
  }

  #reply(request: RecordedRequest): MockReply | undefined {
    if (request.body.stream !== true) return { text: '[]' }; // a question of the plugin's own
    if ((request.body.tools?.length ?? 0) <= 1) return undefined; // a title or the like
    const typed = typedTexts(request);
    const newest = typed.at(-1);
    const prompt = this.prompts.findLast(({ text }) => text === newest);
    if (prompt === undefined) return undefined;
    if (prompt.said.length === 0) prompt.said.push(prompt.text);
    prompt.sessionId = sessionOf(request);
    const reply = prompt.replies.length > 1 ? prompt.replies.shift() : prompt.replies[0];
    void Promise.resolve(reply?.until).then(() => prompt.said.push(reply?.text ?? ''));
    return prompt.isOnTop && typed.length === 1 ? { text: reply?.text ?? '' } : reply;
  }
}

function reading(project: string): MockToolUse {
  return { name: 'Read', input: { file_path: join(project, 'login.ts') } };
}

/** What the user typed, without what Claude Code and hooks add in tags. */
export function typedTexts({ body }: RecordedRequest): string[] {
  return body.messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.flatMap(({ text }) => text ?? []),
    )
    .map((text) => text.trim())
    .filter(
      (text) => text !== '' && !text.startsWith('<') && !text.startsWith('[Request interrupted'),
    );
}

function sessionOf({ body }: RecordedRequest): string {
  const { user_id = '' } = (body.metadata ?? {}) as { user_id?: string };
  return /session_?(?:id)?"?[:_]\s*"?([0-9a-f-]{36})/.exec(user_id)?.[1] ?? '';
}
