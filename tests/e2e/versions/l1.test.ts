import { WORKING_SESSIONS } from '../../bed/working-session.ts';
import { l1OfRealTranscripts } from '../cases/l1.ts';

l1OfRealTranscripts({ sessions: WORKING_SESSIONS, turns: 200, toolCalls: 300 });
