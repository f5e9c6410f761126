/** Whether a session is being kept, as its user gets to know it (T6). */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptRow, replyRow } from '../../../tests/bed/made-session.ts';
import { fullFrom } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { keepingOf } from '../../claude/status/keeping.ts';
import { keepingNotePath } from '../../claude/status/keeping-note-path.ts';
import { readL1 } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { MAX_EXPIRY_MS } from '../../platform/store/lock.ts';
import { parseHookInput } from './hook-input.ts';
import { mayNotBeKept } from './keeping-look.ts';
import { keepingNews } from './keeping-turn.ts';
import { addPromptContext } from './prompt-context.ts';
import { saveTurn } from './save-turn.ts';
import { closeKilledSessions } from './tidy.ts';

const MINUTE_MS = 60_000;

class Talk {
  readonly home = tempFolder();
  readonly project = join(this.home, 'project');
  readonly transcript: string;
  readonly sessionId: string;

  constructor(sessionId = 'one') {
    this.sessionId = sessionId;
    this.transcript = join(this.home, '.claude', 'projects', 'project', `${sessionId}.jsonl`);
    for (const folder of [this.project, dirname(this.transcript), join(this.home, 'tmp')])
      mkdirSync(folder, { recursive: true });
    mkdirSync(join(this.project, '.git'));
  }

  input(event: string, fields: object = {}) {
    const text = {
      hook_event_name: event,
      session_id: this.sessionId,
      transcript_path: this.transcript,
      ...fields,
    };
    return parseHookInput(JSON.stringify(text), this.env);
  }

  get env(): NodeJS.ProcessEnv {
    return {
      HOME: this.home,
      CLAUDE_PROJECT_DIR: this.project,
      LANG: 'en_US.UTF-8',
      TMPDIR: join(this.home, 'tmp'),
    };
  }

  get memory() {
    return this.input('Stop').memory;
  }

  get keeping() {
    return keepingOf(this.input('Stop'));
  }

  /** A turn that ended a minute ago, longer ago than anything that was saved before. */
  say(words: string): void {
    const first = { cwd: this.project };
    const row = JSON.stringify({ ...JSON.parse(promptRow(words)), ...first });
    appendFileSync(this.transcript, `${row}\n${replyRow(1000, { text: `About ${words}.` })}\n`);
  }

  /** As if everything so far had happened some minutes ago, the index before the last words. */
  letTimePass(): void {
    const ago = (ms: number) => new Date(Date.now() - ms);
    const index = statSync(this.memory.index, { throwIfNoEntry: false });
    if (index?.isFile()) utimesSync(this.memory.index, ago(2 * MINUTE_MS), ago(2 * MINUTE_MS));
    utimesSync(this.transcript, ago(MINUTE_MS), ago(MINUTE_MS));
  }

  stop(): Promise<undefined> {
    return saveTurn(this.input('Stop'));
  }

  async prompt(): Promise<string> {
    return (await addPromptContext(this.input('UserPromptSubmit')))?.systemMessage ?? '';
  }

  get said(): string[] {
    const { sessions } = this.memory;
    return readdirSync(sessions)
      .filter((name) => name.endsWith('.l1.jsonl'))
      .flatMap((name) => readL1(join(sessions, name)))
      .flatMap((entry) => ('text' in entry ? [entry.text] : []));
  }
}

const NOT_KEPT = /not being saved: /;
const SAVED_AGAIN = 'Saved again: nothing was lost.';

