/**
 * The mod in the real Claude Code: memory.md grows by itself, and the conversation knows nothing of
 * it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMemoryIndex } from '../../core/memory/log/memory-index.ts';
import { spentToday } from '../../core/memory/model/spend.ts';
import { type ProjectMemory, projectMemory } from '../../core/projects/project-memory.ts';
import { ClaudeBed, type ClaudeSession } from '../bed/claude.ts';
import { MockApi, type MockReply, type RecordedRequest } from '../bed/mock-api.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const PLUGIN = join(import.meta.dirname, '../../dist/plugin');
const SUMMARY = 'The login form was read five times and the retry limit was set to three attempts.';

describeWith('memory by the mod', ['claude', 'tmux'], ({ claude }) => {
  let api: MockApi;
  let bed: ClaudeBed;
  let session: ClaudeSession;
  let memory: ProjectMemory;
  let deltaReply: MockReply = { errorStatus: 500 };
  const factsReply: MockReply = { text: '[]' };

  const promptOf = ({ body }: RecordedRequest) => JSON.stringify(body.messages);
  const isDelta = (request: RecordedRequest) =>
    request.body.stream !== true && promptOf(request).includes('<conversation>');
  const isFacts = (request: RecordedRequest) =>
    request.body.stream !== true && promptOf(request).includes('Answer with a JSON list');
  const deltaRequests = () => api.requests.filter(isDelta);
  const conversation = () => api.requests.filter(({ body }) => (body.tools?.length ?? 0) > 1);

  beforeAll(async () => {
    api = await MockApi.start();
    api.script((request) =>
      isDelta(request) ? deltaReply : isFacts(request) ? factsReply : undefined,
    );
    bed = new ClaudeBed(claude);
    memory = projectMemory(bed.places, bed.project);
    writeFileSync(join(bed.project, 'login.ts'), 'export const attempts = 3;\n');
    session = await bed.start({
      api,
      model: 'claude-sonnet-4-5',
      args: ['--plugin-dir', PLUGIN, '--allowedTools', 'Read'],
    });
  });

  afterAll(async () => {
    await bed?.remove();
    await api?.stop();
  });

  async function turn(request: string, tools: number, answer: string): Promise<void> {
    await session.waitForState('idle');
    const read = {
      toolUses: [{ name: 'Read', input: { file_path: join(bed.project, 'login.ts') } }],
    };
    api.enqueue(...Array.from({ length: tools }, () => read), { text: answer });
    await session.say(request);
    await session.waitForScreen(answer);
  }

  const attempt = (tries: number) =>
    waitFor(
      () =>
        `attempt ${tries} to be over; the index says ${JSON.stringify(readMemoryIndex(memory).attempts)}`,
      () => {
        const known = readMemoryIndex(memory).attempts?.delta;
        return known?.tries === tries && known.busyUntil === undefined;
      },
    );

  function expectNothingMoved(): void {
    expect(existsSync(join(memory.folder, 'memory.md'))).toBe(false);
    expect(existsSync(join(memory.folder, 'delta_temp.txt'))).toBe(true);
    expect(readMemoryIndex(memory)).toMatchObject({ toolCount: expect.any(Number) });
    expect(readMemoryIndex(memory).lastMemoryUpdateTs).toBeUndefined();
  }

  it('M7 nothing moves when the model fails with a 500', async () => {
    await turn('look at the login form five times', 8, 'The retry limit is three.'); // the last ones may be counted later
    await attempt(1);
    expect(deltaRequests().length).toBeGreaterThan(0);
    expectNothingMoved();
  });

  it('M7 nothing moves when the model answers with nonsense', async () => {
    deltaReply = { text: '{"error": "x"}' };
    await turn('and the second request', 0, 'Second answer.');
    await attempt(2);
    expectNothingMoved();
  });

  it('M7 nothing moves when the answer is cut off', async () => {
    deltaReply = { cutAfterEvents: 1 };
    await turn('and the third request', 0, 'Third answer.');
    await attempt(3);
    expectNothingMoved();
  });

  it('M6 M7 M16 the next turn retries with all of it: the summary stands in memory.md, the watermark moves, the file goes', async () => {
    deltaReply = { text: SUMMARY, usage: { input_tokens: 1234, output_tokens: 56 } };
    await turn('and the fourth request', 0, 'Fourth answer.');
    const path = join(memory.folder, 'memory.md');
    await waitFor(
      'the summary in memory.md',
      () => existsSync(path) && readFileSync(path, 'utf8').includes(SUMMARY),
    );
    await waitFor('the delta to be gone', () => !existsSync(join(memory.folder, 'delta_temp.txt')));
    expect(readFileSync(path, 'utf8')).toMatch(
      /## Recent Context\n\n### \d{4}-\d{2}-\d{2}_\d{4}\n\n/,
    );
    await waitFor('the watermark', () => (readMemoryIndex(memory).lastMemoryUpdateTs ?? '') !== '');
    const asked = promptOf(deltaRequests().at(-1) as RecordedRequest);
    for (const said of [
      'look at the login form five times',
      'and the second request',
      'and the third request',
      '[Tool: Read]',
    ])
      expect(asked).toContain(said);
    expect(deltaRequests().at(-1)?.body).toMatchObject({ model: expect.stringContaining('haiku') });
    expect(spentToday(bed.places).delta).toMatchObject({ input: expect.any(Number) });
  });

  it('M16 the conversation contains nothing of it', async () => {
    await turn('what did we do', 0, 'We looked at the login form.');
    for (const request of conversation()) {
      expect(promptOf(request)).not.toContain(SUMMARY);
      expect(promptOf(request)).not.toContain('[MEMORY_KEEPER_DELTA] file=');
      expect(promptOf(request)).not.toContain('Summarise what was done');
    }
    expect(await session.screen()).not.toContain('Memory');
  });

  it('C2 K5 the mod reports the exact window, and what Claude Code says of its compaction', async () => {
    const { sessionId } = await session.waitForState('idle');
    const path = join(bed.places.home, 'reported', `${sessionId}.json`);
    const report = await waitFor(
      'the report',
      () => existsSync(path) && JSON.parse(readFileSync(path, 'utf8')),
    );
    expect(report).toEqual({
      model: expect.stringContaining('claude-sonnet-4-5'),
      window: 200_000,
      compaction: { isOn: true, threshold: 167_000, source: 'auto' },
    });
  });
});
