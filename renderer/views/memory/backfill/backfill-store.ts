/**
 * The import of past conversations as the window knows it (L1d): what waits, how far an import is,
 * what came of it. It outlives views and dialogs, for the work goes on without them; the engine does
 * it in a thread of its own, and the window only hears of it.
 */
import { create } from 'zustand';
import type {
  BackfillPreview,
  BackfillProgress,
  BackfillResult,
  EngineEvent,
} from '../../../../core/usecases/contract.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../../locale/locale.ts';
import { type AppActions, asBridgeError, type Memo } from '../../../store/app-store.ts';
import {
  type BackfillChoice,
  forgetChoice,
  isPutAway,
  keepChoice,
  keptChoice,
  putAway,
} from './backfill-memo.ts';

export interface BackfillState {
  /** Of everything there is; null: not looked yet. */
  preview: BackfillPreview | null;
  error: BridgeError | null;
  /** Of an import that goes on in this engine, whichever window began it. */
  progress: BackfillProgress | null;
  isStopping: boolean;
  /** Of the import that this window began last, until the user puts it away. */
  result: BackfillResult | null;
  isUndoing: boolean;
  /** The user does not want to be asked. */
  isPutAway: boolean;
  dialog: 'choose' | 'undo' | null;
}

export interface BackfillTools {
  bridge: Pick<Bridge, 'call'>;
  app: Pick<AppActions, 'refresh' | 'toast' | 'fail'>;
  memo: Memo;
}

const FIRST: BackfillState = {
  preview: null,
  error: null,
  progress: null,
  isStopping: false,
  result: null,
  isUndoing: false,
  isPutAway: false,
  dialog: null,
};

export const useBackfill = create<BackfillState>(() => FIRST);
const { setState: set, getState: get } = useBackfill;

/** The progress before the engine has told any. */
const BEGINNING: BackfillProgress = {
  sessionsDone: 0,
  sessionsTotal: 0,
  bytesDone: 0,
  bytesTotal: 0,
  project: '',
  projectName: '',
  isOver: false,
};

let looks = 0;
/** `over`: its answer is here, and the last event is still on its way. */
let ownRun: 'none' | 'going' | 'over' = 'none';
let isLastEventHere = false;

/** Where the window begins. Nobody is made to wait for a look that nobody wants. */
export function beginBackfill(tools: BackfillTools): Promise<void> {
  set({ isPutAway: isPutAway(tools.memo) });
  const isWanted = !get().isPutAway || keptChoice(tools.memo) !== undefined;
  return isWanted ? lookForPast(tools) : Promise.resolve();
}

/** Of several looks the last one counts. */
export async function lookForPast({ bridge }: BackfillTools): Promise<void> {
  const look = ++looks;
  try {
    const preview = await bridge.call('backfill.preview', {});
    if (look === looks) set({ preview, error: null });
  } catch (error) {
    if (look === looks) set({ error: asBridgeError(error) });
  }
}

export async function runBackfill(tools: BackfillTools, choice: BackfillChoice): Promise<void> {
  const { bridge, app, memo } = tools;
  if (get().progress !== null || get().isUndoing) return;
  keepChoice(memo, choice); // a crash must not bring what was left out
  ownRun = 'going';
  isLastEventHere = false;
  looks++; // what an earlier look finds is out of date by then
  set({ progress: BEGINNING, preview: null, result: null, isStopping: false });
  try {
    const result = await bridge.call('backfill.run', choice);
    ownRun = isLastEventHere ? 'none' : 'over';
    if (result.state === 'done') {
      forgetChoice(memo);
      // What the user left out is not offered again.
      if (isRestricted(choice)) stopAsking(tools);
    }
    set({ result });
  } catch (error) {
    ownRun = 'none';
    app.fail(error);
  }
  set({ progress: null, isStopping: false });
  await afterChange(tools);
}

export async function cancelBackfill({ bridge, app }: BackfillTools): Promise<void> {
  set({ isStopping: true });
  try {
    await bridge.call('backfill.cancel', {});
  } catch (error) {
    set({ isStopping: false });
    app.fail(error);
  }
}

export async function undoBackfill(tools: BackfillTools): Promise<void> {
  const { bridge, app, memo } = tools;
  set({ isUndoing: true, dialog: null });
  try {
    const { sessions, kept } = await bridge.call('backfill.undo', {});
    forgetChoice(memo);
    stopAsking(tools); // whoever has just taken it back wants no offer
    set({ result: null });
    const stays = kept > 0 ? ` ${t('backfill.undoneKept', { count: kept })}` : '';
    app.toast(t('backfill.undone', { count: sessions }) + stays);
  } catch (error) {
    app.fail(error);
  }
  set({ isUndoing: false });
  await afterChange(tools);
}

export function putOfferAway(tools: BackfillTools): void {
  stopAsking(tools);
  tools.app.toast(t('backfill.putAway'));
}

/** Events of the engine: of our own import, or of one that another window has begun. */
export function takeBackfillEvent(tools: BackfillTools, event: EngineEvent): void {
  if (event.name !== 'backfill') return;
  const { isOver } = event.value;
  if (ownRun === 'over') {
    // Its answer came on another way, and was quicker than these.
    if (isOver) ownRun = 'none';
    return;
  }
  if (ownRun === 'going') {
    isLastEventHere = isOver;
    // Until the answer is here, it is not over for the user.
    set({ progress: { ...event.value, isOver: false } });
    return;
  }
  set({ progress: isOver ? null : event.value, ...(isOver && { isStopping: false }) });
  if (!isOver) return;
  const show = { label: t('backfill.details'), run: () => set({ dialog: 'choose' }) };
  tools.app.toast(t('backfill.overElsewhere'), show);
  void afterChange(tools);
}

/** What was told before may be out of date, and its end may have gone unheard. */
export function reconnectBackfill(tools: BackfillTools): Promise<void> {
  if (ownRun === 'going' || looks === 0) return Promise.resolve();
  ownRun = 'none';
  set({ progress: null });
  return lookForPast(tools);
}

function stopAsking({ memo }: BackfillTools): void {
  putAway(memo);
  set({ isPutAway: true });
}

async function afterChange(tools: BackfillTools): Promise<void> {
  await Promise.all([tools.app.refresh(), lookForPast(tools)]);
}

function isRestricted({ only = [], except = [], since }: BackfillChoice): boolean {
  return only.length + except.length > 0 || since !== undefined;
}
