/** How much text that was not saved is kept, on both sides of the bridge (M19). */

export const MOST_DRAFTS = 50;
/** Of one draft as JSON. */
export const MOST_DRAFT_CHARACTERS = 1_000_000;
