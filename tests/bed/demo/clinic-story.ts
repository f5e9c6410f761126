/**
 * A Korean project: appointments of a neighbourhood clinic, with reminders by message, over two
 * months.
 */
import { claude, type Story, tool, user } from './story.ts';

const PRIVACY = '환자 이름과 전화번호는 로그에 절대 남기지 않는다.';
const KST = '모든 시각은 UTC로 저장하고 화면에서만 한국 시간으로 바꾼다.';

export const clinicStory: Story = {
  name: '진료예약',
  sections: {
    'Core Decisions': [
      '- 환자 정보는 로그에 남기지 않는다.',
      '- 시각은 UTC로 저장하고 화면에서만 한국 시간으로 보여 준다.',
      '- 알림은 카카오 알림톡이 먼저, 실패하면 문자로 보낸다.',
    ].join('\n'),
    'Current State': '- Version: 0.9.2\n- Status: 원장님 시범 사용 중\n- Last updated: ',
    'Known Issues': '- 공휴일 대체휴무가 달력에 자동으로 들어오지 않는다.',
  },
  sessions: [
    {
      daysAgo: 58,
      at: '01:10',
      lines: [
        user(
          '가장 중요한 것부터. 환자 이름과 전화번호는 로그에 절대 남기지 않는다. 오류 로그도 마찬가지야.',
          {
            kind: 'decision',
            content: PRIVACY,
            quote: '환자 이름과 전화번호는 로그에 절대 남기지 않는다.',
            keywords: ['개인정보', '로그'],
          },
        ),
        claude(
          '알겠습니다. 로거에 마스킹 단계를 넣고, 환자 객체는 id만 출력되도록 toJSON을 막아 두겠습니다.',
          {
            kind: 'pattern',
            content: '로거에 마스킹 단계가 있고, 환자 객체는 id만 출력된다.',
            keywords: ['로그', '마스킹'],
          },
        ),
        tool('Write', 'src/logger.ts', 'File created successfully at: src/logger.ts'),
        user('그리고 모든 시각은 UTC로 저장하고 화면에서만 한국 시간으로 바꾼다.', {
          kind: 'decision',
          content: KST,
          quote: '모든 시각은 UTC로 저장하고 화면에서만 한국 시간으로 바꾼다.',
          keywords: ['시간대', 'UTC'],
        }),
      ],
      summary:
        '프로젝트를 시작했다. 환자 이름과 전화번호는 로그에 남기지 않고, 시각은 UTC로 저장한다. 로거에 마스킹 단계를 넣었다.',
    },
    {
      daysAgo: 41,
      at: '04:40',
      lines: [
        user('같은 시간에 예약이 두 개 잡히는 일이 있었어. 접수대에서 난리가 났다.', {
          kind: 'issue',
          content: '같은 시간에 예약이 두 개 잡힌다.',
          quote: '같은 시간에 예약이 두 개 잡히는 일이 있었어.',
          keywords: ['예약', '중복'],
        }),
        tool(
          'Read',
          'src/booking/reserve.ts',
          '  const taken = await findSlot(slot)\n  if (!taken) await insertBooking(slot)',
        ),
        claude(
          '조회와 저장 사이에 틈이 있었습니다. 같은 시간에 예약이 두 개 잡히지 않도록 의사와 시작 시각에 유일 제약을 걸었습니다.',
          {
            kind: 'issue',
            content: '같은 시간에 예약이 두 개 잡힌다.',
            quote: '의사와 시작 시각에 유일 제약을 걸었습니다.',
            status: 'resolved',
            resolution: '의사와 시작 시각에 유일 제약을 걸었다.',
            keywords: ['예약', '중복'],
          },
        ),
        tool('Bash', 'npm test -- booking', 'Tests  27 passed (27)'),
        user('좋아. 점심시간은 12시 반부터 2시까지야. 그 사이에는 예약을 받지 않는다.', {
          kind: 'decision',
          content: '점심시간인 12시 반부터 2시까지는 예약을 받지 않는다.',
          quote: '점심시간은 12시 반부터 2시까지야. 그 사이에는 예약을 받지 않는다.',
          keywords: ['점심시간', '예약'],
        }),
      ],
      summary:
        '같은 시간에 예약이 두 개 잡히던 문제를 의사와 시작 시각의 유일 제약으로 막았다. 점심시간에는 예약을 받지 않는다.',
    },
    {
      daysAgo: 20,
      at: '02:25',
      lines: [
        user('알림은 카카오 알림톡을 먼저 보내고, 3분 안에 실패하면 문자로 다시 보내자.', {
          kind: 'decision',
          content: '알림은 카카오 알림톡을 먼저 보내고 3분 안에 실패하면 문자로 다시 보낸다.',
          keywords: ['알림톡', '문자'],
        }),
        claude(
          '발송 기록에는 예약 번호만 남깁니다. 환자 이름과 전화번호는 로그에 절대 남기지 않는다는 원칙을 지킵니다.',
          {
            kind: 'decision',
            content: PRIVACY,
            quote: '환자 이름과 전화번호는 로그에 절대 남기지 않는다',
          },
        ),
        tool('Bash', 'npm run send -- --dry-run', '발송 예정 42건, 실패 0건'),
        user('전날 저녁 7시에 보내. 밤에는 보내지 말고.', {
          kind: 'decision',
          content: '예약 알림은 전날 저녁 7시에 보낸다.',
          keywords: ['알림', '시각'],
        }),
      ],
      summary:
        '알림톡을 먼저, 3분 안에 실패하면 문자로 보낸다. 전날 저녁 7시에 나간다. 발송 기록에는 예약 번호만 남는다.',
    },
    {
      daysAgo: 2,
      at: '05:05',
      lines: [
        user('대체휴무일이 달력에 안 들어와 있어. 지난번처럼 손으로 넣고 있다.', {
          kind: 'issue',
          content: '대체휴무일이 달력에 들어오지 않아 손으로 넣고 있다.',
          keywords: ['공휴일', '달력'],
        }),
        claude(
          '공휴일 데이터를 해마다 11월에 받아 두는 방법이 가장 단순합니다. 저장할 때는 모든 시각은 UTC로 저장하고 화면에서만 한국 시간으로 바꾼다는 규칙을 따르겠습니다.',
          {
            kind: 'decision',
            content: KST,
            quote: '모든 시각은 UTC로 저장하고 화면에서만 한국 시간으로 바꾼다',
          },
        ),
        tool(
          'Write',
          'src/calendar/holidays.ts',
          'File created successfully at: src/calendar/holidays.ts',
        ),
        user('로그도 다시 한번 확인해 줘. 환자 이름과 전화번호는 로그에 절대 남기지 않는다.', {
          kind: 'decision',
          content: PRIVACY,
          quote: '환자 이름과 전화번호는 로그에 절대 남기지 않는다.',
        }),
        claude('확인했습니다. 예외 메시지에 전화번호 뒷자리가 들어가던 곳이 하나 있어 고쳤습니다.'),
      ],
      summary:
        '대체휴무일이 달력에 들어오지 않는 문제를 정리하는 중이다. 예외 메시지에 전화번호 뒷자리가 들어가던 곳을 고쳤다.',
    },
  ],
};
