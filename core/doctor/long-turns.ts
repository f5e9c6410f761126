/**
 * Long turns (K6): whether Claude Code compacts at the user's critical threshold inside a turn, and
 * what is in the way. A value that the user set is told and never replaced by a fix.
 */
import { message } from '../messages/message.ts';
import { type LongTurnsView, longTurnsView } from '../plugin/long-turns.ts';
import { notice, type Patient, type Result, well } from './check.ts';
import type { Fix } from './finding.ts';

export function checkLongTurns({ options: { places, env } }: Patient): Result {
  const view = longTurnsView({ places, env });
  const fix = fixOf(view);
  return { ...found(view), ...(fix && { fix }) };
}

function found({ isOn, isBehind, own, path, value, obstacles }: LongTurnsView): Result {
  if (own !== null) return well(message('doctor.longTurnsOwn', { own, path }));
  if (!isOn) return well(message('doctor.longTurnsOff'));
  if (isBehind) return notice(message('doctor.longTurnsBehind', { value }));
  if (obstacles.length > 0)
    return notice(message('doctor.longTurnsInVain', { reasons: obstacles }));
  return well(message('doctor.longTurnsOn', { entry: 'autoCompactWindow', value }));
}

function fixOf({ isOn, isBehind, own, preview }: LongTurnsView): Fix | undefined {
  if (own !== null || preview === null) return undefined;
  if (isBehind) return { id: 'long-turns-on', label: message('doctor.longTurnsFollow'), preview };
  return isOn
    ? { id: 'long-turns-off', label: message('doctor.longTurnsTurnOff'), preview }
    : { id: 'long-turns-on', label: message('doctor.longTurnsTurnOn'), preview };
}
