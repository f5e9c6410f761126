/** Vitest runs this once before all tests; the tests get the result by `inject('bed')`. */
import type { TestProject } from 'vitest/node';
import { type Bed, prepareBed } from './prepare.ts';

declare module 'vitest' {
  interface ProvidedContext {
    bed: Bed;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide(
    'bed',
    await prepareBed((message) => process.stderr.write(`test bed: ${message}\n`)),
  );
}
