import { describe, expect, it } from 'vitest';

import { koreanStems } from './korean-stems.ts';
import { namedTime } from './question-dates.ts';
import { type SearchDocument, SearchIndex, type SearchOptions } from './search-index.ts';
import { snippet } from './snippet.ts';
import { analyse, chunksOf, termsOf } from './tokenize.ts';

const MB = 1024 * 1024;

function document(id: string, text: string, more: Partial<SearchDocument> = {}): SearchDocument {
  return { id, layer: 'l1', project: '/work/shop', text, ...more };
}

/** An index of texts whose ids are their places. */
function indexOf(...texts: (string | SearchDocument)[]): SearchIndex {
  const index = new SearchIndex();
  for (const [at, text] of texts.entries())
    index.put(typeof text === 'string' ? document(String(at), text) : text);
  return index;
}

function ids(index: SearchIndex, query: string, options?: SearchOptions): string[] {
  return index.search(query, options).map(({ id }) => id);
}

/** Whether the query finds the text, among others that have nothing to do with it. */
function finds(query: string, text: string): boolean {
  const index = indexOf(
    '점심은 비빔밥',
    'a walk in the park',
    document('this', text),
    'unrelated 잡담',
  );
  return ids(index, query).includes('this');
}

function terms(text: string): string[] {
  return chunksOf(text).flatMap((chunk) => termsOf(analyse(chunk)));
}

describe('Korean', () => {
  it.each([
    ['메모리', '메모리를 아낀다'],
    ['메모리를', '메모리가 부족하다'],
    ['세션', '세션들에서는 다르다'],
    ['저장', '파일을 저장했다'],
    ['저장했다', '나중에 저장합니다'],
    ['저장하는', '저장되었습니다'],
    ['복원', '복원시켰다'],
    ['초기화', '초기화하려면 이렇게'],
    ['세션', '자동세션복원'],
    ['복원', '자동세션복원을 켠다'],
    ['자동 저장', '자동저장을 켠다'],
    ['자동저장', '자동 저장을 켠다'],
    ['자동세션복원', '자동으로 세션을 복원한다'],
    ['훅', '훅이 늦게 끝난다'],
    ['훅을', '훅이 늦게 끝난다'],
    ['값', '값을 바꾼다'],
    ['파일', '설정 파일입니다'],
    ['매모리', '메모리를 아낀다'],
    ['API', 'API에서는 안 된다'],
    ['commit', 'commit했다'],
    ['세션', '세션ID를 적는다'],
    ['의도 파악', '의도를 파악했다'],
  ])('M17 finds %s in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ['늘렸지', '30일로 늘려줘'],
    ['막았더라', '유니크 제약으로 막습니다'],
    ['기다려줘', '12분까지 기다립니다'],
    ['지웠나', '관련 테스트를 지웠습니다'],
    ['올렸더라', '버전을 올리자'],
    ['빼버린', '아무도 안쓰니까 빼자'],
    ['쓴다고', '아무도 안쓰니까 빼자'],
    ['만든', '어제 만들었어'],
    ['가벼운', '이게 더 가벼워서'],
    ['눌렀을 때', '버튼을 누르면'],
    ['갈아타려다가', '안갈아타도 되겠다'],
    ['보냈지', '메일 보낼때 같이'],
    ['지원', '이제 지원안해도 된다'],
    ['3일', '3일전에 취소하면'],
    ['6분씩', '설치가 6분이나 걸려'],
  ])('M17 finds %s in "%s": another tense, another tone', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('M17 finds a part of a compound where the whole is nowhere', () => {
    const index = indexOf('보관은 2년', '기간은 미정', '점심은 비빔밥');
    expect(ids(index, '보관기간').toSorted()).toEqual(['0', '1']);
  });

  it.each([
    ['세션', '섹션을 나눈다'],
    ['저장', '저녁에 장을 본다'],
    ['메모리', '메모를 한 마리'],
  ])('M17 does not find %s in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  it('M17 takes particles for particles only after the sound that they follow', () => {
    expect(koreanStems('세션들에서는')).toEqual(['세션들에서', '세션들', '세션']);
    expect(koreanStems('저장했습니다')).toEqual(['저장']);
    expect(koreanStems('개발자가')).toEqual(['개발자']);
    for (const noun of ['전문가', '가을', '경로', '회의', '평가', '권한', '세션', '데이터'])
      expect(koreanStems(noun)).toEqual([]);
  });

  it('M17 finds decomposed Hangul, as macOS writes it in file names, and compatibility forms', () => {
    expect(finds('메모리', '메모리를'.normalize('NFD'))).toBe(true);
    expect(finds('메모리'.normalize('NFD'), '메모리를')).toBe(true);
    expect(finds('memory', 'ｍｅｍｏｒｙ')).toBe(true);
  });

  it('M17 asks for the words of a sentence, not for the particles that stand alone', () => {
    const index = indexOf('세션을 복원', '세션 은 길다', '은은한 향');
    const [best] = index.search('세션 은 복원');
    expect(best).toMatchObject({ id: '0', missing: [] });
    expect(ids(index, '이란 을')).toEqual([]);
  });
});

