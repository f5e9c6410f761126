/**
 * What 0.1.0 kept in projects moves over into the home (M1, T1, T4): the user's own sessions by
 * themselves, the rest when the user says so. The files are those that 0.1.0 wrote.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { killedAt, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { HomeOf010 } from '../../../tests/fixtures/home-of-0.1.0.ts';
import { readDocument } from '../../platform/store/document.ts';
import { placesFrom } from '../../platform/store/places.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { factsPath } from '../../projects/memory-paths.ts';
import { findProjectMemory, type ProjectMemory } from '../../projects/project-memory.ts';
import { factsFile } from '../l2-facts/facts-file.ts';
import { type JournalEvent, readJournal } from '../log/journal.ts';
import { readL1Range, saveL1 } from '../log/l1-store.ts';
import { readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { record } from '../state/derive.ts';
import { verifyMemory } from '../state/verify.ts';
import {
  ADOPTABLE,
  adoptEarlier,
  previewEarlier,
  removableBackups,
  removeBackup,
} from './adopt-earlier.ts';
import { earlierBackups, moveFrom } from './earlier-moves.ts';
import { l1Names } from './merge-l1.ts';
import { moveAllEarlier, moveEarlierOf } from './move-earlier.ts';
import { copyToProject } from './project-copy.ts';

/** Of the shop, the one that neither a transcript nor our home knows. */
const UNPROVEN = '11111111-1111-4111-8111-111111111111';
const OPEN = '88888888-1111-4111-8111-111111111111';

class Home extends HomeOf010 {
  readonly env = { HOME: this.home };
  readonly places = placesFrom(this.env);

  /** Throws if the project has no place yet. */
  memory(root = this.shop): ProjectMemory {
    const memory = findProjectMemory(this.places, root);
    if (memory === undefined) throw new Error(`${root} has no place`);
    return memory;
  }

  move() {
    return moveEarlierOf(this.places, this.shop, this.env);
  }

  /** All L1 of a memory by session, unpacked. */
  words(memory = this.memory()): Record<string, unknown> {
    const sessions = Object.entries(readMemoryIndex(memory).sessions);
    return Object.fromEntries(sessions.map(([id, { file }]) => [id, readL1Range(memory, file)]));
  }

  /** As 0.1.0 left it. */
  oldWords(root = this.shop): Record<string, unknown> {
    const sessions = join(root, '.claude/sessions');
    const folder = { folder: join(root, '.claude/memory'), sessions } as ProjectMemory;
    const index = JSON.parse(readFileSync(join(folder.folder, 'memory-index.json'), 'utf8'));
    const files = Object.entries<{ file: string }>(index.sessions);
    return Object.fromEntries(files.map(([id, { file }]) => [id, readL1Range(folder, file)]));
  }

  oldEvents(): JournalEvent[] {
    return readJournal({ folder: join(this.shop, '.claude/memory') } as ProjectMemory, 0).events;
  }
}

function without(words: Record<string, unknown>, id: string): Record<string, unknown> {
  const { [id]: _, ...rest } = words;
  return rest;
}

function factsOf(memory: ProjectMemory): string[] {
  const reading = readDocument(factsPath(memory), factsFile);
  const { decisions, patterns, issues, notes } =
    reading.state === 'ok' ? reading.value : factsFile.empty();
  return [decisions, patterns, issues, notes].flat().map(({ content }) => content);
}

