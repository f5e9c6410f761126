/**
 * The import of past conversations in the window (L1d): it goes on without the dialog, its end is
 * told once, and what the user left out or put away stays so.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BackfillProgress, EngineEvent, Method } from '../../../../core/usecases/contract.ts';
import { message } from '../../../../core/usecases/messages.ts';
import { type Bridge, BridgeError } from '../../../bridge/bridge.ts';
import { setLanguage } from '../../../locale/locale.ts';
import { keptChoice } from './backfill-memo.ts';
import {
  type BackfillTools,
  beginBackfill,
  cancelBackfill,
  lookForPast,
  putOfferAway,
  runBackfill,
  takeBackfillEvent,
  undoBackfill,
  useBackfill,
} from './backfill-store.ts';
import { isOffered } from './backfill-words.ts';
import { madePreview, madeResult } from './made-backfill.ts';

/** An engine whose answers come when the test says so, and a window that remembers what it was told. */
class Scene {
  readonly calls: [Method, unknown][] = [];
  readonly toasts: string[] = [];
  readonly failures: string[] = [];
  readonly kept = new Map<string, string>();
  readonly tools: BackfillTools;
  refreshes = 0;
  answers: Partial<Record<Method, unknown>> = { 'backfill.preview': madePreview() };
  #waiting: ((answer: unknown) => void)[] = [];

