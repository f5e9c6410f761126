import { describe, expect, it } from 'vitest';
import { MadeMemory, type Word } from '../../../tests/bed/made-memory.ts';
import { message } from '../../messages/message.ts';
import type { SettingKey, SettingValueType } from '../../settings/setting-definitions.ts';
import { changeSetting } from '../../settings/settings.ts';
import { appendToJournal } from '../log/journal.ts';
import { readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { writtenHandOver } from '../restore/written-hand-over.ts';
import { rebuild } from '../state/derive.ts';
import { claimJob } from './job-attempts.ts';
import {
  answeredSubject,
  doAllJobsWithoutModel,
  doJobsThatNeedNoModel,
  finishJob,
  type ModelJob,
  nextJob,
  type ProjectContext,
  saveHandOver,
} from './jobs.ts';
import { addSpending, spentToday, tokensSpentToday } from './spend.ts';

const SUMMARY = 'The login form was fixed and tested.';

function workIn(
  made: MadeMemory,
  settings: Partial<Record<SettingKey, SettingValueType>> = {},
): ProjectContext {
  for (const [key, value] of Object.entries(settings))
    changeSetting({ places: made.places }, key as SettingKey, value);
  return { places: made.places, memory: made.memory, settings: made.settings };
}

const tools = (count: number): Word[] =>
  Array.from({ length: count }, () => ({ tool: 'npm test', output: 'login form: ok' }));
const worked = (made: MadeMemory, session = 's1') =>
  made.say(session, { user: 'Please fix the login form, it fails on Mondays.' }, ...tools(5), {
    assistant: 'The login form is fixed.',
  });
const marks = ({ memory }: MadeMemory) => {
  const { lastMemoryUpdateTs, sessions } = readMemoryIndex(memory);
  return [
    lastMemoryUpdateTs,
    ...Object.values(sessions).flatMap(({ summarisedBytes, factsBytes, coveredBytes }) => [
      summarisedBytes,
      factsBytes,
      coveredBytes,
    ]),
  ];
};
/** The lease of whoever asked is over. */
const waitLong = ({ memory }: MadeMemory) =>
  updateMemoryIndex(memory, (index) => ({
    ...index,
    attempts: Object.fromEntries(
      Object.entries(index.attempts ?? {}).map(([key, { busyUntil: _, ...attempt }]) => [
        key,
        attempt,
      ]),
    ),
  }));

describe('what a model is asked', () => {
  it('M6 M16 is a summary after so many tool uses, with what was said; nothing before that', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    made.say('s1', { user: 'Please fix the login form.' }, ...tools(4));
    expect(nextJob(work)).toBeUndefined();
    made.say('s1', ...tools(1));
    expect(nextJob(work)).toMatchObject({
      subject: { kind: 'delta' },
      model: 'haiku',
      prompt: expect.stringContaining('[User]: Please fix the login form.'),
    });
  });

  it('M7 M9 F8 then facts, then what no fact covers, each once, until nothing is left', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    made.end('s1');
    const asked: string[] = [];
    for (let job = nextJob(work); job !== undefined; job = nextJob(work)) {
      asked.push(job.subject.kind === 'facts' && job.subject.cover ? 'cover' : job.subject.kind);
      expect(
        finishJob(
          work,
          job.subject,
          { text: job.subject.kind === 'delta' ? SUMMARY : '[]' },
          'mod',
        ),
      ).toEqual({
        saved: true,
      });
    }
    expect(asked).toEqual(['delta', 'facts', 'cover']);
    expect(made.memoryMd).toContain(SUMMARY);
    expect(nextJob(work)).toBeUndefined();
  });

  it('M21 is asked by one session at a time', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const job = nextJob(work, 'agent') as ModelJob;
    expect(nextJob(work)).toBeUndefined();
    expect(answeredSubject(made.memory, 'delta', SUMMARY)).toEqual(job.subject);
    waitLong(made);
    expect(nextJob(work)?.subject).toEqual(job.subject);
  });

  it('M8 M21 is free again as soon as the Claude Code that asked has ended', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    // larger than any that a system gives out: nobody else can have got it meanwhile
    const pid = 2 ** 22 + 1;
    const lost = nextJob(work, 'mod', pid) as ModelJob;
    expect(nextJob(work, 'mod', process.pid)?.subject).toEqual(lost.subject);
    expect(nextJob(work, 'mod', process.pid)).toBeUndefined();
  });

  it('M21 is taken by one of two who found it at the same time', () => {
    const made = new MadeMemory();
    worked(made);
    const subject = { kind: 'delta' as const, ends: { s1: 1 }, upTo: made.now };
    expect([
      claimJob(made.memory, subject, { asker: 'mod', tokens: 10 }),
      claimJob(made.memory, subject, { asker: 'mod', tokens: 10 }),
    ]).toEqual([true, false]);
    expect(readMemoryIndex(made.memory).attempts?.delta?.tries).toBe(1);
  });

  it('M9 M21 of all sessions together one agent at a time is asked for facts, and an answer to another question moves nothing', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    const entries = ['s1', 's2'].map(
      (session) =>
        made.say(session, { user: `In ${session} we decided on tabs, not on spaces.` })[0],
    );
    for (const session of ['s1', 's2']) made.end(session);
    const delta = nextJob(work, 'agent') as ModelJob;
    finishJob(work, delta.subject, { text: 'It was decided to use tabs, not spaces.' }, 'agent');
    const first = nextJob(work, 'agent') as ModelJob;
    expect(first.subject).toMatchObject({ kind: 'facts', session: 's1' });
    expect(nextJob(work, 'agent')).toBeUndefined();
    expect(nextJob(work)?.subject).toMatchObject({ kind: 'facts', session: 's2' }); // a mod knows what it asks about
    const answer = (entry: string) =>
      JSON.stringify([
        { kind: 'decision', content: 'Tabs are used.', entry, quote: 'we decided on tabs' },
      ]);
    expect(answeredSubject(made.memory, 'facts', answer(entries[0]?.id ?? ''))).toEqual(
      first.subject,
    );
    expect(answeredSubject(made.memory, 'facts', '[]')).toEqual(first.subject);
    expect(answeredSubject(made.memory, 'facts', answer(entries[1]?.id ?? ''))).toBeUndefined();
    expect(finishJob(work, first.subject, { text: answer(entries[1]?.id ?? '') }, 'agent')).toEqual(
      {
        saved: false,
        reason: message('memory.factsOfOther'),
      },
    );
    expect(finishJob(work, first.subject, { text: answer(entries[0]?.id ?? '') }, 'agent')).toEqual(
      { saved: true },
    );
    expect(made.facts.decisions).toHaveLength(1);
  });

  it('M21 is not asked again when another has answered it meanwhile', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const slow = nextJob(work) as ModelJob;
    waitLong(made);
    const fast = nextJob(work) as ModelJob;
    expect(finishJob(work, fast.subject, { text: SUMMARY }, 'mod')).toEqual({ saved: true });
    made.say('s1', { user: 'Now the logout form.' }, ...tools(5));
    const next = nextJob(work) as ModelJob;
    expect(
      finishJob(work, slow.subject, { text: 'The login form has been mended.' }, 'mod'),
    ).toEqual({
      saved: false,
      reason: message('memory.alreadyDone'),
    });
    expect(made.memoryMd.match(/^### /gm)).toHaveLength(1);
    expect(nextJob(work)?.subject.kind).toBe('facts'); // the other one is still at it
    expect(finishJob(work, next.subject, { text: 'The logout form was mended.' }, 'mod')).toEqual({
      saved: true,
    });
    expect(made.memoryMd.match(/^### /gm)).toHaveLength(2);
  });

  it('M21 is not asked again when the answer was written down before a kill', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const { subject } = nextJob(work) as ModelJob;
    if (subject.kind !== 'delta') throw new Error('a summary is due first');
    // As if the process that got the answer had been killed right after.
    appendToJournal(made.memory, [
      {
        type: 'delta',
        at: made.now,
        way: 'mod',
        text: SUMMARY,
        ends: subject.ends,
        upTo: subject.upTo,
      },
    ]);
    waitLong(made);
    expect(nextJob(work)).toBeUndefined();
    expect(made.memoryMd.match(/The login form was fixed/g)).toHaveLength(1);
  });
});

