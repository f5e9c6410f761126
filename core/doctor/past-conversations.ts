/**
 * Says how many conversations from before Memory Keeper wait to be imported (L1d), and that Claude
 * Code is going to delete them. It only says so: importing is the user's decision.
 */
import { chooseSessions } from '../memory/backfill/preview-backfill.ts';
import { transcriptDays } from '../memory/backfill/transcript-days.ts';
import { message } from '../messages/message.ts';
import { notice, type Patient, type Result, well } from './check.ts';

export async function checkPast(patient: Patient): Promise<Result> {
  const { places, env } = patient.options;
  const live = new Set((await patient.sessions()).map(({ sessionId }) => sessionId));
  const { wanted } = chooseSessions(places, env, { only: [], except: [] }, patient.now);
  // What runs now is being kept.
  const waiting = [...wanted.values()].flat().filter(({ sessionId }) => !live.has(sessionId));
  if (waiting.length === 0) return well(message('doctor.pastNone'));
  const { days } = transcriptDays(places);
  return notice(
    message('doctor.pastWaiting', { count: waiting.length, days }),
    message('doctor.pastMend'),
  );
}
