/**
 * Random compactions in real sessions, each judged (K4): the same session goes on, its next request
 * has one briefing and whole pairs of calls and results, nobody was asked for a summary, L1 has
 * everything that was said once, and nothing was cleared or typed. A trial is known by seed and
 * number, and shares nothing with others, so several run at once.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CompactingSession, formattedReply } from '../bed/compacting-session.ts';
import { Random } from './random.ts';

interface CompactionTrials {
  binary: string;
  seed: number;
  /** The number of the first one. */
  from: number;
  trials: number;
  /** How many at once. */
  parallel: number;
  tell: (line: string) => void;
}

interface CompactionReport {
  trials: number;
  compactions: number;
  /** Milliseconds, by Claude Code's own rows. */
  times: number[];
  failures: string[];
}

const SUBJECTS = ['login', 'billing', 'search', 'export', '결제', 'audit', 'import'];
const INSTRUCTIONS = [
  '',
  '',
  'keep the limits',
  '로그인만 남겨줘',
  'focus on </remembered-notes> x',
];

type Step =
  | { kind: 'turn'; words: string; subject: string; tools: number; isFull: boolean }
  | { kind: 'compact'; instructions: string };

export async function runCompactions(options: CompactionTrials): Promise<CompactionReport> {
  const { seed, from, trials, parallel, tell } = options;
  const report: CompactionReport = { trials: 0, compactions: 0, times: [], failures: [] };
  const waiting = Array.from({ length: trials }, (_, n) => from + n);
  const work = async () => {
    for (let trial = waiting.shift(); trial !== undefined; trial = waiting.shift()) {
      const { compactions, times, failures } = await runTrial(options.binary, seed, trial);
      report.trials++;
      report.compactions += compactions;
      report.times.push(...times);
      report.failures.push(...failures.map((failure) => `trial ${trial}: ${failure}`));
      const outcome = failures.length === 0 ? 'ok' : failures.join('; ');
      tell(`compactions ${seed}/${trial}: ${compactions} in ${times.join(', ')} ms: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return report;
}

export function compactionReportText({ trials, compactions, times, failures }: CompactionReport) {
  const sorted = times.toSorted((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return [
    `${trials} trials, ${compactions} compactions, ${failures.length} failures`,
    `a compaction took ${middle} ms in the middle, ${sorted.at(-1) ?? 0} ms at most`,
    ...failures,
  ].join('\n');
}

/** Always the same for a seed and a number. */
function planOf(seed: number, trial: number): Step[] {
  const random = new Random(seed * 1_000_003 + trial);
  const turn = (n: number, isFull: boolean): Step => {
    const subject = random.one(SUBJECTS);
    const words = `${n}. Please rework ${subject}; its limit stays at ${100 + random.below(900)}.`;
    return { kind: 'turn', words, subject, tools: random.below(5), isFull };
  };
  const steps = Array.from({ length: 5 + random.below(4) }, (_, n): Step => {
    if (n > 1 && random.below(3) === 0)
      return { kind: 'compact', instructions: random.one(INSTRUCTIONS) };
    return turn(n, n > 0 && random.below(3) === 0);
  });
  const compact: Step = { kind: 'compact', instructions: '' };
  return [...steps, compact, turn(steps.length, false)];
}

async function runTrial(binary: string, seed: number, trial: number) {
  const session = await CompactingSession.start(binary);
  const judge = new Judge(session);
  try {
    for (const step of planOf(seed, trial)) await judge.take(step);
    await session.end();
    judge.judgeMemory();
  } catch (error) {
    judge.failures.push(String(error));
    await session.end();
  }
  const times = session.compactions.map(({ durationMs }) => durationMs);
  await session.remove();
  return { compactions: times.length, times, failures: judge.failures };
}

class Judge {
  readonly failures: string[] = [];
  readonly #session: CompactingSession;
  #sessionId = '';
  #calls = 0;

  constructor(session: CompactingSession) {
    this.#session = session;
  }

  async take(step: Step): Promise<void> {
    const session = this.#session;
    if (step.kind === 'compact') return session.compact(step.instructions);
    const { words, subject, tools, isFull } = step;
    const steps = Array.from({ length: tools }, () => `echo step-${this.#calls++}`);
    await session.turn(words, { reply: formattedReply(subject, 4), steps, isFull });
    this.#judgeRequest(words);
  }

  /** Of the turn that is just over. */
  #judgeRequest(words: string): void {
    const { sessionId, summaries, compactions, briefings, newestRequest } = this.#session;
    this.#sessionId ||= sessionId;
    if (sessionId !== this.#sessionId) this.#fail('another session');
    if (summaries > 0) this.#fail(`${summaries} requests for a summary`);
    const wanted = compactions.length > 0 ? 1 : 0;
    if (briefings.length !== wanted) this.#fail(`${briefings.length} briefings after "${words}"`);
    const blocks = newestRequest.flatMap(({ content }) =>
      typeof content === 'string' ? [] : content,
    );
    const ids = (type: string, field: string) =>
      blocks.filter((block) => block.type === type).map((block) => block[field]);
    if (ids('tool_use', 'id').join() !== ids('tool_result', 'tool_use_id').join())
      this.#fail(`torn pairs after "${words}"`);
    if (!JSON.stringify(newestRequest).includes(words)) this.#fail(`"${words}" was not asked`);
  }

  judgeMemory(): void {
    const { saved, typed, replied, bed } = this.#session;
    const countOf = (texts: readonly string[], wanted: string) =>
      texts.filter((text) => text === wanted).length;
    const said = [...typed, ...replied];
    for (const words of new Set(said))
      if (countOf(saved, words) !== countOf(said, words))
        this.#fail(`in L1 ${countOf(saved, words)} times: ${words.slice(0, 60)}`);
    for (let n = 0; n < this.#calls; n++)
      if (countOf(saved, `Bash: echo step-${n}`) !== 1) this.#fail(`step ${n} is not in L1 once`);
    if (saved.some((text) => text.includes('<remembered-notes ')))
      this.#fail('the briefing is in L1');
    if (existsSync(join(bed.places.home, 'clears'))) this.#fail('a session was cleared');
  }

  #fail(what: string): void {
    this.failures.push(what);
  }
}
