import { describe, expect, it } from 'vitest';
import type { PluginStatus } from '../../../core/plugin/plugin-status.ts';
import { pluginState } from './plugin-state.ts';

const WELL: PluginStatus = {
  cli: { path: '/usr/bin/claude', version: '2.1.0' },
  problem: null,
  isInstalled: true,
  isEnabled: true,
  installedVersion: '1.0.0',
  carriedVersion: '1.0.0',
  isOutdated: false,
  isDamaged: false,
  hasMods: true,
  lastSeenAt: null,
  manualSteps: [],
};

describe('what is said of the plugin first', () => {
  it.each([
    ['well', {}],
    ['no-cli', { cli: null, isInstalled: false }],
    ['missing', { isInstalled: false, isEnabled: false }],
    ['disabled', { isEnabled: false }],
    ['outdated', { isOutdated: true }],
    ['damaged', { isDamaged: true, isEnabled: false, isOutdated: true }],
  ] as const)('G4 %s', (state, difference) => {
    expect(pluginState({ ...WELL, ...difference })).toBe(state);
  });
});
