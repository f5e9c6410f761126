/** As loaded-later.ts, for what a reply's hook needs alone: it imports hooks that import that file. */
export const loadPreparedAnswers = () => import('./prepared-answers.ts');
