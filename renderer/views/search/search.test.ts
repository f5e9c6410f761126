import { describe, expect, it } from 'vitest';
import { markTerms } from './mark-terms.ts';
import { pathOfPage, placeOf } from './use-open-hit.ts';

const marked = (text: string, ...terms: string[]) =>
  markTerms(text, terms).map(({ start, end }) => text.slice(start, end));

describe('the words that answered', () => {
  it('M17 are marked in words and in parts of names, in whatever case', () => {
    expect(marked('Gift cards and gift_card_entry', 'gift', 'card', 'cards')).toEqual([
      'Gift',
      'cards',
      'gift',
      'card',
    ]);
    expect(marked('see loadMemory', 'memory')).toEqual(['Memory']);
  });

  it('M17 a Korean word is marked although a particle follows', () => {
    expect(marked('환자의 이름을 지운다', '환자', '이름')).toEqual(['환자', '이름']);
  });

  it('M17 what did not answer is not marked', () => {
    expect(marked('discard the rest', 'card')).toEqual([]);
    expect(marked('', 'card')).toEqual([]);
  });

  it('M17 marks never overlap and stand in order', () => {
    const places = markTerms('gift_cards gift', ['gift', 'giftcards', 'cards', 'card']);
    for (const [index, { start, end }] of places.entries()) {
      expect(start).toBeLessThan(end);
      expect(start).toBeGreaterThanOrEqual(places[index - 1]?.end ?? 0);
    }
  });
});

describe('where a hit leads', () => {
  it('M17 to the fact, the rule, the concept, the section or the words themselves', () => {
    expect(placeOf({ id: 'l2/d001', layer: 'l2' })).toEqual({
      view: 'memory',
      tab: 'facts',
      item: 'd001',
    });
    expect(placeOf({ id: 'l4/r001', layer: 'l4' })).toEqual({
      view: 'memory',
      tab: 'permanent',
      item: 'r001',
    });
    expect(placeOf({ id: 'l3/c001', layer: 'l3' })).toEqual({
      view: 'memory',
      tab: 'concepts',
      item: 'c001',
    });
    expect(placeOf({ id: 'memory/Known Issues/', layer: 'memory' })).toEqual({
      view: 'memory',
      tab: 'text',
      item: 'Known Issues/',
    });
    const words = { id: 'l1/2026.l1.jsonl/abc', layer: 'l1', session: 's-1' } as const;
    expect(placeOf(words)).toEqual({
      view: 'memory',
      tab: 'transcript',
      session: 's-1',
      entry: 'abc',
    });
  });

  it('M17 a page without a view is told apart', () => {
    expect(placeOf({ id: 'summary//m/sessions/x.md', layer: 'summary' })).toBeUndefined();
    expect(pathOfPage({ id: 'summary//m/sessions/x.md' })).toBe('/m/sessions/x.md');
    expect(pathOfPage({ id: 'l2/d001' })).toBeUndefined();
  });
});
