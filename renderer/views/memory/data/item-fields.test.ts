import { describe, expect, it } from 'vitest';
import { CONCEPT_FIELDS, changeOf, factFields, fieldsOf, missingField } from './item-fields.ts';

const fact = {
  content: 'Money is cents.',
  reason: 'VAT',
  keywords: ['money', 'vat'],
  files: ['src/money.ts'],
  status: 'open',
};

describe('the forms of memory', () => {
  it('M19 a change names only what was changed, so that everything else stays', () => {
    const before = fieldsOf(factFields('decisions'), fact);
    expect(
      changeOf(factFields('decisions'), before, { ...before, content: 'Money is integer cents.' }),
    ).toEqual({
      content: 'Money is integer cents.',
    });
    expect(changeOf(factFields('decisions'), before, before)).toEqual({});
  });

  it('M19 an emptied field is taken away, a list is split at commas without doubles', () => {
    const before = fieldsOf(factFields('decisions'), fact);
    expect(
      changeOf(factFields('decisions'), before, {
        ...before,
        reason: ' ',
        keywords: 'vat, cents,, vat',
      }),
    ).toEqual({
      reason: null,
      keywords: ['vat', 'cents'],
    });
  });

  it('M19 a summary that is emptied is empty, since a concept always has one', () => {
    const before = fieldsOf(CONCEPT_FIELDS, { name: 'money', summary: 'about money' });
    expect(changeOf(CONCEPT_FIELDS, before, { ...before, summary: '' })).toEqual({ summary: '' });
  });

  it('M9 only issues have a status and a resolution', () => {
    const names = (part: 'issues' | 'notes') => factFields(part).map(({ name }) => name);
    expect(names('issues')).toContain('status');
    expect(names('notes')).not.toContain('status');
  });

  it('M19 a fact without words is not sent', () => {
    expect(missingField(factFields('notes'), { content: '  ' })).toBe('content');
    expect(missingField(factFields('notes'), { content: 'x' })).toBeUndefined();
  });
});
