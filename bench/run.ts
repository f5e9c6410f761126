/**
 * `npm run bench`: measures the product's promises, each beside its peer and its physical limit,
 * and prints ratios. Results go to stdout, progress to stderr. A promise that does not hold is
 * told; only `--strict` makes it a failure.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { appFacts } from './app-facts.ts';
import { appGrowth } from './app-growth.ts';
import { appIdle } from './app-idle.ts';
import { appLatency } from './app-latency.ts';
import { appStart } from './app-start.ts';
import { appendLatency } from './append-latency.ts';
import { backfill } from './backfill.ts';
import { builtCliWarning } from './built-cli.ts';
import { clear } from './clear.ts';
import { continuity } from './continuity/bench.ts';
import { edits } from './edits.ts';
import { type Bench, type Given, NotRun, type Result } from './harness.ts';
import { hooks } from './hooks.ts';
import { idleFollow } from './idle-follow.ts';
import { l1Refine } from './l1-refine.ts';
import { mcp } from './mcp.ts';
import { newestUsage } from './newest-usage.ts';
import { resultText, summaryText } from './print.ts';
import { quality } from './quality/bench.ts';
import { realCli } from './real-cli.ts';
import { realTranscripts } from './real-transcripts/bench.ts';
import { redaction } from './redaction.ts';
import { Scene } from './scene.ts';
import { search } from './search.ts';
import { store } from './store.ts';

const BENCHES: Bench[] = [
  ...[newestUsage, idleFollow, appendLatency, realCli, hooks, mcp, store, search, l1Refine, clear],
  ...[appStart, appIdle, appGrowth, appLatency, appFacts, edits],
  ...[redaction, backfill, realTranscripts, continuity, quality],
];

const HELP = `Measures what Memory Keeper promises, each thing beside its peer and its physical limit.

Usage: npm run bench -- [--only <name>]... [--data <folder>] [--list <file>] [--json] [--strict]

      --only <name>   only this one; may be given several times
      --data <folder> transcripts for real-transcripts and continuity (*.jsonl and *.jsonl.gz, in subfolders too),
                      or question sets for quality (QMSum's *.jsonl, LoCoMo's *.json), or transcripts for its facts
      --list <file>   where real-transcripts writes what is to be read by a person, as JSON lines:
                      disagreements about words, redactions, tool calls that are not told; quality: the facts taken
      --json          one JSON document on stdout (npm prints a header there too unless it runs with --silent)
      --strict        exit code 1 if a promise does not hold
      --help          this text

Benchmarks:
${BENCHES.map(({ name, about }) => `  ${name.padEnd(18)}${about}`).join('\n')}

The command line is measured as it was built: run \`npm run build\` first.
`;

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_INTERRUPTED = 130;

interface Options {
  benches: Bench[];
  json: boolean;
  strict: boolean;
  help: boolean;
  given: Given;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      data: { type: 'string' },
      list: { type: 'string' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const names = values.only ?? BENCHES.map(({ name }) => name);
  const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown !== undefined) throw new Error(`there is no benchmark "${unknown}"`);
  const { data, list } = values;
  const benches = BENCHES.filter(({ name }) => names.includes(name));
  return { ...values, benches, given: { data, list } };
}

async function runOne(bench: Bench, given: Given): Promise<{ results: Result[]; failed: boolean }> {
  const scene = new Scene();
  const interrupted = () => {
    process.exitCode = EXIT_INTERRUPTED;
    void scene.end().finally(() => process.exit());
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    return {
      results: await bench.run(scene, (progress) => tell(`${bench.name}: ${progress}`), given),
      failed: false,
    };
  } catch (error) {
    const { message } = error as Error;
    const result = {
      name: `${bench.name}: ${bench.about}`,
      promise: null,
      figures: [],
      ratios: [],
      holds: null,
      notRun: message,
    };
    return { results: [result], failed: !(error instanceof NotRun) };
  } finally {
    await scene.end();
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  }
}

async function main({ benches, given, json, strict }: Options): Promise<void> {
  const warning = await builtCliWarning();
  if (warning !== undefined) tell(warning);
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model,
    platform: process.platform,
    node: process.version,
  };
  const results: Result[] = [];
  for (const bench of benches) {
    const { results: more, failed } = await runOne(bench, given);
    if (process.exitCode === EXIT_INTERRUPTED) return; // what it says now says nothing
    results.push(...more);
    if (failed) process.exitCode = EXIT_FAILED;
    if (!json) process.stdout.write(more.map(resultText).join(''));
  }
  process.stdout.write(
    json
      ? `${JSON.stringify({ machine, warning: warning ?? null, results }, null, 2)}\n`
      : summaryText(results),
  );
  if (strict && results.some(({ holds }) => holds === false)) process.exitCode = EXIT_FAILED;
}

function tell(message: string): void {
  process.stderr.write(`${message}\n`);
}

let options: Options | undefined;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  tell(`bench: ${(error as Error).message.split('. ')[0]}\nSee npm run bench -- --help`);
  process.exitCode = EXIT_USAGE;
}
if (options?.help === true) process.stdout.write(HELP);
else if (options !== undefined) await main(options);
