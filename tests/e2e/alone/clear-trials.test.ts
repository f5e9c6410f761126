/**
 * Clears at random: six real sessions of two versions in three projects, drafts, stashes, dialogs,
 * views, users who go on meanwhile, forged signals and pids that are used again. `npm run soak`
 * runs many more of them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, pieceOf } from '../../bed/with-pieces.ts';
import { Field } from '../../trials/field.ts';
import { SABOTAGES } from '../../trials/plan.ts';
import { reportText, runTrials } from '../../trials/trials.ts';

const SEED = 5;
/**
 * Another one, and another trial for each: words that stand in L1 already would hide that they were
 * not saved.
 */
const SABOTAGE_SEED = 6;
const TRIALS = 6;

describeWith('clears at random', ['claude', 'claudeWithoutMods', 'tmux'], (paths) => {
  const hasPidChoice = 'path' in pieceOf('pidChoice');
  let field: Field;

  beforeAll(async () => {
    field = await Field.open({ ...paths, hasPidChoice });
  });
  afterAll(() => field?.close());

  it('A2 A3 A5 type into no wrong place, never while a session is not idle, lose no draft and no word', {
    timeout: 600_000,
  }, async () => {
    const report = await runTrials(field, { seed: SEED, trials: TRIALS });
    process.stderr.write(`${reportText(report)}\n`);
    expect(report.failures).toEqual([]);
    expect(report.clears).toBeGreaterThan(TRIALS);
  });

  it.each(SABOTAGES.filter((name) => name !== 'pid' || hasPidChoice))(
    'are judged: without the %s check they fail',
    async (sabotage) => {
      const { failures } = await runTrials(field, {
        seed: SABOTAGE_SEED,
        from: SABOTAGES.indexOf(sabotage),
        trials: 1,
        sabotage,
      });
      expect(failures.join('\n')).toMatch(FOUND[sabotage]);
    },
  );
});

/** What must be noticed. */
const FOUND = {
  idle: /keysOutsideIdle/,
  pid: /wrongTargets: a decoy/,
  stash: /draftsLost/,
  save: /unsavedClears/,
};
