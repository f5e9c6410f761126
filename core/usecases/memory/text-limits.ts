/**
 * How long a text may be that a person types into a form: the window stops there, and the engine
 * refuses what is longer (M19).
 */
export const MAX_LINE_CHARS = 10_000;
