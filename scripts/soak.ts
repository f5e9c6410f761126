/**
 * `npm run soak`: what takes long by nature. Processes that write are killed at random moments
 * (`kills`), random tests get many more rounds (`rounds`), and real sessions are compacted
 * (`compactions`) and cleared (`clears`) at random; `--only` chooses one. Repeat a clear that failed by its seed and number:
 * `npm run soak -- --only clears --seed 7 --from 41 --trials 1`. With `--sabotage
 * idle|pid|stash|save` a part is switched off, and trials must fail.
 */
import { parseArgs } from 'node:util';
import { prepareBed } from '../tests/bed/prepare.ts';
import { killSweep } from '../tests/soak/kill-sweep.ts';
import { randomRounds } from '../tests/soak/random-rounds.ts';
import { compactionReportText, runCompactions } from '../tests/trials/compactions.ts';
import { Field } from '../tests/trials/field.ts';
import { SABOTAGES, type Sabotage } from '../tests/trials/plan.ts';
import { reportText, runTrials } from '../tests/trials/trials.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 100_000) },
    from: { type: 'string', default: '0' },
    sabotage: { type: 'string' },
    only: { type: 'string' },
    /** Compactions at once. */
    parallel: { type: 'string', default: '2' },
  },
});
const PARTS = ['kills', 'rounds', 'compactions', 'clears'];
const ROUNDS = 10;
if (values.only !== undefined && !PARTS.includes(values.only))
  throw new Error(`--only is one of ${PARTS.join(', ')}`);
const sabotage = SABOTAGES.find((name) => name === values.sabotage) satisfies Sabotage | undefined;
if (values.sabotage !== undefined && sabotage === undefined)
  throw new Error(`--sabotage is one of ${SABOTAGES.join(', ')}`);

const tell = (line: string) => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
tell(`seed ${seed}`);
const isWanted = (part: string) =>
  values.only === undefined ? sabotage === undefined || part === 'clears' : values.only === part;
if (isWanted('kills')) await killSweep({ seed, tell });
if (isWanted('rounds')) await randomRounds({ seed, rounds: ROUNDS });
if (isWanted('compactions')) await compact();
if (!isWanted('clears')) process.exit();

const { claude, claudeWithoutMods, tmux, pidChoice } = await prepareBed(
  ['claude', 'claudeWithoutMods', 'tmux', 'pidChoice'],
  tell,
);
for (const piece of [claude, claudeWithoutMods, tmux])
  if ('missing' in piece) throw new Error(piece.missing);
const pathOf = (piece: typeof claude) => ('path' in piece ? piece.path : '');
const pieces = {
  claude: pathOf(claude),
  claudeWithoutMods: pathOf(claudeWithoutMods),
  hasPidChoice: 'path' in pidChoice,
};
let field = await Field.open(pieces);
const openAnew = async (): Promise<Field> => {
  await field.close();
  field = await Field.open(pieces);
  return field;
};
try {
  const [from, trials] = [Number(values.from), Number(values.trials)];
  const began = Date.now();
  const report = await runTrials(field, { seed, from, trials, sabotage, tell, openAnew });
  tell(`\n${reportText(report)}\n${((Date.now() - began) / trials / 1000).toFixed(1)} s a trial`);
  const isAsWanted = (sabotage === undefined) === (report.failures.length === 0);
  if (sabotage !== undefined)
    tell(
      isAsWanted
        ? `noticed: ${sabotage} is switched off`
        : `NOT noticed: ${sabotage} is switched off`,
    );
  if (!isAsWanted) process.exitCode = 1;
} finally {
  await field.close();
}

async function compact(): Promise<void> {
  const { claude: cli } = await prepareBed(['claude'], tell);
  if ('missing' in cli) throw new Error(cli.missing);
  const from = Number(values.from);
  const trials = Number(values.trials);
  const parallel = Number(values.parallel);
  const report = await runCompactions({ binary: cli.path, seed, from, trials, parallel, tell });
  tell(`\n${compactionReportText(report)}\n`);
  if (report.failures.length > 0) process.exitCode = 1;
}
