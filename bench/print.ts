/** Results as lines for a person. */
import type { Figure, Result } from './harness.ts';

const VALUE_WIDTH = 8;
const UNIT_WIDTH = 13;

export function resultText(result: Result): string {
  const lines = [`\n${result.name}`];
  if (result.notRun !== undefined) lines.push(`  not run: ${result.notRun}`);
  for (const figure of result.figures) lines.push(figureLine(figure));
  for (const { name, value } of result.ratios)
    lines.push(`  ${short(value)} ${'×'.padEnd(UNIT_WIDTH)} ${name}`);
  if (result.promise !== null) lines.push(`  ${verdict(result.holds)}: ${result.promise}`);
  return `${lines.join('\n')}\n`;
}

export function summaryText(results: readonly Result[]): string {
  const broken = results.filter(({ holds }) => holds === false);
  const open = results.filter(({ holds, promise }) => holds === null && promise !== null);
  const kept = results.filter(({ holds }) => holds === true).length;
  const parts = [
    `${kept} promises hold`,
    `${broken.length} do not`,
    ...(open.length > 0 ? [`${open.length} not measured`] : []),
  ];
  return `\n${parts.join(', ')}\n${broken.map(({ name }) => `  does not hold: ${name}\n`).join('')}`;
}

function figureLine({ name, role, median, p95, unit, samples }: Figure): string {
  const spread = samples > 1 ? `median of ${samples}, 95 % within ${short(p95).trim()}` : 'once';
  return `  ${short(median)} ${unit.padEnd(UNIT_WIDTH)} ${name} (${role}, ${spread})`;
}

function verdict(holds: boolean | null): string {
  if (holds === null) return 'NOT MEASURED';
  return holds ? 'HOLDS' : 'DOES NOT HOLD';
}

/** Counts as they are: one lost of many thousands must be seen. */
function short(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US').padStart(VALUE_WIDTH);
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 }).padStart(VALUE_WIDTH);
}
