/**
 * Loads what most hooks run without. The build makes each import here a program of its own
 * (`LOADED_LATER` in scripts/build.ts), so that a hook starts without it.
 */
export const loadDueWork = () => import('./due-work.ts');
export const loadMoveEarlier = () => import('../../memory/portable/move-earlier.ts');
export const loadAllMessages = () => import('../../messages/all-messages.ts');
