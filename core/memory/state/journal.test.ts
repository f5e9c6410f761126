import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { copyMadeProject } from '../../../tests/bed/copied-memory.ts';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { memoryAt, recordWork } from '../../../tests/bed/recorded-work.ts';
import { killedAt, type Moment, stepThrough } from '../../../tests/bed/simulated-kill.ts';
import { tempFolder } from '../../../tests/bed/temp-folder.ts';
import { message } from '../../messages/message.ts';
import {
  conceptsPath,
  factsPath,
  memoryMdPath,
  sessionFactsPath,
} from '../../projects/memory-paths.ts';
import type { ProjectMemory } from '../../projects/project-memory.ts';
import { journalPath } from '../log/journal.ts';
import { readMemoryIndex, updateMemoryIndex } from '../log/memory-index.ts';
import { catchUp, rebuild } from './derive.ts';
import { readDigest } from './digest.ts';
import { forgetFact, undoLastEdit } from './edits.ts';

const RECORDER = join(import.meta.dirname, '../../../tests/children/recorder-child.ts');

/**
 * A project with some history: facts of all kinds, concepts, a permanent rule, one that is
 * superseded, summaries.
 */
function lived(): MadeMemory {
  const made = new MadeMemory();
  for (const session of ['s1', 's2', 's3']) {
    made.decide(session, 'The dev server uses port 3000.', {
      files: ['src/server.ts'],
      keywords: ['port'],
      conceptName: 'Dev server',
    });
    summarise(made, session, `Session ${session} set up the server.`);
  }
  made.decide('s3', 'Requests pass through the gateway first.', {
    kind: 'pattern',
    files: ['src/gateway.ts'],
    keywords: ['gateway'],
    conceptName: 'Gateway',
  });
  made.decide('s3', 'The upload of large files fails.', {
    kind: 'issue',
    files: ['src/upload.ts'],
    keywords: ['upload'],
    conceptName: 'Uploads',
  });
  made.decide('s3', 'Backups are encrypted.', {
    kind: 'note',
    keywords: ['backup'],
    conceptName: 'Backups',
  });
  made.compress();
  made.decide('s4', 'The dev server uses port 8080.', {
    files: ['src/server.ts'],
    keywords: ['port'],
    conceptName: 'Dev server',
  });
  summarise(made, 's4', 'The port was changed to 8080.');
  return made;
}

function summarise(made: MadeMemory, session: string, text: string): void {
  const { l1Bytes = 0, file = '' } = readMemoryIndex(made.memory).sessions[session] ?? {};
  const stamp = `2026-11-16_${made.now.slice(11, 16).replace(':', '')}`;
  made.record({
    type: 'delta',
    at: made.now,
    way: 'mod',
    text,
    ends: { [session]: l1Bytes },
    upTo: made.now,
    files: { [session]: file },
    stamp,
  });
}