describe('what 0.1.0 kept in a project', () => {
  it('M1 T1 moves with every word of every session that is proven, and with what models said of it', () => {
    const at = new Home();
    const before = at.files(join(at.shop, '.claude'));
    const done = at.move();
    expect(done).toMatchObject({ sessions: 9, left: { sessions: 1, rules: true, settings: true } });
    expect(at.words()).toEqual(without(at.oldWords(), UNPROVEN));
    const isOf = (event: JournalEvent) =>
      event.type === 'facts'
        ? event.session !== UNPROVEN
        : event.type === 'delta' && !(UNPROVEN in event.ends);
    const kept = readJournal(at.memory(), 0).events;
    expect(kept.filter(({ type }) => type !== 'compress')).toEqual(at.oldEvents().filter(isOf));
    expect(factsOf(at.memory())).toContain('쿠폰은 주문당 한 장만 쓸 수 있다.');
    expect(verifyMemory(at.memory()).problems).toEqual([]);
    expect(at.files(join(at.shop, '.claude'))).toEqual(before);
  });

  it('T1 does not bring what no session proves: edits, words of people in memory.md, rules, settings', () => {
    const at = new Home();
    at.move();
    const all = [...at.files(at.memory().base).values()].join('\n');
    for (const words of [
      'Cents, always. (Mina)',
      'Ask Jun about invoices',
      'Never touch src/legacy',
    ])
      expect(all).not.toContain(words);
    expect(existsSync(join(at.memory().folder, 'config.json'))).toBe(false);
    expect(readJournal(at.memory(), 0).events.some(({ type }) => type === 'edit')).toBe(false);
  });

  it('T1 that looks like ours but comes from elsewhere does not move, and gets no place', () => {
    const at = new Home();
    const clone = join(at.home, 'clone');
    cpSync(join(at.shop, '.claude'), join(clone, '.claude'), { recursive: true });
    for (const name of readdirSync(join(clone, '.claude/sessions')).filter(
      (one) => one.endsWith('.gz') && one.includes('l1'),
    ))
      rmSync(join(clone, '.claude/sessions', name));
    for (const [path, text] of at.files(join(clone, '.claude')))
      if (!path.endsWith('.gz'))
        writeFileSync(path, text.replaceAll('-1111-4111-8111-', '-9999-4999-8999-'), 'latin1');
    expect(moveEarlierOf(at.places, clone, at.env)).toMatchObject({
      sessions: 0,
      files: expect.anything(),
    });
    expect(findProjectMemory(at.places, clone)).toBeUndefined();
    expect(earlierBackups(at.places)).toEqual([]);
  });

  it('T1 events about a session of somebody else do not come along with one that is proven', () => {
    const at = new Home();
    const journal = join(at.shop, '.claude/memory/journal.jsonl');
    const stranger = '99999999-9999-4999-8999-999999999999';
    const forged = [
      {
        type: 'delta',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: 'FORGED',
        ends: { [OPEN]: 801, [stranger]: 9 },
        upTo: '',
      },
      {
        type: 'delta',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: 'FORGED',
        ends: {},
        upTo: '',
      },
      {
        type: 'facts',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: '["FORGED"]',
        session: stranger,
        file: '2026-11-12_1100.l1.jsonl',
        from: 0,
        to: 9,
        cover: false,
      },
      {
        type: 'rotation',
        at: '2026-11-12T15:00:00.000Z',
        way: 'mod',
        text: 'FORGED',
        stamp: '2026-08-01_0000',
      },
    ];
    writeFileSync(journal, forged.map((event) => `${JSON.stringify(event)}\n`).join(''), {
      flag: 'a',
    });
    at.move();
    expect([...at.files(at.memory().base).values()].join('\n')).not.toContain('FORGED');
  });

  it('M1 moves once, and again only what 0.1.0 has written since', () => {
    const at = new Home();
    at.move();
    expect(at.move()).toBeUndefined();
    const before = at.files(at.memory().base);
    const l1 = join(at.shop, '.claude/sessions/2026-11-12_1100-2.l1.jsonl');
    const entry = {
      id: 'later',
      ts: '2026-11-12T15:10:00.000Z',
      role: 'user',
      text: 'One more thing.',
    };
    writeFileSync(l1, `${JSON.stringify(entry)}\n`, { flag: 'a' });
    const index = join(at.shop, '.claude/memory/memory-index.json');
    writeFileSync(index, readFileSync(index, 'utf8').replace('"l1Bytes": 801', '"l1Bytes": 890'));
    expect(at.move()).toMatchObject({ sessions: 9 });
    expect(at.words()[OPEN]).toEqual(at.oldWords()[OPEN]);
    const journal = join(at.memory().folder, 'journal.jsonl');
    expect(at.files(at.memory().base).get(journal)).toBe(before.get(journal));
  });

  it('M4 M5 goes on where 0.1.0 had stopped reading, with nothing lost or doubled', () => {
    const at = new Home();
    at.move();
    const { transcript = '' } = readMemoryIndex(at.memory()).sessions[OPEN] ?? {};
    expect(saveL1(at.memory(), { sessionId: OPEN, transcript })).toMatchObject({ added: 0 });
    expect(at.words()[OPEN]).toEqual(at.oldWords()[OPEN]);
  });

  it('T4 names no file outside: the path of a transcript is looked up, never believed', () => {
    const at = new Home();
    const index = join(at.shop, '.claude/memory/memory-index.json');
    const secret = join(at.home, '.claude/settings.json');
    writeFileSync(
      index,
      readFileSync(index, 'utf8').replaceAll(/"transcript": "[^"]*"/g, `"transcript": "${secret}"`),
    );
    at.move();
    expect(readFileSync(at.memory().index, 'utf8')).not.toContain('settings.json');
    expect(readMemoryIndex(at.memory()).sessions[OPEN]?.transcript).toMatch(
      new RegExp(`${OPEN}.jsonl$`),
    );
  });
});

