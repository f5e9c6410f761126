/**
 * What it costs to forget one of 5,000 facts, to undo that and to edit one (M19), beside the same
 * with 50 facts: as whole commands, which is what a person waits for, and within a process that is
 * already running, as the window has one.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { EditLog } from '../core/memory/edits/edit-log.ts';
import { changeFact, removeFact, undoEdit } from '../core/memory/state/edits.ts';
import type { ProjectMemory } from '../core/projects/project-memory.ts';
import { makeManyFacts } from '../tests/bed/demo/many-facts.ts';
import { builtCli } from './built-cli.ts';
import { type Bench, figure, interleave, type Result, ratio, timed } from './harness.ts';
import type { Scene } from './scene.ts';

const MANY = 5000;
const FEW = 50;
const ROUNDS = 15;
const MOST_TIMES = 3;
const PROMISE = `at most ${MOST_TIMES} × the time that they take with ${FEW} facts`;

export const edits: Bench = {
  name: 'edits',
  about: `forgetting, undoing and editing one of ${MANY.toLocaleString('en-US')} facts`,
  promise: PROMISE,
  async run(scene, tell) {
    const cli = builtCli();
    tell(`making ${MANY} facts`);
    const [many, few] = [made(scene, MANY), made(scene, FEW)];
    tell('commands');
    const commands = await interleave(
      {
        many: { measure: timed(() => forgetAndUndo(cli, many)) },
        few: { measure: timed(() => forgetAndUndo(cli, few)) },
      },
      { rounds: ROUNDS },
    );
    tell('in a running process');
    const running = await interleave(
      {
        many: { measure: timed(() => editAll(many.memory)) },
        few: { measure: timed(() => editAll(few.memory)) },
      },
      { rounds: ROUNDS },
    );
    return [
      result('edits: memory forget and memory undo, two commands', commands),
      result('edits: forget, edit and two undos in a running process', running),
    ];
  },
};

function result(name: string, { many, few }: { many: number[]; few: number[] }): Result {
  const product = figure(`with ${MANY} facts`, 'product', 'ms', many);
  const peer = figure(`with ${FEW} facts`, 'peer', 'ms', few);
  const times = ratio(product, peer);
  const holds = times.value <= MOST_TIMES;
  return { name, promise: PROMISE, figures: [product, peer], ratios: [times], holds };
}

interface Made {
  memory: ProjectMemory;
  env: NodeJS.ProcessEnv;
}

function made(scene: Scene, count: number): Made {
  const home = scene.folder();
  const claude = join(home, '.claude');
  const places = { claude, home: join(claude, 'memory-keeper') };
  const memory = makeManyFacts(places, join(home, 'work'), count);
  return { memory, env: { PATH: process.env.PATH, HOME: home } };
}

function forgetAndUndo(cli: string, { memory, env }: Made): void {
  for (const words of [['forget', 'd002'], ['undo']])
    execFileSync(process.execPath, [cli, 'memory', ...words], {
      cwd: memory.root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
}

function editAll(memory: ProjectMemory): void {
  const log = new EditLog(memory);
  const isExpected = () => true;
  const forgotten = removeFact(memory, log, 'd003', isExpected);
  if (forgotten.isSaved) undoEdit(memory, log, forgotten.edit);
  const content = 'The queue is emptied at night.';
  const changed = changeFact(memory, log, 'd004', { content }, isExpected);
  if (changed.isSaved) undoEdit(memory, log, changed.edit);
}
