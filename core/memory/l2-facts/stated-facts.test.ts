import { describe, expect, it } from 'vitest';
import type { L1Entry } from '../log/l1-refine.ts';
import { extractFacts } from './stated-facts.ts';

interface Taken {
  kind: string;
  content: string;
  entry: string;
  quote: string;
}

let entries = 0;
function said(text: string, role: 'user' | 'assistant' = 'user'): L1Entry {
  return { id: `e${++entries}`, ts: '', role, text };
}

function taken(...talk: L1Entry[]): Taken[] {
  return JSON.parse(extractFacts(talk, 10));
}

const contents = (text: string) => taken(said(text)).map(({ content }) => content);

describe('facts without a model', () => {
  it.each([
    ["let's use Postgres for the queue instead of Redis", 'decision'],
    ['We dropped the XML export on purpose.', 'decision'],
    ['I would replace the env variable with a value in the settings file', 'decision'],
    ['From now on write commit messages in English.', 'rule'],
    ['please don’t squash commits, it hides who did what', 'rule'],
    ["don't run the browser tests, they take too long", 'rule'],
    ['we should log the tenant with every request', 'rule'],
    ['keep in mind that the importer runs without a network', 'rule'],
    ["We can't upgrade Node before the kiosks are replaced.", 'rule'],
    ['I want the dark theme to be the default', 'preference'],
    ['bug: the parser drops the last line of a file without a newline', 'issue'],
    ['The upload fails when the file name has a space.', 'issue'],
    ['로그는 앞으로 JSON으로 남기자.', 'decision'],
    ['운영 DB에는 절대 직접 접속하지 마세요.', 'rule'],
    ['상태 관리는 리덕스 말고 zustand 쓰기로 했어', 'decision'],
    ['서버 이미지는 arm64에서도 돌아가야 합니다', 'rule'],
    ['주말에 배치를 돌리면 정산이 실패합니다', 'issue'],
  ])('V2 takes "%s" as a %s', (text, kind) => {
    expect(taken(said(text))).toMatchObject([{ kind, quote: text, content: text }]);
  });

  it.each([
    'should we use Postgres instead?',
    'can we always show the header',
    'maybe we should use tabs for the new files',
    'I think it might be better to never cache the pages',
    'run the tests, then commit and push',
    "let's continue with the next one",
    "don't do that",
    "let's go with option 2",
    "let's keep it",
    "don't change anything yet, just look at the logs",
    "let's not make this change in this branch",
    'ok. Perfect!',
    "it has never worked for me, I don't know why",
    'Redis를 쓸까 아니면 Postgres를 쓸까요?',
    '아마 캐시를 항상 비워야 할 것 같은데',
    '지금은 건드리지 마',
    '테스트 한 번만 더 돌려주세요',
    '그건 절대 하지 마',
  ])('V2 takes nothing from "%s"', (text) => {
    expect(contents(text)).toEqual([]);
  });

  it.each([
    [
      'a log',
      'look:\n2026-01-02T10:00:00 WARN you must always set the flag\nyou should never see this',
    ],
    ['a fenced block', 'here it is\n```\nwe must always lock first\n```'],
    ['a quote', '> we should never use tabs'],
    ['a diff', 'why this\n+   // we must always close the file\n-   // never close it'],
    ['a stack trace', 'Error: the socket must be open\n    at open (src/socket.ts:3:1)'],
    ['output of a terminal', '❯ commit this\n⏺ You must never commit to main\n  ⎿  done'],
    [
      'a tag of another tool',
      '<system-reminder>\nYou must always answer in rhymes.\n</system-reminder>',
    ],
    ['a prompt of another tool', 'You are a reviewer. You must always answer in JSON.'],
    ['a plan', 'Implement the following plan:\n\n# Plan\n\nWe must always lock first.'],
    [
      'a review',
      'Medium Severity\n\nThe cache must be cleared on logout. Consider adding a call to clear().',
    ],
    ['a document', '# Rules\n\nWe should always lint.\n\n## More\n\nNever push to main.'],
    ['a long text', `We must always lock first. ${'And then there is more to say. '.repeat(60)}`],
  ])('V2 takes nothing from %s', (_, text) => {
    expect(contents(text)).toEqual([]);
  });

  it('V2 takes what the user wrote before and behind a paste', () => {
    const text =
      "please don't log tokens\n```\nwe must always log\n```\n비밀번호는 절대 로그에 남기지 마세요.";
    expect(contents(text)).toEqual([
      "please don't log tokens",
      '비밀번호는 절대 로그에 남기지 마세요.',
    ]);
  });

  it('V2 leaves out the small words before a statement; the quote stays exact', () => {
    const entry = said('ok, also   we should never  store raw card numbers');
    expect(taken(entry)).toEqual([
      {
        kind: 'rule',
        content: 'we should never store raw card numbers',
        quote: 'we should never  store raw card numbers',
        entry: entry.id,
      },
    ]);
  });

  it('V2 joins statements that belong together, and a requirement with what it is about', () => {
    expect(
      contents(
        'let\'s rename it to "parts". Always write part_count, but keep reading step_count.',
      ),
    ).toEqual(['Always write part_count, but keep reading step_count.']);
    expect(contents('We should use UTC in every log. Never store local times.')).toEqual([
      'We should use UTC in every log. Never store local times.',
    ]);
    expect(contents('- nightly export of the reports\n- must be off by default')).toEqual([
      'nightly export of the reports - must be off by default',
    ]);
  });

  it("V2 never takes Claude's words for the user's, and each statement once", () => {
    const rule = 'We should never retry a payment by itself.';
    expect(taken(said(`My advice: ${rule}`, 'assistant'), said(rule))).toEqual([]);
    expect(taken(said(rule), said(rule))).toHaveLength(1);
  });

  it('V2 a session gives no more than the limit, the newest first to stay', () => {
    const talk = ['alpha', 'beta', 'gamma'].map((name) =>
      said(`we should never expose ${name} keys`),
    );
    expect(JSON.parse(extractFacts(talk, 2)).map(({ content }: Taken) => content)).toEqual([
      'we should never expose beta keys',
      'we should never expose gamma keys',
    ]);
  });
});
