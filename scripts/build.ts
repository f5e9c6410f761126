/** Builds everything into dist/: the command line as one file that needs nothing beside it but Node. */
import { chmod, rm } from 'node:fs/promises';
import { build } from 'rolldown';

await rm('dist', { recursive: true, force: true });
await build({
  input: 'cli/memory-keeper.ts',
  platform: 'node',
  output: { file: 'dist/cli/memory-keeper.js', format: 'esm', minify: false },
  transform: { target: 'node20.19' },
  logLevel: 'warn',
});
await chmod('dist/cli/memory-keeper.js', 0o755);
