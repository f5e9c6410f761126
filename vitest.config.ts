import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{core,cli,electron,renderer,hooks-plugin,scripts,tests}/**/*.test.{ts,tsx}'],
    globalSetup: ['tests/bed/global-setup.ts'],
    // Only ends what hangs; no test asserts a time. The real CLI on a busy machine with two cores needs patience.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
