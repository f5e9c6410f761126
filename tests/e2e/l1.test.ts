import { l1OfRealTranscripts } from './cases/l1.ts';

/** `npm run test:versions` shows it on more and longer ones. */
l1OfRealTranscripts({ sessions: [[60, 'claude-haiku-5-5']], turns: 60, toolCalls: 100 });
