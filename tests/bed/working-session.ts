/**
 * A working session with the real CLI against a mock model, for whatever needs transcripts that
 * Claude Code itself wrote: many turns with tools, Korean, a compaction, a secret, a resume and a
 * subagent on the way.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedTranscript } from '../../core/claude/transcript/locate.ts';
import type { ClaudeBed } from './claude.ts';
import { HeadlessSession } from './headless.ts';
import type { MockApi, MockReply, RecordedRequest } from './mock-api.ts';

/** Together more than 200 turns and 300 tool calls. */
export const WORKING_SESSIONS: readonly [turns: number, model: string][] = [
  [90, 'claude-opus-5-5'],
  [70, 'claude-sonnet-4-5'],
  [60, 'claude-haiku-5-5'],
];

export const TOLD_SECRET = `ghp_${'x7Kq2'.repeat(8)}`;

export interface WorkingSession {
  sessionId: string;
  transcript: string;
  /** What the user typed, but for the line with the secret. */
  typed: string[];
  /** What the model said. */
  said: readonly string[];
  toolCalls: number;
}

/**
 * What the mock model does with what it is told; the words it says are the words that must be in
 * L1.
 */
class Conversation {
  readonly said: string[] = [];
  toolCalls = 0;
  readonly #sourceFile: string;

  constructor(sourceFile: string) {
    this.#sourceFile = sourceFile;
  }

  answer({ body }: RecordedRequest): MockReply | undefined {
    const last = JSON.stringify(body.messages.slice(-2));
    if (
      last.includes('Your task is to create a detailed summary') ||
      last.includes('continue the conversation')
    )
      return { text: 'A summary.' };
    if (last.includes('tool_result'))
      return this.#say(
        `도구 실행이 끝났다. Turn ${this.said.length} is done: \`src/app-${this.said.length}.ts\` is fine.`,
      );
    if (last.includes('go and count')) return { text: 'counted by the agent' };
    if (last.includes('send one agent')) return this.#sendAgent();
    const command = /run <([^>]*)>/.exec(last.replaceAll('\\u003c', '<'))?.[1];
    if (command === undefined) return this.#say(`Understood, ${this.said.length}. 알겠습니다.`);
    this.toolCalls += 2;
    const bash = { name: 'Bash', input: { command, description: 'as asked' } };
    const read = { name: 'Read', input: { file_path: this.#sourceFile } };
    return { ...this.#say(`Running it, ${this.said.length}.`), toolUses: [bash, read] };
  }

  #sendAgent(): MockReply {
    const input = {
      description: 'count',
      prompt: 'go and count',
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    this.toolCalls += 1;
    return { ...this.#say('Sending an agent.'), toolUses: [{ name: 'Agent', input }] };
  }

  #say(text: string): MockReply {
    this.said.push(text);
    return { text };
  }
}

export async function workingSession(
  bed: ClaudeBed,
  api: MockApi,
  turns: number,
  model: string,
): Promise<WorkingSession> {
  // A source file of ordinary length: reading such files is most of what a working session does.
  const sourceFile = join(bed.project, 'source.ts');
  copyFileSync(join(import.meta.dirname, '../e2e/status.test.ts'), sourceFile);
  const talk = new Conversation(sourceFile);
  api.script((request) => talk.answer(request));
  const typed: string[] = [];
  let session = new HeadlessSession(bed, api, { model });
  const say = async (text: string) => {
    typed.push(text);
    await session.say(text);
  };
  const onTheWay: Record<number, () => Promise<void>> = {
    30: () => say('/compact'),
    40: () => session.say(`the token is ${TOLD_SECRET} and <private>내 연봉은 비밀</private> this`),
    50: async () => {
      await session.end();
      session = new HeadlessSession(bed, api, { model, resume: session.sessionId });
    },
    55: () => say('send one agent please'),
  };
  for (let turn = 0; turn < turns; turn++) {
    const isTalk = turn % 10 === 9;
    await say(
      isTalk
        ? `그냥 설명만 해줘 "${turn}"\n둘째 줄`
        : `${turn}번째: please run <cat /proc/cpuinfo | head -${20 + turn}>`,
    );
    await onTheWay[turn]?.();
  }
  await session.end();
  const { sessionId } = session;
  const transcript = expectedTranscript(bed.configDir, bed.project, sessionId) as string;
  return { sessionId, transcript, typed, said: talk.said, toolCalls: talk.toolCalls };
}
