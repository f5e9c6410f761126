/**
 * Auto-compact (A9): on and off are both well, as long as something makes room; what each of them
 * means is said.
 */
import { type AutoCompactView, autoCompactView } from '../auto-compact-view.ts';
import type { Check, Result } from '../check.ts';

export const autoCompactCheck: Check = {
  id: 'auto-compact',
  title: 'Auto-compact',
  why: 'Close to the limit Claude Code replaces the conversation by a summary of it. What was said is saved before that, and can be found again.',
  look({ options }) {
    const view = autoCompactView(options);
    const fix = view.fix === null ? {} : { fix: view.fix };
    const said = view.isOn
      ? `Auto-compact is on (by ${view.from}).`
      : `Auto-compact is off (by ${view.from}).`;
    if (view.isOn) return { ...whenOn(view, said), ...fix };
    const mend =
      view.variable === null
        ? 'Switch auto-compact on: `memory-keeper doctor --fix auto-compact-on`.'
        : `To have it again, take the variable ${view.variable} away.`;
    if (view.mode === 'auto')
      return {
        state: 'well',
        found: `${said} Sessions are cleared before they are full.`,
        mend,
        ...fix,
      };
    const clears =
      view.mode === 'ask'
        ? 'Automatic clears are asked for first, so a session can run into its limit and stop.'
        : 'Automatic clears are off, so a session can run into its limit and stop.';
    return { state: 'notice', found: `${said} ${clears}`, mend, ...fix };
  },
};

function whenOn({ mode, windows }: AutoCompactView, said: string): Result {
  const [smallest] = windows;
  const comesFirst =
    smallest !== undefined && mode === 'auto' && smallest.clearsAt >= smallest.compactsAt;
  if (!comesFirst)
    return {
      state: 'well',
      found: `${said} It comes into play only if a session is not cleared before.`,
    };
  return {
    state: 'notice',
    found: `${said} With a window of 200,000 tokens it comes before the automatic clear.`,
    mend: 'Lower autoClear.threshold, or switch auto-compact off: `memory-keeper doctor --fix auto-compact-off`.',
  };
}
