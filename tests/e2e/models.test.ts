import { modelTable } from './cases/models.ts';

/** One of each kind; `npm run test:versions` takes the whole table. */
modelTable([
  'claude-sonnet-4-5',
  'claude-opus-5-5',
  'claude-sonnet-4-5-20250929[1m]',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
]);
