import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MadeSession, promptRow, replyRow } from '../../tests/bed/made-session.ts';
import { tempFolder } from '../../tests/bed/temp-folder.ts';
import { waitFor } from '../../tests/bed/wait-for.ts';
import { addActivity } from '../clear/activity.ts';
import { claim, writeRecord } from '../clear/clear-record.ts';
import { clearRequestsFolder } from '../clear/clear-requests.ts';
import { appendToJournal } from '../memory/log/journal.ts';
import { saveBriefing } from '../memory/restore/briefing-file.ts';
import { ExpectedError } from '../messages/expected-error.ts';
import { logText, type Message, message } from '../messages/message.ts';
import { attempt } from '../platform/store/attempt.ts';
import { thisProcess } from '../platform/store/owner.ts';
import { type Places, placesFrom } from '../platform/store/places.ts';
import { prepareProjectMemory, projectMemory } from '../projects/project-memory.ts';
import type { Arguments, EngineEvent, EventName, Events, Method, Results } from './contract.ts';
import { createEngine } from './engine.ts';
import type { LiveEngine } from './live-engine.ts';
import { handleCall } from './methods/handle-call.ts';

const FULL = 145_010;
const EARLIER = -60 * 60 * 1000;

class Scene {
  readonly root = tempFolder();
  readonly project = join(this.root, 'app');
  readonly env = { HOME: this.root, PATH: process.env.PATH };
  readonly places: Places = placesFrom(this.env);
  readonly events: EngineEvent[] = [];
  live!: LiveEngine;

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true });
    this.configure({ autoClear: { mode: 'off' } });
  }

  configure(settings: object): void {
    mkdirSync(this.places.home, { recursive: true });
    writeFileSync(join(this.places.home, 'config.json'), JSON.stringify(settings));
  }

  session(cwd = this.project): MadeSession {
    const made = new MadeSession(this.places.claude, cwd);
    onTestFinished(() => made.end());
    return made;
  }

  async open(): Promise<this> {
    this.live = await createEngine({ env: this.env, pollIntervalMs: 100 }).open();
    this.live.onEvent((event) => this.events.push(event));
    onTestFinished(() => this.live.close());
    return this;
  }

  async call<M extends Method>(method: M, args: Arguments<M>): Promise<Results[M]> {
    const answer = await this.live.call(method, args);
    if (!answer.ok) throw new ExpectedError(answer.message);
    return answer.value as Results[M];
  }

  told<N extends EventName>(name: N): Events[N][] {
    return this.events.flatMap((event) => (event.name === name ? [event.value as Events[N]] : []));
  }

  see<N extends EventName>(
    name: N,
    what: string,
    wanted: (value: Events[N]) => boolean,
  ): Promise<Events[N]> {
    return waitFor(
      () => `${what}; told last: ${JSON.stringify(this.told(name).at(-1))}`,
      () => this.told(name).find(wanted),
    );
  }
}

