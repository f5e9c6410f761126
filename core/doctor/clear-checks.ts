/**
 * Whether sessions can be cleared (A1, A4): who watches them, whether that is paused, by which
 * driver, and what the desktop allows.
 */
import { type Explanation, explainClear, runTools } from '../clear/clearing.ts';
import { lockedScreen } from '../clear/delivery/desktop/screen-lock.ts';
import { Typist } from '../clear/delivery/desktop/typist.ts';
import { otherWatchers } from '../clear/watchers.ts';
import { areClearsPaused } from '../clear/wishes.ts';
import { type Message, message } from '../messages/message.ts';
import { readSettings } from '../settings/settings.ts';
import { type Check, type Patient, type Result, sessionName } from './check.ts';

/** Each may ask several programs. */
const MOST_SESSIONS = 10;

export const displayCheck: Check = {
  id: 'typing',
  title: message('doctor.typingTitle'),
  why: message('doctor.typingWhy'),
  async look(patient) {
    const { env, run } = patient.options;
    const mend = message('doctor.typingOtherDrivers');
    if (patient.platform === 'linux') {
      const reason = whyNoX(env) ?? (await lockedScreen(run, env.XDG_SESSION_ID ?? 'auto', env));
      if (reason !== undefined)
        return { state: 'notice', found: message('doctor.typingNotNow', { reason }), mend };
    }
    const started = await Typist.start(env);
    if (!started.ok) {
      const { reason } = started;
      return { state: 'notice', found: message('doctor.typingImpossible', { reason }), mend };
    }
    started.value.leave();
    if (patient.platform !== 'darwin')
      return { state: 'well', found: message('doctor.typingFound') };
    return {
      state: 'unknown',
      found: message('doctor.typingMac'),
      mend: message('doctor.typingMacMend'),
    };
  },
};

function whyNoX({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): Message | undefined {
  if (DISPLAY) return undefined;
  return message(WAYLAND_DISPLAY ? 'doctor.typingWayland' : 'doctor.typingNoDisplay');
}

export const terminalsCheck: Check = {
  id: 'ways',
  title: message('doctor.driversTitle'),
  why: message('doctor.driversWhy'),
  async look(patient) {
    const sessions = (await patient.sessions()).slice(0, MOST_SESSIONS);
    if (sessions.length === 0) return { state: 'well', found: message('doctor.driversNoSession') };
    const tools = runTools(patient.options, () => undefined);
    const lines: Message[] = [];
    let isWell = true;
    for (const running of sessions) {
      const { ways } = await explainClear(tools, running);
      const session = sessionName(running);
      const first = ways.find(({ certainty }) => certainty.certain);
      isWell &&= first !== undefined;
      lines.push(
        first === undefined
          ? whyNot(session, ways)
          : message('doctor.driverFound', { session, driver: first.name }),
      );
    }
    const found = message('plugin.lines', { lines });
    if (isWell) return { state: 'well', found };
    return { state: 'notice', found, mend: message('doctor.driversMend') };
  },
};

function whyNot(session: Message, ways: Explanation['ways']): Message {
  const last = ways.at(-1);
  if (last === undefined || last.certainty.certain)
    return message('doctor.driversOff', { session });
  const { why: reason } = last.certainty;
  return message('doctor.driverMissing', { session, driver: last.name, reason });
}

export const watchingCheck: Check = {
  id: 'watching',
  title: message('doctor.watchingTitle'),
  why: message('doctor.watchingWhy'),
  look({ options }: Patient): Result {
    const others = otherWatchers(options.places);
    const { mode } = readSettings(options.places).settings.autoClear;
    const count = others.length + (options.isWatching === true ? 1 : 0);
    if (count === 0 && mode !== 'off')
      return {
        state: 'notice',
        found: message('doctor.watchingNone'),
        mend: message('doctor.watchingStart'),
      };
    if (count === 0) return { state: 'well', found: message('doctor.watchingNotNeeded') };
    if (count === 1) return { state: 'well', found: message('doctor.watchingFound') };
    return {
      state: 'notice',
      found: message('doctor.watchingSeveral', { count, pids: others.map(String) }),
      mend: message('doctor.watchingSeveralMend'),
    };
  },
};

const MODES = {
  auto: 'doctor.clearsAreAutomatic',
  ask: 'doctor.clearsAskBefore',
  off: 'doctor.clearsAreOff',
} as const;

export const pausedCheck: Check = {
  id: 'paused',
  title: message('doctor.pausedTitle'),
  why: message('doctor.pausedWhy'),
  look({ options: { places } }: Patient): Result {
    if (areClearsPaused(places))
      return {
        state: 'notice',
        found: message('doctor.paused'),
        fix: {
          id: 'resume-clears',
          label: message('doctor.pausedResume'),
          preview: [message('doctor.pausedPreview')],
        },
      };
    const { mode } = readSettings(places).settings.autoClear;
    return { state: 'well', found: message(MODES[mode]) };
  },
};
