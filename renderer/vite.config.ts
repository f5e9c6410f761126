/**
 * The window's build: plain files that load from anywhere, with no inline script, so that a strict
 * policy holds in both hosts (G3).
 */
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // Fonts and pictures as data: addresses would need a looser policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The window, and the small one that announces a clear.
      input: [`${import.meta.dirname}/index.html`, `${import.meta.dirname}/countdown/index.html`],
      // Libraries mark files for React's server; there is none here.
      onLog: (level, log, handle) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handle(level, log),
    },
    chunkSizeWarningLimit: 1500,
  },
});
