/**
 * What the window knows at the moment (G2): a cache of what the engine tells, and what the user is
 * looking at. The engine owns the truth; events replace what is here, actions go through the
 * Bridge, and what fails becomes a message that can be read.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PluginStatus } from '../../core/plugin/plugin-status.ts';
import type {
  About,
  Arguments,
  EngineEvent,
  LiveState,
  Method,
  ProjectSummary,
  Results,
  SettingsView,
  WorkProgress,
} from '../../core/usecases/contract.ts';
import { type Bridge, BridgeError, bugMessage, type Connection } from '../bridge/bridge.ts';
import type { Language } from '../locale/dictionaries.ts';
import { setLanguage } from '../locale/locale.ts';
import { errorText } from '../locale/message-text.ts';
import { languageFrom, type ThemeChoice, themeFrom } from './preferences.ts';

export const VIEWS = ['sessions', 'memory', 'search', 'activity', 'plugin', 'settings'] as const;
export type ViewName = (typeof VIEWS)[number];

/** Where the user is: a view, and inside it what the view itself understands. */
export interface Place {
  view: ViewName;
  tab?: string;
  /** An id, such as a fact's or a concept's. */
  item?: string;
  /** A kept session and an entry of it, for the transcript. */
  session?: string;
  entry?: string;
}

/** Calls that tell how far they are. */
type LongMethod =
  | 'work.run'
  | 'archive.export'
  | 'archive.preview'
  | 'archive.import'
  | 'archive.undo';

export type PluginWork = 'install' | 'update' | 'repair' | 'uninstall';

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'error';
  action?: { label: string; run: () => void } | undefined;
  /**
   * A later message of the same topic takes its place: its Undo would take back the wrong change.
   */
  topic?: string | undefined;
}

export interface AppState {
  about: About | null;
  /** null: not told yet. */
  live: LiveState | null;
  liveError: BridgeError | null;
  projects: ProjectSummary[];
  /** The root of the project that is chosen; null: all of them. */
  project: string | null;
  place: Place;
  /** The user's, for language and theme. */
  settings: SettingsView | null;
  language: Language;
  theme: ThemeChoice;
  connection: Connection;
  toasts: Toast[];
  /** Long work that is going on, one entry for each project and kind. */
  work: WorkProgress[];
  plugin: PluginStatus | null;
  pluginError: BridgeError | null;
  /** What Claude Code is doing with the plugin at the moment. */
  pluginWork: PluginWork | null;
}

export interface AppActions {
  /** Everything that the shell shows, asked for anew. */
  refresh(): Promise<void>;
  go(place: Place): void;
  chooseProject(root: string | null): void;
  toast(text: string, action?: Toast['action'], topic?: string): void;
  /** Shows what went wrong. */
  fail(error: unknown): void;
  dismiss(id: number): void;
  readPlugin(): Promise<void>;
  /** True if it worked; else it was told why not. */
  changePlugin(work: PluginWork): Promise<boolean>;
  /** A call whose failure is shown as a message; undefined if it failed. */
  attempt<M extends Method>(method: M, args: Arguments<M>): Promise<Results[M] | undefined>;
  /**
   * Long work, which is over when its call is, also where nobody could tell so any more. Rejects as
   * the call does.
   */
  doWork<M extends LongMethod>(method: M, args: Arguments<M>): Promise<Results[M]>;
}

export type AppStore = StoreApi<AppState & AppActions>;

/** Where the choice of a project is kept until the next time. */
export type Memo = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PROJECT_KEY = 'memory-keeper-project';
const MOST_TOASTS = 3;

