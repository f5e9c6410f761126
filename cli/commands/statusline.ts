/**
 * `memory-keeper statusline`: for Claude Code's `statusLine` setting. Takes the exact window that
 * Claude Code reports there (C2), and prints a line of its own, or whatever the user's own status
 * line prints.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  ExpectedError,
  type Message,
  message,
  messageOf,
  renderMessage,
} from '../../core/usecases/messages.ts';
import { saveStatusLineWindow, statusLineFor } from '../../core/usecases/status-line.ts';
import { type Command, UsageError } from '../command.ts';
import { print, printNote } from '../output.ts';

/** As it stands on this machine: nothing says that the program is on Claude Code's PATH. */
const OWN_COMMAND = `node ${process.argv[1] ?? 'memory-keeper'} statusline`;

const HELP = `Tells Memory Keeper the exact context window of a session. \`memory-keeper plugin status-line connect\` sets it up and keeps
your own status line if you have one. To set it up by hand, add it to Claude Code's settings.json:

  "statusLine": { "type": "command", "command": "${OWN_COMMAND}" }

If you already have a status line, put it after two dashes. It runs and looks as before.

  "statusLine": { "type": "command", "command": "${OWN_COMMAND} -- my-own-status-line --with args" }

Claude Code runs the command and sends the session's status on stdin.
`;

const MAX_INPUT_BYTES = 1024 * 1024;

export const statuslineCommand: Command = {
  name: 'statusline',
  summary: "for Claude Code's status line: reports the exact context window",
  help: HELP,
  async run(args) {
    // a person, not Claude Code
    if (process.stdin.isTTY === true) return print(HELP);
    if (args.length > 0 && args[0] !== '--')
      throw new UsageError(`Unknown argument "${args[0]}"`, 'memory-keeper statusline --help');
    const wrapped = args.slice(1);
    const input = await readInput();
    const failure = saveWindow(input);
    if (wrapped.length > 0) await runWrapped(wrapped, input);
    else print(`${statusLineFor(input)}\n`);
    if (failure !== undefined) {
      const words = renderMessage('en', failure);
      printNote(`memory-keeper: The context window was not saved: ${words}\n`);
    }
  },
};

/** Why it failed: a full disk must not cost the user the status line. */
function saveWindow(input: string): Message | undefined {
  try {
    saveStatusLineWindow(input);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_INPUT_BYTES) break;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function runWrapped([file = '', ...args]: string[], input: string): Promise<void> {
  let child: ChildProcess | undefined;
  // The wrapped command must not outlive this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void child?.kill(signal));
  child = spawn(file, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  child.stdin?.on('error', () => undefined); // a status line need not read its input
  child.stdin?.end(input);
  const [code] = (await once(child, 'exit').catch((error: Error) => {
    throw new ExpectedError(message('cli.cannotRun', { program: file, words: error.message }));
  })) as [number | null];
  process.exitCode = code ?? 1;
}
