/**
 * `memory-keeper resume`: goes back to a conversation that was cleared. In a terminal it starts
 * Claude Code with it; elsewhere it prints the command. Nothing is typed anywhere.
 */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { ClearedConversation, WayBack } from '../../core/usecases/contract.ts';
import { createEngine, type Engine } from '../../core/usecases/engine.ts';
import { ExpectedError, message, renderMessage } from '../../core/usecases/messages.ts';
import { type Command, currentFolder, parseOptions, UsageError } from '../command.ts';
import { jsonMessage } from '../json-message.ts';
import { print, printJson, printNote } from '../output.ts';
import { columns, localTime, type Paint, painter, plain, shorten } from '../text.ts';

const HELP = `Goes back to a conversation that was cleared: starts \`claude --resume\` with it in its folder.

Usage: memory-keeper resume [<conversation>] [--list|--print] [--json]

Without a name it is the one that was cleared last in the project of this folder. Name a conversation by the start of its ID, or by
its project, the session that took its place, or the process ID of that, as \`memory-keeper status --json\` shows them.

      --list      list the conversations that can be gone back to, newest first: when they were cleared, how full they were,
                  what they were about, and their ID
      --print     print the command instead of running it; without a terminal it is always printed
      --json      print JSON; nothing is started

The session that took its place is left as it is. A conversation that is resumed is as full as it was. If that is above your threshold,
automatic clearing acts again after its next reply, unless you snooze or cancel that. Claude Code deletes conversations after 30 days (its cleanupPeriodDays); what
was said stays in memory. To turn paused automatic clears back on, use memory-keeper clear --resume.
`;

const SEE = 'memory-keeper resume --help';
/** As short as nobody means two conversations by. */
const SHOWN_ID_CHARS = 8;
const DEFAULT_WIDTH = 100;

export const resumeCommand: Command = {
  name: 'resume',
  summary: 'go back to a conversation that was cleared (--list)',
  help: HELP,
  async run(args) {
    const { values, positionals } = parseOptions('resume', {
      args,
      allowPositionals: true,
      options: {
        list: { type: 'boolean' },
        print: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new UsageError('One conversation at a time', SEE);
    if (values.list === true && values.print === true)
      throw new UsageError('--list and --print cannot be combined', SEE);
    const engine = createEngine();
    const json = values.json === true;
    if (values.list === true) {
      const found = await conversations(engine, name);
      if (json) printJson(found.map(conversationData));
      else print(listText(found));
      return;
    }
    const chosen = await choose(engine, name);
    const wayBack = await engine.call('resume.wayBack', { sessionId: chosen.sessionId });
    if (json) return printJson({ ...chosen, ...wayBack });
    const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
    if (values.print === true || !isTerminal) return print(`${wayBack.command}\n`);
    await start(engine, chosen, wayBack);
  },
};

type Chosen = Pick<ClearedConversation, 'sessionId'> & Partial<ClearedConversation>;

/** Those of this folder's project, or all that a person can mean by a name. */
async function conversations(
  engine: Engine,
  name: string | undefined,
): Promise<ClearedConversation[]> {
  if (name !== undefined) return named(await engine.call('resume.list', {}), name);
  return engine.call('resume.list', { project: engine.projectRoot(currentFolder()) });
}

async function choose(engine: Engine, name: string | undefined): Promise<Chosen> {
  const found = await conversations(engine, name);
  const [newest] = found;
  if (name === undefined) {
    const project = plain(engine.projectRoot(currentFolder()));
    if (newest === undefined) throw new ExpectedError(message('resume.none', { project }));
    return newest;
  }
  if (newest === undefined) return unlisted(name);
  // A project has many, and the newest is meant; the start of an ID must mean one.
  const own = found.filter(({ sessionId }) => sessionId.startsWith(name));
  const byId = own.length > 0 ? own : found.filter((one) => one.newSessionId?.startsWith(name));
  if (byId.length < 2) return byId[0] ?? newest;
  const list = byId.map((one) => `\n  ${one.sessionId}  ${localTime(one.clearedAt)}`).join('');
  throw new ExpectedError(message('resume.several', { name: plain(name), conversations: list }));
}

/** A session that the user cleared in another project, say: its whole ID is enough. */
function unlisted(name: string): Chosen {
  if (/^[\da-f]{8}-[\da-f-]{27}$/.test(name)) return { sessionId: name };
  throw new ExpectedError(message('resume.noneNamed', { name: plain(name) }));
}

function named(all: readonly ClearedConversation[], name: string): ClearedConversation[] {
  const exact = all.filter(
    ({ sessionId, newSessionId, pid }) =>
      sessionId === name || newSessionId === name || String(pid) === name,
  );
  if (exact.length > 0) return exact;
  return all.filter(
    ({ sessionId, newSessionId, projectRoot }) =>
      sessionId.startsWith(name) ||
      newSessionId?.startsWith(name) === true ||
      basename(projectRoot) === name,
  );
}

/** Its terminal is Claude Code's until that ends; then its exit code is ours. */
async function start(
  engine: Engine,
  chosen: Chosen,
  { folder, sessionId }: WayBack,
): Promise<void> {
  const open = (await engine.sessionsNamed(sessionId)).find((one) => one.sessionId === sessionId);
  if (open !== undefined)
    throw new ExpectedError(message('resume.isOpen', { pid: String(open.pid) }));
  const program = await engine.call('resume.program', {});
  const { percent = null, clearedAt = '' } = chosen;
  const full = percent === null ? '' : `, ${percent} % full`;
  const when = clearedAt === '' ? '' : ` (cleared at ${localTime(clearedAt)}${full})`;
  printNote(`Resuming ${sessionId}${when} in ${plain(folder)}\n`);
  const child = spawn(program, ['--resume', sessionId], { cwd: folder, stdio: 'inherit' });
  // Keys such as Ctrl+C are for Claude Code; it says itself when it ends.
  const ignored = () => undefined;
  process.on('SIGINT', ignored).on('SIGTERM', () => child.kill('SIGTERM'));
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function listText(found: readonly ClearedConversation[]): string {
  if (found.length === 0) return 'No cleared conversations yet.\n';
  const paint = painter(process.stdout, process.env);
  const width = process.stdout.columns ?? DEFAULT_WIDTH;
  const lines = found.map((one) => listLine(one, paint, width)).join('');
  return `${lines}\nTo go back: memory-keeper resume <start of the ID>\n`;
}

function conversationData(conversation: ClearedConversation) {
  const { problem } = conversation;
  return { ...conversation, problem: problem && jsonMessage(problem) };
}

/** `2026-11-16 14:03:22   71 %  1f3a9c02  my-app  Fix the login` */
function listLine(one: ClearedConversation, paint: Paint, width: number): string {
  const { sessionId, projectRoot, clearedAt, percent, topic, problem } = one;
  const share = (percent === null ? '–' : `${percent} %`).padStart(5);
  const id = sessionId.slice(0, SHOWN_ID_CHARS);
  const project = plain(basename(projectRoot));
  const head = `${localTime(clearedAt)}  ${share}  ${id}  ${project}  `;
  const room = Math.max(20, width - columns(head));
  const about =
    problem === null ? shorten(plain(topic), room) : paint('yellow', renderMessage('en', problem));
  return `${localTime(clearedAt)}  ${share}  ${paint('bold', id)}  ${project}  ${about}\n`;
}
