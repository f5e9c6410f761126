/** Writes `<session>.md` (F5, M12): a session on one page, from its L1 and facts, without a model. */

import { estimateTokens } from '../../platform/text/estimate-tokens.ts';
import { firstSentence, shortened } from '../../platform/text/sentences.ts';
import type { SessionFacts } from '../l2-facts/facts-file.ts';
import { handOver, isRequest } from '../log/hand-over.ts';
import type { L1Entry } from '../log/l1-refine.ts';

const MAX_LINE_CHARS = 160;
const MAX_FILES = 12;

/** Of about `maxTokens`; the oldest requests are left out first. */
export function sessionSummary(
  stamp: string,
  entries: readonly L1Entry[],
  facts: SessionFacts,
  maxTokens: number,
): string {
  const requests = entries.flatMap((entry) =>
    isRequest(entry) ? [line(firstSentence(entry.text))] : [],
  );
  const tools = entries.filter(({ role }) => role === 'tool').length;
  const { lastAnswer = '', files = [] } = handOver(entries) ?? {};
  const tail = [
    ...section(
      'Facts',
      facts.facts.map(({ id, content }) => `${id}: ${line(content)}`),
    ),
    ...section('Files', files.slice(0, MAX_FILES)),
    ...section('Last answer', lastAnswer === '' ? [] : [line(firstSentence(lastAnswer))]),
  ];
  const head = `# Session ${stamp}\n\n${entries[0]?.ts ?? ''} to ${entries.at(-1)?.ts ?? ''}: ${requests.length} requests, ${tools} tool uses.\n`;
  const room = maxTokens - estimateTokens(head + tail.join(''));
  return `${head}${section('Requests', newestWithin(requests, room)).join('')}${tail.join('')}`;
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`\n## ${title}\n\n${items.map((item) => `- ${item}\n`).join('')}`];
}

function newestWithin(lines: readonly string[], maxTokens: number): string[] {
  const kept: string[] = [];
  let room = maxTokens;
  for (const text of [...lines].reverse()) {
    room -= estimateTokens(text) + 2;
    if (room < 0 && kept.length > 0)
      return [`… (${lines.length - kept.length} earlier ones)`, ...kept.reverse()];
    kept.push(text);
  }
  return kept.reverse();
}

function line(text: string): string {
  return shortened(text.replace(/\s+/g, ' ').trim(), MAX_LINE_CHARS);
}
