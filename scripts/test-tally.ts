/**
 * Counts what the tests came to. Each file counts as it was run last; a test that failed first and
 * passed then is flaky, and is told with the first line of its error.
 */
import { relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { TestModule } from 'vitest/node';

export interface TestResult {
  name: string;
  state: 'passed' | 'failed' | 'skipped';
  error?: string;
}

export interface FileResult {
  file: string;
  tests: TestResult[];
}

/**
 * A file that cannot be loaded, or a group whose preparation fails, has no failed test; it counts
 * as one. So does an error that nobody caught.
 */
export function resultsOf(
  modules: readonly TestModule[],
  errors: readonly unknown[],
): FileResult[] {
  const results = modules.map((module) => ({
    file: module.moduleId,
    tests: [...groupsOf(module), ...testsOf(module)],
  }));
  for (const error of errors as SerializedError[]) {
    const test = { name: 'an error that nobody caught', state: 'failed', error: firstLine(error) };
    const file = (error.VITEST_TEST_PATH as string | undefined) ?? '';
    const known = results.find((result) => result.file === file);
    if (known === undefined) results.push({ file, tests: [test as TestResult] });
    else known.tests.push(test as TestResult);
  }
  return results;
}

function groupsOf(module: TestModule): TestResult[] {
  return [module, ...module.children.allSuites()].flatMap((group) => {
    const [error] = group.errors();
    if (error === undefined) return [];
    const name = group.type === 'module' ? 'the file' : group.fullName;
    return [{ name, state: 'failed' as const, error: firstLine(error) }];
  });
}

function testsOf(module: TestModule): TestResult[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { state, errors } = test.result();
    if (state === 'pending') return [];
    const error = errors?.[0];
    return [{ name: test.fullName, state, ...(error && { error: firstLine(error) }) }];
  });
}

function firstLine({ message = '' }: { message?: string }): string {
  return message.split('\n')[0] ?? '';
}

export class Tally {
  readonly #results = new Map<string, FileResult>();
  readonly #flaky: { file: string; test: TestResult }[] = [];

  add(results: readonly FileResult[]): void {
    for (const result of results) this.#results.set(result.file, result);
  }

  hasFailed(file: string): boolean {
    return this.#failedIn(file).length > 0;
  }

  /** Of files that failed, run once more. */
  addSecond(results: readonly FileResult[]): void {
    for (const result of results) {
      const failedNow = result.tests.filter(({ state }) => state === 'failed');
      const isMended = (test: TestResult) => failedNow.every(({ name }) => name !== test.name);
      const mended = this.#failedIn(result.file).filter(isMended);
      this.#flaky.push(...mended.map((test) => ({ file: result.file, test })));
      this.#results.set(result.file, result);
    }
  }

  /** Lines about each, or nothing. */
  flakyText(root: string): string {
    if (this.#flaky.length === 0) return '';
    const lines = this.#flaky.map(
      ({ file, test }) => `  ${relative(root, file)} > ${test.name}\n    ${test.error ?? ''}\n`,
    );
    return `flaky, passed at the second try: ${lines.length}\n${lines.join('')}`;
  }

  get counts(): Record<TestResult['state'], number> {
    const tests = [...this.#results.values()].flatMap((result) => result.tests);
    const count = (wanted: string) => tests.filter(({ state }) => state === wanted).length;
    return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  }

  #failedIn(file: string): TestResult[] {
    return this.#results.get(file)?.tests.filter(({ state }) => state === 'failed') ?? [];
  }
}
