/**
 * The store as a cache of the engine (G2, G3): what the engine tells replaces what is known, and
 * what fails is said.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  CallResult,
  EngineEvent,
  LiveState,
  Method,
  ProjectSummary,
} from '../../core/usecases/contract.ts';
import { message } from '../../core/usecases/messages.ts';
import {
  BridgeError,
  bugMessage,
  type Connection,
  makeBridge,
  type WindowPort,
} from '../bridge/bridge.ts';
import { setLanguage } from '../locale/locale.ts';
import { type AppStore, createAppStore, followEngine } from './app-store.ts';

const NO_SESSIONS: LiveState = { sessions: [], problems: [], clears: [], isPaused: false };
const project = (root: string): ProjectSummary => ({
  root,
  name: root.slice(1),
  formerRoot: null,
  folder: root,
  hasMemory: true,
  liveSessions: 0,
});

/** An engine that answers as it is told. */
class FakePort implements WindowPort {
  readonly kind = 'browser';
  readonly calls: Method[] = [];
  answers: Partial<Record<Method, CallResult>> = {};
  #tellEvent: (event: EngineEvent) => void = () => undefined;
  #tellConnection: (connection: Connection) => void = () => undefined;

  async call(method: Method): Promise<CallResult> {
    this.calls.push(method);
    return (
      this.answers[method] ?? {
        ok: false,
        message: message('api.noMethod', { method }),
        isBug: false,
      }
    );
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    this.#tellEvent = listener;
    return () => undefined;
  }

  onConnection(listener: (connection: Connection) => void): () => void {
    this.#tellConnection = listener;
    return () => undefined;
  }

  async openLink(): Promise<void> {
    throw new Error('nobody clicks here');
  }

  async choose(): Promise<never> {
    throw new Error('nobody chooses here');
  }

  async download(): Promise<void> {
    throw new Error('nobody downloads here');
  }

  tell(event: EngineEvent): void {
    this.#tellEvent(event);
  }

  connect(connection: Connection): void {
    this.#tellConnection(connection);
  }
}

function memo(values: Record<string, string> = {}) {
  const map = new Map(Object.entries(values));
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  };
}

let port: FakePort;
let store: AppStore;

beforeEach(() => {
  setLanguage('en');
  port = new FakePort();
  port.answers = {
    'sessions.state': { ok: true, value: NO_SESSIONS },
    'projects.list': { ok: true, value: [project('/a'), project('/b')] },
    'settings.read': { ok: true, value: { settings: [], problems: [], canUndo: false } },
    'app.about': {
      ok: true,
      value: { version: '1', platform: 'linux', home: '/h', language: 'en' },
    },
  };
  store = createAppStore(makeBridge(port), memo({ 'memory-keeper-project': '/gone' }), 'en-US');
});

