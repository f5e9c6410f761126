/**
 * `npm test`: checks style and types, builds, gets what the tests need, runs them all, and ends with one line of figures.
 * Arguments go to vitest: `npm test -- core/store`.
 */
import { execFileSync } from 'node:child_process';
import { startVitest } from 'vitest/node';

const filters = process.argv.slice(2);
if (filters.length === 0) execFileSync('npm', ['run', '--silent', 'lint'], { stdio: 'inherit' });
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const vitest = await startVitest('test', filters, { run: true, watch: false });
const states = vitest.state
  .getTestModules()
  .flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
const modulesFailed = vitest.state.getTestModules().filter((module) => module.errors().length > 0).length;
await vitest.close();

const count = (state: string) => states.filter((candidate) => candidate === state).length;
const failed = count('failed') + modulesFailed + vitest.state.getUnhandledErrors().length;
process.stdout.write(`\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`);
process.exit(failed > 0 || count('passed') === 0 ? 1 : 0);
