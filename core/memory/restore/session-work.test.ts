import { describe, expect, it } from 'vitest';
import type { L1Entry, ToolEntry } from '../log/l1-refine.ts';
import { sessionWork } from './session-work.ts';

let count = 0;
const said = (role: 'user' | 'assistant', text: string): L1Entry => ({
  id: `e${count++}`,
  ts: '',
  role,
  text,
});
const call = (name: string, cmd: string, more: Partial<ToolEntry> = {}): L1Entry => ({
  ...{ id: `e${count++}`, ts: '', role: 'tool', name, cmd, output: '' },
  ...more,
});
const text = (entries: readonly L1Entry[], room = 15_000) =>
  sessionWork(entries, room)
    .map(({ title, items }) => `## ${title}\n${items.join('\n')}`)
    .join('\n');
/** Steps of other work, so that what is tested is not among the last ones. */
const filler = Array.from({ length: 60 }, (_, n) =>
  said('assistant', `Step ${n} of the migration went well, ${'as it should '.repeat(10)}`),
);

const work: L1Entry[] = [
  said('user', 'Never touch the billing folder. Move the settings page to the new router.'),
  call('Read', 'src/settings/SettingsPage.tsx', { detail: 'lines 1-80' }),
  call('Edit', 'src/router/routes.ts', {
    change:
      "-  '/settings': LegacySettings,\n+  '/settings': lazy(() => import('./SettingsPage')),",
  }),
  call('Bash', 'npm test -- router', {
    output: 'Exit code 1\nTypeError: buildRoutes is not a function',
    isError: true,
  }),
  call('Bash', 'npm run lint', { output: 'error in lintTarget', isError: true }),
  call('Bash', 'npm run lint'),
  said('assistant', 'The reason is that `buildRoutes` was renamed to `createRouteTable` in v7.'),
  ...filler,
  said('user', 'Good. Now the same for the profile page.'),
  said('assistant', 'I start with ProfilePage.tsx.'),
];

describe('the work of a session', () => {
  it('K2 has every request in the user’s own words, the newest in full', () => {
    const long = `Now ${'explain this carefully '.repeat(200)}`.trim();
    const told = text([...work, said('user', long)], 30_000);
    expect(told).toContain('Never touch the billing folder.');
    expect(told).toContain('Now the same for the profile page.');
    expect(told).toContain(long);
  });

  it('K2 has a short answer with what it answers', () => {
    const told = text([
      ...work,
      said('assistant', 'Two ways are open.\nShall I keep the old route as well?'),
      said('user', 'no'),
      said('user', 'And write a test for it, please, in the folder of the others.'),
    ]);
    expect(told).toContain('- (to “Shall I keep the old route as well?”) no\n');
  });

  it('K2 of very many requests each is shorter, and the oldest are counted', () => {
    const requests = Array.from({ length: 400 }, (_, n) =>
      said('user', `Request ${n}: ${'word '.repeat(40)}`),
    );
    const [asked] = sessionWork(requests, 10_000);
    expect(asked?.items.at(-1)).toContain('Request 398:');
    expect((asked?.items.length ?? 0) + (asked?.more ?? 0)).toBe(399);
  });

  it('K2 tells of each file what was changed in it', () => {
    expect(text(work)).toMatch(
      /In the file src\/router\/routes\.ts:\n +-.*LegacySettings[\s\S]*lazy\(\(\) => import/,
    );
  });

  it('K2 tells which command fails with which error, and not those that work again', () => {
    const told = text(work);
    expect(told).toMatch(/Ran npm test -- router failed:\n[\s\S]*buildRoutes is not a function/);
    expect(told).not.toContain('lintTarget');
    const notThere = call('Read', 'src/nowhere.ts', { output: 'No such file', isError: true });
    expect(text([notThere, ...work])).not.toContain('nowhere.ts failed');
  });

  it('K2 tells what Claude found on the way, once', () => {
    const again = said(
      'assistant',
      'As said, buildRoutes and createRouteTable are one and the same thing, whatever the old guide says of them.',
    );
    const told = text([...work.slice(0, 7), again, ...work.slice(7)]);
    expect(told).toContain('was renamed to `createRouteTable`');
    expect(told).not.toContain('As said');
  });

  it('K2 tells the lines of one reply in their order, long and short', () => {
    const reply = said(
      'assistant',
      'First the longer line about parseSettings and how it was written down.\nThen loadTheme works.',
    );
    const told = text([...work.slice(0, 7), reply, ...work.slice(7)]);
    expect(told.indexOf('parseSettings')).toBeGreaterThan(0);
    expect(told.indexOf('parseSettings')).toBeLessThan(told.indexOf('loadTheme'));
  });

  it('K2 ends with the last steps as they were', () => {
    const edit = call('Edit', 'src/profile/ProfilePage.tsx', { change: '-old()\n+fresh()' });
    const told = text([...work, edit]);
    expect(told.slice(told.indexOf('## The last steps'))).toMatch(
      /I start with ProfilePage\.tsx\.\n- Edit of file_path src\/profile\/ProfilePage\.tsx[\s\S]*old_string:\n +old\(\)\nnew_string:\n +fresh\(\)$/,
    );
  });

  it('K2 has the plan as it stands', () => {
    const plan = call('TodoWrite', '[x] settings\n[ ] profile', { isPlan: true });
    expect(text([...work, plan])).toContain('## The plan, as it stands\n[x] settings\n[ ] profile');
  });

  it('A9 leaves out Claude Code’s own words and commands that are no requests', () => {
    const told = text([...work, said('user', '/clear'), said('assistant', 'Prompt is too long')]);
    expect(told).not.toMatch(/Prompt is too long|\/clear/);
    expect(sessionWork([said('user', '/clear')], 10_000)).toEqual([]);
  });

  it.each([3000, 9000, 20_000])('K2 stays within %i characters, whatever was said', (room) => {
    const huge = [
      ...work,
      ...Array.from({ length: 300 }, (_, n) =>
        call('Edit', `src/part-${n}/fileName${n}.ts`, {
          change: `+ const someValue${n} = computeThe_${n}(thing${n})\n`.repeat(9),
        }),
      ),
      said('user', 'x'.repeat(50_000)),
    ];
    expect(text(huge, room).length).toBeLessThanOrEqual(room);
  });
});