export function createAppStore(bridge: Bridge, memo: Memo, systemLanguage: string): AppStore {
  let nextToast = 1;
  const language = languageFrom(undefined, undefined, systemLanguage);
  setLanguage(language);

  return createStore<AppState & AppActions>()((set, get) => ({
    about: null,
    live: null,
    liveError: null,
    projects: [],
    project: memo.getItem(PROJECT_KEY),
    place: { view: 'sessions' },
    settings: null,
    language,
    theme: 'system',
    connection: 'on',
    toasts: [],
    work: [],
    plugin: null,
    pluginError: null,
    pluginWork: null,

    async refresh() {
      const { live: before } = get();
      const [about, live, projects, settings] = await Promise.allSettled([
        bridge.call('app.about', {}),
        bridge.call('sessions.state', {}),
        bridge.call('projects.list', {}),
        bridge.call('settings.read', {}),
      ]);
      const isOvertaken = get().live !== before; // an event has told something newer meanwhile
      set({
        ...(about.status === 'fulfilled' && { about: about.value }),
        ...(live.status === 'rejected' && { liveError: asBridgeError(live.reason) }),
        ...(live.status === 'fulfilled' && {
          liveError: null,
          ...(!isOvertaken && { live: live.value }),
        }),
        ...(projects.status === 'fulfilled' && withProjects(get(), projects.value)),
        ...(settings.status === 'fulfilled' && { settings: settings.value }),
      });
      set(preferences(get(), systemLanguage));
    },

    go: (place) => set({ place }),

    chooseProject(root) {
      if (root === null) memo.removeItem(PROJECT_KEY);
      else memo.setItem(PROJECT_KEY, root);
      const { view, tab } = get().place;
      set({ project: root, place: { view, ...(tab !== undefined && { tab }) } });
    },

    toast(text, action, topic) {
      const toast: Toast = { id: nextToast++, text, tone: 'plain', action, topic };
      const others = get().toasts.filter((other) => topic === undefined || other.topic !== topic);
      set({ toasts: withRoom([...others, toast]) });
    },

    fail(error) {
      const text = errorText(asBridgeError(error));
      set({ toasts: withRoom([...get().toasts, { id: nextToast++, text, tone: 'error' }]) });
    },

    dismiss: (id) => set({ toasts: get().toasts.filter((toast) => toast.id !== id) }),

    async readPlugin() {
      try {
        set({ plugin: await bridge.call('plugin.status', {}), pluginError: null });
      } catch (error) {
        set({ pluginError: asBridgeError(error) });
      }
    },

    async changePlugin(work) {
      set({ pluginWork: work });
      const plugin = await get().attempt(`plugin.${work}`, {});
      set({ pluginWork: null, ...(plugin !== undefined && { plugin, pluginError: null }) });
      return plugin !== undefined;
    },

    async attempt(method, args) {
      try {
        return await bridge.call(method, args);
      } catch (error) {
        get().fail(error);
        return undefined;
      }
    },

    async doWork(method, args) {
      try {
        return await bridge.call(method, args);
      } finally {
        set({ work: get().work.filter(({ project }) => project !== args.project) });
      }
    },
  }));
}

/** Follows the engine from now on; gives back how to stop. */
export function followEngine(store: AppStore, bridge: Bridge): () => void {
  const stopEvents = bridge.onEvent((event) => takeEvent(store, event));
  const stopConnection = bridge.onConnection((connection) => {
    const before = store.getState().connection;
    store.setState({ connection });
    if (connection !== 'on' || before !== 'lost') return;
    store.setState({ work: [] }); // its end may have gone unheard; what still goes on tells again
    void store.getState().refresh();
  });
  void store.getState().refresh();
  return () => {
    stopEvents();
    stopConnection();
  };
}

function takeEvent(store: AppStore, event: EngineEvent): void {
  const { live, attempt, refresh } = store.getState();
  if (event.name === 'state') {
    store.setState({ live: event.value, liveError: null });
    if (rootsOf(live) !== rootsOf(event.value))
      void attempt('projects.list', {}).then(
        (list) => list && store.setState(withProjects(store.getState(), list)),
      );
  } else if (event.name === 'settings') void refresh();
  else if (event.name === 'work')
    store.setState({ work: withWork(store.getState().work, event.value) });
}

/** A session that begins or ends may bring a project, and changes its count. */
function rootsOf(live: LiveState | null): string {
  return (live?.sessions ?? [])
    .map(({ projectRoot }) => projectRoot)
    .sort()
    .join('\n');
}

/** A project that is gone is chosen no longer. */
function withProjects(state: AppState, projects: ProjectSummary[]): Partial<AppState> {
  const isThere = state.project === null || projects.some(({ root }) => root === state.project);
  return { projects, ...(!isThere && { project: null }) };
}

/**
 * Too many make room, the oldest first: those that offer Undo only for newer ones that do. The
 * newest is always seen.
 */
function withRoom(toasts: readonly Toast[]): Toast[] {
  const offering = toasts.filter(({ action }) => action !== undefined).slice(-MOST_TOASTS);
  const others = toasts
    .filter(({ action }) => action === undefined)
    .slice(-Math.max(1, MOST_TOASTS - offering.length));
  return toasts.filter((toast) => offering.includes(toast) || others.includes(toast));
}

function withWork(work: readonly WorkProgress[], news: WorkProgress): WorkProgress[] {
  const others = work.filter(({ project, what }) => project !== news.project || what !== news.what);
  return news.isOver ? others : [...others, news];
}

function preferences({ settings, about }: AppState, systemLanguage: string): Partial<AppState> {
  const value = (key: string) => settings?.settings.find((setting) => setting.key === key)?.value;
  const language = languageFrom(value('app.language'), about?.language, systemLanguage);
  setLanguage(language);
  return { language, theme: themeFrom(value('app.theme')) };
}

export function asBridgeError(error: unknown): BridgeError {
  if (error instanceof BridgeError) return error;
  return new BridgeError(bugMessage(error), true);
}