describe('the store', () => {
  it('G2 begins with what the engine says, and forgets a project that is gone', async () => {
    expect(store.getState().live).toBeNull();
    await store.getState().refresh();
    expect(store.getState()).toMatchObject({ live: NO_SESSIONS, project: null, liveError: null });
  });

  it('G2 takes every new state as it comes', async () => {
    followEngine(store, makeBridge(port));
    port.tell({ name: 'state', value: { ...NO_SESSIONS, isPaused: true } });
    expect(store.getState().live?.isPaused).toBe(true);
  });

  it('G2 an older answer never replaces what an event has told meanwhile', async () => {
    followEngine(store, makeBridge(port));
    const asked = store.getState().refresh();
    port.tell({ name: 'state', value: { ...NO_SESSIONS, isPaused: true } });
    await asked;
    expect(store.getState().live?.isPaused).toBe(true);
  });

  it('G2 keeps the shell when one answer fails, and says why the sessions are not known', async () => {
    port.answers['sessions.state'] = {
      ok: false,
      message: message('store.noPermission', { path: '/x' }),
      isBug: false,
    };
    await store.getState().refresh();
    expect(store.getState()).toMatchObject({
      live: null,
      projects: [project('/a'), project('/b')],
    });
    expect(store.getState().liveError?.said).toEqual(message('store.noPermission', { path: '/x' }));
  });

  it('G2 shows a refusal as a message and tells a bug from it', async () => {
    const asked = await store.getState().attempt('sessions.pause', { isPaused: true });
    port.answers['sessions.pause'] = {
      ok: false,
      message: bugMessage('x is undefined'),
      isBug: true,
    };
    await store.getState().attempt('sessions.pause', { isPaused: true });
    expect(asked).toBeUndefined();
    expect(store.getState().toasts.map(({ text, tone }) => [tone, text])).toEqual([
      ['error', 'There is no method "sessions.pause"'],
      ['error', 'Internal error: x is undefined'],
    ]);
  });

  it('G6 a bug is told in the language of the window, but for its own words', () => {
    setLanguage('ko');
    store.getState().fail(new BridgeError(bugMessage('x is undefined'), true));
    setLanguage('en');
    expect(store.getState().toasts.map(({ text }) => text)).toEqual(['내부 오류: x is undefined']);
  });

  it('M19 an Undo is not pushed out by messages that offer nothing, and those are seen all the same', () => {
    const undo = { label: 'Undo', run: () => undefined };
    const { toast, fail } = store.getState();
    const texts = () => store.getState().toasts.map(({ text }) => text);
    toast('discarded', undo);
    for (const text of ['1', '2', '3']) toast(text);
    fail(new Error('4'));
    expect(texts()).toEqual(['discarded', '3', expect.stringContaining('4')]);
    for (const text of ['a', 'b', 'c']) toast(text, undo);
    toast('5');
    expect(texts()).toEqual(['a', 'b', 'c', '5']);
  });

  it('G2 long work is over when its call is, also where its end was never told', async () => {
    followEngine(store, makeBridge(port));
    const going = (root: string) =>
      port.tell({
        name: 'work',
        value: { project: root, what: 'rebuild', done: 0, total: 0, isOver: false },
      });
    going('/a');
    going('/b');
    await expect(
      store.getState().doWork('work.run', { project: '/a', what: 'rebuild' }),
    ).rejects.toThrow('api.noMethod');
    expect(store.getState().work.map(({ project: root }) => root)).toEqual(['/b']);
    port.answers['archive.export'] = { ok: true, value: { files: 1 } };
    await store.getState().doWork('archive.export', { project: '/b', target: 't' });
    expect(store.getState().work).toEqual([]);
  });

  it('G3 long work that was going on when the connection was lost is shown again only if it tells', () => {
    followEngine(store, makeBridge(port));
    const tell = (done: number) =>
      port.tell({
        name: 'work',
        value: { project: '/a', what: 'save', done, total: 9, isOver: false },
      });
    tell(1);
    port.connect('lost');
    expect(store.getState().work).toHaveLength(1);
    port.connect('on');
    expect(store.getState().work).toEqual([]);
    tell(5);
    expect(store.getState().work).toMatchObject([{ done: 5 }]);
  });

  it('M19 leaves one Undo for one thing: an older one would take back the wrong change', () => {
    const undo = { label: 'Undo', run: () => undefined };
    for (const text of ['one', 'two']) store.getState().toast(text, undo, 'settings');
    store.getState().toast('three', undo, 'rules');
    expect(store.getState().toasts.map(({ text }) => text)).toEqual(['two', 'three']);
  });

  it('G2 keeps the tab when another project is chosen, but not what was open of the old one', () => {
    store.getState().go({ view: 'memory', tab: 'facts', item: 'd001' });
    store.getState().chooseProject('/b');
    expect(store.getState()).toMatchObject({
      project: '/b',
      place: { view: 'memory', tab: 'facts' },
    });
    expect(store.getState().place.item).toBeUndefined();
  });

  it('G6 changes language and theme at once when the settings change', async () => {
    const setting = (key: string, value: string) => ({ key, value, from: 'user' });
    port.answers['settings.read'] = {
      ok: true,
      value: {
        settings: [setting('app.language', 'ko'), setting('app.theme', 'dark')],
        problems: [],
        canUndo: true,
      },
    };
    await store.getState().refresh();
    expect(store.getState()).toMatchObject({ language: 'ko', theme: 'dark' });
  });

  it('G3 asks for everything again when a lost connection is back', async () => {
    followEngine(store, makeBridge(port));
    port.connect('lost');
    expect(store.getState().connection).toBe('lost');
    const before = port.calls.length;
    port.connect('on');
    expect(port.calls.slice(before)).toContain('sessions.state');
  });

  it('G2 keeps long work until it is over', () => {
    followEngine(store, makeBridge(port));
    const work = { project: '/a', what: 'rebuild' as const, done: 1, total: 4, isOver: false };
    port.tell({ name: 'work', value: work });
    port.tell({ name: 'work', value: { ...work, done: 3 } });
    expect(store.getState().work).toEqual([{ ...work, done: 3 }]);
    port.tell({ name: 'work', value: { ...work, done: 4, isOver: true } });
    expect(store.getState().work).toEqual([]);
  });

  it('G4 knows the plugin as it is after an install, and keeps the old word when one fails', async () => {
    port.answers['plugin.install'] = { ok: true, value: { isInstalled: true } };
    expect(await store.getState().changePlugin('install')).toBe(true);
    expect(store.getState().plugin?.isInstalled).toBe(true);
    expect(await store.getState().changePlugin('uninstall')).toBe(false);
    expect(store.getState()).toMatchObject({ pluginWork: null, plugin: { isInstalled: true } });
  });
});
