/**
 * What happens in one trial, made from a seed and a number alone, so that a trial can be repeated
 * by them.
 */
import { Random } from './random.ts';

/**
 * `mod`: the plugin with its mod. `hooks`: the plugin on a version without mods. `bare`: no plugin,
 * so that only the watch saves.
 */
export type Kind = 'mod' | 'hooks' | 'bare';

export interface Cast {
  kind: Kind;
  isNew: boolean;
  isVim: boolean;
  project: 0 | 1 | 2;
}

/** Six sessions in three projects; each two stand side by side in a window of tmux. */
export const CAST: readonly Cast[] = [
  { kind: 'mod', isNew: true, isVim: false, project: 0 },
  { kind: 'bare', isNew: false, isVim: false, project: 0 },
  { kind: 'hooks', isNew: false, isVim: false, project: 1 },
  { kind: 'bare', isNew: true, isVim: false, project: 1 },
  { kind: 'mod', isNew: true, isVim: false, project: 2 },
  { kind: 'bare', isNew: false, isVim: true, project: 2 },
];

export type State =
  | 'empty'
  | 'draft'
  | 'half a command'
  | 'shell mode'
  | 'stash'
  | 'stash and draft'
  | 'vim NORMAL'
  | 'vim NORMAL with draft'
  | 'busy'
  | 'dialog'
  | 'transcript'
  | 'search'
  | 'copy mode';

export interface SessionPlan {
  /**
   * `signal`: it is over its threshold and a signal says so. `forged`: it is, and a signal names
   * the process of another.
   */
  reason: 'none' | 'signal' | 'forged';
  state: State;
  draft: string;
  stash: string;
  /** What the user does while it is being cleared. */
  meanwhile?: { does: 'types' | 'sends'; afterMs: number };
}

export interface TrialPlan {
  seed: number;
  index: number;
  sessions: SessionPlan[];
  /**
   * A signal comes for a session that has ended, and whose pid belongs to another process by now.
   */
  isPidReused: boolean;
}

/** The parts that a test can switch off, to see that the judge notices. */
export const SABOTAGES = ['idle', 'pid', 'stash', 'save'] as const;
export type Sabotage = (typeof SABOTAGES)[number];

const ANY_STATE: readonly State[] = [
  'empty',
  'empty',
  'draft',
  'draft',
  'draft',
  'half a command',
  'shell mode',
  'stash',
  'stash and draft',
  'busy',
  'busy',
  'dialog',
  'transcript',
  'search',
  'copy mode',
];
const VIM_STATES: readonly State[] = [
  'vim NORMAL',
  'vim NORMAL with draft',
  'vim NORMAL with draft',
];
/** Where keys would cost the user words. */
const LEFT_ALONE: readonly State[] = ['half a command', 'shell mode', 'stash and draft'];
const STATES_OF_OTHERS: readonly State[] = ['empty', 'empty', 'draft', 'draft', 'busy', 'dialog'];

/** What each part keeps from going wrong. */
const STATES_AGAINST: Record<Sabotage, readonly State[]> = {
  idle: ['busy'],
  pid: ['empty'],
  stash: ['draft'],
  save: ['empty'],
};

export function planTrial(seed: number, index: number, sabotage?: Sabotage): TrialPlan {
  const random = new Random(seed * 1_000_003 + index);
  const targets = random.some(
    CAST.map((_, number) => number),
    2 + random.below(2),
  );
  const forged = random.below(3) === 0 ? random.below(CAST.length) : -1;
  const sessions = CAST.map((cast, number): SessionPlan => {
    const isTarget = sabotage === undefined ? targets.includes(number) : cast.kind === 'bare';
    const mark = `d${seed}t${index}s${number}`;
    const words = { draft: random.one(DRAFTS)(mark), stash: `kept for later ${mark}k` };
    if (!isTarget) {
      const reason = number === forged && cast.kind === 'bare' ? 'forged' : 'none';
      return { reason, state: random.one(STATES_OF_OTHERS), ...words };
    }
    if (sabotage !== undefined)
      return { reason: 'signal', state: random.one(STATES_AGAINST[sabotage]), ...words };
    const state = random.one([...ANY_STATE, ...(cast.isVim ? VIM_STATES : [])]);
    const does = random.one([
      'types',
      'sends',
      ...Array.from({ length: 8 }, () => undefined),
    ] as const);
    const afterMs = random.below(600);
    const isDisturbed = does !== undefined && !LEFT_ALONE.includes(state);
    return {
      reason: 'signal',
      state,
      ...words,
      ...(isDisturbed && { meanwhile: { does, afterMs } }),
    };
  });
  return { seed, index, sessions, isPidReused: sabotage === 'pid' || random.below(4) === 0 };
}

const DRAFTS: ((mark: string) => string)[] = [
  (mark) => `half a thought about the login ${mark}`,
  (mark) => `로그인 오류를 고쳐줘 ${mark}`,
  (mark) => `the first line ${mark}\nand the second line`,
];

/**
 * Whether a session that is as planned can be cleared, now or once it is idle, without a risk for
 * the user's words.
 */
export function isPossible({ kind }: Cast, { reason, state, meanwhile }: SessionPlan): boolean {
  if (reason !== 'signal' || meanwhile !== undefined) return false;
  return kind === 'mod' || !LEFT_ALONE.includes(state);
}