describe('an answer that cannot be used', () => {
  it.each([
    ['a failure', { failure: 'overloaded' }, message('system.words', { words: 'overloaded' })],
    ['nonsense', { text: '%%%% 12345 &&&&' }, message('memory.notASummary')],
    [
      'a refusal',
      { text: "I'm sorry, but I cannot summarise this." },
      message('memory.notASummary'),
    ],
    [
      'a summary of something else',
      { text: 'Bananas grow in warm countries.' },
      message('memory.summaryOfOther'),
    ],
  ])('M7 moves nothing, and the next try has all of it: %s', (_, answer, reason) => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const before = marks(made);
    const job = nextJob(work) as ModelJob;
    expect(finishJob(work, job.subject, answer, 'mod')).toEqual({
      saved: false,
      reason,
    });
    expect(marks(made)).toEqual(before);
    made.say('s1', { user: 'And the logout form too.' });
    const again = nextJob(work) as ModelJob;
    expect(again.prompt).toContain('Please fix the login form');
    expect(again.prompt).toContain('And the logout form too.');
    expect(finishJob(work, again.subject, { text: SUMMARY }, 'mod')).toEqual({ saved: true });
  });

  it('M9 the same goes for facts', () => {
    const made = new MadeMemory();
    const work = workIn(made, { 'models.delta': 'none' });
    worked(made);
    made.end('s1');
    const job = nextJob(work) as ModelJob;
    expect(job.subject.kind).toBe('facts');
    const before = marks(made);
    expect(finishJob(work, job.subject, { text: 'I found nothing of interest.' }, 'mod')).toEqual({
      saved: false,
      reason: message('memory.notFacts'),
    });
    expect(marks(made)).toEqual(before);
    expect(nextJob(work)?.subject).toEqual(job.subject);
  });

  it('M16 after 5 tries it is done without a model', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    for (let tries = 0; tries < 5; tries++) {
      const { subject } = nextJob(work) as ModelJob;
      finishJob(work, subject, { failure: 'overloaded' }, 'mod');
    }
    expect(nextJob(work)).toBeUndefined();
    expect(made.memoryMd).toContain(
      'Please fix the login form, it fails on Mondays. → The login form is fixed.',
    );
    made.say('s1', { user: 'Now the logout form.' }, ...tools(5));
    expect(nextJob(work)?.subject.kind).toBe('delta');
  });

  it('M16 also if whoever asked never came back', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    for (let tries = 0; tries < 5; tries++) {
      expect(nextJob(work)).toBeDefined();
      waitLong(made);
    }
    expect(nextJob(work)).toBeUndefined();
    expect(made.memoryMd).toContain('Please fix the login form');
  });
});

