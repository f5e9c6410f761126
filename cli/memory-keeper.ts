#!/usr/bin/env node
/**
 * The command line: finds the command, gives it its arguments, turns its failure into a message and
 * an exit code.
 */
import { isExpected } from '../core/expected-error.ts';
import { englishOf } from '../core/messages/all-messages.ts';
import packageJson from '../package.json' with { type: 'json' };
import { type Command, UsageError } from './command.ts';
import { clearCommand } from './commands/clear.ts';
import { configCommand } from './commands/config.ts';
import { doctorCommand } from './commands/doctor.ts';
import { memoryCommand } from './commands/memory.ts';
import { pluginCommand } from './commands/plugin.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { statuslineCommand } from './commands/statusline.ts';
import { watchCommand } from './commands/watch.ts';
import { plainLines } from './text.ts';

const COMMANDS: Command[] = [
  statusCommand,
  watchCommand,
  serveCommand,
  clearCommand,
  memoryCommand,
  pluginCommand,
  doctorCommand,
  configCommand,
  statuslineCommand,
];
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const HELP = `Memory Keeper watches the context of every Claude Code session on this machine, keeps what was said, and clears
them before they degrade.

Usage: memory-keeper <command> [options]

Commands:
${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}

  memory-keeper <command> --help   what a command can do
  memory-keeper --version          the version

With --json, what goes wrong is data too: {"error"}, and the words for you are on stderr as ever.

Environment:
  CLAUDE_CONFIG_DIR     Claude Code's folder, if it is not ~/.claude
  MEMORY_KEEPER_HOME    Memory Keeper's own folder, if it is not memory-keeper in there
  MEMORY_KEEPER_LANG    language of the notes in Claude Code, ko or en, if it is not the system's
  NO_COLOR              no colours
`;

async function main(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === 'help' && rest.length > 0) return main([...rest, '--help']);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h')
    return print(HELP);
  if (name === '--version' || name === '-v') return print(`${packageJson.version}\n`);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined)
    throw new UsageError(`there is no command "${name}"`, 'memory-keeper --help');
  const own = ownWords(rest);
  if (own.includes('--help') || own.includes('-h')) return print(command.help);
  await command.run(rest);
}

/** What follows the dashes belongs to another program. */
function ownWords(args: string[]): string[] {
  return args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
}

function print(text: string): void {
  process.stdout.write(text);
}

// `memory-keeper status | head` closes the pipe early: that is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`memory-keeper: the output cannot be written: ${error.message}\n`);
    process.exit(EXIT_FAILED);
  });
}

const given = process.argv.slice(2);
main(given).catch((error: unknown) => {
  const words = englishOf(error);
  if (ownWords(given).includes('--json')) print(`${JSON.stringify({ error: words })}\n`); // one line, as those that stay print
  if (isExpected(error)) process.stderr.write(`memory-keeper: ${plainLines(words)}\n`);
  else
    process.stderr.write(
      `memory-keeper: this should not have happened; please report it:\n${(error as Error).stack}\n`,
    );
  if (error instanceof UsageError) process.stderr.write(`See ${error.see}\n`);
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
});
