/**
 * A project that was moved and has kept words of its own since gets its old memory back: both are
 * joined, and nothing is lost or doubled, wherever a kill comes (M1, M20, M21).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { killedAt, type Moment, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { readActivity } from '../../clear/activity.ts';
import { decide, readDecisions } from '../../memory/foreign/decisions.ts';
import { readJournal } from '../../memory/log/journal.ts';
import { readL1Range } from '../../memory/log/l1-store.ts';
import { readMemoryIndex } from '../../memory/log/memory-index.ts';
import { addRules } from '../../memory/portable/adopt-earlier.ts';
import { listTrash, moveToTrash } from '../../memory/tiers/trash.ts';
import { removeLeftBehind } from '../../platform/project/link-place.ts';
import { rememberCheckout } from '../../platform/project/project-place.ts';
import { knownProjects } from '../../projects/known-projects.ts';
import { projectMemory } from '../../projects/project-memory.ts';
import { changeSetting, readSettings } from '../../settings/settings.ts';
import { linkMemory, whereMemoryIs } from './place.ts';

/** What was said before the move, and after it at another path. */
class Moved {
  readonly #base: string;
  readonly places: MadeMemory['places'];
  readonly before: MadeMemory;
  readonly root: string;

  constructor(base = tempFolder()) {
    this.#base = base;
    this.places = { claude: join(base, 'claude'), home: join(base, 'home') };
    this.before = new MadeMemory({ root: join(base, 'before'), places: this.places });
    this.before.decide('s1', 'The logo is blue.');
    this.root = join(base, 'after', 'app');
    mkdirSync(join(base, 'after'));
    renameSync(this.before.root, this.root);
    this.now.decide('s2', 'Prices are kept in cents.');
  }

