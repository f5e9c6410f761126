import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/bed/longest-first.ts';

/**
 * Tests with the real CLI, terminals and browsers mostly wait, so that several files run beside
 * each other even on two cores.
 */
const E2E_WORKERS = 6;
/** Only ends what hangs; no test asserts a time. */
const PATIENCE = { testTimeout: 240_000, hookTimeout: 240_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{core,cli,electron,renderer,hooks-plugin,scripts,tests}/**/*.test.{ts,tsx}'],
          exclude: ['tests/e2e/**'],
          sequence: { groupOrder: 0 },
          maxWorkers: '100%',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/*.test.ts'],
          sequence: { groupOrder: 1 },
          maxWorkers: E2E_WORKERS,
          ...PATIENCE,
        },
      },
      {
        // What needs the machine for itself.
        test: {
          name: 'alone',
          include: ['tests/e2e/alone/*.test.ts'],
          sequence: { groupOrder: 2 },
          maxWorkers: 1,
          ...PATIENCE,
        },
      },
      {
        // Versions of Claude Code between the oldest and the newest: `npm run test:versions`.
        test: {
          name: 'versions',
          include: ['tests/e2e/versions/*.test.ts'],
          sequence: { groupOrder: 3 },
          maxWorkers: E2E_WORKERS,
          ...PATIENCE,
        },
      },
      {
        // Thousands of hooks at once: `npm run test:storm`.
        test: {
          name: 'storm',
          include: ['tests/e2e/storm/*.test.ts'],
          sequence: { groupOrder: 4 },
          maxWorkers: 1,
          ...PATIENCE,
        },
      },
      {
        // claude.exe and node.exe under Wine: `npm run test:windows`.
        test: {
          name: 'windows',
          include: ['tests/e2e/windows/*.test.ts'],
          sequence: { groupOrder: 5 },
          maxWorkers: 2,
          ...PATIENCE,
        },
      },
    ],
  },
});
