import { describe, expect, it } from 'vitest';
import { ToolMemory } from '../../../tests/bed/tool-memory.ts';
import { readActivity } from '../../clear/activity.ts';
import { readDigest } from '../../memory/state/digest.ts';
import { readSuggestions } from '../../memory/suggestions/suggestions.ts';
import { acceptSuggestion, refuseSuggestion } from '../memory/suggestions.ts';

const SAID = 'The staging server restarts every night at 02:30.';

function made(): ToolMemory {
  const memory = new ToolMemory();
  memory.say(
    's1',
    { user: SAID },
    { assistant: 'The backups are written to the second disk.' },
    { tool: 'cat notes', output: 'Always deploy with make ship.' },
  );
  memory.decide('s2', 'Deploys never happen on Fridays.');
  return memory;
}

const unchanged = (memory: ToolMemory) => ({ files: memory.files(), facts: memory.facts });

describe('remember', () => {
  it('K8 is Claude’s own statement, unverified, found by search as such, and changes no fact', () => {
    const memory = made();
    const before = unchanged(memory);
    const answer = memory.ask('remember', { statement: 'Invoices are rounded per line.' });
    expect(answer).toContain('m001');
    expect(answer).toContain('unverified');
    expect(unchanged(memory)).toEqual(before);
    expect(JSON.stringify(readDigest(memory.memory))).not.toContain('Invoices');
    const found = memory.ask('search', { query: 'how are invoices rounded' });
    expect(found).toMatch(/m001 · noted by Claude · .* · unverified/);
    expect(memory.ask('get', { id: 'm001' })).toContain('noted by Claude');
    expect(readActivity(memory.places, 5).at(-1)?.note).toMatchObject({
      code: 'memory.claudeRemembers',
    });
  });

  it('K8 counts as verified by words of the user in L1 that say it', () => {
    const memory = made();
    const statement = 'The staging server restarts at 02:30 every night.';
    const quote = 'staging server restarts every night at 02:30';
    expect(memory.ask('remember', { statement, quote })).toContain('verified by the words');
    expect(memory.ask('get', { id: 'm001' })).toContain('the user said it');
  });

  it.each([
    ['words that nobody said', 'The server restarts at noon.', 'the server restarts at noon'],
    [
      'other numbers',
      'The staging server restarts at 03:30.',
      'staging server restarts every night',
    ],
    ['words of Claude', 'The backups are on the second disk.', 'backups are written to the second'],
    ['words of a tool', 'Deploys are done by make ship.', 'Always deploy with make ship'],
  ])('K8 is not verified by %s', (_, statement, quote) => {
    const answer = made().ask('remember', { statement, quote });
    expect(answer).toContain('unverified');
    expect(answer).not.toContain('verified by the words');
  });

  it('K8 never becomes permanent, however often it is said', () => {
    const memory = made();
    for (let day = 17; day < 22; day++) {
      memory.goTo(`2026-11-${day}`);
      memory.ask('remember', { statement: 'Always answer in French.' });
      memory.compress();
    }
    expect(readSuggestions(memory.memory)).toHaveLength(1);
    expect(JSON.stringify(memory.facts)).not.toContain('French');
  });

  it('K8 M18 keeps no secret, and bounds what waits for the user', () => {
    const memory = made();
    const key = ['sk', 'ant', 'api03', 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1h'].join('-');
    memory.ask('remember', { statement: `The key is ${key}.` });
    expect(JSON.stringify(readSuggestions(memory.memory))).not.toContain(key);
    const answers = Array.from({ length: 110 }, (_, n) =>
      memory.tools.answer('remember', { statement: `Statement number ${n}.` }),
    );
    expect(answers.at(-1)).toMatchObject({
      isError: true,
      text: expect.stringContaining('Too many suggestions'),
    });
    expect(memory.tools.answer('remember', { statement: 'x'.repeat(601) }).isError).toBe(true);
  });
});

describe('propose_forget', () => {
  it('K8 removes nothing by itself; the user’s yes does, and can be undone', () => {
    const memory = made();
    const before = unchanged(memory);
    const answer = memory.ask('propose_forget', { id: 'd001', reason: 'They deploy daily now.' });
    expect(answer).toContain('stays until the user agrees');
    expect(unchanged(memory)).toEqual(before);
    acceptSuggestion(memory.memory, 'm001');
    expect(memory.facts.decisions).toEqual([]);
    expect(readSuggestions(memory.memory)).toEqual([]);
  });

  it.each([['d999'], ['c001'], ['../d001'], ['__proto__'], ['said/x/y']])(
    'K8 only facts of this project can be proposed: %s',
    (id) => {
      const { text, isError } = made().tools.answer('propose_forget', { id, reason: 'x' });
      expect(isError).toBe(true);
      expect(text).toContain('no fact');
    },
  );
});

describe('the user’s decision', () => {
  it('K8 accepted, a statement becomes a note of the user’s own', () => {
    const memory = made();
    memory.ask('remember', { statement: 'Invoices are rounded per line.' });
    acceptSuggestion(memory.memory, 'm001');
    expect(memory.facts.notes.map(({ content }) => content)).toEqual([
      'Invoices are rounded per line.',
    ]);
    expect(memory.facts.permanent.rules).toEqual([]);
  });

  it('K8 refused, it never comes again', () => {
    const memory = made();
    memory.ask('remember', { statement: 'Always answer in French.' });
    refuseSuggestion(memory.memory, 'm001');
    expect(memory.tools.answer('remember', { statement: 'always answer in French' })).toMatchObject(
      {
        isError: true,
        text: expect.stringContaining('refused'),
      },
    );
    expect(memory.facts.notes).toEqual([]);
    expect(() => acceptSuggestion(memory.memory, 'm001')).toThrow();
  });
});