  /** The memory that the project has at this moment. */
  get now(): MadeMemory {
    return new MadeMemory({
      root: join(this.#base, 'after'),
      places: this.places,
      day: '2026-11-17',
    });
  }

  link(): void {
    const [offer] = whereMemoryIs(this.places, this.root).offers;
    linkMemory(this.places, this.root, offer?.id ?? this.before.memory.base);
  }

  /** All that was said, in the order of the sessions. */
  get words(): string[] {
    const memory = projectMemory(this.places, this.root);
    const sessions = Object.entries(readMemoryIndex(memory).sessions).sort();
    return sessions.flatMap(([, { file }]) =>
      (readL1Range(memory, file) ?? []).flatMap((entry) => ('text' in entry ? entry.text : [])),
    );
  }

  get facts(): string[] {
    return this.now.facts.decisions.map(({ content }) => content).sort();
  }

  get listed(): string[] {
    return knownProjects(this.places).map(({ base }) => base);
  }
}

const BOTH = ['Prices are kept in cents.', 'The logo is blue.'];

describe('a memory that is linked', () => {
  it('M1 joins what was said and decided since, and the project is one again', () => {
    const moved = new Moved();
    const own = moved.now.memory.base;
    expect(moved.listed).toHaveLength(2);
    moved.link();
    expect(moved.words).toEqual(BOTH.toReversed());
    expect(moved.facts).toEqual(BOTH);
    expect(moved.listed).toEqual([moved.before.memory.base]);
    expect(whereMemoryIs(moved.places, moved.root)).toMatchObject({
      place: { root: moved.root, folder: moved.before.memory.base },
      offers: [],
    });
    expect(existsSync(join(own, 'memory/memory-index.json'))).toBe(true); // as a backup
    expect(readActivity(moved.places, 1)).toMatchObject([
      { project: moved.root, note: { code: 'memory.linked', values: { path: moved.before.root } } },
    ]);
  });

  it('M1 doubles nothing when it is linked again, and sessions go on where they were', () => {
    const moved = new Moved();
    moved.link();
    const events = readJournal(moved.now.memory, 0).events.length;
    linkMemory(moved.places, moved.root, moved.before.memory.base);
    expect(readJournal(moved.now.memory, 0).events).toHaveLength(events);
    moved.now.say('s2', { user: 'And VAT too.' });
    moved.now.say('s1', { user: 'Dark blue.' });
    expect(moved.words).toEqual([
      'The logo is blue.',
      'Dark blue.',
      'Prices are kept in cents.',
      'And VAT too.',
    ]);
  });

  it('M1 T1 takes over rules, settings, decisions about foreign notes and the trash', () => {
    const moved = new Moved();
    const { memory } = moved.now;
    const { places, root } = moved;
    addRules(moved.before.memory, '- Be brief.\n');
    addRules(memory, '- Use metric units.\n');
    const theirs = { places, projectRoot: moved.before.memory.base };
    changeSetting(theirs, 'saveInterval', 4);
    changeSetting({ places, projectRoot: root }, 'saveInterval', 7);
    changeSetting({ places, projectRoot: root }, 'thresholds.warn', 51);
    decide(memory, ['abc'], 'refused');
    moved.now.say('s0', { user: 'Long ago.' });
    const { file = '' } = readMemoryIndex(memory).sessions.s0 ?? {};
    moveToTrash(memory, file, new Date());
    moved.link();
    const now = moved.now.memory;
    expect(readFileSync(join(now.folder, 'rules.md'), 'utf8')).toBe(
      '- Be brief.\n\n- Use metric units.\n',
    );
    expect(readSettings(places, root).values).toMatchObject({
      saveInterval: { value: 4, from: 'project' },
      'thresholds.warn': { value: 51, from: 'project' },
    });
    expect(readDecisions(now)).toMatchObject({ abc: { decision: 'refused' } });
    expect(listTrash(now)).toMatchObject([{ name: file }]);
  });

  it('M1 is led to from all worktrees, and from those that are gone', () => {
    const base = tempFolder();
    const moved = new Moved(base);
    rmSync(moved.root, { recursive: true });
    mkdirSync(moved.root);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: moved.root,
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'a');
    const tree = join(base, 'tree');
    const led = () => projectMemory(moved.places, tree).base;
    git('worktree', 'add', '-q', tree);
    moved.now.decide('s3', 'Tea at four.');
    rememberCheckout(moved.places, tree);
    const wanted = moved.before.memory.base;
    linkMemory(moved.places, moved.root, wanted);
    expect(led()).toBe(wanted);
    git('worktree', 'remove', tree);
    expect(led()).toBe(wanted);
    expect(moved.facts).toEqual(['Tea at four.', 'The logo is blue.']);
  });

  it('M1 M21 killed at any decisive step, keeps every word; linked again, ends as an undisturbed one', async () => {
    const base = tempFolder();
    /** A simulated process need not wait for the disk. */
    const made = async (name: string) => {
      const all: Moved[] = [];
      await stepThrough(() => all.push(new Moved(join(base, name))));
      return all[0] as Moved;
    };
    const whole = await made('whole');
    const { moments } = await stepThrough(() => whole.link());
    const swapAt = moments.findIndex(({ args }) => String(args).includes('swap.json'));
    expect(swapAt).toBeGreaterThan(20);
    // What comes before the swap happens in folders that nobody reads, what follows the keys too.
    const isDecisive = ({ step, call, args }: Moment) =>
      (step > swapAt - 3 && call === 'renameSync' && !String(args).includes('/incoming/')) ||
      /project-keys|project\.json|swap\.json/.test(String(args));
    for (const moment of moments.filter((one) => one.step % 25 === 0 || isDecisive(one))) {
      const { step, call } = moment;
      const what = `killed at step ${step}, ${call}`;
      const moved = await made(`killed-${step}`);
      expect((await killedAt(step, () => moved.link())).isKilled, what).toBe(true);
      expect(moved.words, what).toContain('Prices are kept in cents.');
      // The session goes on before anybody links again.
      await stepThrough(() => moved.now.say('s2', { user: 'And VAT too.' }));
      await stepThrough(() => moved.link());
      expect(moved.words, what).toEqual([...BOTH.toReversed(), 'And VAT too.']);
      expect(moved.facts, what).toEqual(BOTH);
      expect(moved.listed, what).toEqual([moved.before.memory.base]);
      rmSync(join(base, `killed-${step}`), { recursive: true });
    }
  });
});

it('M1 M21 what was said after a kill is kept, even if another folder takes the place of the project', async () => {
  const moved = new Moved();
  const own = moved.now.memory;
  const keyed = await stepThrough(
    () => moved.link(),
    ({ args }) => (String(args).includes('project-keys') ? 'die' : undefined),
  );
  expect(keyed.isKilled).toBe(true);
  moved.now.say('s2', { user: 'And VAT too.' });
  rmSync(moved.root, { recursive: true });
  mkdirSync(moved.root);
  expect(moved.now.memory.base).not.toBe(own.base);
  removeLeftBehind(moved.places, new Date('2100-01-01'));
  expect(moved.listed).toContain(own.base);
  linkMemory(moved.places, moved.root, moved.before.memory.base);
  expect(moved.words).toEqual([...BOTH.toReversed(), 'And VAT too.']);
  expect(moved.listed).toEqual([moved.before.memory.base]);
});

it('M1 what a link left behind is removed some weeks later, and nothing else', () => {
  const moved = new Moved();
  const own = moved.now.memory.base;
  moved.link();
  const days = (count: number) => new Date(Date.now() + count * 24 * 60 * 60 * 1000);
  removeLeftBehind(moved.places, days(29));
  expect(existsSync(own)).toBe(true);
  removeLeftBehind(moved.places, days(31));
  expect(existsSync(own)).toBe(false);
  expect(moved.words).toEqual(BOTH.toReversed());
});