/** As an editor does it. */
function edit(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

const editJson = (path: string, change: (value: ReturnType<typeof JSON.parse>) => void) =>
  edit(path, (text) => {
    const value = JSON.parse(text);
    change(value);
    return JSON.stringify(value, null, 4);
  });

const ALL = ['s1', 's2', 's3', 's4'];
const contents = (made: MadeMemory) => made.facts.decisions.map(({ content }) => content);

it('F7 facts.json and concepts.json have the names and ids that people and scripts know', () => {
  const made = lived();
  const facts = JSON.parse(readFileSync(factsPath(made.memory), 'utf8'));
  expect(facts).toMatchObject({
    _meta: { counter: expect.any(Object) },
    decisions: [
      {
        id: 'd001',
        date: '2026-11-16',
        content: 'The dev server uses port 3000.',
        session: 's1',
        supersededBy: 'd002',
      },
      {
        id: 'd002',
        content: 'The dev server uses port 8080.',
        evidence: [{ session: 's4', quote: expect.any(String) }],
      },
    ],
    patterns: [{ id: 'p001' }],
    issues: [{ id: 'i001', status: 'open' }],
    notes: [{ id: 'n001' }],
    permanent: { rules: [{ id: 'r001', from: 'd001' }], solutions: [], core_logic: [] },
  });
  const concepts = JSON.parse(readFileSync(conceptsPath(made.memory), 'utf8'));
  expect(concepts.concepts[0]).toMatchObject({
    id: 'c001',
    name: 'Dev server',
    summary: expect.any(String),
    files: ['src/server.ts'],
    keywords: ['port'],
    exchanges: expect.arrayContaining([expect.any(String)]),
  });
  expect(concepts.nextId).toBe(concepts.concepts.length + 1);
});

describe('rebuilding', () => {
  it('M2 M21 restores every derived file, and gives the same result twice', () => {
    const made = lived();
    const before = made.files(...ALL);
    rebuild(made.memory);
    expect(made.files(...ALL)).toEqual(before);
    rebuild(made.memory);
    expect(made.files(...ALL)).toEqual(before);
  });

  it('M2 restores a lost file, at the next change or at once', () => {
    const made = lived();
    const before = made.files(...ALL);
    for (const name of Object.keys(before))
      rmSync(
        name.endsWith('.l2.json')
          ? join(made.memory.sessions, name)
          : join(made.memory.folder, name),
      );
    rebuild(made.memory);
    expect(made.files(...ALL)).toEqual(before);
    for (const path of [
      factsPath(made.memory),
      conceptsPath(made.memory),
      memoryMdPath(made.memory),
    ])
      rmSync(path);
    made.record();
    expect(made.files(...ALL)).toEqual(before);
  });

  it('M2 restores everything from L1 and the journal alone', () => {
    const made = lived();
    const before = made.files(...ALL);
    const { memory } = made;
    for (const name of readdirSync(memory.folder))
      if (name !== 'journal.jsonl') rmSync(join(memory.folder, name), { recursive: true });
    for (const name of readdirSync(memory.sessions))
      if (name.endsWith('.l2.json')) rmSync(join(memory.sessions, name));
    made.record();
    const after = Object.fromEntries(
      Object.keys(before).map((name) => [
        name,
        readFileSync(
          join(name.endsWith('.l2.json') ? memory.sessions : memory.folder, name),
          'utf8',
        ),
      ]),
    );
    expect(after).toEqual(before);
  });

  it('M2 sets an invalid file aside and restores it', () => {
    const made = lived();
    const before = made.files(...ALL);
    const broken = [
      [factsPath(made.memory), '{"decisions": ['],
      [conceptsPath(made.memory), '{"concepts": [5]}'],
    ] as const;
    for (const [path, text] of broken) writeFileSync(path, text);
    rebuild(made.memory);
    expect(made.files(...ALL)).toEqual(before);
    for (const [path, text] of broken) {
      const aside = readdirSync(made.memory.folder).filter((name) =>
        name.startsWith(`${basename(path)}.broken-`),
      );
      expect(aside.map((name) => readFileSync(join(made.memory.folder, name), 'utf8'))).toEqual([
        text,
      ]);
    }
  });

  it('M12 loses no fact when L1 has been compressed or deleted', () => {
    const made = lived();
    made.say('s3', {
      user: 'Also: invoices are numbered by year, and receipts are numbered by month.',
    });
    const { file = '' } = readMemoryIndex(made.memory).sessions.s3 ?? {};
    const entry = made.say('s3', {
      user: 'Invoices are numbered by year, and receipts are printed twice.',
    })[0]?.id;
    made.answerFacts('s3', [
      { content: 'Invoices are numbered by year.', entry, quote: 'Invoices are numbered by year' },
      { content: 'Receipts are printed twice.', entry, quote: 'receipts are printed twice' },
      { content: 'Receipts are never printed.', entry, quote: 'receipts are never printed' },
    ]);
    const before = made.files(...ALL);
    const path = join(made.memory.sessions, file);
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
    rmSync(path);
    rebuild(made.memory);
    expect(made.files(...ALL)).toEqual(before);
    rmSync(`${path}.gz`);
    rebuild(made.memory);
    const withoutReasons = (files: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, text.replace(/"why": ".*"/g, '"why"')]),
      );
    expect(withoutReasons(made.files(...ALL))).toEqual(withoutReasons(before));
    const once = made.files(...ALL);
    rebuild(made.memory);
    expect(made.files(...ALL)).toEqual(once);
  });

  it('F2 M7 recovers the progress of a lost index, so that nothing is done twice', () => {
    const made = lived();
    const marks = (memory: ProjectMemory) =>
      Object.entries(readMemoryIndex(memory).sessions).map(
        ([id, { file, summarisedBytes, factsBytes }]) => [id, file, summarisedBytes, factsBytes],
      );
    const before = marks(made.memory);
    rmSync(made.memory.index);
    catchUp(made.memory);
    expect(marks(made.memory)).toEqual(before);
    made.say('s4');
    expect(readMemoryIndex(made.memory).sessions.s4).toMatchObject({
      l1Bytes: before[3]?.[2],
      summarisedBytes: before[3]?.[2],
    });
  });

  it('M12 a session that continues in another file starts from its beginning, also when rebuilt', () => {
    const made = lived();
    updateMemoryIndex(made.memory, (index) => ({
      ...index,
      sessions: {
        ...index.sessions,
        s4: { file: '2026-12-24_0900.l1.jsonl', offset: 0, inode: 0, l1Bytes: 10, pending: {} },
      },
    }));
    rebuild(made.memory);
    expect(readMemoryIndex(made.memory).sessions.s4).toMatchObject({ l1Bytes: 10 });
    expect(readMemoryIndex(made.memory).sessions.s4?.summarisedBytes).toBeUndefined();
    expect(readMemoryIndex(made.memory).sessions.s4?.factsBytes).toBeUndefined();
  });
});

