import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MadeMemory } from '../../../tests/bed/made-memory.ts';
import { saveBriefing } from '../../memory/restore/briefing-file.ts';

import { ActivityList, findProjectOf } from './activity-list.ts';

describe('the project of a session that got a briefing', () => {
  function lived(): MadeMemory {
    const made = new MadeMemory();
    made.say('ended', { user: 'Hello.' });
    return made;
  }

  it('G2 is found in its memory, even one that is new, and among the sessions of the application', () => {
    const made = lived();
    for (const session of ['ended', 'live', 'later'])
      saveBriefing(made.places, session, 'What was known.');
    const activity = new ActivityList(made.places);
    const projects = () => {
      const rows = activity
        .list({ count: 10 }, { live: made.root })
        .filter(({ what }) => what === 'given');
      return Object.fromEntries(rows.map(({ sessionId, project }) => [sessionId, project]));
    };
    expect(projects()).toEqual({ ended: made.root, live: made.root, later: null });
    made.say('later', { user: 'Hello again.' });
    expect(projects()).toEqual({ ended: made.root, live: made.root, later: made.root });
  });

  it('G2 is found for one session without parsing the indexes: a broken one does no harm, and part of an id is no match', () => {
    const [made, other] = [lived(), lived()];
    writeFileSync(made.memory.index, '{ not JSON');
    const memories = [made.memory, other.memory];
    expect(findProjectOf('ended', memories)).toBe(other.root);
    expect(findProjectOf('end', memories)).toBeNull();
  });
});
