import { describe, expect, it } from 'vitest';
import { findQuote } from './find-quote.ts';

function found(text: string, quote: string): string | undefined {
  const place = findQuote(text, quote);
  return place === undefined ? undefined : text.slice(place.start, place.end);
}

describe('a quote in its conversation', () => {
  it('M9 is found where it stands word for word', () => {
    expect(found('We take Postgres, not SQLite.', 'take Postgres')).toBe('take Postgres');
  });

  it('M9 is found although white space and line ends differ', () => {
    expect(found('We take\n  Postgres,\tnot SQLite.', 'We take Postgres, not SQLite.')).toBe(
      'We take\n  Postgres,\tnot SQLite.',
    );
  });

  it('M9 is found although Markdown, quotation marks, dashes and case differ', () => {
    expect(
      found('Use **Postgres** — “always”, `src/db.ts`.', 'use postgres - "always", src/db.ts'),
    ).toBe('Use **Postgres** — “always”, `src/db.ts');
    expect(found('> - *Never* push to main', 'Never push to main')).toBe('Never* push to main');
  });

  it('M9 is found although a number has separators', () => {
    expect(found('the limit is 10,000 characters', 'limit is 10000 characters')).toBe(
      'limit is 10,000 characters',
    );
  });

  it('M9 a quote of which only a part stands there marks that part', () => {
    expect(
      found(
        'First we migrate the ledger table, later the rest.',
        'Then we migrate the ledger table at once',
      ),
    ).toBe('we migrate the ledger table');
  });

  it('M9 what was never said is not marked', () => {
    expect(findQuote('We take Postgres.', 'We take MongoDB for everything')).toBeUndefined();
    expect(findQuote('We take Postgres.', '')).toBeUndefined();
    expect(findQuote('We take Postgres.', '"" **')).toBeUndefined();
  });

  it('M9 Korean is found, and places behind wide characters are right', () => {
    expect(found('👍 좋아요. 환자 이름은\n기록하지 않는다.', '환자 이름은 기록하지 않는다')).toBe(
      '환자 이름은\n기록하지 않는다',
    );
    expect(found('ﬁle ①: İstanbul then the answer', 'then the answer')).toBe('then the answer');
  });
});
