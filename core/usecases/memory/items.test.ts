import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AskedMemory } from '../../../tests/bed/asked-memory.ts';
import { rebuild } from '../../memory/state/derive.ts';
import { forgetFact, undoLastEdit } from '../../memory/state/edits.ts';
import { conceptsPath, factsPath } from '../../projects/memory-paths.ts';

function lived(): AskedMemory {
  const made = new AskedMemory();
  made.decide('s1', 'The dev server uses port 3000.', {
    files: ['src/server.ts'],
    keywords: ['port'],
    conceptName: 'Dev server',
  });
  made.decide('s1', 'Requests pass through the gateway first.', {
    kind: 'pattern',
    files: ['src/gateway.ts'],
    conceptName: 'Gateway',
  });
  made.decide('s1', 'The upload of large files fails.', {
    kind: 'issue',
    files: ['src/upload.ts'],
    conceptName: 'Uploads',
  });
  return made;
}

function byHand(path: string, change: (value: ReturnType<typeof JSON.parse>) => void): void {
  const value = JSON.parse(readFileSync(path, 'utf8'));
  change(value);
  writeFileSync(path, JSON.stringify(value));
}

const concept = (made: AskedMemory, name: string) =>
  made.ask('memory.concepts', { words: name }).rows[0];
const fact = (made: AskedMemory, id: string) => made.ask('memory.fact', { id });

