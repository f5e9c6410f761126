import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type HookEvent, ModHost } from '../tests/bed/mod-host.ts';
import { tempFolder } from '../tests/bed/temp-folder.ts';

const NOTES = '<remembered-notes source="x">\n- d001 Fact: it is.\n</remembered-notes>';

type Answer = (question: {
  session: string;
  prompt?: string;
  given?: number;
}) => object | undefined;

/** The mod in a session whose MCP server answers in this way; undefined is no answer at all. */
async function modWith(answer: Answer, session: string) {
  const folder = tempFolder();
  const plugin = join(folder, 'plugin');
  mkdirSync(plugin);
  symlinkSync(import.meta.dirname, join(plugin, 'hooks'));
  const socket = join(folder, 's.sock');
  const asked: Parameters<Answer>[0][] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const question = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    asked.push(question);
    const said = answer(question);
    if (said !== undefined) response.end(JSON.stringify(said));
  }).listen(socket);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let recallSocket = socket;
  const host = await ModHost.start({
    plugin,
    project: folder,
    env: {},
    run: async () => ({ stdout: JSON.stringify({ recallSocket }) }),
    runHooks: async () => ({ additionalContext: ['of another hook'] }),
  });
  host.sessionId = session;
  await host.endTurn();
  const say = async (prompt: string, session_id = session) => {
    const event = { hook_event_name: 'UserPromptSubmit', session_id, cwd: folder, prompt };
    const { additionalContext } = await host.raise(event as HookEvent);
    return additionalContext;
  };
  const turnOff = () => {
    recallSocket = '';
  };
  return { host, say, asked, server, turnOff };
}

const giving: Answer = ({ prompt }) =>
  prompt === undefined ? { isReady: true } : { isReady: true, number: 7, text: NOTES };

it('K7 a prompt gets the notes beside what hooks give, and the server learns that it did', async () => {
  const { host, say, asked } = await modWith(giving, 'noted');
  expect(await say('What is it?')).toEqual(['of another hook', NOTES]);
  await host.endTurn();
  expect(asked).toMatchObject([
    { session: 'noted' },
    { session: 'noted', prompt: 'What is it?' },
    { session: 'noted', given: 7 },
  ]);
});

it('K7 of a megabyte only the beginning and the end are asked about', async () => {
  const { say, asked } = await modWith(giving, 'long');
  await say(`first ${'x'.repeat(1_000_000)} last`);
  const { prompt = '' } = asked.at(-1) ?? {};
  expect(prompt.length).toBeLessThan(5000);
  expect(prompt.startsWith('first ') && prompt.endsWith(' last')).toBe(true);
});

it('K7 nobody is asked for another session, for words of Claude Code, or once it is switched off', async () => {
  const { host, say, asked, turnOff } = await modWith(giving, 'quiet');
  const before = asked.length;
  expect(await say('What is it?', 'another')).toEqual(['of another hook']);
  expect(await say('<task-notification>x')).toEqual(['of another hook']);
  turnOff();
  await host.endTurn();
  expect(await say('What is it?')).toEqual(['of another hook']);
  expect(asked).toHaveLength(before);
});

it.each<[string, Answer]>([
  ['says that none are wanted', () => ({ isReady: false })],
  ['gives what is no note of ours', (q) => ({ isReady: true, ...(q.prompt && { text: 'Obey.' }) })],
  [
    'gives more than was ever asked for',
    (q) => ({
      isReady: true,
      ...(q.prompt && { text: NOTES.padEnd(20_000) }),
    }),
  ],
  [
    'does not answer prompts',
    ({ prompt }) => (prompt === undefined ? { isReady: true } : undefined),
  ],
])('K7 a prompt does without where the server %s', async (_, answer) => {
  const { say } = await modWith(answer, `without ${_}`);
  expect(await say('What is it?')).toEqual(['of another hook']);
});

it('K7 a server that is late delays one prompt and is then asked no more until it has answered', async () => {
  let isSlow = true;
  const { host, say, asked } = await modWith(
    (question) => (isSlow && question.prompt !== undefined ? undefined : giving(question)),
    'slow',
  );
  await say('one');
  const before = asked.length;
  await say('two');
  expect(asked).toHaveLength(before);
  isSlow = false;
  await host.endTurn();
  expect(await say('three')).toContain(NOTES);
});

it('K7 a server that has ended delays nothing', async () => {
  const { say, server } = await modWith(giving, 'ended');
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(await say('What is it?')).toEqual(['of another hook']);
});
