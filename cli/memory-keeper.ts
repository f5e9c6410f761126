#!/usr/bin/env node
/**
 * The command line: finds the command, passes it its arguments, and turns a failure into a message
 * and an exit code.
 */

import { isExpected, message, messageOf, renderMessage } from '../core/usecases/messages.ts';
import packageJson from '../package.json' with { type: 'json' };
import { type Command, UsageError } from './command.ts';
import { clearCommand } from './commands/clear.ts';
import { configCommand } from './commands/config.ts';
import { doctorCommand } from './commands/doctor.ts';
import { longTurnsCommand } from './commands/long-turns.ts';
import { memoryCommand } from './commands/memory.ts';
import { pluginCommand } from './commands/plugin.ts';
import { resumeCommand } from './commands/resume.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { statuslineCommand } from './commands/statusline.ts';
import { watchCommand } from './commands/watch.ts';
import { jsonMessage } from './json-message.ts';
import { print, printJson, printNote } from './output.ts';
import { plainLines } from './text.ts';

const COMMANDS: Command[] = [
  statusCommand,
  watchCommand,
  serveCommand,
  clearCommand,
  resumeCommand,
  memoryCommand,
  pluginCommand,
  doctorCommand,
  configCommand,
  longTurnsCommand,
  statuslineCommand,
];
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const HELP = `Memory Keeper watches the context of every Claude Code session on this machine, saves the conversations, and
clears sessions before they degrade.

Usage: memory-keeper <command> [options]

Commands:
${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}

  memory-keeper <command> --help   help for a command
  memory-keeper --version          the version

With --json, errors are printed as data too: {"error": {"code", "values", "text"}}. The text also goes to stderr.

Environment:
  CLAUDE_CONFIG_DIR     Claude Code's folder (default: ~/.claude)
  MEMORY_KEEPER_HOME    Memory Keeper's own folder (default: memory-keeper in Claude Code's folder)
  MEMORY_KEEPER_LANG    language of the notes in Claude Code: en or ko (default: the system's)
  NO_COLOR              no colors
`;

async function main(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === 'help' && rest.length > 0) return main([...rest, '--help']);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h')
    return print(HELP);
  if (name === '--version' || name === '-v') return print(`${packageJson.version}\n`);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined)
    throw new UsageError(`Unknown command "${name}"`, 'memory-keeper --help');
  const own = ownWords(rest);
  if (own.includes('--help') || own.includes('-h')) return print(command.help);
  await command.run(rest);
}

/** What follows the dashes belongs to another program. */
function ownWords(args: string[]): string[] {
  return args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
}

// `memory-keeper status | head` closes the pipe early: that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`memory-keeper: Cannot write the output: ${error.message}\n`);
    process.exit(EXIT_FAILED);
  });
}

const words = process.argv.slice(2);
main(words).catch((error: unknown) => {
  const isBug = !isExpected(error);
  const reason = isBug ? message('system.bug', { words: String(error) }) : messageOf(error);
  if (ownWords(words).includes('--json'))
    printJson({ error: jsonMessage(reason) }, { isOneLine: true }); // one line, like the output of commands that keep running
  printNote(`memory-keeper: ${plainLines(renderMessage('en', reason))}\n`);
  if (isBug) printNote(`Please report this.\n${(error as Error).stack}\n`);
  if (error instanceof UsageError) printNote(`See ${error.see}\n`);
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
});
