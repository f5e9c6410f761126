/**
 * iTerm2, by AppleScript: the session is the one whose tty is the process's, as iTerm2 itself tells
 * it. Each script looks for the tty anew and does nothing unless exactly one session has it. The
 * tty and the keys are handed over as arguments, never as script (A3).
 */
import type { MakeDriver } from './driver.ts';
import { ANSWER_WITHIN_MS, terminalDriver } from './terminal-driver.ts';

/** iTerm2 is not started by being asked; what begins with the mark is no content of a screen. */
const FOUND = 'found';
const script = (action: string): string => `on run argv
  if application "iTerm2" is not running then return "iTerm2 is not running"
  set found to {}
  tell application "iTerm2"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        repeat with aSession in sessions of aTab
          if tty of aSession is item 1 of argv then set end of found to aSession
        end repeat
      end repeat
    end repeat
    if (count of found) is not 1 then return "its terminal is not in exactly one session"
    ${action}
  end tell
end run`;
const LOOK = script(`return "${FOUND}"`);
const READ = script(`return "${FOUND}" & linefeed & (contents of (item 1 of found))`);
/** All at once: a key of several characters must not arrive in parts. */
const WRITE = script(`set codes to {}
    repeat with code in rest of argv
      set end of codes to (code as integer)
    end repeat
    tell (item 1 of found) to write text (character id codes) newline no
    return "${FOUND}"`);

export const iterm2Driver: MakeDriver = (tools) =>
  terminalDriver('iterm2', tools, async ({ tty }) => {
    const osascript = async (source: string, ...args: string[]) => {
      const { ok, stdout, reason } = await tools.run('osascript', ['-e', source, tty, ...args], {
        timeoutMs: ANSWER_WITHIN_MS,
      });
      const [mark, ...lines] = stdout.split(/\r\n|\r|\n/);
      return { ok: ok && mark === FOUND, lines, reason: `iTerm2: ${ok ? mark : reason}` };
    };
    const { ok, reason } = await osascript(LOOK);
    if (!ok) return { why: reason };
    return {
      how: `iTerm2 session at ${tty}`,
      terminal: {
        async read() {
          const shown = await osascript(READ);
          return shown.ok ? { lines: shown.lines, isStyled: false } : { unreadable: shown.reason };
        },
        send: (keys) => osascript(WRITE, ...[...keys].map((key) => String(key.charCodeAt(0)))),
      },
    };
  });
