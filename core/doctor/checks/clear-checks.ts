/**
 * Whether sessions can be cleared (A1, A4): who watches them, whether that is paused, by which way,
 * and what the desktop allows.
 */
import { explainClear, runTools } from '../../clear/clearing.ts';
import { lockedScreen } from '../../clear/delivery/desktop/screen-lock.ts';
import { Typist } from '../../clear/delivery/desktop/typist.ts';
import { otherWatchers } from '../../clear/watchers.ts';
import { areClearsPaused } from '../../clear/wishes.ts';
import { renderMessage } from '../../messages/all-messages.ts';
import { readSettings } from '../../settings/settings.ts';
import type { SessionStatus } from '../../status/session-status.ts';
import type { Check, Patient, Result } from '../check.ts';

/** Each may ask several programs. */
const MOST_SESSIONS = 10;
const OTHER_WAYS =
  'Sessions with the plugin’s mod, or in tmux, screen, zellij, kitty, WezTerm or iTerm2 need no keyboard.';

export const displayCheck: Check = {
  id: 'typing',
  title: 'Typing on the desktop',
  why: 'The last way to clear a session is to press keys in its window.',
  async look(patient) {
    const { env, run } = patient.options;
    if (patient.platform === 'linux') {
      const why = whyNoX(env) ?? (await lockedScreen(run, env.XDG_SESSION_ID ?? 'auto', env));
      if (why !== undefined)
        return {
          state: 'notice',
          found: `Not possible now: ${renderMessage('en', why)}.`,
          mend: OTHER_WAYS,
        };
    }
    const started = await Typist.start(env);
    if (!started.ok)
      return {
        state: 'notice',
        found: `Not possible: ${renderMessage('en', started.reason)}.`,
        mend: OTHER_WAYS,
      };
    started.value.leave();
    if (patient.platform !== 'darwin')
      return {
        state: 'well',
        found: 'The display can be reached, and the part that types is there.',
      };
    return {
      state: 'unknown',
      found:
        'The part that types is there. Whether macOS allows it to press keys shows only when it does.',
      mend: 'System Settings → Privacy & Security → Accessibility: switch on Memory Keeper, or the terminal that it is run in.',
    };
  },
};

function whyNoX({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): string | undefined {
  if (DISPLAY) return undefined;
  return WAYLAND_DISPLAY
    ? 'this is Wayland without X, where no program can press keys in the window of another'
    : 'there is no display here';
}

export const terminalsCheck: Check = {
  id: 'ways',
  title: 'Ways to clear the sessions that run',
  why: 'A session without a way is not cleared by itself; you are told to type /clear.',
  async look(patient) {
    const sessions = (await patient.sessions()).slice(0, MOST_SESSIONS);
    if (sessions.length === 0) return { state: 'well', found: 'No session runs now.' };
    const tools = runTools(patient.options, () => undefined);
    const lines: string[] = [];
    let isWell = true;
    for (const session of sessions) {
      const { ways } = await explainClear(tools, session);
      const first = ways.find(({ certainty }) => certainty.certain);
      isWell &&= first !== undefined;
      lines.push(
        `${nameOf(session)}: ${first === undefined ? `no way (${whyNot(ways)})` : `by ${first.name}`}`,
      );
    }
    const found = `${lines.join('. ')}.`;
    if (isWell) return { state: 'well', found };
    return {
      state: 'notice',
      found,
      mend: 'Install the plugin and start these sessions again, or run them in tmux.',
    };
  },
};

const nameOf = ({ project, pid }: SessionStatus) => `${project} (process ${pid})`;

function whyNot(ways: Awaited<ReturnType<typeof explainClear>>['ways']): string {
  const last = ways.at(-1);
  return last === undefined || last.certainty.certain
    ? 'all are switched off'
    : `${last.name}: ${renderMessage('en', last.certainty.why)}`;
}

export const watchingCheck: Check = {
  id: 'watching',
  title: 'Application at work',
  why: 'Sessions are cleared by themselves only while the application, `memory-keeper serve` or `memory-keeper watch` runs.',
  look({ options }: Patient): Result {
    const others = otherWatchers(options.places);
    const { mode } = readSettings(options.places).settings.autoClear;
    const count = others.length + (options.isWatching === true ? 1 : 0);
    if (count === 0 && mode !== 'off')
      return {
        state: 'notice',
        found: 'Nobody watches the sessions now.',
        mend: 'Start the application, or `memory-keeper watch`.',
      };
    if (count <= 1)
      return {
        state: 'well',
        found:
          count === 0
            ? 'Automatic clears are off, and nobody watches.'
            : 'One watches the sessions.',
      };
    return {
      state: 'notice',
      found: `${count} applications watch the sessions (processes ${others.join(', ')}). Each clear is done by one of them.`,
      mend: 'One is enough: close the others.',
    };
  },
};

export const pausedCheck: Check = {
  id: 'paused',
  title: 'Automatic clears',
  why: 'While they are paused, sessions grow until they are full.',
  look({ options: { places } }: Patient): Result {
    if (areClearsPaused(places))
      return {
        state: 'notice',
        found: 'They are paused.',
        mend: 'Let clears go on: `memory-keeper doctor --fix resume-clears`.',
        fix: {
          id: 'resume-clears',
          label: 'Let clears go on',
          preview: ['Sessions that reach their threshold are cleared again.'],
        },
      };
    const { mode } = readSettings(places).settings.autoClear;
    const words = {
      auto: 'They are on.',
      ask: 'You are asked before each.',
      off: 'They are off, by the setting autoClear.mode.',
    };
    return { state: 'well', found: words[mode] };
  },
};
