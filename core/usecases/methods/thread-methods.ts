/** The groups of methods that a thread of the application loads. */
import { activityMethods } from './activity.ts';
import { backfillMethods } from './backfill.ts';
import { deltaMethods } from './delta.ts';
import { doctorMethods } from './doctor.ts';
import { earlierMethods } from './earlier.ts';
import { foreignMethods } from './foreign.ts';
import { memoryMethods } from './memory.ts';
import { placeMethods } from './place.ts';
import { resumeMethods } from './resume.ts';
import { rulesMethods } from './rules.ts';
import { searchMethods } from './search.ts';
import { suggestionMethods } from './suggestions.ts';
import { workMethods } from './work.ts';

export const THREAD_METHODS = {
  ...activityMethods,
  ...backfillMethods,
  ...deltaMethods,
  ...doctorMethods,
  ...earlierMethods,
  ...foreignMethods,
  ...memoryMethods,
  ...placeMethods,
  ...resumeMethods,
  ...rulesMethods,
  ...searchMethods,
  ...suggestionMethods,
  ...workMethods,
};
