/**
 * A day of clears in the demo: what was done, what was refused and why, and the very texts that new
 * sessions were given.
 */
import { readFileSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Activity, addActivity } from '../../../core/clear/activity.ts';
import { writeRecord } from '../../../core/clear/clear-record.ts';
import type { L1Entry } from '../../../core/memory/log/l1-refine.ts';
import { addSpending } from '../../../core/memory/model/spend.ts';
import { composeBriefing } from '../../../core/memory/restore/briefing.ts';
import { briefingsFolder, saveBriefing } from '../../../core/memory/restore/briefing-file.ts';
import { readDigest } from '../../../core/memory/state/digest.ts';
import { type Message, message } from '../../../core/messages/message.ts';
import { thisProcess } from '../../../core/platform/store/owner.ts';
import type { Places } from '../../../core/platform/store/places.ts';
import { memoryMdPath } from '../../../core/projects/memory-paths.ts';
import type { DemoProjects, DemoSessions } from './demo-home.ts';
import type { DemoProject } from './demo-memory.ts';
import type { DemoSession } from './demo-session.ts';

const MINUTE_MS = 60_000;
const COUNTDOWN = message('clear.countdown', { seconds: 10 });

interface Clear {
  minutesAgo: number;
  project: DemoProject;
  session: DemoSession;
  percent: number;
  way: 'mod' | 'tmux';
  how: Message;
  entries: number;
  work: L1Entry[];
}

export function addDemoActivity(
  places: Places,
  { shop, clinic, tool }: DemoProjects,
  sessions: DemoSessions,
): void {
  const notes = (
    minutesAgo: number,
    seconds: number,
    what: string,
    note: Message,
    session: DemoSession,
  ) =>
    add(places, minutesAgo, seconds, {
      what,
      note,
      sessionId: session.clearedFrom,
      project: session.root,
    });
  addClear(places, {
    minutesAgo: 7 * 60,
    project: clinic,
    session: sessions.clinic,
    percent: 72,
    way: 'mod',
    how: message('driver.modHow'),
    entries: 31,
    work: CLINIC_WORK,
  });
  notes(190, 0, 'detected', message('clear.thresholdReached', { percent: 70 }), sessions.shop);
  notes(190, 0.1, 'countdown', COUNTDOWN, sessions.shop);
  notes(190, 6, 'cancelled', message('clear.snoozed', { minutes: 30 }), sessions.shop);
  addClear(places, {
    minutesAgo: 131,
    project: shop,
    session: sessions.shop,
    percent: 74,
    way: 'mod',
    how: message('driver.modHow'),
    entries: 38,
    work: SHOP_WORK,
  });
  addClear(places, {
    minutesAgo: 45,
    project: tool,
    session: sessions.tool,
    percent: 70,
    way: 'tmux',
    how: message('driver.tmuxHow', { place: 'sift:0.0' }),
    entries: 52,
    work: TOOL_WORK,
  });
  const until = new Date(Date.now() - 35 * MINUTE_MS).toISOString();
  const cooling = message('clear.coolingDown', { until });
  notes(39, 0, 'refused', cooling, sessions.tool);
  addSpending(places, 'facts', { input: 48_210, output: 3912 });
  addSpending(places, 'delta', { input: 31_400, output: 2750 });
}

function add(
  places: Places,
  minutesAgo: number,
  seconds: number,
  activity: Omit<Activity, 'at'>,
): string {
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS + seconds * 1000).toISOString();
  addActivity(places, [{ ...activity, at } as Omit<Activity, 'at'>]);
  return at;
}

/** Each step of a clear that went well, its record, and what the session behind it was given. */
function addClear(places: Places, clear: Clear): void {
  const { project, session, way } = clear;
  const common = { sessionId: session.clearedFrom, project: project.root };
  const given = givenTo(places, clear);
  const step = (seconds: number, what: string, note?: Message, more: Partial<Activity> = {}) =>
    add(places, clear.minutesAgo, seconds, {
      what,
      ...common,
      ...(note !== undefined && { note }),
      ...more,
    });
  const at = step(0, 'detected', message('clear.thresholdReached', { percent: clear.percent }));
  step(0.1, 'countdown', COUNTDOWN);
  step(10.2, 'saving');
  step(10.3, 'saved', undefined, { figures: { entries: clear.entries } });
  step(13.9, 'saving', message('clear.handOver'));
  step(14.0, 'rechecking');
  step(14.1, 'delivering', clear.how, { way });
  step(14.2, 'verifying', undefined, { way });
  const note = message('clear.restoredAt', { percent: clear.percent, characters: given.length });
  const ended = step(14.7, 'restored', note, { way });
  writeRecord(places, {
    sessionId: session.clearedFrom,
    pid: session.pid,
    processStart: session.processStart,
    projectRoot: project.root,
    cwd: project.root,
    percent: clear.percent,
    by: 'threshold',
    owner: thisProcess(),
    state: 'restored',
    steps: [
      { state: 'detected', at },
      { state: 'restored', at: ended, note },
    ],
    way,
    newSessionId: session.sessionId,
  });
}

function givenTo(
  places: Places,
  { project: { root, memory }, session, work, minutesAgo }: Clear,
): string {
  const text = composeBriefing({
    projectName: basename(root),
    work,
    memory: readFileSync(memoryMdPath(memory), 'utf8'),
    digest: readDigest(memory),
  }).join('\n');
  saveBriefing(places, session.sessionId, text);
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS + 15_000);
  utimesSync(join(briefingsFolder(places), `${session.sessionId}.txt`), at, at);
  return text;
}

interface DemoWork {
  request: string;
  reply: string;
  files: string[];
  commands: string[];
  plan: string;
}

/** As entries of L1. */
function workOf({ request, reply, files, commands, plan }: DemoWork): L1Entry[] {
  const call = (name: string, cmd: string): L1Entry => ({
    ...{ id: cmd, ts: '', role: 'tool', name, cmd, output: '' },
    ...(name === 'TodoWrite' && { isPlan: true }),
  });
  return [
    { id: 'request', ts: '', role: 'user', text: request },
    ...(plan === '' ? [] : [call('TodoWrite', plan)]),
    ...files.map((file) => call('Edit', file)),
    ...commands.map((command) => call('Bash', command)),
    { id: 'reply', ts: '', role: 'assistant', text: reply },
  ];
}

const SHOP_WORK = workOf({
  request:
    'Show the balance of a gift card in the checkout, but only after the code is known to be valid.',
  reply:
    'The ledger has a read model now; the next step is the field in the checkout and its error texts.',
  files: ['src/gift-card/ledger.ts', 'src/checkout/summary.tsx', 'migrations/0019_gift_card.sql'],
  commands: ['npm test -- gift-card', 'npm run migrate'],
  plan: '- [x] ledger\n- [x] read model\n- [ ] field in the checkout\n- [ ] error texts',
});

const CLINIC_WORK = workOf({
  request: '대체휴무일을 달력에 표시하고, 그날은 예약을 받지 않게 해 줘.',
  reply: '공휴일 데이터를 읽는 부분은 끝났고, 예약 화면에서 막는 일이 남았습니다.',
  files: ['src/calendar/holidays.ts', 'src/booking/reserve.ts'],
  commands: ['npm test -- calendar'],
  plan: '- [x] 공휴일 데이터\n- [ ] 예약 화면',
});

const TOOL_WORK = workOf({
  request: 'Read .gz without unpacking to disk.',
  reply: 'A thread of its own reads ahead; 244 MiB a second here.',
  files: ['src/read/gzip.rs', 'benches/gzip.rs'],
  commands: ['cargo bench gzip'],
  plan: '',
});
