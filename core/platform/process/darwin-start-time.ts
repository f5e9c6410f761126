/**
 * When a process started on macOS, in whole seconds. Its own start a process knows from Node.js;
 * another's costs a `ps`, whose answer serves for a second. Not run on a real Mac yet.
 */
import { isPidInUse } from './pid-in-use.ts';

/** Under load, Node.js begins some seconds after its process does. */
const TOLERANCE_MS = 10_000;
const KEEP_MS = 1000;

const answers = new Map<number, { askedAt: number; lstart: string | undefined }>();

export function ownDarwinStartTime(): string {
  return String(Math.floor(performance.timeOrigin / 1000));
}

/** In any doubt it is: nobody may take a lock from a process that lives. */
export function isSameDarwinStart(pid: number, startTime: string, ask = askPs): boolean {
  if (!isPidInUse(pid)) return false;
  const known = answers.get(pid);
  const isFresh = known !== undefined && Date.now() - known.askedAt < KEEP_MS;
  const answer = isFresh ? known : { askedAt: Date.now(), lstart: ask(pid) };
  answers.set(pid, answer);
  const ms = Date.parse(`${answer.lstart} UTC`);
  return Number.isNaN(ms) || Math.abs(ms - Number(startTime) * 1000) <= TOLERANCE_MS;
}

/** `Mon Nov 16 02:32:42 2026`; undefined if it cannot be asked. */
function askPs(pid: number): string | undefined {
  const env = { LC_ALL: 'C', TZ: 'UTC' };
  return process
    .getBuiltinModule?.('node:child_process')
    .spawnSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      env,
      encoding: 'utf8',
      timeout: 5000,
    })
    .stdout?.trim();
}
