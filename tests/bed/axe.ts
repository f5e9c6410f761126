/** What axe-core finds wrong with a page for people who do not see it, or do not use a mouse. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A colour on its way from one to another is neither. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished))`;

/** One line for each thing found: the rule, what it says, and where. Empty if nothing is wrong. */
export async function violations(page: Page): Promise<string[]> {
  // By the debugger, so that the page's own policy against foreign scripts can stay on.
  await page.evaluate(AT_REST);
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE);
  const results = await page.evaluate<AxeResults>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) =>
        `${id}: ${help} at ${target.join(' ')} (${failureSummary.replaceAll(/\s+/g, ' ')})`,
    ),
  );
}
