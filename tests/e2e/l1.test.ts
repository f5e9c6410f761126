/** L1 of conversations that the real CLI wrote: every word is there, and little else. */
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readL1, saveL1 } from '../../core/memory/l1-store.ts';
import { projectMemory } from '../../core/memory/project-memory.ts';
import { expectedTranscript } from '../../core/transcript/locate.ts';
import { ClaudeBed } from '../bed/claude.ts';
import { HeadlessSession } from '../bed/headless.ts';
import { MockApi, type MockReply, type RecordedRequest } from '../bed/mock-api.ts';
import { describeWith } from '../bed/with-pieces.ts';

const SECRET = `ghp_${'x7Kq2'.repeat(8)}`;

/** What the mock model does with what it is told; the words it says are the words that must be in L1. */
class Conversation {
  readonly said: string[] = [];
  toolCalls = 0;
  readonly #sourceFile: string;

  constructor(sourceFile: string) {
    this.#sourceFile = sourceFile;
  }

  answer({ body }: RecordedRequest): MockReply | undefined {
    const last = JSON.stringify(body.messages.slice(-2));
    if (last.includes('Your task is to create a detailed summary') || last.includes('continue the conversation'))
      return { text: 'A summary.' };
    if (last.includes('tool_result'))
      return this.#say(`도구 실행이 끝났다. Turn ${this.said.length} is done: \`src/app-${this.said.length}.ts\` is fine.`);
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
    const input = { description: 'count', prompt: 'go and count', subagent_type: 'general-purpose', run_in_background: false };
    this.toolCalls += 1;
    return { ...this.#say('Sending an agent.'), toolUses: [{ name: 'Agent', input }] };
  }

  #say(text: string): MockReply {
    this.said.push(text);
    return { text };
  }
}

describeWith('L1 of real transcripts', ['claude', 'tmux'], ({ claude }) => {
  let api: MockApi;
  let bed: ClaudeBed;
  const total = { turns: 0, toolCalls: 0 };

  beforeAll(async () => {
    api = await MockApi.start();
    bed = new ClaudeBed(claude);
    // A source file of ordinary length: reading such files is most of what a working session does.
    copyFileSync(join(import.meta.dirname, 'status.test.ts'), join(bed.project, 'source.ts'));
  });

  afterAll(async () => {
    await bed?.remove();
    await api?.stop();
  });

  /** A working session: many turns with tools, a compaction, a secret, a resume and a subagent on the way. */
  async function converse(turns: number, model: string): Promise<{ sessionId: string; typed: string[] }> {
    const typed: string[] = [];
    let session = new HeadlessSession(bed, api, { model });
    const say = async (text: string) => {
      typed.push(text);
      await session.say(text);
    };
    const onTheWay: Record<number, () => Promise<void>> = {
      30: () => say('/compact'),
      40: () => session.say(`the token is ${SECRET} and <private>내 연봉은 비밀</private> this`),
      50: async () => {
        await session.end();
        session = new HeadlessSession(bed, api, { model, resume: session.sessionId });
      },
      55: () => say('send one agent please'),
    };
    for (let turn = 0; turn < turns; turn++) {
      const isTalk = turn % 10 === 9;
      await say(
        isTalk ? `그냥 설명만 해줘 "${turn}"\n둘째 줄` : `${turn}번째: please run <cat /proc/cpuinfo | head -${20 + turn}>`,
      );
      await onTheWay[turn]?.();
    }
    await session.end();
    return { sessionId: session.sessionId, typed };
  }

  it.each([
    [90, 'claude-opus-5-5'],
    [70, 'claude-sonnet-4-5'],
    [60, 'claude-haiku-5-5'],
  ])('M4 M18 holds a conversation of %i turns word for word in a twentieth of its size (%s)', async (turns, model) => {
    const talk = new Conversation(join(bed.project, 'source.ts'));
    api.script((request) => talk.answer(request));
    const { sessionId, typed } = await converse(turns, model);
    const transcript = (await expectedTranscript(bed.configDir, bed.project, sessionId)) as string;
    const { file } = (await saveL1(projectMemory(bed.places, bed.project), { sessionId, transcript }, { isOver: true })) as {
      file: string;
    };

    const entries = await readL1(file);
    const words = (role: string) => entries.flatMap((entry) => (entry.role === role && 'text' in entry ? [entry.text] : []));
    expect(words('user').filter((text) => !text.startsWith('the token is'))).toEqual(typed);
    expect(words('user')).toContain('the token is [redacted] and  this');
    expect(words('assistant')).toEqual(talk.said);
    expect(entries.filter(({ role }) => role === 'tool')).toHaveLength(talk.toolCalls);
    const l1 = readFileSync(file, 'utf8');
    for (const hidden of [SECRET, '연봉', 'A summary.']) expect(l1.includes(hidden), hidden).toBe(false);

    const smaller = 1 - statSync(file).size / statSync(transcript).size;
    process.stdout.write(
      `L1: ${typed.length} turns, ${talk.toolCalls} tool calls, ${statSync(transcript).size} bytes: ${(100 * smaller).toFixed(1)} % smaller\n`,
    );
    expect(smaller).toBeGreaterThanOrEqual(0.95);
    total.turns += typed.length;
    total.toolCalls += talk.toolCalls;
  });

  it('M4 was shown on 200 turns and 300 tool calls', () => {
    expect(total.turns).toBeGreaterThanOrEqual(200);
    expect(total.toolCalls).toBeGreaterThanOrEqual(300);
  });
});
