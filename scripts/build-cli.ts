/** Builds the command line as one file that needs nothing beside it but Node. */
import { build } from 'rolldown';

export async function buildCli(file: string): Promise<void> {
  await build({
    cwd: `${import.meta.dirname}/..`,
    input: 'cli/memory-keeper.ts',
    platform: 'node',
    output: { file, format: 'esm', codeSplitting: false },
    transform: { target: 'node20.19' },
    logLevel: 'warn',
  });
}
