/**
 * The way to the engine over HTTP (G3): the token goes along and never stands in the address; a
 * lost connection is told and tried again.
 */
import { describe, expect, it, vi } from 'vitest';
import type { EngineEvent } from '../../core/usecases/contract.ts';
import { message } from '../../core/usecases/messages.ts';
import type { Connection } from './bridge.ts';
import { httpPort } from './http-port.ts';
import { takeToken } from './token.ts';

function body(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

const never = () => new Promise<Response>(() => undefined);

describe('the token', () => {
  it('G3 moves from the address into this tab, and is found again after a reload', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    const replaceState = vi.fn();
    const history = { replaceState };
    const location = { hash: '#token=abc.DEF-1_2', pathname: '/', search: '' };
    expect(takeToken({ location, history, storage })).toBe('abc.DEF-1_2');
    expect(replaceState).toHaveBeenCalledWith(null, '', '/');
    expect(takeToken({ location: { ...location, hash: '' }, history, storage })).toBe(
      'abc.DEF-1_2',
    );
  });

  it('G3 is not there without an address that carries it', () => {
    const places = {
      location: { hash: '#/memory', pathname: '/', search: '' },
      history: { replaceState: vi.fn() },
    };
    expect(
      takeToken({ ...places, storage: { getItem: () => null, setItem: vi.fn() } }),
    ).toBeUndefined();
  });
});

describe('calls', () => {
  it('G3 carry the token and the arguments', async () => {
    const fetch = vi.fn(async () => Response.json({ ok: true, value: {} }));
    await httpPort({ token: 't', fetch }).call('sessions.pause', { isPaused: true });
    const [url, options] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect([url, options.method, options.body]).toEqual([
      '/api/sessions.pause',
      'POST',
      '{"isPaused":true}',
    ]);
    expect(options.headers).toMatchObject({ Authorization: 'Bearer t' });
  });

  it('G3 say in words when the address is an old one', async () => {
    const port = httpPort({ token: 't', fetch: async () => new Response('no', { status: 401 }) });
    const heard: Connection[] = [];
    port.onConnection?.((connection) => heard.push(connection));
    expect(await port.call('app.about', {})).toMatchObject({
      ok: false,
      message: message('api.oldAddress'),
      isBug: false,
    });
    expect(heard).toEqual(['refused']);
  });

  it('G3 say in words when nobody is there any more', async () => {
    const port = httpPort({
      token: 't',
      fetch: async () => Promise.reject(new TypeError('fetch failed')),
    });
    expect(await port.call('app.about', {})).toEqual({
      ok: false,
      message: message('api.connectionLost'),
      isBug: false,
    });
  });
});

describe('events', () => {
  it('G3 are put together however they arrive, and a torn line costs only itself', async () => {
    const state = JSON.stringify({ name: 'settings', value: { project: '/가' } });
    const answers = [
      async () =>
        new Response(body(state.slice(0, 9), `${state.slice(9)}\n\n{"torn`, `\n${state}\n`)),
      never,
    ];
    const heard: EngineEvent[] = [];
    const port = httpPort({ token: 't', fetch: () => (answers.shift() ?? never)() });
    port.onEvent((event) => heard.push(event));
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    expect(heard[0]).toEqual(JSON.parse(state));
  });

  it('G3 that end are told as a lost connection, and it is tried again until it is back', async () => {
    const answers = [
      async () => new Response(body('')),
      () => Promise.reject(new TypeError('refused')),
      async () => new Response(body('')),
    ];
    const told: Connection[] = [];
    vi.useFakeTimers();
    try {
      const port = httpPort({ token: 't', fetch: () => (answers.shift() ?? never)() });
      port.onConnection?.((connection) => told.push(connection));
      port.onEvent(() => undefined);
      await vi.advanceTimersByTimeAsync(30_000);
      expect(told).toEqual(['on', 'lost', 'lost', 'on', 'lost']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('G3 are not asked for again with a token that is refused', async () => {
    const fetch = vi.fn(async () => new Response('', { status: 401 }));
    const told: Connection[] = [];
    const port = httpPort({ token: 'old', fetch });
    port.onConnection?.((connection) => told.push(connection));
    port.onEvent(() => undefined);
    await vi.waitFor(() => expect(told).toEqual(['refused']));
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('G3 of a host that does not answer at all are told as a lost connection, and asked for anew', async () => {
    vi.useFakeTimers();
    try {
      const fetch = vi.fn(
        (_url: unknown, options?: RequestInit) =>
          new Promise<Response>((_, reject) =>
            options?.signal?.addEventListener('abort', () => reject(new TypeError('aborted'))),
          ),
      );
      const told: Connection[] = [];
      const port = httpPort({ token: 't', fetch });
      port.onConnection?.((connection) => told.push(connection));
      port.onEvent(() => undefined);
      await vi.advanceTimersByTimeAsync(60_000);
      expect([told, fetch.mock.calls.length]).toEqual([['lost'], 2]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('G3 of a connection that has fallen silent are asked for anew; signs of life keep it', async () => {
    vi.useFakeTimers();
    try {
      let give: (text: string) => void = () => undefined;
      const isCancelled = vi.fn();
      const silent = new ReadableStream<Uint8Array>({
        start(controller) {
          give = (text) => controller.enqueue(new TextEncoder().encode(text));
        },
        cancel: isCancelled,
      });
      const answers = [async () => new Response(silent)];
      const fetch = vi.fn(() => (answers.shift() ?? never)());
      const told: Connection[] = [];
      const port = httpPort({ token: 't', fetch });
      port.onConnection?.((connection) => told.push(connection));
      port.onEvent(() => undefined);
      await vi.advanceTimersByTimeAsync(30_000);
      give('\n');
      await vi.advanceTimersByTimeAsync(30_000);
      expect([told, fetch.mock.calls.length]).toEqual([['on'], 1]);
      await vi.advanceTimersByTimeAsync(30_000);
      expect([told, fetch.mock.calls.length]).toEqual([['on', 'lost'], 2]);
      expect(isCancelled).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
