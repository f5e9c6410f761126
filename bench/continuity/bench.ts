/**
 * What comes back after a clear (K1), measured on real compactions in the transcripts given by
 * `--data`: of the names that the work needed afterwards and of what the user had asked before, how
 * much does the briefing hold? Beside it: Claude Code's own summary, and the plain end of the
 * conversation. The after part was made from that summary, so the comparison leans towards it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readL1, saveL1 } from '../../core/memory/log/l1-store.ts';
import { composeBriefing } from '../../core/memory/restore/briefing.ts';
import { memoryAt } from '../../tests/bed/recorded-work.ts';
import { type Bench, type Figure, figure, NotRun, type Ratio, type Result } from '../harness.ts';
import { corpusIn } from '../real-transcripts/corpus.ts';
import type { Scene } from '../scene.ts';
import { type Cut, cutsIn } from './cuts.ts';
import { namesAmongWords } from './names.ts';
import { carriedShare } from './requests.ts';

/** The curve of how much more a larger budget brings. */
const BUDGETS = [5000, 10_000, 12_500, 20_000, 40_000];
const DEFAULT_BUDGET = 20_000;
const SAME_ROOM = 12_500;
const LEAST_NEEDED = 0.65;
const LEAST_ASKED = 0.95;
const LEAST_OVER_SUMMARY = 1.3;
const END_CHARS = [10_000, 20_000];

interface Case extends Cut {
  briefings: Map<number, string>;
}

export const continuity: Bench = {
  name: 'continuity',
  about: 'what a briefing holds of what the work needs after real compactions, given by --data',
  promise: `with ${DEFAULT_BUDGET} characters at least ${100 * LEAST_NEEDED} % of what is needed`,
  async run(scene, tell, { data }) {
    if (data === undefined) throw new NotRun('it needs a folder with transcripts: --data <folder>');
    const cuts = corpusIn(data, scene).flatMap(({ path }) => cutsIn(path));
    if (cuts.length === 0) throw new NotRun('no transcript in the folder was compacted');
    tell(`briefing after ${cuts.length} compactions`);
    return results(cuts.map((cut, index) => briefed(cut, index, scene)));
  },
};

/** As the hooks do it: the conversation is kept, then the next session gets its briefing. */
function briefed(cut: Cut, index: number, scene: Scene): Case {
  const project = join(scene.folder(), `project-${index}`);
  mkdirSync(project);
  const transcript = join(project, '..', 'transcript.jsonl');
  writeFileSync(transcript, `${cut.lines.join('\n')}\n`);
  const saved = saveL1(memoryAt(project), { sessionId: 'session', transcript }, { isOver: true });
  const work = saved === undefined || saved.file === '' ? [] : readL1(saved.file);
  const sources = { projectName: 'project', work, memory: undefined };
  const texts = BUDGETS.map((budget) => composeBriefing(sources, budget).join('\n'));
  return { ...cut, briefings: new Map(BUDGETS.map((budget, at) => [budget, texts[at] ?? ''])) };
}

type TextOf = (cut: Case) => string;
type Measure = (cut: Case, text: string) => number;

const needed: Measure = (cut, text) => {
  const names = namesAmongWords(text);
  return [...cut.needed].filter((name) => names.has(name)).length / cut.needed.size;
};
const asked: Measure = (cut, text) => carriedShare(cut.requests, text);

const withBudget =
  (budget: number): TextOf =>
  ({ briefings }) =>
    briefings.get(budget) ?? '';
const summaryOf: TextOf = ({ summary }) => summary;
const endOf =
  (chars: number): TextOf =>
  ({ said }) =>
    said.join('\n').slice(-chars);

function results(cases: readonly Case[]): Result[] {
  const mean = (of: Measure, textOf: TextOf) =>
    cases.reduce((sum, cut) => sum + of(cut, textOf(cut)), 0) / cases.length;
  const percent = (name: string, role: Figure['role'], of: Measure, textOf: TextOf) =>
    figure(name, role, '%', [100 * mean(of, textOf)]);
  const all = (of: Measure) => [
    ...BUDGETS.map((chars) => percent(briefingOf(chars), 'product', of, withBudget(chars))),
    percent("Claude Code's own summary", 'peer', of, summaryOf),
    ...END_CHARS.map((chars) =>
      percent(`the last ${chars} characters of the conversation`, 'peer', of, endOf(chars)),
    ),
  ];
  const longest = Math.max(...cases.map((cut) => withBudget(DEFAULT_BUDGET)(cut).length));
  const overSummary = (of: Measure) => mean(of, withBudget(SAME_ROOM)) / mean(of, summaryOf);
  const asOverSummary = (of: Measure): Ratio[] => [
    { name: `${briefingOf(SAME_ROOM)} ÷ Claude Code's own summary`, value: overSummary(of) },
  ];
  return [
    {
      name: `continuity: of the names needed after ${cases.length} real compactions`,
      promise: `at least ${100 * LEAST_NEEDED} % in ${longest} characters at most, and ${LEAST_OVER_SUMMARY} × the summary in ${SAME_ROOM}`,
      figures: all(needed),
      ratios: asOverSummary(needed),
      holds:
        mean(needed, withBudget(DEFAULT_BUDGET)) >= LEAST_NEEDED &&
        longest <= DEFAULT_BUDGET &&
        overSummary(needed) >= LEAST_OVER_SUMMARY,
    },
    {
      name: 'continuity: of what the user had asked for',
      promise: `at least ${100 * LEAST_ASKED} %, and more than the summary in ${SAME_ROOM} characters`,
      figures: all(asked),
      ratios: asOverSummary(asked),
      holds: mean(asked, withBudget(DEFAULT_BUDGET)) >= LEAST_ASKED && overSummary(asked) > 1,
    },
  ];
}

const briefingOf = (chars: number): string => `a briefing of at most ${chars} characters`;
