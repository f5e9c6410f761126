/**
 * `npm test`: checks style and types, builds, gets what the tests need, runs them all, and ends
 * with one line of figures. `npm test -- core/platform/store` runs the files whose path has these letters,
 * and gets only what they need. A file with the bed that fails is tried once more by itself; what
 * passes then is told as flaky. `--no-retry` switches that off, `-t` chooses tests by their names,
 * `--times` tells which files took longest, and `--project versions` runs what is no part of
 * `npm test`.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { piecesNamedIn, prepareBed } from '../tests/bed/prepare.ts';
import { tempInMemory } from './temp-in-memory.ts';
import { type FileResult, resultsOf, Tally } from './test-tally.ts';

const PROJECTS = ['unit', 'e2e', 'alone'];
const WITHOUT_BED = 'unit';

const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    retry: { type: 'boolean', default: true },
    times: { type: 'boolean', default: false },
    project: { type: 'string', multiple: true },
    testNamePattern: { type: 'string', short: 't' },
  },
});

const projects = values.project ?? PROJECTS;

const tell = (text: string) => void process.stderr.write(`${text}\n`);
const began = Date.now();
const times: string[] = [];
/** How long each file took, in the order in which they were run. */
const files: { file: string; ms: number }[] = [];
const SLOWEST = 20;

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const result = await work();
  times.push(`${what} ${seconds(Date.now() - start)}`);
  return result;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

async function npmRun(script: string): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', script], {
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  }).catch((error: Error & { stdout: string; stderr: string }) => {
    process.stderr.write(`${error.stdout}${error.stderr}npm run ${script} failed\n`);
    process.exit(1);
  });
  process.stderr.write(stdout + stderr);
}

/** What the files of these tests name, and nothing else. */
function preparedBed(specifications: readonly TestSpecification[]) {
  const files = specifications
    .filter(({ project }) => project.name !== WITHOUT_BED)
    .map(({ moduleId }) => moduleId);
  return prepareBed(piecesNamedIn(files), (message) => tell(`test bed: ${message}`));
}

async function run(vitest: Vitest, specifications: TestSpecification[]): Promise<FileResult[]> {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const asked = new Set(specifications.map(({ moduleId }) => moduleId));
  const ran = testModules.filter(({ moduleId }) => asked.has(moduleId));
  for (const module of ran)
    files.push({ file: module.relativeModuleId, ms: module.diagnostic().duration });
  return resultsOf(ran, unhandledErrors);
}

/** Vitest leaves a token in the user's folder for data; here that is a part of the checkout. */
async function openVitest(): Promise<Vitest> {
  const { XDG_DATA_HOME: own } = process.env;
  process.env.XDG_DATA_HOME = resolve('node_modules/.cache');
  try {
    return await createVitest('test', {
      run: true,
      watch: false,
      ...(values.testNamePattern !== undefined && { testNamePattern: values.testNamePattern }),
    });
  } finally {
    if (own === undefined) delete process.env.XDG_DATA_HOME;
    else process.env.XDG_DATA_HOME = own;
  }
}

if (process.env.TMPDIR === undefined) {
  const temp = tempInMemory();
  if (temp !== undefined) process.env.TMPDIR = temp;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}
const vitest = await openVitest();
const specifications = (await vitest.globTestSpecifications(filters)).filter(({ project }) =>
  projects.includes(project.name),
);
const of = (project: string) => specifications.filter((one) => one.project.name === project);

const isWhole = filters.length === 0 && values.project === undefined;
// Fetching mostly waits for the network, so that the rest goes on meanwhile.
const bed = timed('bed', () => preparedBed(specifications));
bed.catch(() => undefined); // told when it is waited for
await Promise.all([
  ...(isWhole ? [timed('lint', () => npmRun('lint'))] : []),
  timed('build', () => npmRun('build')),
]);

const tally = new Tally();
await vitest.standalone();
for (const project of projects) {
  const chosen = of(project);
  if (chosen.length === 0) continue;
  if (project !== WITHOUT_BED) vitest.provide('bed', await bed);
  tally.add(await timed(project, () => run(vitest, chosen)));
}
const again = specifications.filter(
  ({ moduleId, project }) => project.name !== WITHOUT_BED && tally.hasFailed(moduleId),
);
if (values.retry && again.length > 0) {
  tell(`\n${again.length} files with failures are tried once more, one at a time`);
  await timed('second try', async () => {
    for (const one of again) tally.addSecond(await run(vitest, [one]));
  });
}
await vitest.close();

if (values.times) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  for (const { file, ms } of slowest) process.stdout.write(`${seconds(ms).padStart(6)}  ${file}\n`);
}
process.stdout.write(`\n${tally.flakyText(process.cwd())}`);
process.stdout.write(`${times.join(', ')}; ${seconds(Date.now() - began)} in all\n`);
const { passed, failed, skipped } = tally.counts;
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
