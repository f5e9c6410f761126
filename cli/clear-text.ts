/** A clear as people read it in a terminal: what is being done, and why not. */
import { basename } from 'node:path';
import type { Activity } from '../core/clear/activity.ts';
import type { ClearRecord, ClearState } from '../core/clear/clear-record.ts';
import type { Explanation } from '../core/clear/clearing.ts';
import { type Paint, plain, type Style } from './text.ts';

const STATE_TEXT: Record<ClearState, string> = {
  detected: 'to be cleared',
  countdown: 'countdown',
  waiting: 'waiting',
  saving: 'saving',
  rechecking: 'checking again',
  delivering: 'clearing',
  verifying: 'verifying',
  restored: 'done',
  cancelled: 'not cleared',
  failed: 'failed',
};

const STATE_STYLE: Partial<Record<ClearState, Style>> = {
  restored: 'green',
  cancelled: 'yellow',
  failed: 'red',
  countdown: 'cyan',
};

/** `14:03:22  shop  countdown: it is cleared in 10 seconds` */
export function stepText({ projectRoot, state, steps }: ClearRecord, paint: Paint): string {
  const { at = '', note } = steps.at(-1) ?? {};
  const words = `${paint(STATE_STYLE[state] ?? 'reset', STATE_TEXT[state])}${note === undefined ? '' : `: ${plain(note)}`}`;
  return `${clock(at)}  ${paint('bold', plain(basename(projectRoot)))}  ${words}\n`;
}

export function activityText({ at, what, note, project }: Activity, paint: Paint): string {
  const name = project === undefined ? '' : `${paint('bold', plain(basename(project)))}  `;
  const words = STATE_TEXT[what as ClearState] ?? what;
  return `${clock(at)}  ${name}${words}${note === undefined ? '' : `: ${plain(note)}`}\n`;
}

function clock(at: string): string {
  return new Date(at).toTimeString().slice(0, 8);
}

export function explanationText({ refusal, ways }: Explanation, paint: Paint): string {
  const chosen = ways.find(({ certainty }) => certainty.certain);
  const lines = ways.map(({ name, certainty }) =>
    certainty.certain
      ? `  ${name.padEnd(9)}${name === chosen?.name ? paint('green', 'would be used') : 'possible'}: ${plain(certainty.how)}`
      : `  ${name.padEnd(9)}${paint('dim', 'not possible')}: ${plain(certainty.why)}`,
  );
  const now =
    refusal === undefined ? 'It is idle: it could be cleared now.' : `Nothing would be sent now, because ${plain(refusal)}.`;
  const end = chosen === undefined ? 'There is no certain way to clear it, so nothing would be typed.' : now;
  return `${lines.join('\n')}\n${end}\n`;
}