describe('without a model', () => {
  it.each([
    ['the user wants none', { 'models.delta': 'none', 'models.facts': 'none' }],
    ['there is no budget', { 'budget.tokensPerDay': 0 }],
    ['the question would be too dear', { 'budget.tokensPerDay': 50 }],
  ])('M16 it is done all the same, and at once: %s', (_, settings) => {
    const made = new MadeMemory();
    const work = workIn(made, settings);
    made.say('s1', { user: 'From now on the login form is tested on Mondays.' }, ...tools(5), {
      assistant: 'Understood, on Mondays.',
    });
    made.end('s1');
    expect(nextJob(work)).toBeUndefined();
    expect(made.memoryMd).toContain(
      'From now on the login form is tested on Mondays. → Understood, on Mondays.',
    );
    expect(made.facts.decisions).toMatchObject([
      { content: 'From now on the login form is tested on Mondays.', evidence: [{ role: 'user' }] },
    ]);
    expect(spentToday(made.places)).toEqual({});
  });

  it('B11 once the day’s budget is spent, nothing is asked any more', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    addSpending(made.places, 'facts', { input: 499_000, output: 999 });
    doJobsThatNeedNoModel(work);
    expect(made.memoryMd).toContain('Please fix the login form');
  });

  it('M16 what a model can do is left to it, unless it is wanted at once', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    made.end('s1');
    doJobsThatNeedNoModel(work);
    expect(marks(made)).toEqual([undefined, undefined, undefined, undefined]);
    doAllJobsWithoutModel(work);
    const { summarisedBytes, factsBytes, coveredBytes, l1Bytes } =
      readMemoryIndex(made.memory).sessions.s1 ?? {};
    expect([summarisedBytes, factsBytes, coveredBytes]).toEqual([l1Bytes, l1Bytes, l1Bytes]);
  });
});

