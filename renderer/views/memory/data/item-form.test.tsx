import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MAX_LINE_CHARS } from '../../../../core/usecases/memory/text-limits.ts';
import type { Field } from './item-fields.ts';
import { FormField } from './item-form.tsx';

function fieldWith(kind: Field['kind'], value: string): string {
  const field: Field = { name: 'content', kind };
  return renderToStaticMarkup(
    <FormField
      field={field}
      project="/app"
      value={value}
      isMissing={false}
      onChange={() => undefined}
    />,
  );
}

it('M19 a field takes no more words than can be saved, and says so when it is full', () => {
  for (const kind of ['line', 'text'] as const) {
    expect(fieldWith(kind, 'x')).toMatch(new RegExp(`maxLength="${MAX_LINE_CHARS}"`, 'i'));
    expect(fieldWith(kind, 'x')).not.toContain('10,000 characters');
    expect(fieldWith(kind, 'x'.repeat(MAX_LINE_CHARS))).toContain('10,000 characters');
  }
});