describe('T6 a session that is being kept', () => {
  it('has nothing to tell, and nothing is loaded to find that out', async () => {
    const talk = new Talk();
    expect(mayNotBeKept(talk.input('UserPromptSubmit'))).toBe(false); // nothing said yet
    talk.say('apples');
    expect(mayNotBeKept(talk.input('UserPromptSubmit'))).toBe(false); // the hook may be at work
    await talk.stop();
    expect(mayNotBeKept(talk.input('UserPromptSubmit'))).toBe(false);
    expect(await talk.prompt()).toBe('[rules injected]');
    expect(talk.keeping).toEqual({ ok: true });
  });

  it('gets the words of a turn that no hook has saved at the next prompt, without a word about it', async () => {
    const talk = new Talk();
    talk.say('apples');
    talk.letTimePass();
    expect(await talk.prompt()).toBe('[rules injected]');
    expect(talk.said).toEqual(['apples', 'About apples.']);
  });

  it('is told from one whose next turn came within a second of the last save', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    const happened = (path: string, ms: number) => {
      const at = new Date(Date.now() - MINUTE_MS + ms);
      utimesSync(path, at, at);
    };
    appendFileSync(talk.transcript, '{"type":"last-prompt","lastPrompt":"apples"}\n');
    happened(talk.memory.index, 0);
    happened(talk.transcript, 800);
    expect(mayNotBeKept(talk.input('UserPromptSubmit'))).toBe(false);
    talk.say('pears');
    happened(talk.transcript, 800);
    expect(mayNotBeKept(talk.input('UserPromptSubmit'))).toBe(true);
  });
});

/** What can be in the way of saving, and how it goes away. */
const TROUBLES: [string, (index: string) => void, (index: string) => void, RegExp][] = [
  [
    'an index of a newer version',
    (index) => {
      renameSync(index, `${index}.old`);
      writeFileSync(index, '{"version":99,"sessions":{}}');
    },
    (index) => renameSync(`${index}.old`, index),
    /newer Memory Keeper \(format 99/,
  ],
  [
    'a lock that somebody holds',
    (index) => {
      mkdirSync(`${index}.lock`);
      const flag = `4711.5.ffffffff.${Date.now() + MAX_EXPIRY_MS}.00000000`;
      writeFileSync(join(`${index}.lock`, flag), '');
    },
    (index) => rmSync(`${index}.lock`, { recursive: true }),
    /being changed by another process \(PID 4711\)/,
  ],
];

describe.each(TROUBLES)('T6 %s', (_, begin, end, reason) => {
  it('is told at the next prompt and in the status, and so is that all is well again', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    begin(talk.memory.index);
    talk.say('pears');
    talk.letTimePass();
    expect(await talk.prompt()).toMatch(NOT_KEPT);
    expect(await talk.prompt()).toMatch(reason);
    const { keeping } = talk;
    expect(keeping).toMatchObject({ ok: false, since: expect.stringMatching(/^20/) });
    end(talk.memory.index);
    talk.say('plums');
    await talk.stop();
    expect(talk.keeping).toEqual({ ok: true });
    expect(await talk.prompt()).toContain(SAVED_AGAIN);
    expect(await talk.prompt()).toBe('[rules injected]');
    expect(talk.said).toEqual(
      ['apples', 'pears', 'plums'].flatMap((words) => [words, `About ${words}.`]),
    );
  });

  it('that ends before the next prompt is told of there, when the prompt itself has saved', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    begin(talk.memory.index);
    talk.say('pears');
    talk.letTimePass();
    expect(await talk.prompt()).toMatch(NOT_KEPT);
    end(talk.memory.index);
    expect(await talk.prompt()).toContain(SAVED_AGAIN);
    expect(talk.said).toContain('pears');
    expect(talk.keeping).toEqual({ ok: true });
  });
});

