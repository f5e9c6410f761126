import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AnyText } from '../../../tests/bed/any-text.ts';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { makePrivateFolder } from '../../platform/store/atomic-write.ts';
import { machineIdIn } from '../../platform/store/machine.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { EditLog } from '../edits/edit-log.ts';
import { FACT_LISTS, PERMANENT_LISTS } from '../l2-facts/facts-file.ts';
import {
  appendToJournal,
  type JournalEvent,
  journalPath,
  readJournal,
  uidOf,
} from '../log/journal.ts';
import { updateMemoryIndex } from '../log/memory-index.ts';
import { EventStamps } from '../log/stamp-events.ts';
import { rebuild } from '../state/derive.ts';
import { addFact, changeConcept, changeFact, forgetFact, undoLastEdit } from '../state/edits.ts';
import { stagedMemory } from './contents.ts';
import { mergeL1 } from './merge-l1.ts';
import { mergeMemory } from './merge-memory.ts';

const RECORDER = join(import.meta.dirname, '../../../tests/children/recorder-child.ts');
const DAY_MS = 24 * 60 * 60 * 1000;
const always = () => true;

/** As if it had stood there before. */
function append(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  appendFileSync(path, text);
}

const eventsOf = ({ memory }: Pick<MadeMemory, 'memory'>) => readJournal(memory, 0).events;

function items({ facts, concepts }: MadeMemory) {
  return [
    ...FACT_LISTS.flatMap((list) => facts[list]),
    ...PERMANENT_LISTS.flatMap((list) => facts.permanent[list]),
    ...facts.retired,
    ...concepts.concepts,
  ];
}

/** What each item is called everywhere, by what it says. */
function names(made: MadeMemory): Record<string, string | undefined> {
  return Object.fromEntries(
    items(made).map((item) => {
      const kind = 'content' in item ? item.id.slice(0, 1) : 'c';
      return [`${kind} ${String(item.content ?? item.name)}`, item.uid];
    }),
  );
}

function expectUnique(made: MadeMemory, what = ''): void {
  const uids = items(made).map(({ uid }) => uid);
  expect(uids, what).not.toContain(undefined);
  expect(new Set(uids).size, what).toBe(uids.length);
}

/** Facts of models and of people, a permanent one, edits, and one that is forgotten. */
function lived(root = tempFolder(), word = 'first'): MadeMemory {
  const made = new MadeMemory({ root });
  const log = new EditLog(made.memory);
  for (const session of ['s1', 's2', 's3'])
    made.decide(`${word}-${session}`, `The ${word} server uses port 3000.`, { keywords: ['port'] });
  made.decide(`${word}-s1`, `The ${word} logs are kept as JSON.`, { keywords: ['logs'] });
  made.decide(`${word}-s2`, `The ${word} tests run on Mondays.`, { keywords: ['tests'] });
  addFact(made.memory, log, 'notes', { content: `A note of the ${word} one.` });
  changeFact(made.memory, log, 'd002', { content: `The ${word} logs are plain text.` }, always);
  forgetFact(made.memory, 'd003');
  made.compress();
  return made;
}

/** The same memory on another machine. */
function copied({ memory }: MadeMemory): MadeMemory {
  const made = new MadeMemory();
  cpSync(memory.folder, made.memory.folder, { recursive: true });
  cpSync(memory.sessions, made.memory.sessions, { recursive: true });
  return made;
}

/** Joins theirs into a copy of ours, as an import does. */
function joined(ours: MadeMemory, theirs: MadeMemory): MadeMemory {
  const [made, copy] = [copied(ours), tempFolder()];
  const { folder, sessions } = theirs.memory;
  cpSync(folder, join(copy, 'memory'), { recursive: true });
  cpSync(sessions, join(copy, 'sessions'), { recursive: true });
  mergeMemory(made.memory, stagedMemory(copy, made.memory));
  return made;
}