describe('a call', () => {
  it.each([
    ['toString', {}, 'api.noMethod'],
    ['__proto__', {}, 'api.noMethod'],
    ['sessions.explain', {}, 'api.badArgument'],
    ['sessions.request', { sessionId: 'a', request: 'explode' }, 'api.badArgument'],
    ['sessions.clear', { sessionId: '../../etc/passwd' }, 'api.badArgument'],
    ['app.about', { more: 1 }, 'api.badArgument'],
    ['app.about', null, 'api.badArguments'],
    ['sessions.explain', { sessionId: 'nobody' }, 'clear.noSession'],
    ['sessions.request', { sessionId: 'nobody', request: 'cancel' }, 'clear.notRunning'],
    ['settings.change', { key: 'thresholds.warn', value: 500 }, 'settings.mustBe.threshold'],
    ['settings.change', { key: 'app.theme', value: 'pink' }, 'settings.mustBe.oneOf'],
    ['settings.read', { project: '/etc' }, 'memory.unknownProject {"path":"/etc"}'],
    ['memory.overview', { project: '/etc' }, 'memory.unknownProject {"path":"/etc"}'],
  ])('G3 %s %j is refused with a code', async (method, args, said) => {
    const scene = await new Scene().open();
    const answer = await scene.live.call(method, args);
    expect(answer).toMatchObject({ ok: false, isBug: false });
    expect(logText((answer as { message: Message }).message)).toContain(said);
  });

  it('G3 M18 a bug is reported without its stack, which goes to a private log without secrets', async () => {
    const { places } = new Scene();
    const secret = `ghp_${'x7Kq2'.repeat(8)}`;
    const answer = await handleCall(places, 'app.about', {}, () => {
      throw new TypeError(`no such thing with ${secret}\nsecond line`);
    });
    expect(answer).toMatchObject({ ok: false, isBug: true });
    expect(JSON.stringify(answer)).not.toMatch(/ghp_|second line|\.ts:/);
    const log = join(places.home, 'app.log');
    expect(readFileSync(log, 'utf8')).toMatch(
      /app\.about: TypeError: no such thing.*live-engine\.test\.ts/,
    );
    expect(readFileSync(log, 'utf8')).not.toContain(secret);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it('G3 G2 calls about memory and activity are answered in threads, and refused after the engine has closed', async () => {
    const scene = new Scene();
    scene.session();
    await scene.open();
    expect(await scene.call('memory.overview', { project: scene.project })).toMatchObject({
      facts: 0,
      problems: [],
    });
    expect(await scene.call('activity.list', {})).toEqual([]);
    await scene.live.close();
    for (const method of ['memory.overview', 'activity.list']) {
      const late = await scene.live.call(method, { project: scene.project });
      expect(late, method).toEqual({
        ok: false,
        message: { code: 'memory.closing' },
        isBug: false,
      });
    }
  });
});

describe('the live state', () => {
  it('C3 follows a session, and reports nothing while nothing changes', async () => {
    const scene = await new Scene().open();
    const made = scene.session();
    await scene.see('state', 'the session', ({ sessions }) => sessions.length === 1);
    made.append(promptRow('a'), replyRow(50_000));
    const { sessions } = await scene.see(
      'state',
      'its context',
      (state) => state.sessions[0]?.percent === 25,
    );
    expect(sessions[0]).toMatchObject({
      hasPlugin: false,
      clearAtTokens: 140_000,
      clearMode: 'off',
    });
    expect(sessions[0]?.growth).toMatchObject([{ tokens: 50_000, isFresh: false }]);
    expect(await scene.call('sessions.state', {})).toEqual(scene.told('state').at(-1));
    const { length } = scene.told('state');
    const marker = scene.session();
    await scene.see('state', 'a later event', (state) =>
      state.sessions.some(({ pid }) => pid === marker.pid),
    );
    expect(scene.told('state').length).toBe(length + 1);
  });

  it('C4 A6 shows what settings change, and a pause, also when made elsewhere', async () => {
    const scene = new Scene();
    scene.session().append(replyRow(1000));
    await scene.open();
    scene.configure({ autoClear: { mode: 'ask', threshold: { tokens: 60_000 } } });
    await scene.see('settings', 'the change', ({ project }) => project === null);
    await scene.see(
      'state',
      'the mode',
      ({ sessions: [one] }) => one?.clearMode === 'ask' && one.clearAtTokens === 60_000,
    );
    await scene.call('sessions.pause', { isPaused: true });
    await scene.see('state', 'the pause', ({ isPaused }) => isPaused);
    rmSync(join(scene.places.home, 'paused.json'));
    await waitFor('its end', () => scene.told('state').at(-1)?.isPaused === false);
  });

  it('A6 A7 shows until when each session is not cleared, and stops when that is over', async () => {
    const scene = new Scene();
    scene.configure({ autoClear: { cooldownMinutes: 10 } });
    scene.session().append(replyRow(1000));
    await scene.open();
    const { sessions } = await scene.call('sessions.state', {});
    expect(sessions[0]?.notClearedBefore).toBeNull();
    const { sessionId = '', pid = 0, processStart = '', projectRoot = '' } = sessions[0] ?? {};
    const steps = [{ state: 'failed' as const, at: new Date().toISOString() }];
    const claimed = claim(scene.places, {
      sessionId,
      pid,
      processStart,
      projectRoot,
      by: 'threshold',
      state: 'detected',
      steps,
    });
    if (!('claimed' in claimed)) throw new Error('it is taken');
    writeRecord(scene.places, { ...claimed.claimed, state: 'failed', steps });
    await scene.see(
      'state',
      'the rest after it',
      (state) => state.sessions[0]?.notClearedBefore?.why === 'cooldown',
    );
    scene.configure({ autoClear: { cooldownMinutes: 0 } });
    await waitFor(
      'its end',
      () => scene.told('state').at(-1)?.sessions[0]?.notClearedBefore === null,
    );
  });

  it('T5 shows that the breaker is open, why and since when, until the user resets it', async () => {
    const scene = new Scene();
    scene.configure({ autoClear: { cooldownMinutes: 0, threshold: { tokens: 1000 } } });
    const made = scene.session();
    made.append(promptRow('a'), replyRow(5000));
    await scene.open();
    const { sessions } = await scene.call('sessions.state', {});
    expect(sessions[0]?.breaker).toBeNull();
    const { sessionId = '', pid = 0, processStart = '', projectRoot = '' } = sessions[0] ?? {};
    const at = new Date().toISOString();
    const claimed = claim(scene.places, {
      sessionId: 'the-one-before',
      pid,
      processStart,
      projectRoot,
      by: 'threshold',
      state: 'detected',
      steps: [{ state: 'restored', at }],
    });
    if (!('claimed' in claimed)) throw new Error('it is taken');
    writeRecord(scene.places, { ...claimed.claimed, state: 'restored', newSessionId: sessionId });
    const { sessions: held } = await scene.see(
      'state',
      'the breaker',
      (state) => state.sessions[0]?.breaker?.why === 'no-help',
    );
    expect(held[0]?.breaker).toMatchObject({
      reason: message('clear.breakerNoHelp', { tokens: 5000, limit: 1000 }),
      since: at,
      until: null,
    });
    await scene.call('sessions.resetBreaker', { sessionId, pid });
    await waitFor('its end', () => scene.told('state').at(-1)?.sessions[0]?.breaker === null);
    await scene.see('activity', 'who did it', ({ note }) =>
      JSON.stringify(note ?? '').includes('clear.breakerReset'),
    );
  });

  it('T5 shows sessions of programs and editors with their kind, and why they are not cleared', async () => {
    const scene = new Scene();
    scene.session().register({ kind: 'interactive', entrypoint: 'sdk-ts' });
    await scene.open();
    const { sessions } = await scene.call('sessions.state', {});
    expect(sessions[0]).toMatchObject({
      sessionKind: 'sdk',
      entrypoint: 'sdk-ts',
      kindRefusal: message('clear.kindNotCleared.sdk'),
    });
    scene.configure({ autoClear: { kinds: ['cli', 'sdk'] } });
    await waitFor(
      'the change',
      () => scene.told('state').at(-1)?.sessions[0]?.kindRefusal === null,
    );
  });

  it('C3 growth goes on over clears, and marks where each began', async () => {
    const scene = new Scene();
    const made = scene.session();
    made.append(promptRow('a'), replyRow(100_000), promptRow('b'), replyRow(FULL));
    await scene.open();
    const record = {
      sessionId: made.sessionId,
      pid: made.pid,
      processStart: '1',
      projectRoot: scene.project,
      by: 'user' as const,
      state: 'verifying' as const,
      steps: [{ state: 'verifying' as const, at: new Date().toISOString() }],
    };
    made.register({ sessionId: 'next' });
    writeFileSync(
      made.transcript.replace(made.sessionId, 'next'),
      `${promptRow('c')}\n${replyRow(20_000)}\n`,
    );
    await scene.see('state', 'the new session', ({ sessions }) => sessions[0]?.tokens === 20_000);
    const claimed = claim(scene.places, record);
    if (!('claimed' in claimed)) throw new Error('it is taken');
    writeRecord(scene.places, { ...claimed.claimed, state: 'restored', newSessionId: 'next' });
    const { sessions } = await scene.see(
      'state',
      'the growth',
      (state) => state.sessions[0]?.growth.length === 3,
    );
    expect(sessions[0]?.growth).toMatchObject([
      { tokens: 100_000, isFresh: false },
      { tokens: FULL, isFresh: false },
      { tokens: 20_000, isFresh: true },
    ]);
  });

  it('C3 growth goes on over a compaction', async () => {
    const scene = new Scene();
    const made = scene.session();
    made.append(promptRow('a'), replyRow(100_000), promptRow('b'), replyRow(FULL));
    await scene.open();
    const compaction = {
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'manual', postTokens: 9000 },
    };
    made.append(JSON.stringify({ ...compaction, uuid: 'u', timestamp: new Date().toISOString() }));
    await scene.see('state', 'the compaction', ({ sessions }) => sessions[0]?.tokens === 9000);
    made.append(promptRow('c'), replyRow(12_000), promptRow('d'), replyRow(15_000));
    const { sessions } = await scene.see(
      'state',
      'the next turns',
      (state) => state.sessions[0]?.tokens === 15_000,
    );
    const points = sessions[0]?.growth.map(({ tokens, isFresh }) => [tokens, isFresh]);
    expect(points).toEqual([
      [100_000, false],
      [FULL, false],
      [12_000, true],
      [15_000, false],
    ]);
  });

  it('A6 a countdown is shown, and can be snoozed from the window', async () => {
    const scene = new Scene();
    scene.configure({ autoClear: { countdownSeconds: 600 } });
    const made = scene.session();
    made.append(promptRow('a'), replyRow(FULL));
    await scene.open();
    mkdirSync(join(scene.places.home, 'clear-signal'), { recursive: true });
    const signal = {
      sessionId: made.sessionId,
      pid: made.pid,
      tokens: FULL,
      window: 200_000,
      at: new Date().toISOString(),
    };
    writeFileSync(
      join(scene.places.home, 'clear-signal', `${made.sessionId}.json`),
      JSON.stringify(signal),
    );
    await scene.see('state', 'the countdown', ({ clears }) => clears[0]?.state === 'countdown');
    await scene.call('sessions.request', { sessionId: made.sessionId, request: 'snooze' });
    const { clears } = await scene.see(
      'state',
      'its end',
      (state) => state.clears[0]?.state === 'cancelled',
    );
    expect(clears[0]?.steps.at(-1)?.note).toMatchObject({ code: 'clear.snoozed' });
    await scene.see('activity', 'the end in the activity', ({ what }) => what === 'cancelled');
  });

  it('A3 a session that runs in two terminals is cleared in the terminal that the user chose, and in none without a choice', async () => {
    const scene = new Scene();
    const [one, two] = [scene.session(), scene.session()];
    one.append(promptRow('a'), replyRow(1000));
    two.register({ sessionId: one.sessionId });
    await scene.open();
    const { sessionId } = one;
    const unsaid = await scene.live.call('sessions.clear', { sessionId });
    expect(unsaid).toMatchObject({ ok: false, message: { code: 'clear.twoTerminals' } });
    expect(await scene.call('sessions.clear', { sessionId, pid: two.pid })).toMatchObject({
      pid: two.pid,
    });
    await scene.see('state', 'the end', ({ clears }) =>
      clears.some(({ pid, state }) => pid === two.pid && state === 'failed'),
    );
    expect(scene.told('state').flatMap(({ clears }) => clears.map(({ pid }) => pid))).not.toContain(
      one.pid,
    );
  });

  it('A6 a click on one terminal of a session does not confirm the clear of the other', async () => {
    const scene = new Scene();
    const [one, two] = [scene.session(), scene.session()];
    const { sessionId } = one;
    two.register({ sessionId });
    one.append(promptRow('a'), replyRow(FULL));
    await scene.open();
    const { sessions } = await scene.call('sessions.state', {});
    const { processStart = '', projectRoot = '' } =
      sessions.find(({ pid }) => pid === one.pid) ?? {};
    const steps = [
      {
        state: 'countdown' as const,
        at: new Date().toISOString(),
        note: message('clear.asking'),
      },
    ];
    claim(scene.places, {
      sessionId,
      pid: one.pid,
      processStart,
      projectRoot,
      by: 'threshold',
      state: 'countdown',
      steps,
    });
    const requests = () => attempt(() => readdirSync(clearRequestsFolder(scene.places)), []);
    const answer = await scene.live.call('sessions.clear', { sessionId, pid: two.pid });
    expect(answer).toMatchObject({
      ok: false,
      message: { code: 'clear.otherTerminal' },
    });
    expect(requests()).toEqual([]);
    expect(await scene.call('sessions.clear', { sessionId, pid: one.pid })).toMatchObject({
      pid: one.pid,
    });
    expect(requests()).toEqual([`${sessionId}.json`]);
  });

  it('A6 a clear whose application has ended cannot be cancelled, and the window gets the reason', async () => {
    const scene = new Scene();
    const { sessionId, pid } = scene.session();
    await scene.open();
    const owner = { ...thisProcess(), pid: 999_999_999 };
    const state = 'countdown' as const;
    writeRecord(scene.places, {
      sessionId,
      pid,
      processStart: '',
      projectRoot: scene.project,
      by: 'threshold',
      owner,
      state,
      steps: [{ state, at: new Date().toISOString() }],
    });
    expect(
      await scene.live.call('sessions.request', { sessionId, request: 'cancel' }),
    ).toMatchObject({
      ok: false,
      message: message('clear.ownerEnded', { pid: String(owner.pid) }),
    });
  });

  it('G1 goes on reporting when the clock is set back', async () => {
    const scene = await new Scene().open();
    const now = Date.now;
    onTestFinished(() => {
      Date.now = now;
    });
    await scene.call('sessions.pause', { isPaused: true });
    await scene.see('state', 'the pause', ({ isPaused }) => isPaused);
    Date.now = () => now() + EARLIER;
    await scene.call('sessions.pause', { isPaused: false });
    await waitFor('the end of the pause', () => scene.told('state').at(-1)?.isPaused === false);
  });

  it('A3 A4 a clear by the user without a safe driver fails with a reason, and nothing is typed', async () => {
    const scene = new Scene();
    const made = scene.session();
    made.append(promptRow('what is the limit'), replyRow(1000, { text: 'Three.' }));
    await scene.open();
    const first = await scene.call('sessions.clear', { sessionId: made.sessionId });
    expect(first).toMatchObject({ by: 'user', state: 'detected', sessionId: made.sessionId });
    const { clears } = await scene.see(
      'state',
      'the end',
      (state) => state.clears[0]?.state === 'failed',
    );
    expect(clears[0]?.steps.at(-1)?.note).toMatchObject({ code: 'clear.noDriver' });
    const saved = await scene.see('activity', 'what was saved', ({ what }) => what === 'saved');
    expect(saved).toMatchObject({
      figures: { entries: 2 },
      sessionId: made.sessionId,
      project: scene.project,
    });
  });
});

describe('the activity', () => {
  it('G2 lists saves, clears, refusals, briefings and answers, newest first, and pages back without a gap', async () => {
    const scene = new Scene();
    const made = scene.session();
    const memory = projectMemory(scene.places, scene.project);
    prepareProjectMemory(memory);
    addActivity(scene.places, [
      { what: 'saved', figures: { entries: 7 }, sessionId: made.sessionId, project: scene.project },
      { what: 'delivering', way: 'mod', sessionId: made.sessionId, project: scene.project },
    ]);
    saveBriefing(scene.places, made.sessionId, 'What was known.');
    const given = new Date(Date.now() + 2 * EARLIER);
    utimesSync(join(scene.places.home, 'given', `${made.sessionId}.txt`), given, given);
    const at = (ms: number) => new Date(Date.now() + EARLIER + ms).toISOString();
    const facts = JSON.stringify([{ kind: 'decision', content: 'Teal.' }]);
    appendToJournal(memory, [
      {
        type: 'delta',
        at: at(0),
        way: 'mod',
        text: 'The logo is teal.',
        ends: { [made.sessionId]: 5 },
        upTo: 'x',
      },
      {
        type: 'facts',
        at: at(1),
        way: 'mod',
        text: facts,
        session: 's',
        file: 'a.l1.jsonl',
        from: 0,
        to: 1,
        cover: false,
      },
      {
        type: 'edit',
        at: at(2),
        document: 'facts',
        part: 'decisions',
        id: 'd001',
        value: null,
        before: { content: 'x' },
      },
    ]);
    appendFileSync(join(memory.folder, 'journal.jsonl'), '{"type":"del'); // cut off by a kill
    await scene.open();
    const rows = await scene.call('activity.list', {});
    expect(rows.map(({ what }) => what)).toEqual([
      'delivering',
      'saved',
      'edit',
      'facts',
      'delta',
      'given',
    ]);
    expect(rows[0]).toMatchObject({ way: 'mod', hasGiven: false });
    expect(rows[1]).toMatchObject({ figures: { entries: 7 }, project: scene.project });
    expect(rows[2]).toMatchObject({
      note: { code: 'edit.removed', values: { what: { code: 'edit.decision' } } },
      project: scene.project,
    });
    expect(rows[3]).toMatchObject({ figures: { facts: 1 }, way: 'mod', note: null });
    expect(rows[4]).toMatchObject({ note: 'The logo is teal.', sessionId: made.sessionId });
    expect(rows[5]).toMatchObject({
      hasGiven: true,
      figures: { characters: 15 },
      sessionId: made.sessionId,
    });
    const pages: string[] = [];
    for (let before: string | undefined; ; ) {
      const page = await scene.call('activity.list', {
        count: 1,
        ...(before !== undefined && { before }),
      });
      if (page.length === 0) break;
      pages.push(...page.map(({ what }) => what));
      before = page.at(-1)?.at;
    }
    expect(pages).toEqual(rows.map(({ what }) => what));
    expect(await scene.call('activity.given', { sessionId: made.sessionId })).toMatchObject({
      text: 'What was known.',
    });
    expect(await scene.call('activity.given', { sessionId: 'nobody' })).toEqual({
      text: null,
      at: null,
    });
    const ofProject = await scene.call('activity.list', { project: scene.project });
    expect(ofProject.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['edit', 'facts', 'delta', 'saved']),
    );
  });

  it('G2 is reported as it happens, whoever does it', async () => {
    const scene = new Scene();
    const made = scene.session();
    const memory = projectMemory(scene.places, scene.project);
    prepareProjectMemory(memory);
    await scene.open();
    addActivity(scene.places, [{ what: 'refused', note: 'it is quiet' }]);
    await scene.see(
      'activity',
      'the refusal',
      ({ what, note }) => what === 'refused' && note === 'it is quiet',
    );
    saveBriefing(scene.places, made.sessionId, 'Known.');
    const given = await scene.see('activity', 'what was given', ({ what }) => what === 'given');
    expect(given).toMatchObject({ project: scene.project, figures: { characters: 6 } });
    appendToJournal(memory, [{ type: 'compress', at: new Date().toISOString() }]);
    await scene.see('activity', 'the tidying', ({ what }) => what === 'compress');
    await scene.see('memory', 'the change of memory', ({ project }) => project === scene.project);
  });
});

