/** Checks whether sessions can be cleared (A1, A4): who watches them, and by which driver. */
import { areClearsPaused } from '../clear/clear-requests.ts';
import { type Explanation, explainClear, runTools } from '../clear/clearing.ts';
import { lockedScreen } from '../clear/delivery/desktop/screen-lock.ts';
import { Typist } from '../clear/delivery/desktop/typist.ts';
import { otherWatchers } from '../clear/watchers.ts';
import { type Message, message } from '../messages/message.ts';
import { readSettings } from '../settings/settings.ts';
import { notice, type Patient, type Result, sessionName, well } from './check.ts';

/** Each session may start several programs. */
const MOST_SESSIONS = 10;

export async function checkTyping({ options: { env, run }, platform }: Patient): Promise<Result> {
  const mend = message('doctor.typingOtherDrivers');
  if (platform === 'linux') {
    const reason = whyNoX(env) ?? (await lockedScreen(run, env.XDG_SESSION_ID ?? 'auto', env));
    if (reason !== undefined) return notice(message('doctor.typingNotNow', { reason }), mend);
  }
  const started = await Typist.start(env);
  if (!started.ok)
    return notice(message('doctor.typingImpossible', { reason: started.reason }), mend);
  started.value.leave();
  if (platform !== 'darwin') return well(message('doctor.typingFound'));
  const found = message('doctor.typingMac');
  return { state: 'unknown', found, mend: message('doctor.typingMacMend') };
}

function whyNoX({ DISPLAY, WAYLAND_DISPLAY }: NodeJS.ProcessEnv): Message | undefined {
  if (DISPLAY) return undefined;
  return message(WAYLAND_DISPLAY ? 'doctor.typingWayland' : 'doctor.typingNoDisplay');
}

export async function checkDrivers(patient: Patient): Promise<Result> {
  const sessions = (await patient.sessions()).slice(0, MOST_SESSIONS);
  if (sessions.length === 0) return well(message('doctor.driversNoSession'));
  const tools = runTools(patient.options, () => undefined);
  const lines: Message[] = [];
  let isWell = true;
  for (const running of sessions) {
    const { ways } = await explainClear(tools, running);
    const session = sessionName(running);
    const driver = ways.find(({ certainty }) => certainty.certain)?.name;
    isWell &&= driver !== undefined;
    lines.push(
      driver === undefined
        ? whyNot(session, ways)
        : message('doctor.driverFound', { session, driver }),
    );
  }
  const found = message('plugin.lines', { lines });
  return isWell ? well(found) : notice(found, message('doctor.driversMend'));
}

function whyNot(session: Message, ways: Explanation['ways']): Message {
  const last = ways.at(-1);
  if (last === undefined || last.certainty.certain)
    return message('doctor.driversOff', { session });
  const { why: reason } = last.certainty;
  return message('doctor.driverMissing', { session, driver: last.name, reason });
}

export function checkWatching({ options: { places, isWatching } }: Patient): Result {
  const others = otherWatchers(places);
  const count = others.length + (isWatching === true ? 1 : 0);
  if (count === 1) return well(message('doctor.watchingFound'));
  if (count > 1)
    return notice(
      message('doctor.watchingSeveral', { count, pids: others.map(String) }),
      message('doctor.watchingSeveralMend'),
    );
  return readSettings(places).settings.autoClear.mode === 'off'
    ? well(message('doctor.watchingNotNeeded'))
    : notice(message('doctor.watchingNone'), message('doctor.watchingStart'));
}

const MODES = {
  auto: 'doctor.clearsAreAutomatic',
  ask: 'doctor.clearsAskBefore',
  off: 'doctor.clearsAreOff',
} as const;

export function checkPaused({ options: { places } }: Patient): Result {
  if (!areClearsPaused(places))
    return well(message(MODES[readSettings(places).settings.autoClear.mode]));
  return notice(message('doctor.paused'), undefined, {
    id: 'resume-clears',
    label: message('doctor.pausedResume'),
    preview: [message('doctor.pausedPreview')],
  });
}
