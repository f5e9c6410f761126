/**
 * Loads what most hooks run without. The build makes each import here a program of its own
 * (`LOADED_LATER` in scripts/build.ts), so that a hook starts without it.
 */
export const loadDueWork = () => import('./due-work.ts');
export const loadContinuedBriefing = () => import('./continued-briefing.ts');
export const loadKeepingTurn = () => import('./keeping-turn.ts');
export const loadEarlierMemory = () => import('./earlier-memory.ts');
export const loadAllMessages = () => import('../../messages/all-messages.ts');