describe('T6 an index that is broken', () => {
  const breakages: [string, (index: string) => void][] = [
    ['half a file', (index) => writeFileSync(index, '{"version":1,"sess')],
    [
      'a folder',
      (index) => {
        rmSync(index);
        mkdirSync(join(index, 'photos'), { recursive: true });
      },
    ],
    [
      'a pipe',
      (index) => {
        rmSync(index);
        execFileSync('mkfifo', [index]);
      },
    ],
    [
      'of 300,000 sessions',
      (index) => {
        const progress = { file: '', offset: 0, inode: 0, l1Bytes: 0, pending: {} };
        const sessions = Array.from({ length: 300_000 }, (_, n) => [`session-${n}`, progress]);
        writeFileSync(
          index,
          JSON.stringify({ version: 1, sessions: Object.fromEntries(sessions) }),
        );
      },
    ],
  ];

  it.runIf(process.platform !== 'win32').each(breakages)(
    '%s: it is set aside, the words are saved, and the user is told once',
    async (_, spoil) => {
      const talk = new Talk();
      talk.say('apples');
      await talk.stop();
      spoil(talk.memory.index);
      talk.say('pears');
      await talk.stop();
      const aside = readdirSync(talk.memory.folder).find((name) => name.includes('.json.broken-'));
      expect(await talk.prompt()).toContain(`was set aside as ${aside}`);
      expect(await talk.prompt()).toBe('[rules injected]');
      expect(talk.said).toEqual(['apples', 'About apples.', 'pears', 'About pears.']);
      expect(Object.keys(readMemoryIndex(talk.memory).sessions)).toEqual(['one']);
    },
  );

  it('a link to another file of the memory: that file stays as it is', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    const { index, folder } = talk.memory;
    writeFileSync(join(folder, 'memory.md'), '# mine');
    rmSync(index);
    symlinkSync(join(folder, 'memory.md'), index);
    talk.say('pears');
    await talk.stop();
    expect(readFileSync(join(folder, 'memory.md'), 'utf8')).toBe('# mine');
    expect(await talk.prompt()).toContain('was set aside as');
    expect(talk.said).toContain('pears');
  });

  it('of a newer version is never replaced', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    writeFileSync(talk.memory.index, '{"version":99}');
    talk.say('pears');
    await expect(talk.stop()).rejects.toThrow('store.newer');
    await talk.prompt();
    expect(readFileSync(talk.memory.index, 'utf8')).toBe('{"version":99}');
  });
});

describe('T6 where nothing can be written', () => {
  it('a disk that is full from any step of a save on: told, and saved once there is room', async () => {
    let told = 0;
    for (let step = 0, isOver = false; !isOver; step++) {
      const talk = new Talk();
      talk.say('apples');
      await talk.stop();
      talk.say('pears');
      talk.letTimePass();
      let news = '';
      const { isFull } = await fullFrom(step, async () => {
        await talk.stop().catch(() => undefined);
        talk.letTimePass();
        news = await talk.prompt();
      });
      isOver = !isFull;
      if (NOT_KEPT.test(news)) {
        told++;
        expect(news).toContain('the disk is full (ENOSPC)');
      }
      await talk.stop();
      expect(talk.said, `full from step ${step}`).toEqual([
        'apples',
        'About apples.',
        'pears',
        'About pears.',
      ]);
      expect(talk.keeping).toEqual({ ok: true });
    }
    expect(told).toBeGreaterThan(5);
  });

  it('a note without content means a full disk', () => {
    const talk = new Talk();
    const path = keepingNotePath(talk.input('Stop').places, 'one');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    expect(talk.keeping).toMatchObject({
      ok: false,
      reason: { code: 'system.diskFull' },
      since: expect.stringMatching(/^20/),
    });
  });

  it('a home that takes nothing: the note lies with the temporary files until all is well', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    const { places } = talk.input('Stop');
    renameSync(places.home, `${places.home}.away`);
    writeFileSync(places.home, 'not a folder');
    talk.say('pears');
    talk.letTimePass();
    expect(keepingNews(talk.input('UserPromptSubmit'))?.code).toBe('hooks.notKept');
    expect(talk.keeping.ok).toBe(false);
    expect(readdirSync(join(talk.home, 'tmp'))).toEqual([
      expect.stringMatching(/^memory-keeper-.*-one\.not-kept$/),
    ]);
    const now = new Date();
    utimesSync(talk.transcript, now, now);
    expect(mayNotBeKept(talk.input('UserPromptSubmit'))).toBe(true); // however fast the user is
    rmSync(places.home);
    renameSync(`${places.home}.away`, places.home);
    await talk.stop();
    expect(readdirSync(join(talk.home, 'tmp'))).toEqual([]);
    expect(await talk.prompt()).toContain(SAVED_AGAIN);
  });

  it('somebody else’s link in place of the note is neither read nor written through', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    const { places } = talk.input('Stop');
    const target = join(talk.home, 'letter.txt');
    writeFileSync(target, 'Dear mother');
    mkdirSync(dirname(keepingNotePath(places, 'one')), { recursive: true });
    symlinkSync(target, keepingNotePath(places, 'one'));
    expect(talk.keeping).toEqual({ ok: true });
    writeFileSync(talk.memory.index, '{"version":99}');
    talk.say('pears');
    await expect(talk.stop()).rejects.toThrow('store.newer');
    expect(readFileSync(target, 'utf8')).toBe('Dear mother');
    expect(talk.keeping.ok).toBe(false);
  });
});

