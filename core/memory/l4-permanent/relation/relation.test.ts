import { describe, expect, it } from 'vitest';
import { relationOf } from './relation.ts';
import { prepare } from './statement.ts';

type Case = [older: string, newer: string];

const kindOf = ([older, newer]: Case) => relationOf(prepare(older), prepare(newer));

describe('a newer statement that contradicts an older one', () => {
  it.each<Case>([
    ['The API server listens on port 4000.', 'Run the API server on port 5000.'],
    ['Requests time out after 30 seconds.', 'The request timeout is two minutes.'],
    ['첨부 파일은 최대 10MB이다.', '첨부 파일은 30MB까지 올릴 수 있다.'],
    ['Health checks run each minute.', 'The health check interval is 10 seconds.'],
    ['배치 작업은 새벽 3시에 돈다.', '배치 작업은 오후 1시에 실행한다.'],
  ])('M11 has another value of one thing: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).toBe('contradicts');
  });

  it.each<Case>([
    ['CI runs on Jenkins.', 'GitHub Actions is our CI.'],
    ['Payments are handled by Stripe.', 'Adyen processes our payments.'],
    ['검색 결과는 최신순으로 정렬한다.', '검색 결과는 정확도순으로 보여준다.'],
    ['날짜는 YYYY-MM-DD로 표시한다.', '날짜는 YYYY.MM.DD 형식으로 보여준다.'],
    ['We deploy to AWS.', '배포는 GCP에 한다.'],
    ['개발용 mail server는 FooMail을 쓴다.', '개발 환경의 mail server는 BarPost이다.'],
  ])('M11 has another member of a category, or another name: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).toBe('contradicts');
  });

  it.each<Case>([
    ['Comments are required for public functions.', 'Comments on public functions are optional.'],
    ['Migrations are run by hand.', 'Migrations run automatically.'],
    ['프로필은 공개가 기본이다.', '프로필은 기본으로 비공개이다.'],
    ['테스트는 순서대로 실행한다.', '테스트는 병렬로 돌린다.'],
  ])('M11 has the opposite word: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).toBe('contradicts');
  });

  it.each<Case>([
    ['Commit the lockfile.', 'Never commit the lockfile.'],
    ['We support Internet Explorer.', 'Support for Internet Explorer has been dropped.'],
    ['Session data is stored in cookies.', 'Session data moved from cookies to Redis.'],
    ['상태는 Redux로 관리한다.', 'Redux를 Zustand로 바꿨다. 상태는 거기서 관리한다.'],
    ['댓글에 이미지를 넣을 수 있다.', '댓글에는 더 이상 이미지를 넣을 수 없다.'],
    ['Use class-based views.', 'class-based view는 더 이상 쓰지 않는다.'],
  ])('M11 denies or replaces what was said: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).toBe('contradicts');
  });
});

describe('a newer statement that leaves an older one standing', () => {
  it.each<Case>([
    ['The iOS app needs iOS 15.', 'The Android app needs Android 10.'],
    ['개발 서버는 3000번 포트를 쓴다.', '운영 서버는 80번 포트를 쓴다.'],
    ['Free users get 3 projects.', 'Paid users get 50 projects.'],
    ['Error messages are in Korean.', 'Log messages are in English.'],
  ])('M11 is about something else: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).not.toBe('contradicts');
  });

  it.each<Case>([
    ['Passwords are at least 12 characters.', 'Passwords may have up to 128 characters.'],
    ['환불은 7일 이내에 가능하다.', '환불 요청은 하루 안에 처리한다.'],
    ['The cache is Redis.', 'Redis 비밀번호는 Vault에 둔다.'],
    ['We support Chrome.', 'Firefox is supported too.'],
  ])('M11 adds to it: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).not.toBe('contradicts');
  });

  it.each<Case>([
    ['Deleted posts are not shown.', 'Deleted posts stay hidden from everyone.'],
    ['Never deploy without tests.', 'Deploy on Tuesdays.'],
    ['주말에는 배포하지 않는다.', '배포는 평일에만 한다.'],
    ['외부 API를 직접 호출하지 않는다.', '외부 API는 게이트웨이를 통해서만 호출한다.'],
    ['Do not use default exports.', 'Modules use named exports only.'],
  ])('M11 has a negation but points the same way: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).not.toBe('contradicts');
  });
});

describe('two statements that both hold', () => {
  it.each<Case>([
    ['The read timeout is 5 seconds.', 'The connect timeout is 2 seconds.'],
    ['Use tabs in Go.', 'Use spaces in Python.'],
    ['src/a.ts exports the user model.', 'src/b.ts exports the user model.'],
    ['Phase 1 covers login.', 'Phase 2 covers login.'],
    ['Issue 12 is about slow search.', 'Issue 13 is about slow search.'],
  ])('M11 are not taken for a contradiction: %s / %s', (older, newer) => {
    expect([kindOf([older, newer]), kindOf([newer, older])]).toEqual(['other', 'other']);
  });
});