describe('settings for a form', () => {
  it('F1 have kinds, choices, where they come from, and can be changed, taken out and undone', async () => {
    const scene = new Scene();
    scene.session();
    await scene.open();
    const read = async (key: string) => {
      const { settings } = await scene.call('settings.read', { project: scene.project });
      return settings.find((setting) => setting.key === key);
    };
    expect(await read('app.language')).toMatchObject({
      kind: 'choice',
      choices: ['system', 'en', 'ko'],
      isForProjectToo: false,
    });
    expect(await read('app.notifications')).toMatchObject({ kind: 'flag', value: true });
    expect(await read('saveInterval')).toMatchObject({
      kind: 'number',
      unit: 'tool uses',
      isForProjectToo: true,
    });
    expect(await read('autoClear.mode')).toMatchObject({
      kind: 'choice',
      value: 'off',
      from: 'user',
    });
    await scene.call('settings.change', {
      project: scene.project,
      key: 'autoClear.threshold',
      value: '85',
    });
    expect(await read('autoClear.threshold')).toMatchObject({
      kind: 'text',
      choices: ['warn'],
      value: 85,
      from: 'project',
    });
    await scene.see('settings', 'the change', ({ project }) => project === scene.project);
    await scene.call('settings.undo', { project: scene.project });
    expect(await read('autoClear.threshold')).toMatchObject({ value: 'warn', from: 'default' });
    const refused = await scene.live.call('settings.change', {
      project: scene.project,
      key: 'app.theme',
      value: 'dark',
    });
    expect(refused).toMatchObject({
      ok: false,
      message: message('settings.userOnly', { setting: 'app.theme' }),
    });
    await scene.call('settings.change', { key: 'app.language', value: 'ko' });
    expect(await scene.call('app.about', {})).toMatchObject({
      language: 'ko',
      home: scene.places.home,
    });
    await scene.call('settings.change', { key: 'app.language', value: null });
    expect(await scene.call('app.about', {})).toMatchObject({ language: 'en' });
  });
});

