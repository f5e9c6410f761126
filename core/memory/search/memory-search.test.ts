import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { memoryMdPath } from '../../projects/memory-paths.ts';
import { readMemoryIndex } from '../log/memory-index.ts';
import { forgetFact } from '../state/edits.ts';
import { moveToTiers } from '../tiers/tiers.ts';
import { moveToTrash, restoreFromTrash } from '../tiers/trash.ts';
import { searchMemory } from './memory-search.ts';

function talkedProject(): MadeMemory {
  const made = new MadeMemory();
  made.say(
    's1',
    { user: '세션이 끝나면 메모리를 저장했다고 알려줘' },
    { assistant: 'loadMemory reads what was kept.' },
  );
  made.say('s1', { tool: 'npm test', output: 'all green' });
  made.decide('s1', 'The API listens on port 4020.');
  writeFileSync(
    memoryMdPath(made.memory),
    `${made.memoryMd}\n## Mine\n\nThe deployment runs on Fridays.\n`,
  );
  return made;
}

const found = (made: MadeMemory, query: string, options = {}) =>
  searchMemory(made.places, made.memory, query, options);

describe('search over memory', () => {
  it.each([
    ['메모리', 'l1', '메모리를'],
    ['저장', 'l1', '저장했다고'],
    ['load memory', 'l1', 'loadMemory'],
    ['npm test', 'l1', 'npm test'],
    ['port 4020', 'l2', '4020'],
    ['Fridays', 'memory', 'Fridays'],
  ])('M17 finds %s', (query, layer, words) => {
    const hits = found(talkedProject(), query);
    expect(hits.map((hit) => hit.layer)).toContain(layer);
    expect(hits.find((hit) => hit.layer === layer)?.snippet).toContain(words);
  });

  it.each([
    ['vatTable', 'src/vatTable.ts'],
    ['roundHalfUp', '+return roundHalfUp(total)'],
    ['orphanedRow', 'in migrations'],
    ['E_CONN_7781', 'E_CONN_7781'],
  ])(
    'L1b M17 finds %s in what was done: files, changed lines, patterns, errors',
    (query, words) => {
      const made = new MadeMemory();
      const input = {
        file_path: 'src/vatTable.ts',
        old_string: 'return total',
        new_string: 'return roundHalfUp(total)',
      };
      made.say(
        's1',
        { tool: '', name: 'Edit', input, output: 'updated' },
        ...[
          {
            tool: '',
            name: 'Grep',
            input: { pattern: 'orphanedRow', path: 'migrations' },
            output: '',
          },
        ],
        { tool: 'npm start', output: 'listening\nE_CONN_7781: refused' },
      );
      expect(found(made, query)).toMatchObject([{ snippet: expect.stringContaining(words) }]);
    },
  );

  it('M17 finds what was said since the last search, without reading everything again', () => {
    const made = talkedProject();
    expect(found(made, 'zebra')).toEqual([]);
    made.say('s1', { user: 'the zebra crossing is done' });
    expect(found(made, 'zebra')).toHaveLength(1);
    made.say('s2', { user: 'another zebra' });
    expect(found(made, 'zebra')).toHaveLength(2);
    expect(found(made, 'zebra', { session: 's2' })).toHaveLength(1);
  });

  it('M17 M19 does not find what was forgotten or deleted', () => {
    const made = talkedProject();
    const [fact] = made.facts.decisions;
    expect(found(made, 'listens', { layers: ['l2'] })).toHaveLength(1);
    forgetFact(made.memory, fact?.id ?? '');
    expect(found(made, 'listens', { layers: ['l2'] })).toEqual([]);
    const { file = '' } = readMemoryIndex(made.memory).sessions.s1 ?? {};
    rmSync(join(made.memory.sessions, file));
    expect(found(made, '메모리', { layers: ['l1'] })).toEqual([]);
  });

  it('M12 M17 still finds what was compressed', () => {
    const made = talkedProject();
    found(made, '메모리');
    moveToTiers(made.memory, new Date('2027-06-01'), made.settings.retention);
    expect(found(made, '메모리')[0]?.snippet).toContain('메모리를');
  });

  it('T8 M17 finds nothing that is in the trash, and finds it again once it is restored', () => {
    const made = talkedProject();
    const before = found(made, '메모리', { layers: ['l1'] });
    const { file = '' } = readMemoryIndex(made.memory).sessions.s1 ?? {};
    const trashed = moveToTrash(made.memory, file, new Date());
    expect(found(made, '메모리', { layers: ['l1'] })).toEqual([]);
    restoreFromTrash(made.memory, [trashed]);
    expect(found(made, '메모리', { layers: ['l1'] })).toEqual(before);
  });

  it.each(['idx', 'json'])('makes a damaged index (.%s) anew', (extension) => {
    const made = talkedProject();
    const before = found(made, '메모리');
    const folder = join(made.places.home, 'search');
    const name = readdirSync(folder).find((file) => file.endsWith(extension)) ?? '';
    writeFileSync(join(folder, name), 'damaged');
    expect(found(made, '메모리')).toEqual(before);
  });
});