describe('the other script', () => {
  it.each([
    ['로그인', 'the login form'],
    ['비밀번호를', 'passwords are hashed'],
    ['login', '로그인 화면을 고쳤다'],
    ['레디스', 'Redis keeps the sessions'],
    ['쿠버네티스에서', 'runs on Kubernetes'],
    ['kubernetes', '쿠버네티스 클러스터'],
    ['엘라스틱서치', 'elasticsearch is slow'],
    ['그래프큐엘', 'GraphQL schema'],
    ['스벨트', 'the Svelte page'],
    ['플러터', 'written in Flutter'],
    ['프리즈마', 'prisma migrate'],
    ['이엠알', 'the EMR of the clinic'],
    ['PR', '피알 올렸어'],
    ['싱크', '동기화가 느리다'],
    ['인플럭스디비 왜 올렸지?', 'InfluxDB stays at 1.8'],
  ])('M17 finds %s in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ['레디스', 'the reader loads it'],
    ['데이터', 'a detour'],
  ])('M17 does not find %s in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  it('M17 puts the word itself above the same in the other script', () => {
    expect(ids(indexOf('login screen', '로그인 화면'), '로그인')).toEqual(['1', '0']);
  });
});

describe('identifiers and other words', () => {
  it.each([
    ['load memory', 'calls loadMemory()'],
    ['loadMemory', 'load_memory = 1'],
    ['load_memory', 'loadMemory'],
    ['load-memory', 'LoadMemory'],
    ['loadmemory', 'load-memory'],
    ['load memory', 'loadmemory'],
    ['loadMemory', 'load the memory'],
    ['memory', 'src/core/loadMemory.ts'],
    ['loadMemory.ts', 'src/core/loadMemory.ts'],
    ['src/core/loadMemory.ts', 'see src/core/loadMemory.ts:12'],
    ['core\\loadMemory', 'C:\\src\\core\\loadMemory.ts'],
    ['http server', 'new HTTPServer2()'],
    ['HTTPServer2', 'http_server_2'],
    ['utf8', 'UTF-8'],
    ['MEMORY', 'memory'],
    ['cafe', 'Café'],
    ['Café', 'CAFE'],
    ['mem', 'memory'],
    ['sessions', 'one session'],
    ['memories', 'a memory'],
    ['memroy', 'memory'],
    ['straße', 'Straße'],
    ['м', 'м'],
    ['память', 'Память сессии'],
    ['記憶', '短期記憶'],
  ])('M17 finds %s in "%s"', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('M17 finds an identifier only where all its parts are', () => {
    expect(finds('loadMemory', 'load the page')).toBe(false);
  });

  it('M17 keeps an identifier whole and in parts', () => {
    expect(terms('loadMemory')).toEqual(['loadmemory', 'load', 'memory', 'memori']);
    expect(terms('src/core/loadMemory.ts')).toEqual([
      'srccoreloadmemoryts',
      'src',
      'core',
      'loadmemory',
      'load',
      'memory',
      'memori',
      'ts',
    ]);
    expect(terms('HTTPServer2')).toEqual(['httpserver2', 'http', 'server', '2']);
    expect(terms('v2 L1 9f86d081884c7d659a2feaa0c55ad015')).toEqual([
      'v2',
      'l1',
      '9f86d081884c7d659a2feaa0c55ad015',
    ]);
  });
});

describe('ranking', () => {
  it('M17 puts whole words above words inside others, above beginnings and mistyped ones', () => {
    expect(
      ids(
        indexOf('자동세션복원', '긴 글 속의 세션 하나와 다른 많은 말들', '자동세션복원 기능'),
        '세션',
      )[0],
    ).toBe('1');
    const index = indexOf('memorial memorial', 'a long text that says memo once among other words');
    expect(ids(index, 'memo')).toEqual(['1', '0']);
  });

  it('M17 puts entries with all words above those with some, and says what is missing', () => {
    const index = indexOf(
      'redis redis redis cache',
      'redis was chosen for the queue, after much talk of other things',
      'queue',
    );
    const hits = index.search('redis queue');
    expect(hits[0]?.id).toBe('1');
    expect(Object.fromEntries(hits.map(({ id, missing }) => [id, missing]))).toEqual({
      0: ['queue'],
      1: [],
      2: ['redis'],
    });
  });

  it('M17 puts the rare word above the common one', () => {
    const index = indexOf(
      ...Array.from({ length: 50 }, () => 'the build is green'),
      'the flamingo',
    );
    expect(ids(index, 'build flamingo')[0]).toBe('50');
  });

  it('M17 puts the newer entry first on a tie, and those without a time last', () => {
    const index = indexOf(
      document('none', 'deploy on friday'),
      document('new', 'deploy on friday', { at: '2026-11-16T10:00:00Z' }),
      document('old', 'deploy on friday', { at: '2026-11-02T10:00:00Z' }),
    );
    expect(ids(index, 'deploy')).toEqual(['new', 'old', 'none']);
  });

  it('M17 puts what was distilled a little above what was merely said, and a better match above both', () => {
    const said = document('l1', 'deploy on friday', { at: '2026-11-16T10:00:00Z' });
    const rule = document('l4', 'deploy on friday', { layer: 'l4', at: '2026-01-01T10:00:00Z' });
    const inside = document('weak', 'redeployment', { layer: 'l4' });
    expect(ids(indexOf(said, rule, inside), 'deploy')).toEqual(['l4', 'l1']);
    expect(ids(indexOf(said, document('weak', 'deploybot', { layer: 'l4' })), 'deploy')).toEqual([
      'l1',
      'weak',
    ]);
  });

  it('M17 finds words of the title and values them', () => {
    const index = indexOf(
      document('text', 'deploy notes'),
      document('title', 'notes', { title: 'deploy' }),
    );
    expect(ids(index, 'deploy')).toEqual(['title', 'text']);
  });
});

describe('questions', () => {
  it.each([
    ['What did we decide about caching?', 'responses are cached for an hour'],
    ['why is the migration slow', 'migrating takes long because of the index'],
    ['was wurde wegen der Sessions entschieden', 'eine Session'],
    ['어떻게 배포하기로 했지?', '배포는 금요일에 합니다'],
  ])('M17 finds by "%s" the entry "%s"', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it('M17 does not count the words that a question is made of', () => {
    const index = indexOf(
      'what is the reason that you would say that about it, and what did they think of it?',
      'the exporter writes UTF-8 because of Excel',
    );
    const [best] = index.search('What is the reason that the exporter writes UTF-8?');
    expect(best).toMatchObject({ id: '1', missing: [] });
  });

  it.each([
    [
      'How many retries does the uploader make?',
      'the uploader makes retries',
      'the uploader makes 3 retries',
    ],
    ['업로드 재시도는 몇 번이지?', '업로드 재시도를 넣었다', '업로드 재시도는 5번'],
    [
      'What did we decide about the uploader?',
      'the uploader is slow',
      'we decided to drop the uploader',
    ],
    ['업로드는 어떻게 하기로 했지?', '업로드는 느리다', '업로드는 빼자'],
  ])('M17 answers "%s" not by "%s" but by "%s"', (query, other, answer) => {
    expect(ids(indexOf(answer, 'unrelated', other), query)[0]).toBe('0');
  });

  it('M17 gives no score above 1, whatever kind of answer is asked for', () => {
    const index = indexOf('we decided 3 retries', 'unrelated');
    const [best] = index.search('how many retries did we decide?');
    expect(best?.score).toBeLessThanOrEqual(1);
  });

  it('M17 looks for words of grammar where there are no others', () => {
    expect(ids(indexOf('to be or not to be', 'that is the question'), 'to be')).toEqual(['0']);
  });

  it('M17 takes the last words of a long question as well as the first', () => {
    const index = indexOf('unrelated', 'flamingo enclosure');
    const long = Array.from({ length: 20 }, (_, n) => `filler${n}`).join(' ');
    expect(ids(index, `${long} ${'and so on '.repeat(40)} flamingo`)[0]).toBe('1');
  });

  it('M17 understands a turn from the turns beside it and from its conversation', () => {
    const said = (id: string, session: string, text: string) => document(id, text, { session });
    const index = indexOf(
      said('far-1', 'other', 'the weekend was nice'),
      said('far-2', 'other', 'yes, it takes two hours by train'),
      said('far-3', 'other', 'we should go there again'),
      said('near-1', 'asked', 'how long does the nightly backup run?'),
      said('near-2', 'asked', 'yes, it takes two hours by now'),
      said('near-3', 'asked', 'then it has to start earlier'),
    );
    const found = ids(index, 'how many hours does the nightly backup of the server take');
    expect(found.indexOf('near-2')).toBeLessThan(found.indexOf('far-2'));
    expect(found).toContain('near-3'); // it has no word of it, but it may be the answer
    expect(ids(index, 'nightly backup')).toEqual(['near-1']); // these words, and no others
  });

  it('M17 V4 ranks turns after a year of weekly and monthly pages as without them', () => {
    const turns = Array.from({ length: 30 }, (_, n) =>
      document(`turn-${n}`, n === 17 ? 'the ferry leaves at nine' : `ferry note ${n}`, {
        session: `s${n % 3}`,
      }),
    );
    const pages = Array.from({ length: 52 + 12 }, (_, n) =>
      document(`page-${n}`, `Page ${n}: the ferry leaves at nine, ${'and more '.repeat(n)}`, {
        layer: n % 2 ? 'summary' : 'memory',
      }),
    );
    const before = ids(indexOf(...turns), 'when leaves the ferry at nine', { limit: 20 });
    const after = ids(indexOf(...pages, ...turns), 'when leaves the ferry at nine', { limit: 20 });
    expect([before[0], before.length]).toEqual(['turn-17', 20]);
    expect(after).toEqual(before);
    const all = ids(indexOf(...pages, ...turns), 'ferry', { limit: 100 });
    expect(all.slice(30).every((id) => id.startsWith('page-'))).toBe(true);
    expect(all).toHaveLength(33);
    expect(ids(indexOf(...pages), 'ferry', { limit: 10 })).toHaveLength(10);
  });
});

describe('times in questions', () => {
  const now = new Date(2026, 4, 14, 12); // a Thursday
  const at = (month: number, day: number) => new Date(2026, month - 1, day, 15).toISOString();
  const said = (id: string, month: number, day: number, text = 'the cache is flushed') =>
    document(id, text, { at: at(month, day), session: id });
  const index = indexOf(
    said('march', 3, 20),
    said('last week', 5, 6),
    said('tuesday', 5, 12),
    said('yesterday', 5, 13),
    said('other', 5, 13, '점심은 비빔밥'),
    said('today', 5, 14),
  );

  it.each([
    ['what did we say about the cache last Tuesday?', 'tuesday'],
    ['what about the cache yesterday', 'yesterday'],
    ['cache, two days ago', 'tuesday'],
    ['what happened to the cache last week', 'last week'],
    ['which cache was it in March', 'march'],
    ['what of the cache on March 20?', 'march'],
    ['cache 2026-05-06', 'last week'],
    ['cache 화요일에 뭐라고 했지', 'tuesday'],
    ['어제 cache 어떻게 됐지?', 'yesterday'],
    ['지난주에 cache 뭐라고 했더라', 'last week'],
    ['저번 주 수요일 cache', 'last week'],
    ['3월에 cache 어떻게 했지', 'march'],
    ['5월 12일 cache', 'tuesday'],
  ])('M17 puts first for "%s" what was said then: %s', (query, expected) => {
    const found = ids(index, query, { now });
    expect(found[0]).toBe(expected);
    expect(found).toHaveLength(5); // what was said at other times is found too
  });

  it('M17 gives what was said at a time if a question asks for nothing else', () => {
    expect(ids(index, 'what did we do yesterday?', { now }).sort()).toEqual(['other', 'yesterday']);
    expect(ids(index, '어제 뭐 했지?', { now }).sort()).toEqual(['other', 'yesterday']);
    expect(index.search('yesterday', { now })[0]?.missing).toEqual([]);
  });

  it.each([
    ['last Thursday', 7, 1],
    ['Thursday', 0, 1],
    ['a week ago', 10, 7],
    ['this week', 3, 7],
    ['last month', 43, 30],
    ['in June', 347, 30],
    ['그저께', 2, 1],
    ['지난 목요일', 7, 1],
    ['한 달 전에', 43, 30],
    ['작년', 498, 365],
    ['2025년 6월', 347, 30],
  ])('M17 knows that "%s" began %i days ago and lasts %i', (query, before, length) => {
    const day = (count: number) => new Date(2026, 4, 14 + count).getTime();
    expect(namedTime(query, now)).toEqual({
      text: query,
      from: day(-before),
      to: day(length - before),
    });
  });

  it.each(['may I ask', '13월', '취소는 3일 전에는 된다'])(
    'M17 takes "%s" for no time',
    (query) => {
      expect(namedTime(query, now)).toBeUndefined();
    },
  );
});

describe('filters', () => {
  const index = indexOf(
    document('a', 'deploy', {
      layer: 'l1',
      session: 's1',
      role: 'user',
      at: '2026-11-01T00:00:00Z',
    }),
    document('b', 'deploy', { layer: 'l2', session: 's1', at: '2026-11-02T00:00:00Z' }),
    document('c', 'deploy', { layer: 'memory', project: '/work/blog' }),
    document('d', 'deploy', {
      layer: 'l1',
      project: '/work/blog',
      session: 's2',
      role: 'tool',
      at: '2026-11-03T00:00:00Z',
    }),
  );

  it.each([
    [{ layers: ['l2', 'memory'] }, 'bc'],
    [{ layers: [] }, ''],
    [{ session: 's1' }, 'ab'],
    [{ session: 'nowhere' }, ''],
    [{ since: '2026-11-02' }, 'bd'],
    [{ until: '2026-11-02' }, 'ab'],
    [{ since: '2026-11-02', until: '2026-11-02T12:00:00Z', layers: ['l2'] }, 'b'],
    [{}, 'abcd'],
  ] as [SearchOptions, string][])('M17 %j lets through "%s"', (options, expected) => {
    expect(ids(index, 'deploy', options).sort().join('')).toBe(expected);
  });

  it('M17 finds every entry that has a word, however many have it', () => {
    const many = new SearchIndex();
    const expected: string[] = [];
    for (let n = 0; n < 9000; n++) {
      const session = `s${n % 10}`;
      many.put(document(`${n}`, `항상 ${n % 3 === 0 ? '세번째를' : '보통'} always`, { session }));
      if (session === 's4' && n % 3 === 0) expected.push(`${n}`);
    }
    for (const query of ['세번째', 'always 세번째', '번째'])
      expect(ids(many, query, { session: 's4', limit: 300 }).sort()).toEqual(expected.sort());
    expect(ids(many, 'always', { session: 's4', limit: 1000 })).toHaveLength(900);
  });

  it('M17 gives the best ones where only some are wanted', () => {
    expect(ids(index, 'deploy', { limit: 2 })).toEqual(ids(index, 'deploy').slice(0, 2));
  });

  it('M17 tells what is wrong with a time that is none', () => {
    expect(() => index.search('deploy', { since: 'yesterday' })).toThrow(
      'memory.notATime {"text":"yesterday"}',
    );
  });

  it('M17 gives back what it knows of an entry', () => {
    expect(index.search('deploy', { until: '2026-11-01' })).toEqual([
      {
        id: 'a',
        layer: 'l1',
        project: '/work/shop',
        session: 's1',
        role: 'user',
        at: '2026-11-01T00:00:00.000Z',
        score: expect.any(Number),
        terms: ['deploy'],
        missing: [],
      },
    ]);
  });
});

describe('what changes and what is kept', () => {
  it('M17 finds the new words of a replaced document and not its old ones', () => {
    const index = indexOf(document('a', 'flamingo'), 'other');
    index.put(document('a', 'pelican'));
    expect([ids(index, 'flamingo'), ids(index, 'pelican')]).toEqual([[], ['a']]);
  });

  it('M17 does not find what was removed, and writes none of its words down', () => {
    const index = indexOf(
      document('a', 'flamingo in the park', { title: 'birds' }),
      document('b', 'a walk in the park'),
    );
    index.remove('a');
    index.remove('a');
    expect(ids(index, 'park')).toEqual(['b']);
    const saved = index.toBuffer();
    for (const word of ['flamingo', 'birds']) expect(saved.includes(word)).toBe(false);
    expect([ids(index, 'park'), ids(index, 'flamingo')]).toEqual([['b'], []]);
    index.put(document('c', 'a flamingo'));
    expect(ids(index, 'flamingo')).toEqual(['c']);
  });

  it('M17 does not grow when one document is replaced over and over', () => {
    const index = indexOf('stays');
    for (let turn = 0; turn < 5000; turn++) index.put(document('a', `turn ${turn}`));
    expect([ids(index, '4999'), ids(index, '4998'), ids(index, 'stays')]).toEqual([
      ['a'],
      [],
      ['0'],
    ]);
    expect(index.search('turn')[0]?.score).toBeGreaterThan(0.5);
    expect(index.toBuffer().length).toBeLessThan(4096);
  });

  it('M17 answers the same after it was saved and loaded, and goes on from there', () => {
    const index = new SearchIndex();
    for (let n = 0; n < 3000; n++)
      index.put(
        document(`${n}`, `세션 ${n} 저장했다 loadMemory ${n % 7}`, {
          at: new Date(n * 1e9).toISOString(),
          session: `s${n % 5}`,
        }),
      );
    const loaded = SearchIndex.fromBuffer(index.toBuffer());
    const queries: [string, SearchOptions?][] = [
      ['세션 저장', { session: 's3' }],
      ['load memory 5'],
      ['2999'],
      ['저장', { until: '1990-01-01' }],
    ];
    for (const query of queries) expect(loaded?.search(...query)).toEqual(index.search(...query));
    loaded?.put(document('new', '저장하는 펠리컨'));
    index.put(document('new', '저장하는 펠리컨'));
    for (const query of [...queries, ['펠리컨 저장'] as [string]])
      expect(loaded?.search(...query)).toEqual(index.search(...query));
    expect(loaded?.toBuffer().equals(index.toBuffer())).toBe(true);
  });

  it('M17 an empty index can be asked, saved and loaded', () => {
    expect(new SearchIndex().search('세션')).toEqual([]);
    expect(SearchIndex.fromBuffer(new SearchIndex().toBuffer())?.search('세션')).toEqual([]);
  });

  it('M17 takes a saved index wherever it lies in a larger buffer', () => {
    const saved = indexOf('세션').toBuffer();
    const larger = Buffer.concat([Buffer.from('x'), saved]);
    expect(SearchIndex.fromBuffer(larger.subarray(1))?.search('세션')).toHaveLength(1);
  });

  it('M17 refuses what is damaged, cut, foreign or of another version, so that it is made anew', () => {
    const saved = indexOf('세션을 저장했다').toBuffer();
    const withByte = (at: number) => {
      const changed = Buffer.from(saved);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      return changed;
    };
    const refused = [
      Buffer.alloc(0),
      Buffer.from('{}'),
      Buffer.alloc(64),
      saved.subarray(0, -1),
      Buffer.concat([saved, Buffer.from('x')]),
    ];
    for (let at = 0; at < saved.length; at++) refused.push(withByte(at));
    for (const buffer of refused) expect(SearchIndex.fromBuffer(buffer)).toBeUndefined();
  });
});

describe('hostile text', () => {
  it.each([
    ['nothing', ''],
    ['spaces and control characters', ' \u0000\u0007\u001b[31m\u200b\u202e\n\t'],
    ['only particles', '은 는 이 가 을 를 에서 으로'],
    ['characters of regular expressions', '.*+?^$ {}()|[]\\ (a+)+$ [a-z'],
    ['emoji', '🙂👨‍👩‍👧🇰🇷1️⃣'],
    ['half a character', 'a\ud83d b\ude00 \ud800'],
    ['a very long word', 'a'.repeat(MB)],
    ['a very long Hangul word', '가나'.repeat(MB / 2)],
    ['a very long path', 'a/'.repeat(MB / 2)],
    ['a very long identifier', 'aB'.repeat(MB / 2)],
    ['many marks', `e${'\u0301'.repeat(MB)}`],
    ['a letter that becomes a sentence', '\ufdfa'.repeat(1000)],
    ['only boundaries', '\n\n\n'],
  ])('M17 takes %s as text and as query', (_, text) => {
    const index = indexOf(text, 'session', document('titled', 'x', { title: text }));
    expect(() => index.search(text)).not.toThrow();
    expect(snippet(text, ['a', 'session']).length).toBeLessThan(200);
    expect(ids(index, 'session')).toContain('1');
    expect(SearchIndex.fromBuffer(index.toBuffer())?.search(text)).toEqual(index.search(text));
  });

  it('M17 keeps little of what is no word', () => {
    expect(terms('x'.repeat(MB)).join('').length).toBeLessThan(100);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'])(
    'M17 %s is a word like any other',
    (word) => {
      const index = indexOf(
        'nothing',
        document(word, `about ${word}`, { session: word, project: word, title: word }),
      );
      expect(ids(index, word)).toEqual([word]);
      expect(ids(index, word, { session: word })).toEqual([word]);
      expect(ids(indexOf('nothing'), word)).toEqual([]);
    },
  );

  it('M17 does not care for the size of a query', () => {
    const index = indexOf('session', '세션');
    for (const query of [
      'session '.repeat(100_000),
      '가'.repeat(100_000),
      'a/b-c_d.e'.repeat(1000),
      Array.from({ length: 5000 }, (_, n) => n).join(' '),
    ])
      expect(index.search(query).length).toBeLessThanOrEqual(2);
  });
});

describe('snippet', () => {
  const filler = 'Lorem ipsum dolor sit amet. '.repeat(40);

  it('M17 shows the words around the best match in one line', () => {
    const shown = snippet(`${filler}\n\n자동으로 세션을 복원했다.\n${filler}`, ['세션', '복원']);
    expect(shown).toContain('자동으로 세션을 복원했다.');
    expect(shown).toMatch(/^…[^\n]+…$/);
    expect(shown.length).toBeLessThanOrEqual(162);
  });

  it('M17 prefers the place where most of the words stand together', () => {
    const text = `세션 하나. ${filler} 세션을 저장하고 복원했다. ${filler} 복원.`;
    expect(snippet(text, ['세션', '복원', '저장'])).toContain('세션을 저장하고 복원했다.');
  });

  it('M17 shows what a hit was found by', () => {
    const text = `${filler} loadMemory() 안의 자동세션복원 ${filler}`;
    const index = indexOf(text);
    for (const query of ['memory', '세션', 'load_memory', 'mem', '복원']) {
      const [hit] = index.search(query);
      expect(snippet(text, hit?.terms ?? [])).toContain('loadMemory() 안의 자동세션복원');
    }
  });

  it('M17 shows the beginning where nothing matches, and a short text whole', () => {
    expect(snippet(filler, ['세션'])).toMatch(/^Lorem .*…$/);
    expect(snippet('  짧은\n글  ', ['글'])).toBe('짧은 글');
  });

  it('M17 shows no control characters, no text direction tricks and no half characters', () => {
    const shown = snippet(
      `\u001b[31m세션\u0000\u202egnp.exe\u200b\ud800 \u009b2J ${'🙂'.repeat(300)}`,
      ['세션'],
    );
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(shown).toContain('세션');
    for (let pad = 0; pad < 5; pad++)
      expect(snippet(`${'x'.repeat(pad)}${'🙂'.repeat(300)}`, []).isWellFormed()).toBe(true);
  });
});
