/**
 * The browser host by plain HTTP: who is refused, and the built `memory-keeper serve` with the real
 * CLI.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type BrowserHost, startBrowserHost } from '../../cli/serve/browser-host.ts';
import { EventStream } from '../../cli/serve/event-stream.ts';
import { WindowFiles } from '../../cli/serve/window-files.ts';
import { renderMessage } from '../../core/messages/all-messages.ts';
import { message } from '../../core/messages/message.ts';
import { placesFrom } from '../../core/platform/store/places.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import type { LiveEngine } from '../../core/usecases/live-engine.ts';
import { Served } from '../bed/app-bed.ts';
import type { ClaudeSession } from '../bed/claude.ts';
import { MadeSession, promptRow, replyRow } from '../bed/made-session.ts';
import { CLI } from '../bed/memory-keeper.ts';
import { PluginBed } from '../bed/plugin-bed.ts';
import { ServeClient } from '../bed/serve-client.ts';
import { tempFolder } from '../bed/temp-folder.ts';
import { waitFor } from '../bed/wait-for.ts';
import { describeWith } from '../bed/with-pieces.ts';

const OTHER = 'https://evil.example';
const FULL = { input_tokens: 145_010 };

async function host(): Promise<{
  client: ServeClient;
  home: string;
  live: LiveEngine;
  host: BrowserHost;
}> {
  const home = tempFolder();
  const folder = join(home, 'renderer');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Memory Keeper</title>');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {};');
  writeFileSync(join(home, 'secret.html'), 'secret');
  symlinkSync(join(home, 'secret.html'), join(folder, 'link.html'));
  symlinkSync(home, join(folder, 'out'));
  const live = await createEngine({ env: { HOME: home, PATH: process.env.PATH } }).open();
  const started = await startBrowserHost(live, new WindowFiles(folder));
  onTestFinished(async () => {
    await started.close();
    await live.close();
  });
  return { client: new ServeClient(started.address), home, live, host: started };
}

describe('the browser host', () => {
  it('G3 gives its page to everybody who asks by its name, under strict rules', async () => {
    const { client } = await host();
    const page = await client.raw('/');
    expect(page).toMatchObject({
      status: 200,
      text: '<!doctype html><title>Memory Keeper</title>',
    });
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
      ),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(page.headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/);
    expect(Object.keys(page.headers).filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
    expect((await client.raw('/', { headers: { Host: `localhost:${client.port}` } })).status).toBe(
      200,
    );
    expect((await client.raw('/assets/app-1a2b.js')).headers['content-type']).toContain(
      'text/javascript',
    );
  });

  it.each([
    ['no token', {}, 401],
    ['a wrong token', { Authorization: 'Bearer wrong' }, 401],
    ['a token that is longer', (token: string) => ({ Authorization: `Bearer ${token}x` }), 401],
    ['another scheme', (token: string) => ({ Authorization: `Basic ${token}` }), 401],
    [
      'a wrong Host',
      (token: string) => ({ Authorization: `Bearer ${token}`, Host: 'evil.example' }),
      403,
    ],
    [
      'a Host without the port',
      (token: string) => ({ Authorization: `Bearer ${token}`, Host: '127.0.0.1' }),
      403,
    ],
    [
      'another name of loopback',
      (token: string) => ({ Authorization: `Bearer ${token}`, Host: '127.0.0.2:1' }),
      403,
    ],
    [
      'a foreign Origin',
      (token: string) => ({ Authorization: `Bearer ${token}`, Origin: OTHER }),
      403,
    ],
    [
      'the Origin null',
      (token: string) => ({ Authorization: `Bearer ${token}`, Origin: 'null' }),
      403,
    ],
    [
      'a cross-site fetch',
      (token: string) => ({ Authorization: `Bearer ${token}`, 'Sec-Fetch-Site': 'cross-site' }),
      403,
    ],
    [
      'a same-site fetch',
      (token: string) => ({ Authorization: `Bearer ${token}`, 'Sec-Fetch-Site': 'same-site' }),
      403,
    ],
  ])('G3 with %s nothing is answered, neither call nor event', async (_what, headers, status) => {
    const { client } = await host();
    const given = typeof headers === 'function' ? headers(client.token) : headers;
    const post = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...given },
      body: '{}',
    };
    for (const answer of [
      await client.raw('/api/app.about', post),
      await client.raw('/api/events', { headers: given }),
    ]) {
      expect(answer.status).toBe(status);
      expect(answer.text).not.toMatch(/version|\{/);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
  });

  it('G3 the token in the address counts for nothing, and stands in no file that is given', async () => {
    const { client } = await host();
    const asked = await client.raw(`/api/app.about?token=${client.token}`, {
      method: 'POST',
      body: '{}',
    });
    expect(asked.status).toBe(401);
    expect((await client.raw(`/?token=${client.token}`)).text).not.toContain(client.token);
  });

  it('G3 its own page is not given to pages of other sites, but can be opened from anywhere', async () => {
    const { client } = await host();
    const foreign = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'no-cors',
      'Sec-Fetch-Dest': 'script',
    };
    expect((await client.raw('/assets/app-1a2b.js', { headers: foreign })).status).toBe(403);
    const framed = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'iframe',
    };
    expect((await client.raw('/', { headers: framed })).status).toBe(403);
    const opened = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    };
    expect((await client.raw('/', { headers: opened })).status).toBe(200);
    expect(
      (await client.raw('/api/events', { headers: { ...client.authorized, ...opened } })).status,
    ).toBe(403);
  });

  it.each([
    '/../secret.html',
    '/..%2fsecret.html',
    '/%2e%2e/secret.html',
    '/assets/../../secret.html',
    '/..\\secret.html',
    '//secret.html',
    '/link.html',
    '/out/secret.html',
    '/index.html%00.js',
    '/assets',
    '/no-such-file',
  ])('G3 %s leads nowhere', async (path) => {
    const { client } = await host();
    const answer = await client.raw(path);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe('There is no such file\n');
  });

  it('G3 other methods, other bodies and too much are refused in words', async () => {
    const { client } = await host();
    const headers = client.authorized;
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      expect(await client.raw('/api/app.about', { method, headers })).toMatchObject({
        status: 405,
      });
    expect(await client.raw('/api/app.about', { headers })).toMatchObject({
      status: 405,
      text: 'The HTTP method GET is not allowed here\n',
    });
    const plain = { ...headers, 'Content-Type': 'text/plain' };
    expect(
      await client.raw('/api/app.about', { method: 'POST', headers: plain, body: '{}' }),
    ).toMatchObject({ status: 415 });
    expect(
      await client.raw('/api/app.about', { method: 'POST', headers, body: '{oops' }),
    ).toMatchObject({ status: 400 });
    const large = Buffer.alloc(21 * 1024 * 1024, 'x');
    const chunked = { ...headers, 'Transfer-Encoding': 'chunked' };
    for (const sent of [{ ...headers, 'Content-Length': String(large.length) }, chunked]) {
      const answer = await client
        .raw('/api/app.about', { method: 'POST', headers: sent, body: large })
        .catch((error) => error);
      // It does not wait for all of it: the sender may see the end of the connection before the
      // words.
      if (!(answer instanceof Error)) expect(answer.status).toBe(413);
    }
    expect(await client.answer('app.about', {})).toMatchObject({ ok: true });
  });

  it('G3 unknown methods and wrong arguments are refused by the engine, with the reason', async () => {
    const { client } = await host();
    expect(await client.answer('hasOwnProperty', {})).toEqual({
      ok: false,
      message: message('api.noMethod', { method: 'hasOwnProperty' }),
      isBug: false,
    });
    expect(await client.answer('../app.about', {})).toMatchObject({ ok: false });
    const wrong = await client.answer('sessions.request', { sessionId: 'a', request: 'explode' });
    expect(wrong).toMatchObject({
      ok: false,
      isBug: false,
      message: {
        code: 'api.badArgument',
        values: { method: 'sessions.request', place: 'request' },
      },
    });
  });

  it('G3 a connection that wants to become something else is ended', async () => {
    const { client } = await host();
    const socket = createConnection(client.port, '127.0.0.1');
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${client.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${client.token}\r\n\r\n`,
    );
    let heard = '';
    socket.on('data', (data) => (heard += data)).on('error', () => undefined);
    await once(socket, 'close');
    expect(heard).toBe('');
  });

  it('G3 300 half-open connections do not keep the page from opening, nor a window that is open from working', async () => {
    const { client } = await host();
    client.listen();
    await client.see('state', 'the state', () => true);
    const sockets = Array.from({ length: 300 }, () => createConnection(client.port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(
      sockets.map(async (socket) => {
        socket.on('error', () => undefined); // the host may end it at any time
        socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${client.port}\r\nX-Half: `);
        await once(socket, 'connect');
      }),
    );
    const start = performance.now();
    const page = await client.raw('/');
    const ms = Math.round(performance.now() - start);
    process.stdout.write(`the page opened in ${ms} ms beside 300 half-open connections\n`);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Memory Keeper')]);
    expect(await client.call('app.about', {})).toMatchObject({ platform: process.platform });
  });

  it('C3 the state comes at once, follows a session, and comes again to who listens later', async () => {
    const { client, home } = await host();
    client.listen();
    await client.see('state', 'the first state', ({ sessions }) => sessions.length === 0);
    const project = join(home, 'app');
    mkdirSync(project);
    const made = new MadeSession(placesFrom({ HOME: home }).claude, project);
    onTestFinished(() => made.end());
    await client.see('state', 'the session', ({ sessions }) => sessions.length === 1);
    made.append(promptRow('a'), replyRow(50_000));
    await client.see('state', 'its context', ({ sessions }) => sessions[0]?.percent === 25);
    const later = new ServeClient(
      `http://127.0.0.1:${client.port}/#token=${client.token}`,
    ).listen();
    await later.see('state', 'the newest state', ({ sessions }) => sessions[0]?.percent === 25);
    client.stop();
    later.stop();
  });

  it('G3 who reads slowly gets the newest, and what waits for them does not grow', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const socket = createConnection((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response]: [unknown, ServerResponse] = (await once(server, 'request')) as never;
    const stream = new EventStream(response);
    onTestFinished(() => stream.close());
    const long = 'x'.repeat(10_000);
    const row = {
      at: '',
      what: 'note',
      figures: {},
      sessionId: null,
      project: null,
      way: null,
      hasGiven: false,
    };
    for (let i = 0; i <= 20_000; i++) {
      stream.send({
        name: 'state',
        value: {
          sessions: [],
          problems: [message('system.words', { words: `${i} ${long}` })],
          clears: [],
          isPaused: false,
        },
      });
      stream.send({ name: 'memory', value: { project: '/a' } });
      stream.send({ name: 'activity', value: { ...row, note: `note ${i}` } });
      if (i % 100 === 0) await new Promise(setImmediate); // what can be sent is sent
    }
    expect(response.writableLength).toBeLessThan(100_000);
    let heard = '';
    socket.setEncoding('utf8').on('data', (part) => (heard += part));
    socket.resume();
    await waitFor(
      'the newest',
      () => heard.includes('"note 20000"') && heard.includes('"20000 xxx'),
    );
    const notes = heard.match(/"note \d+"/g) ?? [];
    expect(notes.slice(-100)[0]).toBe('"note 19901"');
    expect(heard.match(/"state"/g)?.length).toBeLessThan(5000);
  });
});

describe('memory-keeper serve', () => {
  async function run(
    home: string,
    ...args: string[]
  ): Promise<{ code: number; stderr: string; stdout: string }> {
    const env = { HOME: home, PATH: process.env.PATH ?? '' };
    const child = spawn(process.execPath, [CLI, 'serve', ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  }

  it('G3 listens on loopback with a token of 256 bits, says who clears already, and ends cleanly', async () => {
    const home = tempFolder();
    const env = { HOME: home, PATH: process.env.PATH ?? '' };
    const served = await Served.start(env);
    onTestFinished(() => served.stop());
    const client = new ServeClient(served.address).listen();
    expect(Buffer.from(client.token, 'base64url')).toHaveLength(32);
    await client.see('state', 'the state', () => true);
    expect((await client.raw('/')).text).toContain('<script type="module"');
    const taken = await run(home, '--port', String(client.port));
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toBe(
      `memory-keeper: Port ${client.port} is already in use. Choose another, or leave out --port\n`,
    );
    const second = spawn(process.execPath, [CLI, 'serve', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [told, address] = ['', ''];
    second.stderr.on('data', (data) => (told += data));
    second.stdout.on('data', (data) => (address += data));
    await waitFor('the note', () => told.includes('\n'));
    expect(told).toBe(
      `note: process ${served.pid} is already clearing sessions; each clear is done by one of the two\n`,
    );
    expect(new ServeClient(JSON.parse(address).address).token).not.toBe(client.token);
    second.kill('SIGTERM');
    expect(await once(second, 'exit')).toEqual([0, null]);
    await served.stop();
    await expect(client.raw('/')).rejects.toThrow('ECONNREFUSED');
  });

  it.each([
    [
      ['--port', 'x'],
      'memory-keeper: Invalid port "x": use a number from 0 to 65535\nSee memory-keeper serve --help\n',
    ],
    [
      ['--port', '65536'],
      'memory-keeper: Invalid port "65536": use a number from 0 to 65535\nSee memory-keeper serve --help\n',
    ],
    [
      ['--host', '0.0.0.0'],
      "memory-keeper: Unknown option '--host'\nSee memory-keeper serve --help\n",
    ],
  ])('G3 %j is told apart', async (args, stderr) => {
    expect(await run(tempFolder(), ...args)).toEqual({ code: 2, stdout: '', stderr });
  });
});

describeWith('the browser host and the real CLI', ['claude', 'tmux'], (paths) => {
  let plugin: PluginBed;
  let session: ClaudeSession;
  let served: Served;
  let client: ServeClient;

  beforeAll(async () => {
    plugin = await PluginBed.start(paths.claude);
    plugin.configure({ autoClear: { countdownSeconds: 600, cooldownMinutes: 0, summary: false } });
    session = await plugin.start();
    served = await Served.start({ ...plugin.bed.environment(plugin.api) });
    client = new ServeClient(served.address).listen();
  });

  afterAll(async () => {
    client?.stop();
    await served?.stop();
    await plugin?.remove();
  });

  const sessionId = async () => (await session.waitForState('idle')).sessionId;

  async function fill(request: string, answer: string): Promise<string> {
    const before = await sessionId();
    plugin.api.enqueue({ text: answer, usage: FULL });
    await session.say(request);
    await session.waitForScreen(answer);
    return before;
  }

  const clearIn = (id: string, state: string) =>
    client.see('state', `${id} to be ${state}`, ({ clears }) =>
      clears.some((clear) => clear.sessionId === id && clear.state === state),
    );

  it('C3 A6 shows the percentage of the real CLI and the countdown, which can be cancelled from the window', async () => {
    const id = await fill('which colour has the logo', 'The colour is teal.');
    const { sessions } = await client.see(
      'state',
      'the percentage',
      (state) => state.sessions[0]?.percent === 73,
    );
    expect(sessions[0]).toMatchObject({
      sessionId: id,
      level: 'warn',
      clearMode: 'auto',
      clearAtTokens: 140_000,
    });
    await clearIn(id, 'countdown');
    await client.call('sessions.request', { sessionId: id, request: 'cancel' });
    await clearIn(id, 'cancelled');
    expect(await sessionId()).toBe(id);
    expect(client.told('state').at(-1)?.sessions[0]?.hasPlugin).toBe(true);
  });

  it('A4 says which way it would go', async () => {
    const { ways, refusal } = await client.call('sessions.explain', {
      sessionId: await sessionId(),
    });
    expect(refusal).toBeUndefined();
    expect(ways[0]).toMatchObject({ name: 'mod', certainty: { certain: true } });
  });

  it('A2 G2 Clear now clears it; growth goes on, and the activity has the very text that Claude was given', async () => {
    const id = await sessionId();
    const first = await client.call('sessions.clear', { sessionId: id });
    expect(first).toMatchObject({ sessionId: id, by: 'user', state: 'detected' });
    await clearIn(id, 'restored');
    const next = await sessionId();
    expect(next).not.toBe(id);
    plugin.api.enqueue({ text: 'Going on.', usage: { input_tokens: 20_000 } });
    await session.say('go on');
    await session.waitForScreen('Going on.');
    const { sessions } = await client.see(
      'state',
      'the growth',
      ({ sessions: [one] }) => one?.percent === 10,
    );
    expect(sessions[0]?.growth).toMatchObject([
      { isFresh: false },
      { isFresh: true, tokens: 20_000 },
    ]);
    const { text } = await client.call('activity.given', { sessionId: next });
    expect(text).toContain('which colour has the logo');
    expect(JSON.stringify(plugin.conversation.at(-1)?.body.messages)).toContain(
      JSON.stringify(text).slice(1, -1),
    );
    const rows = await client.call('activity.list', { project: plugin.bed.project });
    const whats = rows.map(({ what }) => what);
    expect(whats).toEqual(
      expect.arrayContaining(['given', 'restored', 'saved', 'cancelled', 'countdown']),
    );
    expect(rows.find(({ what }) => what === 'given')).toMatchObject({
      sessionId: next,
      hasGiven: true,
    });
  });

  it('A6 a countdown can be snoozed, and nothing is cleared while it is paused', async () => {
    const id = await fill('and the favicon', 'The favicon is teal, too.');
    await clearIn(id, 'countdown');
    await client.call('sessions.request', { sessionId: id, request: 'snooze' });
    const { clears } = await clearIn(id, 'cancelled');
    const note = clears.find((clear) => clear.sessionId === id)?.steps.at(-1)?.note ?? '';
    expect(note).toMatchObject({ code: 'clear.snoozed' });
    await client.call('sessions.pause', { isPaused: true });
    await client.see('state', 'the pause', ({ isPaused }) => isPaused);
    await fill('once more', 'While it is paused.');
    await client.see(
      'activity',
      'the refusal',
      ({ what, note }) => what === 'refused' && renderMessage('en', note ?? '').includes('paused'),
    );
    expect(await sessionId()).toBe(id);
  });
});
