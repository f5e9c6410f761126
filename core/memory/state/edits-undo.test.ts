/** Random edits of facts, concepts and memory.md, undone again: everything is as it was (M19). */
import { expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { seeds } from '../../../tests/bed/seeds.ts';
import { Random } from '../../../tests/trials/random.ts';
import { EditLog } from '../edits/edit-log.ts';
import { FACT_LISTS } from '../l2-facts/facts-file.ts';
import { rebuild } from './derive.ts';
import {
  addFact,
  changeConcept,
  changeFact,
  removeConcept,
  removeFact,
  saveMemoryText,
  undoEdit,
} from './edits.ts';

const EDITS = 8;
const TOPICS = [
  ['invoice', 'The invoice service rounds to cents', 'src/invoice.ts'],
  ['gateway', 'The gateway drops requests without a token', 'src/gateway.ts'],
  ['calendar', '달력은 월요일부터 시작한다', 'src/calendar.ts'],
  ['worker', 'The worker retries a failed job', 'src/worker.ts'],
] as const;

function workedOn(): MadeMemory {
  const made = new MadeMemory();
  for (const [at, [topic, text, file]] of TOPICS.entries())
    for (const session of ['s1', 's2', 's3'])
      made.decide(`${session}-${at}`, `${text}, as agreed in ${session}.`, {
        keywords: [topic],
        files: [file],
        conceptName: topic,
      });
  return made;
}

/** What people see; the journal's length and the next free ids only grow. */
function visible(made: MadeMemory) {
  const { _meta, ...facts } = made.facts;
  const { nextId: _, ...concepts } = made.concepts;
  const text = made.memoryMd.replace(/Last updated:.*/, '');
  return { facts, forgotten: _meta.forgotten, concepts, text };
}

/** The number of the edit, or undefined if there was nothing to change. */
function editAtRandom(made: MadeMemory, log: EditLog, random: Random): number | undefined {
  const { memory } = made;
  const facts = FACT_LISTS.flatMap((list) => made.facts[list]);
  const fact = facts[random.below(Math.max(1, facts.length))];
  const { concepts } = made.concepts;
  const concept = concepts[random.below(Math.max(1, concepts.length))];
  const isExpected = () => true;
  const edits = [
    () => fact && removeFact(memory, log, fact.id, isExpected),
    () =>
      fact && changeFact(memory, log, fact.id, { content: `${fact.content} Or not.` }, isExpected),
    () =>
      fact && concept && changeFact(memory, log, fact.id, { conceptId: concept.id }, isExpected),
    () =>
      concept && changeConcept(memory, log, concept.id, { name: `${concept.name} 2` }, isExpected),
    () => concept && removeConcept(memory, log, concept.id, isExpected),
    () => addFact(memory, log, 'patterns', { content: 'The gateway logs every token it drops.' }),
    () => saveMemoryText(memory, log, `${made.memoryMd}\n- By hand.\n`, isExpected),
  ];
  const done = edits[random.below(edits.length)]?.();
  return done !== undefined && 'edit' in done && done.edit >= 0 ? done.edit : undefined;
}

it('M19 random edits that are undone leave facts, concepts and memory.md as they were', () => {
  const made = workedOn();
  const before = visible(made);
  const log = new EditLog(made.memory);
  for (const seed of seeds(12)) {
    const random = new Random(seed);
    const edits: number[] = [];
    for (let at = 0; at < EDITS; at++) {
      const edit = editAtRandom(made, log, random);
      if (edit !== undefined) edits.push(edit);
    }
    for (const edit of edits.reverse()) undoEdit(made.memory, log, edit);
    expect(visible(made), `seed ${seed}`).toEqual(before);
  }
  rebuild(made.memory);
  expect(visible(made).facts).toEqual(before.facts);
});

it('M10 M19 an edit moves no other fact to another concept', () => {
  const made = workedOn();
  const placed = () =>
    new Map(
      FACT_LISTS.flatMap((list) => made.facts[list]).map((fact) => [fact.id, fact.conceptId]),
    );
  const before = placed();
  const log = new EditLog(made.memory);
  removeFact(made.memory, log, 'd002', () => true);
  changeFact(made.memory, log, 'd005', { content: 'The invoice has a worker.' }, () => true);
  before.delete('d002');
  expect(placed()).toEqual(before);
});

it('M10 M19 a concept goes with its last fact and returns with it, in its place', () => {
  const made = workedOn();
  const names = () => made.concepts.concepts.map(({ name }) => name);
  const before = names();
  const [first] = made.concepts.concepts;
  const log = new EditLog(made.memory);
  const own = made.facts.decisions.filter(({ conceptId }) => conceptId === first?.id);
  expect(own.length).toBeGreaterThan(1);
  const edits = own.map(({ id }) => removeFact(made.memory, log, id, () => true));
  expect(names()).toEqual(before.slice(1));
  for (const edit of edits) if (edit.isSaved) undoEdit(made.memory, log, edit.edit);
  expect(names()).toEqual(before);
});