  constructor() {
    this.tools = {
      bridge: { call: (method, args) => this.#call(method, args) } as Pick<Bridge, 'call'>,
      app: {
        refresh: async () => void this.refreshes++,
        toast: (text) => void this.toasts.push(text),
        fail: (error) => void this.failures.push((error as BridgeError).said.code),
      },
      memo: {
        getItem: (key) => this.kept.get(key) ?? null,
        setItem: (key, value) => void this.kept.set(key, value),
        removeItem: (key) => void this.kept.delete(key),
      },
    };
  }

  async #call(method: Method, args: unknown): Promise<never> {
    this.calls.push([method, args]);
    const answer = this.answers[method] ?? (await new Promise((tell) => this.#waiting.push(tell)));
    if (answer instanceof Error) throw answer;
    return answer as never;
  }

  answer(value: unknown): void {
    this.#waiting.shift()?.(value);
  }

  tell(progress: Partial<BackfillProgress>): void {
    const value = { ...PROGRESS, ...progress };
    takeBackfillEvent(this.tools, { name: 'backfill', value } satisfies EngineEvent);
  }
}

const PROGRESS: BackfillProgress = {
  sessionsDone: 3,
  sessionsTotal: 10,
  bytesDone: 300,
  bytesTotal: 1000,
  project: '/work/boat',
  projectName: 'boat',
  isOver: false,
};
const state = () => useBackfill.getState();
const refused = () => new BridgeError(message('backfill.alreadyRunning', { pid: '42' }), false);

let scene: Scene;
beforeEach(() => {
  setLanguage('en');
  useBackfill.setState(useBackfill.getInitialState(), true);
  scene = new Scene();
});

describe('an import that goes on', () => {
  it('L1d shows how far it is until its result is here, also where the last event comes first', async () => {
    const run = runBackfill(scene.tools, {});
    expect(state().progress).toMatchObject({ sessionsTotal: 0 });
    scene.tell({});
    expect(state().progress).toMatchObject({ sessionsDone: 3 });
    scene.tell({ sessionsDone: 10, isOver: true });
    expect(state().progress).toMatchObject({ sessionsDone: 10 });
    scene.answer(madeResult());
    await run;
    expect([state().progress, state().result?.sessions]).toEqual([null, 10]);
    expect([scene.refreshes, scene.toasts]).toEqual([1, []]);
  });

  it('L1d is over with its answer: events that come later begin nothing anew', async () => {
    const run = runBackfill(scene.tools, {});
    scene.answer(madeResult());
    await run;
    scene.tell({});
    scene.tell({ isOver: true });
    expect([state().progress, scene.toasts]).toEqual([null, []]);
    scene.tell({}); // of another window
    expect(state().progress).not.toBeNull();
    scene.tell({ isOver: true });
  });

  it('L1d of another window is followed, and its end is told', async () => {
    await lookForPast(scene.tools);
    scene.tell({});
    expect(state().progress).toMatchObject({ projectName: 'boat' });
    scene.tell({ isOver: true });
    expect([state().progress, scene.toasts.length, scene.refreshes]).toEqual([null, 1, 1]);
  });

  it('L1d is begun once, however often it is clicked', async () => {
    const run = runBackfill(scene.tools, {});
    await runBackfill(scene.tools, {});
    scene.answer(madeResult());
    await run;
    expect(scene.calls.filter(([method]) => method === 'backfill.run')).toHaveLength(1);
  });

  it('L1d that is refused says why, and what waits is looked for again', async () => {
    scene.answers['backfill.run'] = refused();
    await runBackfill(scene.tools, {});
    expect([scene.failures, state().progress]).toEqual([['backfill.alreadyRunning'], null]);
    expect(state().preview?.sessions).toBe(10);
  });

  it('L1d that cannot be cancelled can be tried again', async () => {
    scene.answers['backfill.cancel'] = refused();
    await cancelBackfill(scene.tools);
    expect([scene.failures, state().isStopping]).toEqual([['backfill.alreadyRunning'], false]);
  });
});

describe('what the user has left out', () => {
  it('L1d stays out when an import goes on later, and is forgotten when it is done', async () => {
    const choice = { only: ['/work/boat'], since: '2026-05-12T00:00:00.000Z' };
    scene.answers['backfill.run'] = madeResult({ state: 'cancelled', sessions: 4, left: 6 });
    await runBackfill(scene.tools, choice);
    expect(keptChoice(scene.tools.memo)).toEqual(choice);
    scene.answers['backfill.run'] = madeResult();
    await runBackfill(scene.tools, choice);
    expect(keptChoice(scene.tools.memo)).toBeUndefined();
  });

  it('L1d is not offered again', async () => {
    scene.answers['backfill.run'] = madeResult();
    await runBackfill(scene.tools, { only: ['/work/boat'] });
    useBackfill.setState({ result: null });
    expect(isOffered(state(), 'memory')).toBe(false);
  });

  it.each(['{ broken', '{"only":[1]}', '"text"', '{"since":7}'])(
    'L1d is asked again where it cannot be read: %s',
    (text) => {
      scene.kept.set('memory-keeper-backfill-choice', text);
      expect(keptChoice(scene.tools.memo)).toBeUndefined();
    },
  );
});

describe('the offer', () => {
  it('L1d that was put away stays away, and nothing is looked for when the window opens', async () => {
    await beginBackfill(scene.tools);
    expect(isOffered(state(), 'first')).toBe(true);
    putOfferAway(scene.tools);
    expect([isOffered(state(), 'first'), isOffered(state(), 'memory')]).toEqual([false, false]);
    scene.calls.length = 0;
    await beginBackfill(scene.tools);
    expect([scene.calls, state().isPutAway]).toEqual([[], true]);
  });

  it('L1d of an import that did not end is looked for, whatever was put away', async () => {
    putOfferAway(scene.tools);
    const run = runBackfill(scene.tools, {});
    await beginBackfill(scene.tools);
    expect(scene.calls.map(([method]) => method)).toContain('backfill.preview');
    scene.answer(madeResult());
    await run;
  });

  it('L1d does not come back after an undo', async () => {
    scene.answers['backfill.undo'] = { id: 'x', sessions: 9, bytes: 1, projects: [], kept: 1 };
    useBackfill.setState({ result: madeResult(), dialog: 'undo' });
    await undoBackfill(scene.tools);
    expect(scene.toasts).toEqual([
      'Import undone: 9 conversations moved to the trash. 1 went on after the import and stays.',
    ]);
    expect(state()).toMatchObject({ result: null, dialog: null, isUndoing: false });
    expect(isOffered(state(), 'first')).toBe(false);
  });
});