describe('what the user has removed', () => {
  const forget = {
    'by hand': (made: MadeMemory) =>
      editJson(factsPath(made.memory), (facts) => {
        facts.decisions = facts.decisions.filter(({ id }: { id: string }) => id !== 'd002');
      }),
    'through the app': (made: MadeMemory) => void forgetFact(made.memory, 'd002'),
  };

  it.each(Object.entries(forget))(
    'M19 stays away, %s, also when a model finds it again, in other words, and when rebuilt',
    (_, remove) => {
      const made = lived();
      remove(made);
      made.decide('s5', 'The dev server uses port 8080.');
      made.decide('s6', 'Port 8080 is used by the dev server.');
      const isThere = () =>
        [...made.facts.decisions, ...made.facts.permanent.rules].some(({ content }) =>
          content.includes('8080'),
        );
      expect(isThere()).toBe(false);
      expect(made.sessionFacts('s6').refused).toMatchObject([
        { why: message('memory.factRemoved') },
      ]);
      rebuild(made.memory);
      expect(isThere()).toBe(false);
    },
  );

  it('M19 a permanent rule stays away though its fact is there', () => {
    const made = new MadeMemory();
    for (const session of ['s1', 's2', 's3'])
      made.decide(session, 'Commit messages are in English.');
    made.compress();
    forgetFact(made.memory, 'r001');
    made.decide('s4', 'Commit messages are in English.');
    made.compress();
    rebuild(made.memory);
    expect(made.facts.permanent.rules).toEqual([]);
    expect(made.facts.decisions).toMatchObject([{ id: 'd001' }]);
  });

  it('M19 comes back when the removal is undone, and gains evidence again', () => {
    const made = lived();
    forgetFact(made.memory, 'd002');
    undoLastEdit(made.memory);
    made.decide('s5', 'The dev server uses port 8080.');
    expect(
      made.facts.decisions.find(({ id }) => id === 'd002')?.evidence.map(({ session }) => session),
    ).toEqual(['s4', 's5']);
  });

  it('M19 a concept stays away, and its facts stay', () => {
    const made = lived();
    expect(made.concepts.concepts.map(({ name }) => name)).toContain('Gateway');
    editJson(conceptsPath(made.memory), (file) => {
      file.concepts = file.concepts.filter(({ name }: { name: string }) => name !== 'Gateway');
    });
    made.decide('s5', 'The gateway logs every request.', {
      kind: 'pattern',
      files: ['src/gateway.ts'],
      keywords: ['gateway'],
      conceptName: 'Gateway',
    });
    rebuild(made.memory);
    expect(made.concepts.concepts.map(({ name }) => name)).not.toContain('Gateway');
    expect(made.facts.patterns).toHaveLength(2);
  });

  it('M19 an entry of memory.md stays away', () => {
    const made = lived();
    edit(memoryMdPath(made.memory), (text) =>
      text.replace(/### \S+\n\nSession s2 set up the server\.\n\n/, ''),
    );
    made.record();
    rebuild(made.memory);
    expect(made.memoryMd).not.toContain('Session s2');
    expect(made.memoryMd).toContain('Session s1');
    expect(made.memoryMd).toContain('Session s3');
  });
});

describe('what people change by hand', () => {
  /** What must be so at once, after more has happened, and after rebuilding. */
  function always(made: MadeMemory, check: () => void): void {
    made.record();
    check();
    made.decide('s8', 'Reports are sent on Mondays.', { keywords: ['reports'] });
    summarise(made, 's8', 'Reports were talked about.');
    check();
    rebuild(made.memory);
    check();
    const once = made.files();
    rebuild(made.memory);
    expect(made.files()).toEqual(once);
  }

  it('M2 words and unknown fields of facts stay', () => {
    const made = lived();
    editJson(factsPath(made.memory), (facts) => {
      facts.decisions[1].content = 'The dev server uses port 9090.';
      facts.decisions[1].colour = 'red';
      facts.permanent.note = 'mine';
      facts.tags = ['a', 'b'];
      facts.patterns[0].owner = { name: 'Kim' };
    });
    always(made, () => {
      expect(made.facts.decisions[1]).toMatchObject({
        id: 'd002',
        content: 'The dev server uses port 9090.',
        colour: 'red',
        conceptId: expect.any(String),
      });
      expect(made.facts).toMatchObject({
        tags: ['a', 'b'],
        permanent: { note: 'mine' },
        patterns: [{ owner: { name: 'Kim' } }],
      });
    });
    editJson(factsPath(made.memory), (facts) => {
      facts.tags = [];
      facts.decisions[1].content = 'The dev server uses port 9191.';
    });
    made.record();
    editJson(factsPath(made.memory), (facts) => {
      facts.tags = ['c'];
    });
    always(made, () => {
      expect(made.facts).toMatchObject({ tags: ['c'] });
      expect(contents(made).filter((content) => content.includes('port 9'))).toEqual([
        'The dev server uses port 9191.',
      ]);
    });
  });

  it('M2 facts that were added stay: with an id, without one, as a plain sentence, and as a copy with the same id', () => {
    const made = lived();
    editJson(factsPath(made.memory), (facts) => {
      const [first] = facts.decisions;
      facts.decisions.push(
        { id: 'd050', content: 'With an id.', files: 'src/one.ts' },
        { content: 'Without an id.' },
        'As a sentence.',
        { ...first, content: 'As a copy.' },
      );
    });
    always(made, () => {
      expect(contents(made)).toEqual(
        expect.arrayContaining([
          'With an id.',
          'Without an id.',
          'As a sentence.',
          'As a copy.',
          'The dev server uses port 3000.',
        ]),
      );
      const ids = made.facts.decisions.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => /^d\d{3}$/.test(id))).toBe(true);
      expect(made.facts.decisions.find(({ id }) => id === 'd050')).toMatchObject({
        content: 'With an id.',
        files: ['src/one.ts'],
      });
    });
  });

  it('M2 an invalid item does not cost the list', () => {
    const made = lived();
    const before = contents(made);
    editJson(factsPath(made.memory), (facts) => facts.decisions.push({ id: 'd051', content: 5 }));
    made.record();
    expect(contents(made)).toEqual(before);
    expect(
      readdirSync(made.memory.folder).filter((name) => name.includes('.broken-')),
    ).toHaveLength(1);
  });

  it('M2 the user cannot lose our own bookkeeping', () => {
    const made = lived();
    editJson(factsPath(made.memory), (facts) => {
      delete facts._meta;
    });
    editJson(conceptsPath(made.memory), (file) => {
      file.nextId = 1;
    });
    const before = made.facts.decisions;
    always(made, () =>
      expect(made.facts.decisions.slice(0, before.length).map(({ id }) => id)).toEqual(
        before.map(({ id }) => id),
      ),
    );
    expect(new Set(made.concepts.concepts.map(({ id }) => id)).size).toBe(
      made.concepts.concepts.length,
    );
    expect(made.memoryMd.match(/Session s1 set up/g)).toHaveLength(1);
  });

  it('M10 a renamed concept keeps its name and its facts, and one that was added stays', () => {
    const made = lived();
    const { id = '' } = made.concepts.concepts.find(({ name }) => name === 'Dev server') ?? {};
    editJson(conceptsPath(made.memory), (file) => {
      file.concepts.find((concept: { id: string }) => concept.id === id).name = '개발 서버';
      file.concepts.push({ name: 'Mine', summary: 'by hand', colour: 'blue' });
    });
    always(made, () => {
      expect(made.concepts.concepts).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: '개발 서버' }),
          expect.objectContaining({ name: 'Mine', colour: 'blue' }),
        ]),
      );
      expect(made.concepts.concepts.map(({ name }) => name)).not.toContain('Dev server');
      const renamed = made.concepts.concepts.find(({ name }) => name === '개발 서버');
      expect(
        made.facts.decisions
          .filter(({ content }) => content.includes('dev server'))
          .map(({ conceptId }) => conceptId),
      ).toEqual([renamed?.id, renamed?.id]);
    });
  });

  it('M10 a fact that was moved to another concept stays there', () => {
    const made = lived();
    const { id = '' } = made.concepts.concepts.find(({ name }) => name === 'Gateway') ?? {};
    editJson(factsPath(made.memory), (facts) => {
      facts.decisions[1].conceptId = id;
    });
    always(made, () =>
      expect(made.facts.decisions.find((fact) => fact.id === 'd002')?.conceptId).toBe(
        made.concepts.concepts.find(({ name }) => name === 'Gateway')?.id,
      ),
    );
  });

  it.each([
    [
      'words of a section',
      (text: string) =>
        text.replace('## Core Decisions\n', '## Core Decisions\n\n- Tabs, always.\n'),
    ],
    [
      'a section of their own in the middle',
      (text: string) =>
        text.replace('## Recent Context', '## Mine\n\n* a\n\n\n\n* b\n\n## Recent Context'),
    ],
    [
      'words of an entry',
      (text: string) =>
        text.replace('Session s2 set up the server.', 'Session s2 did more\n\nthan that.'),
    ],
    [
      'another order of sections',
      (text: string) =>
        text
          .replace('## Known Issues\n', '')
          .replace('## Core Decisions', '## Known Issues\n\n- flaky\n\n## Core Decisions'),
    ],
    [
      'two sections with one title',
      (text: string) => `${text}\n## Notes\n\none\n\n## Notes\n\ntwo\n`,
    ],
    [
      'a title and blank lines',
      (text: string) => text.replace('# Project Memory: app', '# Ours\n\n\nWhat we know.\n'),
    ],
  ])('M3 %s of memory.md stays as it was written', (_, change) => {
    const made = lived();
    edit(memoryMdPath(made.memory), change);
    const theirs = made.memoryMd.trimEnd();
    made.record();
    expect(made.memoryMd.trimEnd()).toBe(theirs);
    always(made, () => {
      const ours = made.memoryMd.replace(
        /\n*### [\d_-]+\n\nReports were talked about\.\n*/,
        '\n\n',
      );
      const plain = (text: string) =>
        text
          .replace(/Last updated:.*/, '')
          .replace(/\s+/g, ' ')
          .trim();
      expect(plain(ours)).toBe(plain(theirs));
    });
  });

  it('M21 is found only once, even if it was journaled before a kill', () => {
    const made = lived();
    editJson(factsPath(made.memory), (facts) => {
      facts.decisions[1].content = 'The dev server uses port 9090.';
    });
    edit(memoryMdPath(made.memory), (text) =>
      text.replace('Session s2 set up the server.', 'By hand.'),
    );
    // As if the run had been killed when the changes stood in the journal and nowhere else.
    const copy = join(tempFolder(), 'copy');
    copyMadeProject(dirname(made.root), copy);
    const other = new MadeMemory({ root: copy });
    made.record();
    const journal = readFileSync(journalPath(made.memory), 'utf8');
    writeFileSync(journalPath(other.memory), journal);
    editJson(factsPath(other.memory), (facts) => {
      facts.decisions[1].content = 'The dev server uses port 9191.';
    });
    other.record();
    expect(contents(other)).toEqual([
      'The dev server uses port 3000.',
      'The dev server uses port 9191.',
    ]);
    expect(other.memoryMd.match(/By hand/g)).toHaveLength(1);
    const added = readFileSync(journalPath(other.memory), 'utf8')
      .slice(journal.length)
      .trim()
      .split('\n');
    expect(added.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'edit', was: 'The dev server uses port 9090.' },
    ]);
  });

  it('M19 an editor that saves an older state removes nothing that came since', () => {
    const made = lived();
    const opened = made.memoryMd;
    const openedFacts = readFileSync(factsPath(made.memory), 'utf8');
    made.decide('s5', 'Reports are sent on Mondays.');
    summarise(made, 's5', 'Reports were talked about.');
    summarise(made, 's1', 'And more was said.');
    writeFileSync(
      memoryMdPath(made.memory),
      opened.replace('## Core Decisions\n', '## Core Decisions\n\n- Tabs.\n'),
    );
    writeFileSync(factsPath(made.memory), openedFacts.replace('port 8080', 'port 9090'));
    made.record();
    expect(made.memoryMd).toContain('- Tabs.');
    expect(made.memoryMd).toContain('Reports were talked about.');
    expect(contents(made)).toEqual([
      'The dev server uses port 3000.',
      'The dev server uses port 9090.',
      'Reports are sent on Mondays.',
    ]);
    const before = made.files();
    rebuild(made.memory);
    expect(made.files()).toEqual(before);
  });

  it('M13 reaches the next session', () => {
    const made = lived();
    editJson(factsPath(made.memory), (facts) => {
      facts.decisions[1].content = 'The dev server uses port 9090.';
    });
    expect(readDigest(made.memory)?.decisions.lines).toContain('The dev server uses port 9090.');
    made.record();
    expect(readDigest(made.memory)?.decisions.lines).toContain('The dev server uses port 9090.');
  });
});

