/**
 * The views in the order of the rail and of the keys 1 to 6, each with its picture. Their code is
 * loaded when they are first opened, or before that.
 */
import { Activity, Brain, Gauge, type LucideIcon, Plug, Search, Settings } from 'lucide-react';
import type { ComponentType } from 'react';
import { later } from '../components/later.tsx';
import type { ViewName } from '../store/app-store.ts';
import { EDITOR, PREVIEW } from '../views/memory/markdown/later-parts.ts';
import { SessionsView } from '../views/sessions/sessions-view.tsx';

export const VIEW_ICONS: Record<ViewName, LucideIcon> = {
  sessions: Gauge,
  memory: Brain,
  search: Search,
  activity: Activity,
  plugin: Plug,
  settings: Settings,
};

const memory = later(() =>
  import('../views/memory/memory-view.tsx').then(({ MemoryView }) => MemoryView),
);
const search = later(() =>
  import('../views/search/search-view.tsx').then(({ SearchView }) => SearchView),
);
const activity = later(() =>
  import('../views/activity/activity-view.tsx').then(({ ActivityView }) => ActivityView),
);
const plugin = later(() =>
  import('../views/plugin/plugin-view.tsx').then(({ PluginView }) => PluginView),
);
const settings = later(() =>
  import('../views/settings/settings-view.tsx').then(({ SettingsView }) => SettingsView),
);

export const VIEW_COMPONENTS: Record<ViewName, ComponentType> = {
  sessions: SessionsView,
  memory: memory.Component,
  search: search.Component,
  activity: activity.Component,
  plugin: plugin.Component,
  settings: settings.Component,
};

/** One after the other, what is likely to be opened first before the rest. */
export async function fetchViews(): Promise<void> {
  for (const part of [memory, EDITOR, PREVIEW, activity, search, settings, plugin])
    await part.fetch();
}