describe('an old memory in a hostile repository', () => {
  /** Opening a pipe would wait for ever. */
  it('T4 with pipes, links, devices and giants in the place of files is left out without waiting', () => {
    const at = new Home();
    const folder = join(at.shop, '.claude');
    const outside = join(at.home, 'outside.l1.jsonl');
    writeFileSync(outside, `{"session":"${OPEN}"}\n{"id":"x","role":"user","text":"SECRET"}\n`);
    execFileSync('mkfifo', [join(folder, 'sessions/2026-11-12_1300.l1.jsonl')]);
    symlinkSync(outside, join(folder, 'sessions/2026-11-12_1400.l1.jsonl'));
    symlinkSync('/dev/zero', join(folder, 'sessions/2026-11-12_1500.l1.jsonl'));
    mkdirSync(join(folder, 'sessions/2026-11-12_1600.l1.jsonl'));
    rmSync(join(folder, 'memory/facts.json'));
    symlinkSync(outside, join(folder, 'memory/facts.json'));
    expect(at.move()).toMatchObject({ sessions: 9 });
    adoptEarlier(at.places, at.memory(), at.shop, ADOPTABLE, at.env);
    expect([...at.files(at.memory().base).values()].join('\n')).not.toContain('SECRET');
    expect(at.words()).toEqual(at.oldWords());
  });

  it('T4 with an index or a journal that is far too large does not move, and the reason is kept', () => {
    const at = new Home();
    const index = join(at.shop, '.claude/memory/memory-index.json');
    truncateSync(index, 2 ** 31);
    expect(at.move()).toMatchObject({ sessions: 9 });
    expect(at.words()).toEqual(without(wordsByHeader(at), UNPROVEN));
    truncateSync(join(at.shop, '.claude/memory/journal.jsonl'), 2 ** 31);
    expect(() => at.move()).toThrow('memory.earlierTooLarge');
    const [backup] = earlierBackups(at.places);
    expect(backup?.problem).toMatchObject({ code: 'memory.earlierTooLarge' });
    expect(at.move()).toBeUndefined();
  });

  it('T4 whose folders lead out of it does not move', () => {
    const at = new Home();
    const elsewhere = join(at.home, 'elsewhere');
    cpSync(join(at.shop, '.claude'), elsewhere, { recursive: true });
    rmSync(join(at.shop, '.claude'), { recursive: true });
    symlinkSync(elsewhere, join(at.shop, '.claude'));
    expect(at.move()).toBeUndefined();
    expect(findProjectMemory(at.places, at.shop)).toBeUndefined();
  });
});

