/** A clear as people read it in a terminal: what is being done, and why not. */

import { basename } from 'node:path';
import type { Activity } from '../core/clear/activity.ts';
import type { ClearRecord, ClearState } from '../core/clear/clear-record.ts';
import type { Explanation } from '../core/clear/clearing.ts';
import { localTime } from '../core/memory/text/stamp.ts';
import { renderMessage } from '../core/messages/all-messages.ts';
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

/** `2026-11-16 14:03:22  shop  countdown: it is cleared in 10 seconds` */
export function stepText({ projectRoot, state, steps }: ClearRecord, paint: Paint): string {
  const { at = '', note } = steps.at(-1) ?? {};
  const words = `${paint(STATE_STYLE[state] ?? 'reset', STATE_TEXT[state])}${note === undefined ? '' : `: ${plain(renderMessage('en', note))}`}`;
  return `${localTime(at)}  ${paint('bold', plain(basename(projectRoot)))}  ${words}\n`;
}

export function activityText({ at, what, note, project }: Activity, paint: Paint): string {
  const name = project === undefined ? '' : `${paint('bold', plain(basename(project)))}  `;
  const words = STATE_TEXT[what as ClearState] ?? what;
  return `${localTime(at)}  ${name}${words}${note === undefined ? '' : `: ${plain(renderMessage('en', note))}`}\n`;
}

/** What is said before a session without the plugin is cleared. */
export const NOT_GIVEN_BACK =
  'the plugin is not at work in this session: what was said is kept, but nothing would be given back after the clear.';
export const HOW_TO_GET_IT =
  'Install it (`memory-keeper plugin install`) and start the session again with `claude --continue`';

export function explanationText({ refusal, hasPlugin, ways }: Explanation, paint: Paint): string {
  const chosen = ways.find(({ certainty }) => certainty.certain);
  const lines = ways.map(({ name, certainty }) =>
    certainty.certain
      ? `  ${name.padEnd(9)}${name === chosen?.name ? paint('green', 'would be used') : 'possible'}: ${plain(certainty.how)}`
      : `  ${name.padEnd(9)}${paint('dim', 'not possible')}: ${plain(certainty.why)}`,
  );
  const now =
    refusal === undefined
      ? 'It is idle: it could be cleared now.'
      : `Nothing would be sent now, because ${plain(refusal)}.`;
  const end =
    chosen === undefined ? 'There is no certain way to clear it, so nothing would be typed.' : now;
  const warning = hasPlugin
    ? ''
    : `${paint('yellow', 'note:')} ${NOT_GIVEN_BACK}\n${HOW_TO_GET_IT}.\n`;
  return `${lines.join('\n')}\n${end}\n${warning}`;
}