describe('the hand-over before a clear', () => {
  it('M18 A2 has no secrets in it, though the model has read them', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const text = `The login form was fixed with the token ${token}; DB_PASSWORD=hunter2pass. <private>My salary is 1.</private>`;
    expect(saveHandOver(work, 's1', { text })).toEqual({ saved: true });
    expect(made.memoryMd).toContain('The login form was fixed with the token [redacted]');
    for (const secret of [token, 'hunter2pass', 'salary'])
      expect(made.memoryMd).not.toContain(secret);
  });

  const LONG = [
    '## Goal\nThe login form of the harbour office.',
    `## Done\n${Array.from({ length: 60 }, (_, n) => `- File ${n} of the form was mended, and its test was written.`).join('\n')}`,
    '## Open\n- `npm test` fails: expected 2, got 1.',
    '## Next step\nMend `count()` in src/form.ts.',
  ].join('\n\n');

  it('K3 has its lines in memory.md, its main points if it is long, and the same after a rebuild', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    expect(saveHandOver(work, 's1', { text: LONG })).toEqual({ saved: true });
    const { memoryMd } = made;
    expect(memoryMd).toContain('\n\n**Goal**\nThe login form of the harbour office.\n');
    expect(memoryMd).toContain('**Next step**\nMend `count()` in src/form.ts.');
    expect(memoryMd).toContain('- File 0 of the form');
    expect(memoryMd).not.toContain('- File 59 of the form');
    rebuild(made.memory);
    expect(made.memoryMd).toBe(memoryMd);
  });

  it('K3 the next session is given the whole, until the session works on', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    saveHandOver(work, 's1', { text: LONG });
    const written = () => writtenHandOver(made.memory, readMemoryIndex(made.memory), 's1');
    expect(written()).toContain('- File 59 of the form was mended');
    made.say('s1', { user: '/clear' });
    expect(written()).toContain('- File 59 of the form was mended');
    made.say('s1', { user: 'One more thing.' }, { assistant: 'That is done, too.' });
    expect(written()).toBeUndefined();
    expect(writtenHandOver(made.memory, readMemoryIndex(made.memory), 's2')).toBeUndefined();
  });

  it('K3 an answer that is no hand-over changes nothing, and says why', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const before = readMemoryIndex(made.memory);
    expect(saveHandOver(work, 's1', { text: "I'm sorry, but I can't help with that." })).toEqual({
      saved: false,
      reason: message('memory.handOverRefused'),
    });
    expect(readMemoryIndex(made.memory)).toEqual(before);
    expect(nextJob(work)?.subject.kind).toBe('delta');
  });
});

describe('rotation', () => {
  it('M3 what leaves memory.md is told better by a model, once', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    for (let n = 0; n < 60; n++) {
      made.say('s1', { user: `Request ${n} about the login form.` }, { assistant: 'ok' });
      const { l1Bytes = 0 } = readMemoryIndex(made.memory).sessions.s1 ?? {};
      const stamp = `2026-11-16_${String(1000 + n)}`;
      const text = `Login form step ${n} was done. ${'More was said about it. '.repeat(30)}`;
      made.record({
        type: 'delta',
        at: made.now,
        way: 'mod',
        text,
        ends: { s1: l1Bytes },
        upTo: made.now,
        stamp,
      });
    }
    const job = nextJob(work) as ModelJob;
    expect(job).toMatchObject({
      subject: { kind: 'rotation' },
      model: 'sonnet',
      prompt: expect.stringContaining('Login form step 0 was done.'),
    });
    expect(
      finishJob(work, job.subject, { text: 'The login form was built step by step.' }, 'mod'),
    ).toEqual({ saved: true });
    expect(made.memoryMd).toMatch(
      /### Earlier \(\S+ to \S+\)\n\nThe login form was built step by step\.\n/,
    );
    expect(made.memoryMd).toContain('Login form step 59 was done.');
    expect(nextJob(work)).toBeUndefined();
  });
});

describe('what is spent', () => {
  it('M16 is counted by day and kind, also where the answer was of no use', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    const { subject } = nextJob(work) as ModelJob;
    finishJob(work, subject, { text: 'no', usage: { input: 900, output: 5 } }, 'mod');
    finishJob(
      work,
      (nextJob(work) as ModelJob).subject,
      { text: SUMMARY, usage: { input: 1000, output: 40 } },
      'mod',
    );
    addSpending(made.places, 'facts', { input: 10, output: 1 });
    expect(spentToday(made.places)).toEqual({
      delta: { calls: 2, input: 1900, output: 45 },
      facts: { calls: 1, input: 10, output: 1 },
    });
    expect(tokensSpentToday(made.places)).toBe(1956);
  });

  it('M16 is guessed where nobody says it', () => {
    const made = new MadeMemory();
    const work = workIn(made);
    worked(made);
    finishJob(work, (nextJob(work) as ModelJob).subject, { text: SUMMARY }, 'mod');
    const { input = 0, output = 0 } = spentToday(made.places).delta ?? {};
    expect(input).toBeGreaterThan(100);
    expect(output).toBeGreaterThan(5);
  });
});
