/**
 * Says what was done in lines that a person reads (K2): an edit with the lines that it changed, a
 * failure with its error, a search with what it looked for.
 */
import { shorten } from '../../platform/text/sentences.ts';
import type { ToolEntry } from '../log/l1-refine.ts';

const EDITING = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
const MAX_TARGET_CHARS = 300;
const MAX_DETAIL_CHARS = 200;

export function isEdit({ name, isError }: Pick<ToolEntry, 'name' | 'isError'>): boolean {
  return EDITING.has(name) && isError !== true;
}

/** In one line. */
export function callLine({ name, cmd, detail = '' }: ToolEntry): string {
  const target = shorten(inOneLine(cmd), MAX_TARGET_CHARS);
  const more = detail === '' ? '' : ` (${shorten(inOneLine(detail), MAX_DETAIL_CHARS)})`;
  return `${VERBS[name] ?? `Called ${name} with`} ${target}${more}`;
}

const VERBS: Readonly<Record<string, string>> = {
  Bash: 'Ran',
  Read: 'Read the file',
  Grep: 'Searched the files for',
  Glob: 'Looked for files like',
  Edit: 'Edited the file',
  MultiEdit: 'Edited the file',
  Write: 'Wrote the file',
  NotebookEdit: 'Edited the notebook',
  Task: 'Had an agent do',
  Agent: 'Had an agent do',
  WebFetch: 'Read the page',
  WebSearch: 'Searched the web for',
  Skill: 'Used the skill',
};

/** With the arguments' own names, as the last calls were made. */
export function wholeCall(entry: ToolEntry): string {
  const { name, cmd, change = '', output } = entry;
  const argument = ARGUMENTS[name];
  const head =
    argument === undefined
      ? callLine(entry)
      : `${name} of ${argument} ${shorten(cmd, MAX_TARGET_CHARS)}`;
  const [old, now] = sides(change);
  const lines = [
    head,
    ...(name === 'Edit' ? [`replace_all: ${entry.detail === undefined ? 'no' : 'yes'}`] : []),
    ...(old === '' ? [] : ['old_string:', indented(old)]),
    ...(now === '' ? [] : [name === 'Edit' ? 'new_string:' : 'content:', indented(now)]),
    ...(output === '' ? [] : [entry.isError ? 'failed:' : 'gave:', indented(output)]),
  ];
  return lines.join('\n');
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  Edit: 'file_path',
  MultiEdit: 'file_path',
  Write: 'file_path',
  Read: 'file_path',
};

/** What went, and what came. */
function sides(change: string): [old: string, now: string] {
  const lines = change.split('\n');
  const of = (mark: string) =>
    lines.flatMap((line) => (line.startsWith(mark) ? line.slice(1) : [])).join('\n');
  return [of('-'), of('+')];
}

export function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
