/**
 * A process with a pid of our choice, as if the system had given it out once more. Linux gives them
 * out in order and lets root say where to go on.
 */
import { spawnSync } from 'node:child_process';

/**
 * Undefined if somebody else was given the number: try again. One command after the other in one
 * shell leaves them hardly any time.
 */
export function startWithPid(pid: number): { end(): void } | undefined {
  const script = `echo ${pid - 1} > /proc/sys/kernel/ns_last_pid; sleep 600 > /dev/null & echo $!`;
  const { stdout } = spawnSync('sh', ['-c', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  const started = Number(stdout);
  if (started === pid) return { end: () => process.kill(pid) };
  if (started > 0) process.kill(started);
  return undefined;
}