describe('journal events', () => {
  it('M20 F7 carry a uid, the machine that wrote them, and a clock that only goes forward', () => {
    const made = lived();
    const events = eventsOf(made);
    const machine = machineIdIn(made.places.home);
    expect(events.length).toBeGreaterThan(8);
    for (const event of events) {
      expect(event).toMatchObject({ uid: expect.stringMatching(/^[0-9a-f]{24}$/), machine });
      expect(event.clock?.endsWith(machine)).toBe(true);
    }
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
    const clocks = events.map(({ clock }) => clock);
    expect(clocks).toEqual([...new Set(clocks)].sort());
  });

  it('M20 the clock goes on from every event of the journal, also if the index is behind, lost or wrong', () => {
    const made = new MadeMemory();
    const { memory } = made;
    const disturbances = [
      () => made.record(), // brings the index up to date
      () => updateMemoryIndex(memory, ({ clock: _, ...index }) => index),
      () => writeFileSync(memory.index, '{ torn'),
      () => undefined,
    ];
    const any = new AnyText(seeds(1)[0] ?? 1);
    let now = Date.parse('2026-11-16');
    const clocks: string[] = [];
    for (let step = 0; step < 40; step++) {
      now += [1, 0, 20 * DAY_MS, -20 * DAY_MS][any.number(4)] ?? 0;
      const event: JournalEvent = { type: 'compress', at: made.now };
      const stamped = new EventStamps(memory).stamp([event, event], now);
      makePrivateFolder(memory.folder);
      appendToJournal(memory, stamped);
      clocks.push(...stamped.flatMap(({ clock }) => clock ?? []));
      disturbances[any.number(disturbances.length)]?.();
    }
    expect(clocks).toHaveLength(80);
    expect(clocks).toEqual([...new Set(clocks)].sort());
  });

  it('M21 processes that record at once never share a uid or a tick', async () => {
    const made = new MadeMemory();
    for (let n = 0; n < 8; n++)
      made.say(`s${n}`, { user: `Team number ${n + 20} owns part ${n + 50}.` });
    const recorders = ['0', '4', '2'].map((turn) =>
      fork(RECORDER, [made.root, turn], { stdio: 'ignore' }),
    );
    for (const [code] of await Promise.all(recorders.map((recorder) => once(recorder, 'exit'))))
      expect(code).toBe(0);
    const events = eventsOf(made);
    expect(events.length).toBeGreaterThanOrEqual(16);
    expect(new Set(events.map(uidOf)).size).toBe(events.length);
    // Without the machine, which here tells the processes apart.
    const ticks = events.map(({ clock = '' }) => clock.slice(0, -'-aaaaaaaaaaaa'.length));
    expect(ticks).toEqual([...new Set(ticks)].sort());
  });

  it('M2 M20 those of 0.1.0 get the same uid in every copy, wherever a merge has put them', () => {
    const made = new MadeMemory();
    const old = [
      '{"type":"compress","at":"2026-10-01T10:00:00.000Z"}',
      '{"at":"2026-10-02T10:00:00.000Z","type":"compress","by":"mina"}',
    ];
    append(journalPath(made.memory), `${old.join('\n')}\n`);
    const other = new MadeMemory();
    append(
      journalPath(other.memory),
      `{"by":"mina","type":"compress","at":"2026-10-02T10:00:00.000Z"}\n${old[0]}\n`,
    );
    const [first, second] = eventsOf(made).map(uidOf);
    expect(eventsOf(other).map(uidOf)).toEqual([second, first]);
    expect(first?.slice(0, 11)).toBe(
      Date.parse('2026-10-01T10:00:00Z').toString(16).padStart(11, '0'),
    );
    made.record();
    expect(readFileSync(journalPath(made.memory), 'utf8')).toBe(`${old.join('\n')}\n`);
  });

  it('T1 M20 an archive cannot bring a uid, machine or clock that is none', () => {
    const made = new MadeMemory();
    const evil = { uid: '../../x', machine: '<b>', clock: '9999', type: 'compress', at: made.now };
    append(journalPath(made.memory), `${JSON.stringify(evil)}\n`);
    const [event] = eventsOf(made);
    expect([event?.uid, event?.machine, event?.clock]).toEqual([undefined, undefined, undefined]);
    expect(uidOf(event as JournalEvent)).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('facts and concepts', () => {
  it('M2 F7 each has a uid of its own, which rebuilding, editing and undoing do not change', () => {
    const made = lived();
    expectUnique(made);
    const before = names(made);
    expect(Object.keys(before).filter((name) => name.startsWith('r ')).length).toBe(1);
    rebuild(made.memory);
    expect(names(made)).toEqual(before);
    const log = new EditLog(made.memory);
    const [d001] = made.facts.decisions;
    changeFact(made.memory, log, 'd001', { content: 'Port 4000 it is.' }, always);
    expect(made.facts.decisions[0]?.uid).toBe(d001?.uid);
    undoLastEdit(made.memory);
    forgetFact(made.memory, 'd001');
    undoLastEdit(made.memory);
    expect(made.facts.decisions.find(({ id }) => id === 'd001')?.uid).toBe(d001?.uid);
    const [concept] = made.concepts.concepts;
    changeConcept(made.memory, log, concept?.id ?? '', { name: 'Where it listens' }, always);
    expect(made.concepts.concepts[0]).toMatchObject({
      name: 'Where it listens',
      uid: concept?.uid,
    });
    const after = names(made);
    rebuild(made.memory);
    expect(names(made)).toEqual(after);
    expectUnique(made);
  });

  it('M19 an edit names its item by uid, and an undo names the edit', () => {
    const made = lived();
    undoLastEdit(made.memory);
    const edits = eventsOf(made).flatMap((event) => (event.type === 'edit' ? [event] : []));
    const [added, changed, removed, undone] = edits;
    expect(added?.id).toBe('n001');
    expect(added?.item).toBeUndefined();
    expect(changed).toMatchObject({ id: 'd002', item: made.facts.decisions[1]?.uid });
    expect(removed).toMatchObject({ id: 'd003', item: made.facts.decisions[2]?.uid });
    expect(undone).toMatchObject({ isUndo: true, item: removed?.item, undoesEvent: removed?.uid });
  });

  it('M2 people cannot change a uid: it is put back, and a copy gets its own', () => {
    const made = lived();
    const before = names(made);
    const file = JSON.parse(readFileSync(factsPath(made.memory), 'utf8'));
    const [first, second] = file.decisions;
    first.uid = 'mine';
    delete second.uid;
    file.decisions.push({
      ...first,
      id: undefined,
      uid: before['d The first server uses port 3000.'],
      content: 'A copy.',
    });
    file.notes.push({ ...file.notes[0], id: 'n009', content: 'Another copy.' });
    writeFileSync(factsPath(made.memory), JSON.stringify(file));
    made.record();
    expect(names(made)).toMatchObject(before);
    expectUnique(made);
    expect(made.facts.decisions.map(({ content }) => content)).toContain('A copy.');
    // Nothing but the two copies is an edit.
    const edits = eventsOf(made).filter(({ type }) => type === 'edit');
    expect(edits).toHaveLength(3 + 2);
    const now = names(made);
    rebuild(made.memory);
    expect(names(made)).toEqual(now);
  });

  it('M2 F7 those of 0.1.0 get the uids that a rebuild would give them, the same in every copy', () => {
    const made = lived();
    made.decide('s9', 'Backups are made at night.');
    asOf010(made);
    const [changed, rebuilt] = [copied(made), copied(made)];
    changed.compress('2026-11-17T10:00:00.000Z');
    rebuild(rebuilt.memory);
    expectUnique(changed);
    expect(names(changed)).toEqual(names(rebuilt));
    expect(changed.facts.decisions[0]).toMatchObject({ owner: 'mina' });
    const text = readFileSync(factsPath(changed.memory), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ version: 2, mine: { kept: true } });
    const journal = readFileSync(journalPath(made.memory), 'utf8');
    expect(readFileSync(journalPath(changed.memory), 'utf8').startsWith(journal)).toBe(true);
  });
});

describe('memory of several machines', () => {
  it('M20 joined in any order, and twice, has every event and item once, under the same uids', () => {
    for (const seed of seeds(3)) {
      const any = new AnyText(seed);
      const common = lived(tempFolder(), `common${seed}`);
      const machines = ['one', 'two', 'three'].map((word) => {
        const made = copied(common);
        const log = new EditLog(made.memory);
        made.goTo('2026-11-18');
        for (let n = 0; n <= any.number(3); n++)
          made.decide(`${word}-${n}`, `The ${word} machine has ${n + 2} disks.`);
        if (any.number(2) === 0)
          addFact(made.memory, log, 'notes', { content: `Written on ${word}.` });
        changeFact(made.memory, log, 'd001', { reason: `said on ${word}` }, always);
        return made;
      });
      const orders = [
        [0, 1, 2, 1],
        [2, 0, 1, 0],
        [1, 2, 0, 2],
      ];
      const results = orders.map((order) => {
        const [first, ...others] = order.map((n) => machines[n] as MadeMemory);
        return others.reduce(joined, first as MadeMemory);
      });
      const [expected] = results.map((made) => eventsOf(made).map(uidOf).sort());
      const all = new Set(machines.flatMap((made) => eventsOf(made).map(uidOf)));
      for (const made of results) {
        const uids = eventsOf(made).map(uidOf).sort();
        expect(new Set(uids).size, `seed ${seed}`).toBe(uids.length);
        expect(uids, `seed ${seed}`).toEqual(expected);
        expect(uids, `seed ${seed}`).toEqual([...all].sort());
        expectUnique(made, `seed ${seed}`);
        const facts = Object.entries(names(made)).filter(([name]) => !name.startsWith('c '));
        expect(Object.fromEntries(facts)).toEqual(
          Object.fromEntries(
            [...machines].flatMap((each) =>
              Object.entries(names(each)).filter(([name]) => !name.startsWith('c ')),
            ),
          ),
        );
        const before = names(made);
        rebuild(made.memory);
        expect(names(made), `seed ${seed}`).toEqual(before);
      }
    }
  });

  it('M19 M20 an edit of theirs finds its fact by uid where ours has given the id to another', () => {
    const ours = new MadeMemory();
    ours.decide('a', 'The cellar is blue.');
    const theirs = new MadeMemory();
    theirs.decide('b', 'The roof is red.');
    const log = new EditLog(theirs.memory);
    changeFact(theirs.memory, log, 'd001', { reason: 'paint was left' }, always);
    changeFact(theirs.memory, log, 'd001', { content: 'The roof is copper.' }, always);
    undoLastEdit(theirs.memory);
    const both = joined(ours, theirs);
    expect(both.facts.decisions).toMatchObject([
      { id: 'd001', content: 'The cellar is blue.', uid: ours.facts.decisions[0]?.uid },
      { id: 'd002', content: 'The roof is red.', uid: theirs.facts.decisions[0]?.uid },
    ]);
    expect(both.facts.decisions.map(({ reason }) => reason)).toEqual([undefined, 'paint was left']);
    const edits = new EditLog(both.memory).all.map(({ holds, undoes }) => ({ holds, undoes }));
    expect(edits.slice(0, 3)).toEqual([
      { holds: true, undoes: undefined },
      { holds: false, undoes: undefined },
      { holds: true, undoes: 1 },
    ]);
  });
});

describe('names of L1 files', () => {
  it('F5 M20 another conversation of the same name gets a number behind the hash, also behind one of digits', () => {
    const file = '2026-11-16_0900-12345678.l1.jsonl';
    const [ours, theirs] = ['s1', 's2'].map((session) => {
      const { memory } = new MadeMemory();
      append(join(memory.sessions, file), `${JSON.stringify({ session })}\n`);
      return memory;
    }) as [ProjectMemory, ProjectMemory];
    const names = mergeL1(ours, theirs);
    expect([...names.values()]).toEqual(['2026-11-16_0900-12345678-2.l1.jsonl']);
  });
});

/** Takes out what 0.1.0 did not write. */
function asOf010(made: MadeMemory): void {
  const lines = readFileSync(journalPath(made.memory), 'utf8').trim().split('\n');
  const old = lines.map((line) => {
    const {
      uid: _,
      machine: _m,
      clock: _c,
      item: _i,
      undoesEvent: _u,
      ...event
    } = JSON.parse(line);
    return JSON.stringify(event, (key, value) => (key === 'uid' ? undefined : value));
  });
  writeFileSync(journalPath(made.memory), `${old.join('\n')}\n`);
  rebuild(made.memory);
  for (const path of [factsPath(made.memory), conceptsPath(made.memory)])
    for (const copy of [
      path,
      join(made.memory.folder, '.history', path.slice(made.memory.folder.length + 1), 'ours.copy'),
    ]) {
      const file = JSON.parse(readFileSync(copy, 'utf8'), (key, value) =>
        key === 'uid' ? undefined : value,
      );
      const extra = path === factsPath(made.memory) ? { mine: { kept: true } } : {};
      if (file.decisions?.[0] !== undefined) file.decisions[0].owner = 'mina';
      writeFileSync(copy, `${JSON.stringify({ ...file, ...extra, version: 1 }, null, 2)}\n`);
    }
}
