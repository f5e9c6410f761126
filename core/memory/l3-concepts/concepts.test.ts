import { describe, expect, it } from 'vitest';
import groups from '../../../resources/glossary.json' with { type: 'json' };
import {
  addToConcept,
  bandOf,
  newConceptIndex,
  removeFromConcept,
  similarConcepts,
} from './concept-index.ts';
import { glossary, MAX_TERM_WORDS, PLAIN_TERMS } from './glossary.ts';
import { conceptName } from './l3-concepts.ts';
import { type PlacedFact, regroup } from './regroup.ts';
import { type ConceptFact, isAnchored, termsOf } from './terms.ts';

function fact(text: string, files: string[] = [], keywords: string[] = []): ConceptFact {
  return { text, files, keywords };
}

function indexOf(concepts: Record<string, ConceptFact[]>) {
  const index = newConceptIndex();
  for (const [id, facts] of Object.entries(concepts))
    for (const each of facts) addToConcept(index, id, termsOf(each));
  return index;
}

const REFUNDS = [
  fact('A refund goes back to the original card.', ['src/payments/refund.ts'], ['refund']),
  fact('환불 금액은 주문 금액을 넘을 수 없다.', ['src/payments/refund.ts'], ['환불']),
  fact(
    'Refunds are booked as rows of their own.',
    ['src/payments/refund.ts'],
    ['refund', 'ledger'],
  ),
];
const UPLOADS = [
  fact('Uploads are cut into chunks of 8 MB.', ['src/upload/chunks.ts'], ['upload', 'chunk']),
  fact('업로드가 끊기면 이어서 올린다.', ['src/upload/chunks.ts'], ['업로드']),
];

describe('the terms of a fact', () => {
  it('F8 says the same of a Korean and an English sentence on one topic', () => {
    const english = termsOf(fact('The login session expires after the payment.'));
    const korean = termsOf(fact('결제가 끝나면 로그인 세션은 만료된다.'));
    for (const term of ['login', 'session', 'payment']) {
      expect([...english.keys()], term).toContain(term);
      expect([...korean.keys()], term).toContain(term);
    }
  });

  it('F8 finds a term however it is written', () => {
    for (const text of ['sign in', 'Sign-in', 'login', '로그인', '로그인은', '로그인에서만']) {
      expect([...termsOf(fact(text)).keys()], text).toContain('login');
    }
    for (const text of ['connection pool', '커넥션 풀의', '커넥션풀은']) {
      expect([...termsOf(fact(text)).keys()], text).toContain('connection pool');
    }
  });

  it('keeps identifiers and file names whole and in parts', () => {
    const terms = [...termsOf(fact('refreshAccessToken in token.ts이 두 번 호출된다.')).keys()];
    expect(terms).toEqual(
      expect.arrayContaining(['#refreshaccesstoken', 'access token', '@token.ts', 'token']),
    );
  });

  it('takes a file that everything touches for no evidence', () => {
    expect([...termsOf(fact('x', ['package.json', 'src/index.ts', 'README.md'])).keys()]).toEqual(
      [],
    );
  });

  it('is done with hostile text in one go', () => {
    for (const text of [
      '가'.repeat(100_000),
      'a.'.repeat(50_000),
      '/'.repeat(100_000),
      '로그인'.repeat(30_000),
      '',
    ]) {
      expect(termsOf(fact(text)).size).toBeLessThan(10);
    }
  });
});

describe('the band of a fact', () => {
  const index = indexOf({ refunds: REFUNDS, uploads: UPLOADS });
  const judge = (each: ConceptFact) => bandOf(termsOf(each), isAnchored(each), index);

  it('M10 puts a fact into the concept it clearly belongs to, across languages', () => {
    expect(
      judge(fact('부분 환불은 src/payments/refund.ts에서 처리한다.', [], ['부분 환불'])),
    ).toMatchObject({
      band: 'match',
      conceptId: 'refunds',
    });
    const english = fact('Refunds need an approver.', ['src/payments/refund.ts']);
    expect(judge(english).band).toBe('match');
  });

  it('M10 calls a fact on a new topic a clear miss', () => {
    expect(
      judge(fact('The tray menu ends with Quit.', ['src/tray/menu.ts'], ['tray menu'])),
    ).toEqual({
      band: 'miss',
    });
  });

  it('M10 leaves what it cannot tell to a model', () => {
    expect(judge(fact('If in doubt, give the money back.')).band).toBe('unclear');
    const both = fact('환불 서류의 업로드', [], ['환불', '업로드']);
    expect(judge(both)).toEqual({ band: 'unclear' });
    expect(
      similarConcepts(index, termsOf(both))
        .map(({ conceptId }) => conceptId)
        .sort(),
    ).toEqual(['refunds', 'uploads']);
  });

  it('the counts of a concept are as before when a fact is added and taken out', () => {
    const terms = termsOf(fact('The upload of a refund', ['src/new.ts'], ['cart']));
    const before = structuredClone(index);
    addToConcept(index, 'new', terms);
    expect(similarConcepts(index, terms)[0]?.conceptId).toBe('new');
    removeFromConcept(index, 'new', terms);
    expect(index).toEqual(before);
  });
});

