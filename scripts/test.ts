/**
 * `npm test`: checks style and types, builds, gets what the tests need, runs them all, and ends
 * with one line of figures. Arguments go to vitest: `npm test -- core/store`.
 */
import { execFileSync } from 'node:child_process';
import { startVitest } from 'vitest/node';

const filters = process.argv.slice(2);
if (filters.length === 0) execFileSync('npm', ['run', '--silent', 'lint'], { stdio: 'inherit' });
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const vitest = await startVitest('test', filters, { run: true, watch: false });
const modules = vitest.state.getTestModules();
const states = modules.flatMap((module) =>
  [...module.children.allTests()].map((test) => test.result().state),
);
// A file that cannot be loaded, or a group whose preparation fails, has no failed test; it has
// failed all the same.
const groups = modules.flatMap((module) => [module, ...module.children.allSuites()]);
const groupsFailed = groups.filter((group) => group.errors().length > 0).length;
const otherErrors = vitest.state.getUnhandledErrors().length;
await vitest.close();

const count = (state: string) => states.filter((candidate) => candidate === state).length;
const failed = count('failed') + groupsFailed + otherErrors;
process.stdout.write(
  `\n${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped\n`,
);
process.exit(failed > 0 || count('passed') === 0 ? 1 : Number(process.exitCode ?? 0));
