/**
 * iTerm2, by AppleScript. Each script looks for the pane (iTerm2 calls it a session) whose tty is
 * the process's, and does nothing unless exactly one has it. Tty and keys are passed as arguments,
 * never as script (A3).
 */
import { type Message, message } from '../../messages/message.ts';
import type { MakeDriver } from './driver.ts';
import { programFailed, terminalDriver } from './terminal-driver.ts';

/** The first line of each answer, which tells it from the content of a screen. */
const FOUND = 'found';
const NOT_RUNNING = 'not running';
const NOT_ONE = 'not one';
/** The first check keeps AppleScript from starting iTerm2. */
const script = (action: string): string => `on run argv
  if application "iTerm2" is not running then return "${NOT_RUNNING}"
  set found to {}
  tell application "iTerm2"
    repeat with aWindow in windows
      repeat with aTab in tabs of aWindow
        repeat with aSession in sessions of aTab
          if tty of aSession is item 1 of argv then set end of found to aSession
        end repeat
      end repeat
    end repeat
    if (count of found) is not 1 then return "${NOT_ONE}"
    ${action}
  end tell
end run`;
const FIND = script(`return "${FOUND}"`);
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
      const result = await tools.run('osascript', ['-e', source, tty, ...args]);
      const [mark = '', ...lines] = result.stdout.split(/\r\n|\r|\n/);
      if (result.ok && mark === FOUND) return { ok: true as const, lines };
      const reason = result.ok ? whyNot(mark) : programFailed('iterm2', result.reason);
      return { ok: false as const, reason };
    };
    const found = await osascript(FIND);
    if (!found.ok) return { why: found.reason };
    return {
      how: message('driver.iterm2How', { tty }),
      terminal: {
        async read() {
          const shown = await osascript(READ);
          return shown.ok ? { lines: shown.lines, isStyled: false } : { unreadable: shown.reason };
        },

        send: (keys) => osascript(WRITE, ...[...Buffer.from(keys)].map(String)),
      },
    };
  });

function whyNot(mark: string): Message {
  if (mark === NOT_RUNNING) return message('driver.iterm2NotRunning');
  if (mark === NOT_ONE) return message('driver.iterm2NoSession');
  return programFailed('iterm2', mark);
}
