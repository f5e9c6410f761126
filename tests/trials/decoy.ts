/**
 * Runs in a pane of tmux: shows what looks like Claude Code's prompt box and writes down each byte
 * it gets. On request it starts a process with a certain pid on its own terminal, as if the system
 * had given out the pid of a session that has ended once more.
 *
 * node decoy.ts <folder>: `heard` holds the bytes; `wanted` with a pid asks for the process,
 * `there` says that it is there.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWithPid } from '../bed/chosen-pid.ts';

const LOOK_EVERY_MS = 20;

const folder = process.argv[2] as string;
const [wanted, there] = [join(folder, 'wanted'), join(folder, 'there')];
const line = '─'.repeat(process.stdout.columns);
process.stdout.write(`\x1b[2J\x1b[H${line}\r\n❯\u00a0\r\n${line}\r\n\x1b[2;3H`);
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes: Buffer) => {
  appendFileSync(join(folder, 'heard'), bytes);
  process.stdout.write(bytes); // a box shows what is typed
});

let successor: ReturnType<typeof startWithPid>;
setInterval(() => {
  if (!existsSync(wanted)) {
    successor?.end();
    successor = undefined;
    rmSync(there, { force: true });
    return;
  }
  if (successor !== undefined) return;
  const pid = Number(readFileSync(wanted, 'utf8'));
  successor = startWithPid(pid);
  if (successor !== undefined) writeFileSync(there, '');
}, LOOK_EVERY_MS);
process.on('SIGHUP', () => process.exit());
process.on('exit', () => successor?.end());
