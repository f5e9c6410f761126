/**
 * `npm run soak`: randomised clears of real sessions, many of them. Repeat what failed by its seed
 * and number: `npm run soak -- --seed 7 --from 41 --trials 1`. With `--sabotage
 * idle|pid|stash|save` a part is switched off, and trials must fail.
 */
import { parseArgs } from 'node:util';
import { prepareBed } from '../tests/bed/prepare.ts';
import { Field } from '../tests/trials/field.ts';
import { SABOTAGES, type Sabotage } from '../tests/trials/plan.ts';
import { reportText, runTrials } from '../tests/trials/trials.ts';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000) % 100_000) },
    from: { type: 'string', default: '0' },
    sabotage: { type: 'string' },
  },
});
const sabotage = SABOTAGES.find((name) => name === values.sabotage) satisfies Sabotage | undefined;
if (values.sabotage !== undefined && sabotage === undefined)
  throw new Error(`--sabotage is one of ${SABOTAGES.join(', ')}`);

const tell = (line: string) => void process.stdout.write(`${line}\n`);
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
  const [seed, from, trials] = [Number(values.seed), Number(values.from), Number(values.trials)];
  tell(`seed ${seed}`);
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
  process.exitCode = isAsWanted ? 0 : 1;
} finally {
  await field.close();
}
