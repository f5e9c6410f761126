/**
 * Checks whether the screen is locked: keys would be lost or end up in a password field. systemd
 * knows it for most desktops; a lock program that does not report itself is found by its name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Message, message } from '../../../messages/message.ts';
import type { RunProgram } from '../../../platform/process/run-program.ts';
import { attempt } from '../../../platform/store/attempt.ts';

/** They run only while the screen is locked. Daemons such as xscreensaver always run. */
const LOCK_PROGRAMS = new Set(
  `gnome-screensaver-dialog gtklock hyprlock i3lock kscreenlocker_greet mate-screensaver-dialog
  physlock slock swaylock vlock waylock xlock xscreensaver-auth xscreensaver-gfx xsecurelock
  xtrlock`.split(/\s+/),
);

/** Why the screen counts as locked; undefined if it does not. */
export async function lockedScreen(
  run: RunProgram,
  loginSession: string,
  env: NodeJS.ProcessEnv,
): Promise<Message | undefined> {
  const args = ['show-session', loginSession, '--property=LockedHint'];
  const { ok, stdout } = await run('loginctl', args, { env });
  if (ok && stdout.includes('LockedHint=yes')) return message('driver.screenLocked');
  const lock = runningPrograms().find((name) => LOCK_PROGRAMS.has(name));
  return lock === undefined ? undefined : message('driver.screenLockedBy', { program: lock });
}

/** By the command line and not the process's name, which the system cuts off after 15 letters. */
function runningPrograms(): string[] {
  const pids = attempt(() => readdirSync('/proc'), []).filter((name) => /^\d+$/.test(name));
  return pids.map((pid) =>
    basename(attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0')[0] ?? ''),
  );
}
