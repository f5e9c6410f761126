/**
 * Checks whether the screen is locked: what is typed then is lost or ends up in a password field.
 * systemd knows it for most desktops; a lock program that does not report itself is found by its
 * name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Message, message } from '../../../messages/message.ts';
import type { RunProgram } from '../../../platform/process/run-program.ts';
import { attempt } from '../../../platform/store/attempt.ts';

/**
 * They run only while the screen is locked; daemons that wait for it (xscreensaver, light-locker)
 * are not among them.
 */
const LOCKS = new Set([
  'gnome-screensaver-dialog',
  'gtklock',
  'hyprlock',
  'i3lock',
  'kscreenlocker_greet',
  'mate-screensaver-dialog',
  'physlock',
  'slock',
  'swaylock',
  'vlock',
  'waylock',
  'xlock',
  'xscreensaver-auth',
  'xscreensaver-gfx',
  'xsecurelock',
  'xtrlock',
]);

/** Why it is held for locked. */
export async function lockedScreen(
  run: RunProgram,
  sessionOfLogin: string,
  env: NodeJS.ProcessEnv,
): Promise<Message | undefined> {
  const { ok, stdout } = await run(
    'loginctl',
    ['show-session', sessionOfLogin, '--property=LockedHint'],
    { env },
  );
  if (ok && stdout.includes('LockedHint=yes')) return message('driver.screenLocked');
  const lock = runningPrograms().find((name) => LOCKS.has(name));
  return lock === undefined ? undefined : message('driver.screenLockedBy', { program: lock });
}

/** From the command line and not the process's name, which the system cuts off after 15 letters. */
function runningPrograms(): string[] {
  const pids = attempt(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name));
  return pids.map((pid) =>
    basename(attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0')[0] ?? ''),
  );
}
