/**
 * The plugin as Windows needs it (G8): it has no `sh`, so hooks are started by cmd and
 * hooks/run.cmd. Text in, text out; in the exec form, so that neither Git Bash nor PowerShell has
 * to be there. `call` comes first because cmd would take quotes away from a path that it begins
 * with, and with them the blanks in a user's name.
 */
import { join } from 'node:path';
import { writeFileAtomic } from '../platform/store/atomic-write.ts';
import type { Places } from '../platform/store/places.ts';

/** Known to cmd in all letters, so that the rest of a path is plain as a rule. */
const FOLDERS = ['LOCALAPPDATA', 'USERPROFILE', 'ProgramFiles'];

interface Hook {
  command?: string;
  args?: string[];
}

/** What is in that form already stays as it is. */
export function windowsHooks(text: string): string {
  return `${JSON.stringify(
    JSON.parse(text, (_, value: Hook | null) => (value?.command === 'sh' ? byCmd(value) : value)),
    null,
    2,
  )}\n`;
}

function byCmd({ args: [script = '', ...words] = [], ...hook }: Hook): Hook {
  const ofWindows = script.replaceAll('/', '\\').replace(/\.sh$/, '.cmd');
  return { ...hook, command: 'cmd', args: ['/d', '/c', 'call', ofWindows, ...words] };
}

export const windowsRuntimePath = ({ home }: Places) => join(home, 'runtime.cmd');

/**
 * Leaves hooks/run.cmd a script that starts the application's own program as Node.js. cmd does not
 * read other letters than ASCII the same way on each machine: folders of the user are named by
 * their variables.
 */
export function leaveWindowsRuntime(places: Places, program: string, env: NodeJS.ProcessEnv): void {
  const lines = [
    '@rem For hooks where there is no Node.js: left by the Memory Keeper application.',
    `@"${named(program, env)}" %*`,
  ];
  writeFileAtomic(windowsRuntimePath(places), lines.map((line) => `${line}\r\n`).join(''), {
    durable: false,
  });
}

function named(program: string, env: NodeJS.ProcessEnv): string {
  const name = FOLDERS.find(
    (variable) => env[variable] && program.startsWith(`${env[variable]}\\`),
  );
  const plain = (path: string) => path.replaceAll('%', '%%');
  return name === undefined
    ? plain(program)
    : `%${name}%${plain(program.slice(env[name]?.length))}`;
}
