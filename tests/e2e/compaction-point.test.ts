import { compactionPoints, POINTS } from './cases/compaction-point.ts';

/** `npm run test:versions` takes every override, and more versions. */
compactionPoints('claude', POINTS);