describe('the projects', () => {
  it('M1 are those with a session and those with a memory', async () => {
    const scene = new Scene();
    scene.session();
    const other = join(scene.root, 'other');
    mkdirSync(other);
    const gone = scene.session(other);
    gone.append(
      JSON.stringify({ type: 'user', cwd: other, message: { role: 'user', content: 'x' } }),
    );
    gone.end();
    const memory = projectMemory(scene.places, other);
    prepareProjectMemory(memory);
    writeFileSync(memory.index, '{}');
    await scene.open();
    const live = { root: scene.project, name: 'app', hasMemory: false, liveSessions: 1 };
    const kept = {
      root: other,
      name: 'other',
      hasMemory: true,
      liveSessions: 0,
      folder: memory.folder,
    };
    expect(await scene.call('projects.list', {})).toMatchObject([live, kept]);
  });
});

it('a closed engine reports nothing more', async () => {
  const scene = new Scene();
  const live = await createEngine({ env: scene.env }).open();
  const events: EngineEvent[] = [];
  live.onEvent((event) => events.push(event));
  await live.close();
  const { length } = events;
  scene.session();
  const second = await createEngine({ env: scene.env }).open();
  await waitFor('the session', async () => {
    const answer = await second.call('sessions.state', {});
    return answer.ok && (answer.value as { sessions: unknown[] }).sessions.length === 1;
  });
  await second.close();
  expect(events.length).toBe(length);
});
