/**
 * Which settings stand together, and in which order; one that is not named here stands at the end,
 * so that none is ever missing.
 */
import type { SettingView } from '../../../core/usecases/contract.ts';
import type { Bridge } from '../../bridge/bridge.ts';

export const GROUPS = ['app', 'thresholds', 'clear', 'memory', 'models', 'more'] as const;
export type Group = (typeof GROUPS)[number];

const PREFIXES: [Group, readonly string[]][] = [
  ['app', ['app.']],
  ['thresholds', ['thresholds.']],
  ['clear', ['autoClear.', 'compaction.', 'delivery.']],
  ['models', ['models.', 'budget.']],
  [
    'memory',
    [
      'saveInterval',
      'rulesInjectionFrequency',
      'summaryMaxLength',
      'quietStop',
      'enforcement',
      'restore.',
      'recall.',
      'retention.',
      'storage',
      'scopes',
    ],
  ],
];

export function groupOf(key: string): Group {
  return (
    PREFIXES.find(([, starts]) => starts.some((start) => key.startsWith(start)))?.[0] ?? 'more'
  );
}

export function grouped(settings: readonly SettingView[]): [Group, SettingView[]][] {
  return GROUPS.map((group): [Group, SettingView[]] => [
    group,
    settings.filter(({ key }) => groupOf(key) === group),
  ]).filter(([, own]) => own.length > 0);
}

/** A page in the browser is not what starts at login. */
export function settingsFor(host: Bridge['kind'], settings: readonly SettingView[]): SettingView[] {
  return settings.filter(({ key }) => host !== 'browser' || key !== 'app.startAtLogin');
}