describe('T6 what is said when all is well again', () => {
  it('is nothing where nobody was told before', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    const index = readFileSync(talk.memory.index);
    writeFileSync(talk.memory.index, '{"version":99}');
    talk.say('pears');
    await expect(talk.stop()).rejects.toThrow('store.newer');
    expect(talk.keeping.ok).toBe(false);
    writeFileSync(talk.memory.index, index);
    await talk.stop();
    expect(await talk.prompt()).toBe('[rules injected]');
  });

  it('names the time from which words may be missing, if the transcript was replaced meanwhile', async () => {
    const talk = new Talk();
    talk.say('apples');
    await talk.stop();
    const index = readFileSync(talk.memory.index);
    writeFileSync(talk.memory.index, '{"version":99}');
    talk.say('pears');
    await expect(talk.stop()).rejects.toThrow('store.newer');
    expect(await talk.prompt()).toMatch(NOT_KEPT);
    writeFileSync(`${talk.transcript}.new`, '');
    renameSync(`${talk.transcript}.new`, talk.transcript);
    talk.say('plums');
    writeFileSync(talk.memory.index, index);
    await talk.stop();
    expect(await talk.prompt()).toMatch(/Saved again\. What was said here since .* incomplete/);
  });

  it('is Korean for Korean users, with the reason', async () => {
    const talk = new Talk();
    talk.say('사과');
    talk.letTimePass();
    mkdirSync(talk.memory.folder, { recursive: true });
    writeFileSync(talk.memory.index, '{"version":99}');
    talk.letTimePass();
    const input = talk.input('UserPromptSubmit');
    const answer = await addPromptContext({ ...input, env: { ...input.env, LANG: 'ko_KR.UTF-8' } });
    expect(answer?.systemMessage).toMatch(
      /이 대화가 저장되지 않고 있습니다\. memory-index\.json은 더 새로운 Memory Keeper가 저장했습니다/,
    );
  });
});

it('T6 a session that could not be saved even at its end is saved by a later one of its project', async () => {
  const talk = new Talk('lost');
  mkdirSync(talk.memory.folder, { recursive: true });
  writeFileSync(talk.memory.index, '{"version":99}');
  talk.say('apples');
  await expect(saveTurn(talk.input('SessionEnd', { reason: 'other' }))).rejects.toThrow();
  rmSync(talk.memory.index);
  const { places, memory, env } = talk.input('Stop');
  mkdirSync(join(places.claude, 'sessions'), { recursive: true });
  await closeKilledSessions({ places, memory } as never, 'later', env);
  expect(talk.said).toEqual(['apples', 'About apples.']);
  expect(readMemoryIndex(memory).sessions.lost?.isOver).toBe(true);
  expect(existsSync(keepingNotePath(places, 'lost'))).toBe(false);
});