describe('regroup', () => {
  const placed = (
    facts: readonly ConceptFact[],
    conceptId?: string,
    decided = false,
  ): PlacedFact[] => facts.map((each) => ({ fact: each, conceptId, decided }));

  it('M10 makes one concept of two that are equal, under the id that has more facts', () => {
    const facts = [
      ...placed(REFUNDS.slice(0, 1), 'second'),
      ...placed(REFUNDS.slice(1), 'first'),
      ...placed(UPLOADS, 'uploads'),
    ];
    const { groups } = regroup(facts);
    expect(groups.map(({ conceptId }) => conceptId).sort()).toEqual(['first', 'uploads']);
    expect(groups.find(({ conceptId }) => conceptId === 'first')?.facts).toEqual([0, 1, 2]);
  });

  it('M10 gives a place to what came before its concept, and asks for a new id', () => {
    const { groups, unclear } = regroup([
      ...placed([fact('환불은 refund.ts에서 사흘 뒤에 처리한다.')]),
      ...placed(REFUNDS),
    ]);
    expect(groups).toEqual([{ conceptId: undefined, facts: [0, 1, 2, 3] }]);
    expect(unclear).toEqual([]);
  });

  it('M10 takes a mixed concept apart', () => {
    const { groups } = regroup(placed([...REFUNDS, ...UPLOADS], 'mixed'));
    expect(groups).toEqual([
      { conceptId: 'mixed', facts: [0, 1, 2] },
      { conceptId: undefined, facts: [3, 4] },
    ]);
  });

  it('M10 never moves what a model or a person decided', () => {
    const odd = fact('Give it all back within two weeks.');
    const other = fact('Nobody should have to wait for long.');
    const few = regroup([
      ...placed(REFUNDS, 'refunds'),
      ...placed([odd], 'refunds', true),
      ...placed([other], 'refunds'),
    ]);
    expect(few).toEqual({ groups: [{ conceptId: 'refunds', facts: [0, 1, 2, 3] }], unclear: [4] });
    const all = regroup([
      ...placed([odd, ...UPLOADS], 'refunds', true),
      ...placed(UPLOADS, 'uploads'),
    ]);
    expect(all.groups).toHaveLength(1);
    expect(all.groups[0]?.facts).toEqual([0, 1, 2, 3, 4]);
  });

  it('has nothing to say of nothing', () => {
    expect(regroup([])).toEqual({ groups: [], unclear: [] });
  });
});

describe('conceptName', () => {
  it('M10 takes the keyword that says most, else the file, else the first words', () => {
    expect(conceptName(fact('…', ['src/a.ts'], ['3', '부분 환불']))).toBe('부분 환불');
    expect(conceptName(fact('…', ['src/payments/refundDialog.tsx']))).toBe('refund dialog');
    expect(conceptName(fact('환불 사유는 필수로 받는다. 둘째 문장.'))).toBe(
      '환불 사유는 필수로 받는다',
    );
    expect(conceptName(fact(`one ${'word '.repeat(30)}`)).length).toBeLessThanOrEqual(41);
  });
});

describe('the glossary', () => {
  it('has each term once, in lower case, in groups of at least two', () => {
    const terms = groups.flat();
    expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([]);
    expect(
      terms.filter(
        (term) => term !== term.toLowerCase().trim() || term.split(' ').length > MAX_TERM_WORDS,
      ),
    ).toEqual([]);
    expect(groups.filter((group) => group.length < 2)).toEqual([]);
  });

  it('has every term that counts as plain', () => {
    expect([...PLAIN_TERMS].filter((term) => !glossary().terms.has(term))).toEqual([]);
  });
});