/** Without the index of 0.1.0. */
function wordsByHeader(at: Home): Record<string, unknown> {
  const memory = { sessions: join(at.shop, '.claude/sessions') } as ProjectMemory;
  const files = readdirSync(memory.sessions).filter((name) => /l1\.jsonl(\.gz)?$/.test(name));
  return Object.fromEntries(
    files.map((name) => {
      const bytes = readFileSync(join(memory.sessions, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      const { session } = JSON.parse(text.split('\n', 1)[0] ?? '');
      return [session, readL1Range(memory, name.replace(/\.gz$/, ''))];
    }),
  );
}

describe('what is left of it', () => {
  it('T1 is shown before the user decides', () => {
    const at = new Home();
    at.move();
    const preview = previewEarlier(at.places, at.shop);
    expect(preview).toMatchObject({
      ...{ sessions: 1, entries: 4, facts: 2, edits: 23 },
      ...{ from: '2026-11-11_1800', to: '2026-11-11_1800' },
      settings: expect.arrayContaining([{ key: 'saveInterval', value: 4 }]),
    });
    expect(preview?.titles[0]?.title).toContain('closes at eight');
    expect(preview?.edited).toContain('Never log card numbers.');
    expect(preview?.rules).toContain('Never touch src/legacy');
  });

  it('T1 is taken over when the user says so, each thing for itself', () => {
    const at = new Home();
    at.move();
    const { places, env } = at;
    adoptEarlier(places, at.memory(), at.shop, ['sessions'], env);
    expect(at.words()).toEqual(at.oldWords());
    expect(factsOf(at.memory())).toContain('The shop closes at eight in the evening on weekdays.');
    expect(factsOf(at.memory())).not.toContain('Ask Jun about invoices.');
    expect(previewEarlier(places, at.shop)).toMatchObject({ sessions: 0, edits: 23 });
    adoptEarlier(places, at.memory(), at.shop, ['edits'], env);
    expect(factsOf(at.memory())).toContain('Ask Jun about invoices.');
    expect(readFileSync(join(at.memory().folder, 'memory.md'), 'utf8')).toContain('Cents, always.');
    expect(existsSync(join(at.memory().folder, 'rules.md'))).toBe(false);
    adoptEarlier(places, at.memory(), at.shop, ['rules', 'settings'], env);
    expect(readFileSync(join(at.memory().folder, 'rules.md'), 'utf8')).toContain('src/legacy');
    expect(previewEarlier(places, at.shop)).toMatchObject({ edits: 0, rules: '', settings: [] });
    expect(verifyMemory(at.memory()).problems).toEqual([]);
  });

  it('T1 M20 joins what was said and changed here since, and nothing of either is lost', () => {
    const at = new Home();
    at.move();
    const words = { id: 'new', ts: '2026-11-13T09:00:00.000Z', role: 'user', text: 'Green it is.' };
    const sessions = at.memory().sessions;
    const file = '2026-11-13_0900.l1.jsonl';
    const text = `{"session":"new"}\n${JSON.stringify(words)}\n`;
    writeFileSync(join(sessions, file), text);
    const fact = { kind: 'decision', content: 'Green it is.', entry: 'new', quote: 'Green it is.' };
    const [at0, to] = ['2026-11-13T09:01:00.000Z', text.length];
    updateMemoryIndex(at.memory(), (index) => ({
      ...index,
      sessions: {
        ...index.sessions,
        new: { file, offset: 0, inode: 0, l1Bytes: to, pending: {} },
      },
    }));
    record(at.memory(), {
      ...{ type: 'facts', at: at0, way: 'mod', text: JSON.stringify([fact]) },
      ...{ session: 'new', file, from: 0, to, cover: false },
    });
    adoptEarlier(at.places, at.memory(), at.shop, ADOPTABLE, at.env);
    expect(at.words()).toMatchObject({ ...at.oldWords(), new: [words] });
    const facts = factsOf(at.memory());
    expect(facts).toEqual(expect.arrayContaining(['Green it is.', 'Ask Jun about invoices.']));
    expect(verifyMemory(at.memory()).problems).toEqual([]);
  });
});

/** A project with a memory of today, which is put to where 0.1.0 had it. */
function asOf010(made: MadeMemory, root = made.root): void {
  const { folder, sessions } = made.memory;
  const transcripts = join(made.places.claude, 'projects/app');
  mkdirSync(transcripts, { recursive: true });
  for (const id of Object.keys(readMemoryIndex(made.memory).sessions))
    writeFileSync(join(transcripts, `${id}.jsonl`), '');
  cpSync(folder, join(root, '.claude/memory'), { recursive: true, preserveTimestamps: true });
  cpSync(sessions, join(root, '.claude/sessions'), { recursive: true, preserveTimestamps: true });
  rmSync(made.places.home, { recursive: true });
}

const envOf = ({ root }: MadeMemory) => ({ HOME: join(root, '..') });

describe('several old memories', () => {
  it('M1 of the main checkout and of a worktree join into one', () => {
    const root = tempFolder();
    const main = new MadeMemory({ root });
    const worktree = join(root, 'other');
    execFileSync('git', ['init', '-q', main.root]);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', main.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('commit', '-q', '--allow-empty', '-m', 'one');
    git('worktree', 'add', '-q', worktree);
    main.decide('w1', 'The logo is blue.');
    asOf010(main, worktree);
    main.goTo('2026-11-16'); // the same minute: both files have the same name
    const again = new MadeMemory({ root });
    again.decide('m1', 'Prices are kept in cents.');
    asOf010(again);
    for (const folder of [main.root, worktree]) moveEarlierOf(main.places, folder, envOf(main));
    const memory = findProjectMemory(main.places, worktree) as ProjectMemory;
    expect(memory.folder).toBe(findProjectMemory(main.places, main.root)?.folder);
    expect(factsOf(memory).toSorted()).toEqual(['Prices are kept in cents.', 'The logo is blue.']);
    expect(Object.keys(readMemoryIndex(memory).sessions).toSorted()).toEqual(['m1', 'w1']);
    const before = readJournal(memory, 0).events;
    rmSync(join(main.places.home, 'earlier-memories.json')); // as after a kill before it was written
    for (const folder of [main.root, worktree]) moveEarlierOf(main.places, folder, envOf(main));
    expect(readJournal(memory, 0).events).toEqual(before);
    expect(l1Names(memory).size).toBe(2);
    expect(verifyMemory(memory).problems).toEqual([]);
  });

  it('M1 are found by what 0.1.0 wrote down and by the transcripts, also of a checkout that is gone', () => {
    const at = new Home();
    rmSync(at.notes, { recursive: true, force: true });
    const { moves, problems } = moveAllEarlier(at.places, at.env);
    expect(moves).toMatchObject([{ root: at.shop, sessions: 9 }]);
    expect(problems).toEqual([]);
    const names = knownProjects(at.places).map(({ root }) => root);
    expect(names.toSorted()).toEqual([at.notes, at.shop]);
    rmSync(join(at.ours, 'known-projects.json'));
    rmSync(join(at.ours, 'earlier-memories.json'));
    expect(moveAllEarlier(at.places, at.env).moves).toMatchObject([{ root: at.shop }]);
  });

  it('M1 are not found in the copy that `storage: project` keeps in a project', () => {
    const made = new MadeMemory();
    made.decide('s1', 'Tea at four.');
    expect(copyToProject(made.places, made.memory).copied).toBeGreaterThan(3);
    expect(moveEarlierOf(made.places, made.root, envOf(made))).toBeUndefined();
    expect(earlierBackups(made.places)).toEqual([]);
  });

  it('M1 of the home folder itself: what Claude Code keeps there is none', () => {
    const at = new Home();
    cpSync(join(at.shop, '.claude/memory'), join(at.home, '.claude/memory'), { recursive: true });
    cpSync(join(at.shop, '.claude/sessions'), join(at.home, '.claude/sessions'), {
      recursive: true,
    });
    expect(moveEarlierOf(at.places, at.home, at.env)).toBeUndefined();
  });
});

describe('a move that is killed', () => {
  it.each(['into a new memory', 'into one that has begun'])(
    'M1 M21 at any step, %s, loses nothing: the next one ends where an undisturbed one does',
    async (way) => {
      const base = tempFolder();
      const first = new MadeMemory({ root: join(base, 'first') });
      first.decide('t1', 'The logo is blue.');
      first.decide('t2', 'Prices are kept in cents.');
      asOf010(first);
      const again = (name: string) => {
        cpSync(join(base, 'first'), join(base, name), {
          recursive: true,
          preserveTimestamps: true,
        });
        const made = new MadeMemory({ root: join(base, name), day: '2026-11-17' });
        if (way === 'into one that has begun') made.decide('s1', 'Tea at four.');
        return made;
      };
      const move = (made: MadeMemory) => moveEarlierOf(made.places, made.root, envOf(made));
      const whole = again('whole');
      const { moments } = await stepThrough(() => move(whole));
      const facts = factsOf(whole.memory).toSorted();
      expect(facts).toEqual(
        expect.arrayContaining(['Prices are kept in cents.', 'The logo is blue.']),
      );
      expect(moments.length).toBeGreaterThan(50);
      const swapAt = moments.findIndex(({ args }) => String(args).includes('swap.json'));
      expect(swapAt).toBeGreaterThan(50);
      for (const { step, call } of moments) {
        // What comes before the swap happens in folders that nobody reads.
        if (step < swapAt - 5 && step % 40 !== 0) continue;
        const what = `killed at step ${step}, ${call}`;
        const killed = again(`killed-${step}`);
        const old = contentOf(join(killed.root, '.claude'));
        expect((await killedAt(step, () => move(killed))).isKilled, what).toBe(true);
        await stepThrough(() => move(killed));
        const memory = findProjectMemory(killed.places, killed.root) as ProjectMemory;
        expect(factsOf(memory).toSorted(), what).toEqual(facts);
        expect(contentOf(memory.sessions), what).toEqual(contentOf(whole.memory.sessions));
        const events = readJournal(memory, 0).events.length;
        expect(events, what).toBe(readJournal(whole.memory, 0).events.length);
        expect(moveFrom(killed.places, join(killed.root, '.claude')), what).toMatchObject({
          sessions: 2,
        });
        expect(contentOf(join(killed.root, '.claude')), what).toEqual(old);
        rmSync(join(base, `killed-${step}`), { recursive: true });
      }
    },
  );
});

/** Ids are made at random, and hold the machine, which is another one in each copy. */
function withoutChance(text: string): string {
  return text.replace(/"[0-9a-f]{12}"|"[0-9a-f]{24}-\d\d"|(?<=_\d{4}-)[0-9a-f]{8}(?=\.)/g, 'id');
}

/** Every file below a folder, by its name, but for locks and what a kill left in hidden folders. */
function contentOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => /\.(?:jsonl?|md|gz)$/.test(path) && !path.includes('/.staging-'));
  return Object.fromEntries(
    paths.sort().map((path) => {
      const text = readFileSync(path, 'latin1');
      return [withoutChance(path.slice(folder.length)), withoutChance(text)];
    }),
  );
}

describe('the old files', () => {
  it('M1 can be deleted once everything is taken over, and nothing else goes with them', () => {
    const at = new Home();
    const own = join(at.shop, '.claude/settings.json');
    writeFileSync(own, '{}');
    writeFileSync(join(at.shop, '.claude/memory/mine.txt'), 'mine');
    at.move();
    const path = join(at.shop, '.claude');
    expect(removableBackups(at.places)).toEqual([]);
    expect(() => removeBackup(at.places, path)).toThrow('memory.earlierNotMoved');
    adoptEarlier(at.places, at.memory(), at.shop, ADOPTABLE, at.env);
    const words = at.words();
    expect(removeBackup(at.places, path)).toBeGreaterThan(30);
    expect(earlierBackups(at.places)).toEqual([]);
    expect(at.words()).toEqual(words);
    const left = [...at.files(path).keys()].map((file) => file.slice(path.length + 1));
    expect(left.filter((name) => !name.includes('.broken-')).toSorted()).toEqual([
      'memory/mine.txt',
      'settings.json',
    ]);
  });
});
