/** A clear as people read it in a terminal: what is being done, and why not. */

import { basename } from 'node:path';
import type { Activity } from '../core/clear/activity.ts';
import type { Breaker } from '../core/clear/breaker.ts';
import type { ClearRecord, ClearState } from '../core/clear/clear-record.ts';
import type { ClearPlan } from '../core/usecases/clear-commands.ts';
import { type Message, message, renderMessage } from '../core/usecases/messages.ts';
import { jsonMessage } from './json-message.ts';
import { localTime, type Paint, plain, type Style } from './text.ts';

const STATE_TEXT: Record<ClearState, string> = {
  detected: 'clear requested',
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

const COMPACTION_TEXT: Partial<Record<ClearState, string>> = {
  detected: 'compaction requested',
  delivering: 'compacting',
  cancelled: 'not compacted',
};

function stateText(state: ClearState, method: ClearRecord['method']): string {
  return (method === 'compact' ? COMPACTION_TEXT[state] : undefined) ?? STATE_TEXT[state];
}

const STATE_STYLE: Partial<Record<ClearState, Style>> = {
  restored: 'green',
  cancelled: 'yellow',
  failed: 'red',
  countdown: 'cyan',
};

/** `2026-11-16 14:03:22  shop  countdown: Clearing in 10 seconds` */
export function stepText({ projectRoot, state, steps, method }: ClearRecord, paint: Paint): string {
  const { at = '', note } = steps.at(-1) ?? {};
  const words = `${paint(STATE_STYLE[state] ?? 'reset', stateText(state, method))}${noteText(note)}`;
  return `${localTime(at)}  ${paint('bold', plain(basename(projectRoot)))}  ${words}\n`;
}

export function activityText({ at, what, note, project, method }: Activity, paint: Paint): string {
  const name = project === undefined ? '' : `${paint('bold', plain(basename(project)))}  `;
  const words = stateText(what as ClearState, method) ?? what;
  return `${localTime(at)}  ${name}${words}${noteText(note)}\n`;
}

function noteText(note: Message | string | undefined): string {
  return note === undefined ? '' : `: ${textOf(note)}`;
}

function textOf(note: Message | string): string {
  return plain(renderMessage('en', note));
}

/** For `--json`: the same record, its notes with their text. */
export function recordData(record: ClearRecord) {
  return { ...record, steps: record.steps.map(activityData) };
}

export function activityData<T extends Pick<Activity, 'note'>>({ note, ...rest }: T) {
  return note === undefined ? rest : { ...rest, note: jsonMessage(note) };
}

/** For `--json`: why a session is left alone, with the text. */
export function breakerData(breaker: Breaker) {
  return { ...breaker, reason: jsonMessage(breaker.reason) };
}

/** `automatic clears stopped at 2026-11-16 14:03:22: …`, and how that ends. */
export function breakerText({ since, reason }: Breaker, pid: number, paint: Paint): string {
  const head = paint('yellow', `automatic clears stopped at ${localTime(since)}:`);
  return `${head} ${textOf(reason)}. To reset: memory-keeper clear --reset ${pid}`;
}

export function explanationData({ refusal, hasPlugin, ways, breaker, kindRefusal }: ClearPlan) {
  return {
    ...(breaker !== undefined && { breaker: breakerData(breaker) }),
    ...(kindRefusal !== undefined && { kindRefusal: jsonMessage(kindRefusal) }),
    ...(refusal !== undefined && { refusal: jsonMessage(refusal) }),
    hasPlugin,
    ways: ways.map(({ name, certainty }) => ({
      name,
      certainty: certainty.certain
        ? { certain: true, how: jsonMessage(certainty.how) }
        : { certain: false, why: jsonMessage(certainty.why) },
    })),
  };
}

export function explanationText(
  { refusal, hasPlugin, ways, chosen, breaker, kindRefusal }: ClearPlan,
  pid: number,
  paint: Paint,
): string {
  const lines = ways.map(({ name, certainty }) =>
    certainty.certain
      ? `  ${name.padEnd(9)}${name === chosen ? paint('green', 'would be used') : 'available'}: ${textOf(certainty.how)}`
      : `  ${name.padEnd(9)}${paint('dim', 'not available')}: ${textOf(certainty.why)}`,
  );
  const now =
    refusal === undefined
      ? 'Idle: it can be cleared now.'
      : `It cannot be cleared now: ${textOf(refusal)}.`;
  const end =
    chosen === undefined ? 'No driver can clear it reliably, so nothing would be typed.' : now;
  const warning = hasPlugin
    ? ''
    : `${paint('yellow', 'note:')} ${renderMessage('en', message('clear.noPlugin'))}\n`;
  const kind =
    kindRefusal === undefined ? '' : `${paint('yellow', 'note:')} ${textOf(kindRefusal)}.\n`;
  const held = breaker === undefined ? '' : `${breakerText(breaker, pid, paint)}\n`;
  return `${lines.join('\n')}\n${end}\n${kind}${held}${warning}`;
}
