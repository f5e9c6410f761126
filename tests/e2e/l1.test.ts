import { l1OfRealTranscripts } from './cases/l1.ts';

/** `npm run test:versions` shows it on longer ones. */
l1OfRealTranscripts({ sessions: [[40, 'claude-opus-5-5']], turns: 40, toolCalls: 60 });
