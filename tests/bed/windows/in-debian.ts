/**
 * Runs a program in the Debian of the Windows bed. The folder is its root, and it sees /tmp, the
 * cache and the repository where they are; the mounts for that are its own and end with it.
 */
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type WindowsPlaces, windowsCache } from './windows-places.ts';

const ENTER = `
root=$1; shift
for kernel in proc dev sys; do mount --rbind "/$kernel" "$root/$kernel"; done
while [ "$1" != -- ]; do
  case $1 in /dev/*) ;; *) mkdir -p "$root$1"; mount --bind "$1" "$root$1" ;; esac
  shift
done
shift
exec chroot "$root" "$@"`;

/** The command line; its process is the program itself. */
export function inDebian(
  { debian }: Pick<WindowsPlaces, 'debian'>,
  env: Record<string, string>,
  ...program: string[]
): [string, ...string[]] {
  const folders = new Set([
    '/tmp',
    tmpdir(),
    windowsCache(),
    resolve(import.meta.dirname, '../../..'),
  ]);
  const assignments = Object.entries({
    PATH: '/usr/bin:/bin',
    HOME: '/root',
    LC_ALL: 'C.UTF-8',
    WINEDEBUG: '-all',
    ...env,
  }).map(([name, value]) => `${name}=${value}`);
  const inside = ['env', '-i', ...assignments, ...program];
  return ['unshare', '--mount', 'sh', '-c', ENTER, 'sh', debian, ...folders, '--', ...inside];
}
