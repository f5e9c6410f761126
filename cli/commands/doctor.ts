/**
 * `memory-keeper doctor`: what is well and what is not, why it matters, and how to mend it (G4).
 * Exit code 1 if there is a problem.
 */
import { applyFix, runDoctor } from '../../core/doctor/doctor.ts';
import { FIX_IDS, type Finding, type FindingState } from '../../core/doctor/finding.ts';
import { createEngine } from '../../core/engine.ts';
import { carriedPlugin } from '../../core/plugin/plugin-copy.ts';
import { systemProcessTable } from '../../core/process/process-table.ts';
import { runProgram } from '../../core/process/run-program.ts';
import { type Command, parseOptions, UsageError } from '../command.ts';
import { type Paint, painter, plain, type Style } from '../text.ts';

const HELP = `Looks at everything that Memory Keeper needs, and says what is not well, why it matters and how to mend it.

Usage: memory-keeper doctor [--json]              looks, and changes nothing
       memory-keeper doctor --fix [--json]        shows which of these are possible now, and what each would change
       memory-keeper doctor --fix <id> [--json]   does one of these, and says what it did:

  plugin-install     installs the plugin, or switches it on
  plugin-update      replaces it by the one that this program carries
  plugin-repair      puts back what is missing of it
  permissions        keeps our files and folders for you alone
  resume-clears      lets automatic clears go on
  auto-compact-off   switches Claude Code's own compaction off, and
  auto-compact-on    on again: one line of its settings.json, of which a copy is kept
  status-line-connect     lets Claude Code's status line tell the exact window; your own is shown as before
  status-line-disconnect  puts the status line back as it was

The exit code is 1 if there is a problem, 2 if a fix has to be named.
`;

const MARKS: Record<FindingState, { mark: string; style: Style }> = {
  well: { mark: '✓', style: 'green' },
  notice: { mark: '!', style: 'yellow' },
  problem: { mark: '✗', style: 'red' },
  unknown: { mark: '?', style: 'dim' },
};

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'what is not well, why, and how to mend it (--json, --fix)',
  help: HELP,
  async run(args) {
    const known = args.filter((arg, at) => arg !== '--fix' || isName(args[at + 1]));
    const { values } = parseOptions('doctor', {
      args: known,
      options: { json: { type: 'boolean' }, fix: { type: 'string' } },
    });
    const { places } = createEngine();
    const carried = carriedPlugin(import.meta.dirname);
    const options = {
      places,
      env: process.env,
      run: runProgram,
      processes: systemProcessTable(),
      carried,
    };
    if (values.fix !== undefined) {
      if (!(FIX_IDS as readonly string[]).includes(values.fix))
        throw new UsageError(`there is no fix "${values.fix}"`, 'memory-keeper doctor --help');
      const done = await applyFix(options, values.fix);
      process.stdout.write(
        values.json === true ? asJson(done) : done.done.map((line) => `${plain(line)}\n`).join(''),
      );
      return;
    }
    const findings = await runDoctor(options);
    if (known.length < args.length) return showFixes(findings, values.json === true);
    process.stdout.write(
      values.json === true
        ? asJson(findings)
        : findingsText(findings, painter(process.stdout, process.env)),
    );
    if (findings.some(({ state }) => state === 'problem')) process.exitCode = 1;
  },
};

const isName = (word: string | undefined) => word !== undefined && !word.startsWith('-');

/** For `--fix` alone: nothing is done before it is named. */
function showFixes(findings: readonly Finding[], json: boolean): void {
  const fixes = findings.flatMap(({ title, fix }) =>
    fix === undefined ? [] : [{ title, ...fix }],
  );
  const text = fixes.map(({ title, id, label, preview }) =>
    [
      `memory-keeper doctor --fix ${id}`,
      `  ${title}: ${label}`,
      ...preview.map((line) => `    ${plain(line)}`),
      '',
    ].join('\n'),
  );
  process.stdout.write(json ? asJson(fixes) : text.join('\n'));
  process.stderr.write('memory-keeper: nothing was changed; name a fix behind --fix\n');
  process.exitCode = 2;
}

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function findingsText(findings: readonly Finding[], paint: Paint): string {
  return `${findings.map((finding) => findingText(finding, paint)).join('')}\n${summary(findings)}\n`;
}

function findingText({ title, state, found, why, mend, fix }: Finding, paint: Paint): string {
  const { mark, style } = MARKS[state];
  const head = `${paint(style, mark)} ${paint('bold', title)}: ${lines(found).join('\n  ')}\n`;
  if (state === 'well') return head;
  const fixLine =
    fix === undefined || mend.includes(fix.id)
      ? []
      : [`${fix.label}: memory-keeper doctor --fix ${fix.id}`];
  const more = [
    ...(state === 'unknown' ? [] : lines(why)),
    ...lines(mend).map((line) => `→ ${line}`),
    ...fixLine.map((line) => `→ ${line}`),
  ];
  return `${head}${more.map((line) => `  ${line}\n`).join('')}`;
}

/** What was found speaks of names and lines of logs that come from outside. */
const lines = (text: string) => (text === '' ? [] : text.split('\n').map(plain));

function summary(findings: readonly Finding[]): string {
  const count = (state: FindingState) =>
    findings.filter((finding) => finding.state === state).length;
  const [problems, notices, unknown] = [count('problem'), count('notice'), count('unknown')];
  const parts = [
    problems === 0 ? 'No problem' : problems === 1 ? '1 problem' : `${problems} problems`,
    ...(notices === 0 ? [] : [`${notices} to know of`]),
    ...(unknown === 0 ? [] : [`${unknown} not found out`]),
    `${count('well')} well`,
  ];
  return `${parts.join(', ')}.`;
}
