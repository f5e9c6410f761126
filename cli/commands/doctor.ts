/**
 * `memory-keeper doctor`: what is OK and what is not, why it matters, and how to fix it (G4).
 * Exit code 1 if there is a problem.
 */
import type { Finding, FindingState, Fix } from '../../core/doctor/finding.ts';
import { createEngine } from '../../core/usecases/engine.ts';
import { type Message, renderMessage } from '../../core/usecases/messages.ts';
import { FIX_IDS } from '../../core/usecases/vocabulary.ts';
import { type Command, parseOptions, UsageError } from '../command.ts';
import { jsonMessage } from '../json-message.ts';
import { print, printJson, printNote } from '../output.ts';
import { counted, type Paint, painter, plain, type Style } from '../text.ts';

const HELP = `Checks everything that Memory Keeper needs, and says what is wrong, why it matters and how to fix it.

Usage: memory-keeper doctor [--json]              check, and change nothing
       memory-keeper doctor --fix [--json]        list the available fixes and what each would change
       memory-keeper doctor --fix <id> [--json]   apply one fix and report what it did:

  plugin-install          install the plugin, or turn it on
  plugin-update           update the plugin to the version included here
  plugin-repair           restore missing parts of the plugin
  permissions             make Memory Keeper's files and folders private
  resume-clears           resume automatic clears
  remove-old-memory       delete the files of version 0.1.0 whose content was moved
  auto-compact-off        turn Claude Code's auto-compact off: one line of its settings.json, after a backup
  auto-compact-on         turn it on again
  long-turns-on           have Claude Code compact at your critical threshold inside a turn too (see memory-keeper long-turns)
  long-turns-off          restore what was there before
  status-line-connect     have Claude Code's status line report the exact window; your own is shown as before
  status-line-disconnect  restore the previous status line

Exit code: 1 if there is a problem, 2 if --fix needs an id.
`;

const MARKS: Record<FindingState, { mark: string; style: Style }> = {
  well: { mark: '✓', style: 'green' },
  notice: { mark: '!', style: 'yellow' },
  problem: { mark: '✗', style: 'red' },
  unknown: { mark: '?', style: 'dim' },
};

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'check what is wrong, why, and how to fix it (--json, --fix)',
  help: HELP,
  async run(args) {
    const named = args.filter((arg, at) => arg !== '--fix' || isName(args[at + 1]));
    const { values } = parseOptions('doctor', {
      args: named,
      options: { json: { type: 'boolean' }, fix: { type: 'string' } },
    });
    const engine = createEngine();
    if (values.fix !== undefined) {
      const id = FIX_IDS.find((fix) => fix === values.fix);
      if (id === undefined)
        throw new UsageError(`Unknown fix "${values.fix}"`, 'memory-keeper doctor --help');
      const done = await engine.call('doctor.fix', { id });
      if (values.json === true) printJson({ ...done, done: done.done.map(jsonMessage) });
      else print(done.done.map((line) => `${inLines(line).join('\n')}\n`).join(''));
      return;
    }
    const findings = await engine.call('doctor.run', {});
    if (named.length < args.length) return showFixes(findings, values.json === true);
    if (values.json === true) printJson(findings.map(jsonFinding));
    else print(findingsText(findings, painter(process.stdout, process.env)));
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
  },
};

const isName = (word: string | undefined) => word !== undefined && !word.startsWith('-');

/** For `--fix` alone: nothing is done before it is named. */
function showFixes(findings: readonly Finding[], json: boolean): void {
  const offers = findings.flatMap(({ title, fix }) => (fix === undefined ? [] : [{ title, fix }]));
  const text = offers.map(({ title, fix: { id, label, preview } }) =>
    [
      `memory-keeper doctor --fix ${id}`,
      `  ${english(title)}: ${english(label)}`,
      ...preview.flatMap(inLines).map((line) => `    ${line}`),
      '',
    ].join('\n'),
  );
  if (json)
    printJson(offers.map(({ title, fix }) => ({ title: jsonMessage(title), ...jsonFix(fix) })));
  else print(text.join('\n'));
  printNote('memory-keeper: Nothing was changed. Name a fix after --fix\n');
  process.exitCode = 2;
}

function jsonFinding({ title, found, why, mend, fix, ...finding }: Finding) {
  return {
    ...finding,
    title: jsonMessage(title),
    found: jsonMessage(found),
    why: jsonMessage(why),
    mend: mend && jsonMessage(mend),
    ...(fix && { fix: jsonFix(fix) }),
  };
}

function jsonFix({ id, label, preview }: Fix) {
  return { id, label: jsonMessage(label), preview: preview.map(jsonMessage) };
}

function findingsText(findings: readonly Finding[], paint: Paint): string {
  return `${findings.map((finding) => findingText(finding, paint)).join('')}\n${summary(findings)}\n`;
}

function findingText({ title, state, found, why, mend, fix }: Finding, paint: Paint): string {
  const { mark, style } = MARKS[state];
  const head = `${paint(style, mark)} ${paint('bold', english(title))}: ${inLines(found).join('\n  ')}\n`;
  if (state === 'well') return head;
  const steps = [
    ...(mend === null ? [] : inLines(mend)),
    ...(fix === undefined ? [] : [`${english(fix.label)}: memory-keeper doctor --fix ${fix.id}`]),
  ];
  const more = [...(state === 'unknown' ? [] : inLines(why)), ...steps.map((line) => `→ ${line}`)];
  return `${head}${more.map((line) => `  ${line}\n`).join('')}`;
}

const english = (text: Message) => plain(renderMessage('en', text));

/** A finding quotes names and lines of logs, which come from outside. */
const inLines = (text: Message) => renderMessage('en', text).split('\n').map(plain);

/** `No problems · 3 notices · 16 OK`. */
function summary(findings: readonly Finding[]): string {
  const count = (state: FindingState) =>
    findings.filter((finding) => finding.state === state).length;
  const [problems, notices, unknown] = [count('problem'), count('notice'), count('unknown')];
  const parts = [
    problems === 0 ? 'No problems' : counted(problems, 'problem'),
    ...(notices === 0 ? [] : [counted(notices, 'notice')]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    `${count('well')} OK`,
  ];
  return parts.join(' · ');
}