describe('facts in the window', () => {
  it('M19 a changed fact keeps its evidence and unknown fields, is marked as a person’s, and stays when rebuilt', () => {
    const made = lived();
    byHand(factsPath(made.memory), (file) => {
      file.decisions[0].colour = 'red';
    });
    const { version, fact: before } = fact(made, 'd001');
    const change = {
      content: 'The dev server uses port 9090.',
      reason: '<b>\u0000"</b>',
      keywords: ['nine'],
    };
    const saved = made.ask('memory.changeFact', { id: 'd001', base: version, change });
    expect(saved).toMatchObject({ saved: true, id: 'd001', version: fact(made, 'd001').version });
    const check = () =>
      expect(made.facts.decisions[0]).toMatchObject({
        ...change,
        colour: 'red',
        evidence: before.evidence,
        editedAt: expect.any(String),
      });
    check();
    rebuild(made.memory);
    check();
  });

  it('M19 a fact that somebody else changed meanwhile is a conflict, and stays as they left it', () => {
    const made = lived();
    const { version } = fact(made, 'd001');
    byHand(factsPath(made.memory), (file) => {
      file.decisions[0].content = 'The dev server uses port 8080.';
    });
    const answer = made.ask('memory.changeFact', {
      id: 'd001',
      base: version,
      change: { content: 'Mine.' },
    });
    expect(answer).toMatchObject({
      saved: false,
      theirs: { content: 'The dev server uses port 8080.' },
    });
    expect(made.facts.decisions[0]?.content).toBe('The dev server uses port 8080.');
    const { version: theirs } = answer;
    expect(
      made.ask('memory.changeFact', { id: 'd001', base: theirs, change: { content: 'Mine.' } }),
    ).toMatchObject({
      saved: true,
    });
    expect(
      made.ask('memory.changeFact', { id: 'd999', base: theirs, change: { content: 'Mine.' } }),
    ).toMatchObject({
      saved: false,
      theirs: null,
    });
  });

  it('M19 a fact or a concept that was changed since it was shown is not removed; the answer has it as it is now', () => {
    const made = lived();
    const shown = fact(made, 'd001');
    byHand(factsPath(made.memory), (file) => {
      file.decisions[0].content = 'The dev server uses port 8080.';
    });
    const answer = made.ask('memory.forgetFact', { id: 'd001', base: shown.version });
    expect(answer).toMatchObject({
      saved: false,
      theirs: { content: 'The dev server uses port 8080.' },
    });
    expect(made.facts.decisions[0]?.content).toBe('The dev server uses port 8080.');
    expect(made.ask('memory.forgetFact', { id: 'd001', base: answer.version })).toMatchObject({
      saved: true,
    });
    expect(() => made.ask('memory.forgetFact', { id: 'd001', base: answer.version })).toThrow(
      'edit.noFact',
    );
    const { id = '' } = concept(made, 'Gateway') ?? {};
    const { version } = made.ask('memory.concept', { id });
    made.ask('memory.changeConcept', { id, base: version, change: { summary: 'Changed.' } });
    expect(made.ask('memory.forgetConcept', { id, base: version })).toMatchObject({
      saved: false,
      theirs: { summary: 'Changed.' },
    });
    expect(concept(made, 'Gateway')).toBeDefined();
  });

  it('M19 null removes a field; a fact without text is refused', () => {
    const made = lived();
    const first = fact(made, 'i001');
    made.ask('memory.changeFact', {
      id: 'i001',
      base: first.version,
      change: { status: 'resolved', resolution: 'Chunks.' },
    });
    const second = fact(made, 'i001');
    expect(second.fact).toMatchObject({ status: 'resolved', resolution: 'Chunks.' });
    made.ask('memory.changeFact', {
      id: 'i001',
      base: second.version,
      change: { status: null, resolution: null },
    });
    expect(fact(made, 'i001').fact).not.toHaveProperty('resolution');
    expect(() =>
      made.ask('memory.changeFact', { id: 'i001', base: '', change: { content: '  ' } }),
    ).toThrow();
    expect(() => made.ask('memory.addFact', { part: 'notes', change: {} })).toThrow(
      'edit.factNeedsText',
    );
  });

  it.each(['notes', 'permanent.rules'] as const)(
    'M19 a fact that was added to %s has an id of its own and stays when rebuilt',
    (part) => {
      const made = lived();
      const first = made.ask('memory.addFact', {
        part,
        change: { content: 'Commit messages are in English.' },
      });
      const second = made.ask('memory.addFact', {
        part,
        change: { content: 'Reports go out on Mondays.' },
      });
      if (!first.saved || !second.saved) throw new Error('not saved');
      expect(second.id).not.toBe(first.id);
      rebuild(made.memory);
      expect(fact(made, first.id)).toMatchObject({
        part,
        fact: { content: 'Commit messages are in English.', editedAt: expect.any(String) },
      });
      made.compress();
      expect(fact(made, second.id).fact.content).toBe('Reports go out on Mondays.');
      made.ask('memory.undo', { edit: second.edit });
      expect(() => fact(made, second.id)).toThrow('edit.noFact');
      expect(fact(made, first.id).part).toBe(part);
    },
  );

  it('M19 undo brings back a forgotten fact with its evidence, marks and unknown fields; redo takes it away again', () => {
    const made = lived();
    byHand(factsPath(made.memory), (file) => {
      Object.assign(file.decisions[0], { colour: 'red', owner: { name: 'Kim' } });
    });
    made.record();
    // A concept without facts goes, and comes back under another id.
    const now = () => ({ ...fact(made, 'd001').fact, conceptId: fact(made, 'd001').concept?.name });
    const before = now();
    expect(before.evidence).toHaveLength(1);
    const forgotten = made.ask('memory.forgetFact', {
      id: 'd001',
      base: fact(made, 'd001').version,
    });
    if (!forgotten.saved) throw new Error('not saved');
    expect(() => fact(made, 'd001')).toThrow('edit.noFact');
    const { undone, edit } = made.ask('memory.undo', { edit: forgotten.edit });
    expect(undone).toMatchObject({
      edit: forgotten.edit,
      canUndo: false,
      before: { id: 'd001' },
      after: null,
    });
    expect(now()).toEqual(before);
    rebuild(made.memory);
    expect(now()).toEqual(before);
    expect(() => made.ask('memory.undo', { edit: forgotten.edit })).toThrow('edit.alreadyUndone');
    made.ask('memory.undo', { edit });
    expect(() => fact(made, 'd001')).toThrow('edit.noFact');
    rebuild(made.memory);
    expect(() => fact(made, 'd001')).toThrow('edit.noFact');
  });

  it('M19 undoes an earlier change and leaves a later one; newer evidence stays', () => {
    const made = lived();
    const change = (what: object) =>
      made.ask('memory.changeFact', { id: 'd001', base: fact(made, 'd001').version, change: what });
    const { fact: before } = fact(made, 'd001');
    const first = change({ reason: 'Because.' });
    change({ keywords: ['port', 'dev'] });
    made.decide('s2', 'The dev server uses port 3000.');
    made.ask('memory.undo', { edit: first.saved ? first.edit : -1 });
    const { fact: now } = fact(made, 'd001');
    expect(now).not.toHaveProperty('reason');
    expect(now.keywords).toEqual(['port', 'dev']);
    expect(now.evidence).toHaveLength(before.evidence.length + 1);
  });

  it('M19 a change that a later one builds on is not undone, and nothing is lost', () => {
    const made = lived();
    const change = (content: string) =>
      made.ask('memory.changeFact', {
        id: 'd001',
        base: fact(made, 'd001').version,
        change: { content },
      });
    change('Two.');
    change('Three.');
    expect(made.ask('memory.history', { id: 'd001' })).toMatchObject({
      total: 2,
      edits: [{ canUndo: true }, { canUndo: false }],
    });
    expect(() => made.ask('memory.undo', { edit: 0 })).toThrow('edit.changedSince');
    expect(fact(made, 'd001').fact.content).toBe('Three.');
    made.ask('memory.undo', { edit: 1 });
    made.ask('memory.undo', { edit: 0 });
    expect(fact(made, 'd001').fact).toMatchObject({ content: 'The dev server uses port 3000.' });
    expect(fact(made, 'd001').fact.editedAt).toBeUndefined();
  });

  it('M19 the command line’s undo continues where the window’s stopped, and the other way round', () => {
    const made = lived();
    made.ask('memory.forgetFact', { id: 'd001', base: fact(made, 'd001').version });
    forgetFact(made.memory, 'p001');
    made.ask('memory.undo', { edit: 0 });
    expect(undoLastEdit(made.memory)).toMatchObject({ id: 'p001' });
    expect(undoLastEdit(made.memory)).toBeUndefined();
    expect(
      made.ask('memory.history', {}).edits.map(({ isUndo, canUndo }) => [isUndo, canUndo]),
    ).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('M19 undo recognises old undo events that do not name the edit they undid', () => {
    const made = lived();
    forgetFact(made.memory, 'd001');
    const [{ before } = {}] = made.ask('memory.history', {}).edits;
    made.record({
      type: 'edit',
      at: made.now,
      document: 'facts',
      part: 'decisions',
      id: 'd001',
      value: before,
      before: null,
      isUndo: true,
    });
    expect(made.ask('memory.history', {}).edits[1]).toMatchObject({ canUndo: false });
    expect(undoLastEdit(made.memory)).toBeUndefined();
  });

  it('M9 pages, filters and orders them', () => {
    const made = lived();
    for (let n = 0; n < 30; n++)
      made.ask('memory.addFact', {
        part: 'notes',
        change: { content: `Note ${String(n).padStart(2, '0')}.` },
      });
    const page = made.ask('memory.facts', { part: 'notes', order: 'text', from: 10, count: 5 });
    expect(page.total).toBe(30);
    expect(page.rows.map(({ content }) => content)).toEqual([
      'Note 10.',
      'Note 11.',
      'Note 12.',
      'Note 13.',
      'Note 14.',
    ]);
    expect(page.counts).toEqual({ decisions: 1, patterns: 1, issues: 1, notes: 30 });
    expect(made.ask('memory.facts', { words: 'note 07.' }).rows).toMatchObject([
      { content: 'Note 07.', isVerified: false },
    ]);
    expect(made.ask('memory.facts', { words: 'gateway.TS' }).rows).toMatchObject([
      { id: 'p001', isVerified: true, sessions: 1 },
    ]);
    expect(made.ask('memory.facts', { order: 'newest', count: 1 }).rows).toMatchObject([
      { content: 'Note 29.' },
    ]);
    expect(made.ask('memory.facts', { part: 'permanent' }).total).toBe(0);
  });

  it('M9 facts and permanent memory are two lists, whatever kind of them is asked for', () => {
    const made = lived();
    made.ask('memory.addFact', {
      part: 'permanent.rules',
      change: { content: 'Reports go out on Mondays.' },
    });
    const kinds = (part: 'facts' | 'permanent') =>
      made.ask('memory.facts', { part }).rows.map((row) => row.part);
    expect(kinds('facts').sort()).toEqual(['decisions', 'issues', 'patterns']);
    expect(kinds('permanent')).toEqual(['permanent.rules']);
    expect(made.ask('memory.facts', {}).total).toBe(4);
    expect(made.ask('memory.overview', {})).toMatchObject({ facts: 3, permanent: 1 });
  });

  it('M11 shows replaced facts only on request', () => {
    const made = lived();
    made.decide('s2', 'The dev server uses port 8080.', {
      files: ['src/server.ts'],
      keywords: ['port'],
    });
    expect(made.ask('memory.facts', { part: 'decisions' }).rows.map(({ id }) => id)).toEqual([
      'd002',
    ]);
    expect(made.ask('memory.facts', { part: 'decisions', isAll: true }).total).toBe(2);
  });

  it('M2 a facts.json that cannot be read is reported, and neither reading nor saving touches it', () => {
    const made = lived();
    writeFileSync(factsPath(made.memory), '{"decisions": [');
    expect(made.ask('memory.overview', {}).problems).toMatchObject([
      { code: 'store.notJson', values: { file: 'facts.json' } },
    ]);
    expect(() => made.ask('memory.facts', {})).toThrow(/^memory\.leftAsIs .*facts\.json/);
    expect(() => made.ask('memory.addFact', { part: 'notes', change: { content: 'x' } })).toThrow(
      'edit.notSaved',
    );
    const { text, version } = made.ask('memory.text', {});
    expect(() => made.ask('memory.saveText', { text: `${text}x`, base: version })).toThrow(
      'edit.notSaved',
    );
    expect(readFileSync(factsPath(made.memory), 'utf8')).toBe('{"decisions": [');
    expect(readdirSync(made.memory.folder).filter((name) => name.includes('broken'))).toEqual([]);
  });

  it('M2 a fact of a megabyte has a short row, and is shown in full when opened', () => {
    const made = lived();
    byHand(factsPath(made.memory), (file) =>
      file.notes.push({ id: 'n900', content: 'x'.repeat(1_000_000) }),
    );
    const [row] = made.ask('memory.facts', { part: 'notes' }).rows;
    expect(row?.content.length).toBeLessThanOrEqual(2000);
    expect(fact(made, 'n900').fact.content).toHaveLength(1_000_000);
  });
});

describe('concepts in the window', () => {
  it('M10 M19 a changed concept keeps its facts and unknown fields, stays as a person left it, and goes back', () => {
    const made = lived();
    byHand(conceptsPath(made.memory), (file) => {
      for (const item of file.concepts) item.colour = 'blue';
    });
    made.record();
    const { id = '' } = concept(made, 'Gateway') ?? {};
    const before = made.ask('memory.concept', { id });
    expect(before.facts).toMatchObject([{ id: 'p001' }]);
    const saved = made.ask('memory.changeConcept', {
      id,
      base: before.version,
      change: { name: '관문', summary: 'All of it.' },
    });
    made.decide('s3', 'The gateway logs every request.', {
      kind: 'pattern',
      files: ['src/gateway.ts'],
      conceptName: 'Gateway',
    });
    expect(made.ask('memory.concept', { id }).concept).toMatchObject({
      name: '관문',
      summary: 'All of it.',
      isEdited: true,
      colour: 'blue',
    });
    rebuild(made.memory);
    expect(made.concepts.concepts.map(({ name }) => name)).toContain('관문');
    made.ask('memory.undo', { edit: saved.saved ? saved.edit : -1 });
    expect(made.ask('memory.concept', { id }).concept).toMatchObject({
      name: 'Gateway',
      colour: 'blue',
    });
  });

  it('M19 a concept that somebody else changed meanwhile is a conflict', () => {
    const made = lived();
    const { id = '' } = concept(made, 'Gateway') ?? {};
    const { version } = made.ask('memory.concept', { id });
    byHand(conceptsPath(made.memory), (file) => {
      file.concepts.find((item: { id: string }) => item.id === id).name = 'Theirs';
    });
    expect(
      made.ask('memory.changeConcept', { id, base: version, change: { name: 'Mine' } }),
    ).toMatchObject({
      saved: false,
      theirs: { name: 'Theirs' },
    });
    expect(made.ask('memory.concept', { id }).concept.name).toBe('Theirs');
  });

  it('M19 a forgotten concept stays away, its facts stay, and undo brings it back with them', () => {
    const made = lived();
    const { id = '' } = concept(made, 'Gateway') ?? {};
    const forgotten = made.ask('memory.forgetConcept', {
      id,
      base: made.ask('memory.concept', { id }).version,
    });
    rebuild(made.memory);
    expect(concept(made, 'Gateway')).toBeUndefined();
    expect(fact(made, 'p001').concept).toBeNull();
    made.ask('memory.undo', { edit: forgotten.saved ? forgotten.edit : -1 });
    expect(made.ask('memory.concept', { id }).facts).toMatchObject([{ id: 'p001' }]);
    rebuild(made.memory);
    expect(made.ask('memory.concept', { id }).facts).toMatchObject([{ id: 'p001' }]);
  });

  it('M10 M19 a fact is moved to another concept, and back', () => {
    const made = lived();
    const { id: gateway = '' } = concept(made, 'Gateway') ?? {};
    const { version, concept: before } = fact(made, 'd001');
    const moved = made.ask('memory.changeFact', {
      id: 'd001',
      base: version,
      change: { conceptId: gateway },
    });
    expect(fact(made, 'd001').concept).toMatchObject({ name: 'Gateway' });
    rebuild(made.memory);
    expect(fact(made, 'd001').concept).toMatchObject({ name: 'Gateway' });
    made.ask('memory.undo', { edit: moved.saved ? moved.edit : -1 });
    expect(fact(made, 'd001').concept?.name).toBe(before?.name);
    expect(fact(made, 'd001').fact.conceptBy).toBeUndefined();
    expect(() =>
      made.ask('memory.changeFact', { id: 'd001', base: version, change: { conceptId: 'c999' } }),
    ).toThrow('edit.noConcept');
  });
});