describe('the same decision said again', () => {
  it.each<Case>([
    ['Never store passwords in plain text.', 'Passwords must not be stored as plain text.'],
    ['Logs are kept for 90 days.', '로그는 90일 동안 보관한다.'],
    ['Write commit messages in English.', '커밋 메시지는 영어로 쓴다.'],
    ['회의는 매주 월요일에 한다.', '매주 월요일에 회의를 한다.'],
    ['Keep data for one year.', 'Data is retained for 12 months.'],
  ])('M11 is recognised: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).toBe('same');
  });

  it.each<Case>([
    ['결제는 카드만 받는다.', '결제는 카드와 계좌 이체를 모두 받는다.'],
    ['Backups are kept for 30 days.', 'Backups run every night.'],
    ['Use Redis for sessions.', 'Use Redis for the cache.'],
    ['Upgrade from version 3 to version 5.', 'Upgrade from version 5 to version 3.'],
    [
      'The limit of part seven-7 turn 7 is 149 requests.',
      'The limit of part seven-0 turn 7 is 149 requests.',
    ],
    [
      'The limit of part seven-0 turn 7 is 149 requests.',
      'The limit of part seven-7 turn 7 is 149 requests.',
    ],
    ['Users can edit posts.', 'Admins can edit posts.'],
    ['The build script copies assets to dist.', 'The test script copies assets to dist.'],
    ['Table users has column created_at.', 'Table users has column updated_at.'],
    ['users 테이블에 created_at 컬럼을 추가했다.', 'users 테이블에 updated_at 컬럼을 추가했다.'],
    ['사용자 목록은 이름순으로 정렬한다.', '상품 목록은 이름순으로 정렬한다.'],
    ['Team A owns billing.', 'Team B owns billing.'],
    ['서버 A는 seoul에 있다.', '서버 B는 seoul에 있다.'],
    ['The worker sends events to the queue.', 'The queue sends events to the worker.'],
    ['Deploy staging before production.', 'Deploy production before staging.'],
    ['프론트엔드는 백엔드를 import하지 않는다.', '백엔드는 프론트엔드를 import하지 않는다.'],
    ['주문 서비스가 결제 서비스를 호출한다.', '결제 서비스가 주문 서비스를 호출한다.'],
    ['회원 탈퇴 시 주문 내역을 삭제한다.', '회원 탈퇴 시 결제 내역을 삭제한다.'],
  ])('M11 is not seen in what only sounds alike: %s / %s', (older, newer) => {
    expect(kindOf([older, newer])).not.toBe('same');
  });
});

describe('two statements of which it is not certain that they speak of the same', () => {
  it.each<Case>([
    ['Migrations are run by hand.', 'Migrations run automatically at startup.'],
    ['Validate input.', 'Validate the input on the server.'],
    ['회의는 매주 월요일에 한다.', '매주 월요일에 회의를 연다.'],
    ['Timeouts are 30 seconds.', 'The database timeout is 5 seconds.'],
    ['세션은 30분이다.', '관리자 세션은 10분이다.'],
    ['Logs are kept for 30 days.', 'Logs are compressed after 7 days.'],
    ['Dates are stored in UTC.', 'Dates are shown in local time.'],
    ['Users can change their name.', 'Users can change their name once a month.'],
    ['Users must confirm their email address.', 'Users must confirm their phone number.'],
    ['The API is documented in Swagger.', 'The API is documented in English.'],
    ['The app runs on Windows.', 'The app runs on macOS.'],
    ['Table users has column created_at.', 'Table users has column updated_at.'],
    ['users 테이블에 created_at 컬럼을 추가했다.', 'users 테이블에 updated_at 컬럼을 추가했다.'],
    ['The limit of part seven-7 is 149 requests.', 'The limit of part seven-0 is 151 requests.'],
    ['The limit of turn 7 is 149 requests.', 'The limit of turn 8 is 151 requests.'],
    ['Users can edit posts.', 'Customers can edit posts.'],
  ])('V3 both stay: %s / %s', (older, newer) => {
    expect([kindOf([older, newer]), kindOf([newer, older])]).toEqual(['other', 'other']);
  });
});

describe('any text at all', () => {
  const hostile = [
    '',
    ' ',
    '\u0000\u001b[31m',
    '(?:[a-z]+)+$ \\1 **',
    '한',
    '않는다',
    'not not never',
    '9'.repeat(400),
    '💥👍🏽',
    '\ud800',
  ];

  it('M11 has a relation, and the same one each time', () => {
    const texts = [
      ...hostile,
      'a'.repeat(1_000_000),
      '가 '.repeat(500_000),
      'Use npm.',
      'npm을 쓰지 않는다.',
    ];
    const prepared = texts.map(prepare);
    const judge = () =>
      prepared.map((older) => prepared.map((newer) => relationOf(older, newer)).join()).join('\n');
    expect(judge()).toBe(judge());
  });

  it('M11 does not contradict itself', () => {
    for (const text of [
      ...hostile,
      'Use dark text on a light background.',
      'Use npm, not yarn.',
      'A에서 B로 옮겼다.',
    ])
      expect(kindOf([text, text])).not.toBe('contradicts');
  });
});