describe('several at once, and kills', () => {
  const SESSIONS = 2;

  function prepared(): string {
    const made = new MadeMemory();
    for (let n = 0; n < SESSIONS; n++)
      made.say(
        `s${n}`,
        { user: `The dev server uses port 300${n % 2}.` },
        { user: `Team number ${n + 20} owns the gateway.` },
      );
    made.record({
      type: 'delta',
      at: made.now,
      way: 'mod',
      text: 'The project was set up.',
      ends: {},
      upTo: made.now,
      stamp: '2026-11-16_0900',
    });
    // A person has changed something since.
    edit(memoryMdPath(made.memory), (text) =>
      text.replace('## Current State', '- By hand.\n\n## Current State'),
    );
    editJson(factsPath(made.memory), (facts) => facts.notes.push({ content: 'Written by hand.' }));
    return made.root;
  }

  function copyOf(root: string): string {
    return copyMadeProject(dirname(root), join(tempFolder(), 'copy'));
  }

  function saveAsAPerson(memory: ProjectMemory): void {
    edit(memoryMdPath(memory), (text) =>
      text.replace('## Current State', '- By hand, meanwhile.\n\n## Current State'),
    );
    editJson(factsPath(memory), (facts) =>
      facts.notes.push({ content: 'Written by hand meanwhile.' }),
    );
  }

  /** All that was derived, without what tells times, events and places in the journal. */
  function outcome(memory: ProjectMemory) {
    const files = [
      factsPath(memory),
      conceptsPath(memory),
      memoryMdPath(memory),
      ...Object.values(readMemoryIndex(memory).sessions).map(({ file }) =>
        sessionFactsPath(memory, file),
      ),
    ];
    const derived = files.map((path) =>
      readFileSync(path, 'utf8')
        .replace(/"journal": \d+/, '')
        .replace(/"(?:editedAt|uid)": ".*"/g, ''),
    );
    return { derived, sessions: readMemoryIndex(memory).sessions };
  }

  /** What changes a file under its own name; temporary files and locks have tests of their own. */
  const isOfNamedFile = ({ call, args }: Moment) =>
    ['renameSync', 'linkSync', 'rmSync', 'unlinkSync', 'writeSync'].includes(call) &&
    !String(args[0]).includes('.lock');

  it('M21 a process that is killed at any step of recording loses nothing and doubles nothing', async () => {
    const root = prepared();
    const whole = copyOf(root);
    const { moments } = await stepThrough(() => recordWork(memoryAt(whole)));
    const expected = outcome(memoryAt(whole));
    const firstEnds = moments.findIndex(({ call }) => call === 'rmdirSync');
    // Each step of the first event, with a person's changes before it, and every second of the rest.
    const tried = [
      ...moments.slice(0, firstEnds + 1),
      ...moments.slice(firstEnds + 1).filter((moment, n) => n % 2 === 0 && isOfNamedFile(moment)),
    ];
    let kills = 0;
    for (const { step, call } of tried) {
      const copy = copyOf(root);
      const { isKilled } = await killedAt(step, () => recordWork(memoryAt(copy)));
      kills += Number(isKilled);
      await stepThrough(() => recordWork(memoryAt(copy)));
      const what = `killed at step ${step}, ${call}`;
      expect(outcome(memoryAt(copy)), what).toEqual(expected);
      expect(existsSync(join(memoryAt(copy).folder, 'unfinished.json')), what).toBe(false);
      rmSync(copy, { recursive: true });
    }
    expect(kills).toBe(tried.length);
    expect(kills).toBeGreaterThan(60);
  });

  it('M3 M19 what a person saves at any step of recording stays, and so does ours', async () => {
    const root = prepared();
    const first = copyOf(root);
    const { moments } = await stepThrough(() => recordWork(memoryAt(first)));
    // Between the last look and the rename nobody can be noticed; a person would have to hit a few
    // microseconds.
    const isOfEdited = ({ args }: Moment) => /(?:memory\.md|facts\.json)$/.test(String(args[1]));
    const tried = moments.filter((moment) => isOfNamedFile(moment) && !isOfEdited(moment));
    expect(tried.length).toBeGreaterThan(40);
    for (const { step } of tried.filter((_, n) => n % 3 === 0)) {
      const copy = copyOf(root);
      const memory = memoryAt(copy);
      await stepThrough(
        () => recordWork(memory),
        (moment) => {
          if (moment.step === step) saveAsAPerson(memory);
          return undefined;
        },
      );
      await stepThrough(() => {
        recordWork(memory);
        rebuild(memory);
      });
      const memoryMd = readFileSync(memoryMdPath(memory), 'utf8');
      for (const words of [
        'By hand.',
        'By hand, meanwhile.',
        ...Array.from({ length: SESSIONS }, (_, n) => `session s${n}`),
      ])
        expect(memoryMd.split(words), `saved at step ${step}: ${words}`).toHaveLength(2);
      const facts = readFileSync(factsPath(memory), 'utf8');
      for (const words of [
        '"Written by hand."',
        '"Written by hand meanwhile."',
        `"content": "Team number ${19 + SESSIONS}`,
      ])
        expect(facts.split(words), `saved at step ${step}: ${words}`).toHaveLength(2);
      rmSync(copy, { recursive: true });
    }
  });

  it('M21 two processes that record at once lose nothing and double nothing', async () => {
    const made = new MadeMemory();
    for (let n = 0; n < 12; n++)
      made.say(`s${String(n).padStart(2, '0')}`, {
        user: `Team number ${n + 20} owns part ${n + 50}.`,
      });
    const recorders = ['0', '6', '3'].map((turn) =>
      fork(RECORDER, [made.root, turn], { stdio: 'ignore' }),
    );
    for (const [code] of await Promise.all(recorders.map((recorder) => once(recorder, 'exit'))))
      expect(code).toBe(0);
    const { memory } = made;
    expect(contents(made).sort()).toEqual(
      Array.from({ length: 12 }, (_, n) => `Team number ${n + 20} owns part ${n + 50}.`),
    );
    expect(new Set(made.facts.decisions.map(({ id }) => id)).size).toBe(12);
    expect(made.memoryMd.match(/^### /gm)).toHaveLength(12);
    const events = readFileSync(journalPath(memory), 'utf8').trim().split('\n');
    expect(events.filter((line) => line.includes('"type":"delta"'))).toHaveLength(12);
    const before = made.facts.decisions;
    rebuild(memory);
    expect(made.facts.decisions).toEqual(before);
  });

  it('M21 skips a line of the journal that a kill tore', () => {
    const made = lived();
    appendFileSync(journalPath(made.memory), '{"type":"delta","at":"2026-11-16T12:00');
    made.say('s1', { user: 'Something more.' });
    summarise(made, 's1', 'What came after it.');
    rebuild(made.memory);
    expect(made.memoryMd.match(/What came after it\./g)).toHaveLength(1);
  });

  it('M2 refuses an answer that cannot be applied before it is in the journal for ever', () => {
    const made = lived();
    const before = readFileSync(journalPath(made.memory), 'utf8');
    const bad = {
      ...made.factsEvent('s1', '[]'),
      file: '../../outside.l1.jsonl',
      from: 0,
      to: 5,
    } as Parameters<typeof made.record>[0];
    expect(() => made.record(bad)).toThrow();
    expect(readFileSync(journalPath(made.memory), 'utf8')).toBe(before);
  });
});
